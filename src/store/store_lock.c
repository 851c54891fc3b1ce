#define _GNU_SOURCE /* locks of an open file description: fcntl(F_OFD_SETLK) */
#include "file_lock.h"
#include "store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The locks are on the WAL file, which exists as long as a process has the run open for writing; each
 * is a byte of it. The kernel releases them when the process ends, for whatever reason. SQLite never
 * locks that file. Locks on the database itself would not work: closing our descriptor would also
 * release SQLite's own locks. */

enum { LOCKS = 2 };

static int open_wal(const char *path, int flags)
{
    char *name = store_beside(path, "-wal");
    int fd = name == NULL ? -1 : open(name, flags | O_CLOEXEC);
    free(name);
    return fd;
}

bool store_is_being_written(const char *file)
{
    int fd = open_wal(file, O_RDONLY);
    if (fd < 0)
        return false;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = LOCKS};
    bool held = fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    close(fd);
    return held;
}

bool store_lock(struct store *s, enum store_lock which, struct error *err)
{
    s->lock = open_wal(s->file, O_RDWR);
    if (s->lock < 0)
        return error_set(err, "cannot lock %s: %s", s->path, strerror(errno));
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)which, .l_len = 1};
    if (fcntl(s->lock, F_OFD_SETLK, &lock) == 0)
        return true;
    if (!file_lock_is_held(errno))
        return error_set(err, "cannot lock %s: %s", s->path, strerror(errno));
    return error_set(err, "%s is locked by another process, which is running it", s->path);
}
