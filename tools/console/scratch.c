#define _GNU_SOURCE /* flock, nftw and O_DIRECTORY */
#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the names of the folders begin with; mkdtemp appends six letters. */
static const char prefix[] = "grayling-scratch-";

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status, (void)kind, (void)at;
    remove(path);
    return 0;
}

static void remove_folder(const char *folder)
{
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Locks a folder of this user; -1 if it is none, or its process lives. */
static int lock_folder(const char *folder)
{
    struct stat s;
    int lock = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (lock >= 0 && fstat(lock, &s) == 0 && s.st_uid == geteuid() &&
        flock(lock, LOCK_EX | LOCK_NB) == 0)
        return lock;
    if (lock >= 0)
        close(lock);
    return -1;
}

/* Removes the folders of processes that were killed. */
static void remove_left(const char *parent)
{
    char folder[2 * PATH_SIZE];
    DIR *list = opendir(parent);
    for (struct dirent *e; list != NULL && (e = readdir(list)) != NULL;) {
        if (strncmp(e->d_name, prefix, strlen(prefix)) != 0 ||
            strlen(e->d_name) != strlen(prefix) + 6)
            continue;
        snprintf(folder, sizeof folder, "%.1000s/%s", parent, e->d_name);
        const int lock = lock_folder(folder);
        if (lock < 0)
            continue;
        remove_folder(folder);
        close(lock);
    }
    if (list != NULL)
        closedir(list);
}

bool scratch_make(struct scratch *s, struct error *err)
{
    const char *parent = getenv("TMPDIR");
    if (parent == NULL || parent[0] == '\0')
        parent = "/tmp";
    remove_left(parent);
    bool taken; /* by another process, for one that was left, before it was locked */
    do {
        snprintf(s->folder, sizeof s->folder, "%.960s/%sXXXXXX", parent, prefix);
        if (mkdtemp(s->folder) == NULL)
            return error_set(err, "cannot make a folder in %s: %s", parent, strerror(errno));
        s->lock = lock_folder(s->folder);
        taken =
            s->lock < 0 ? errno == EWOULDBLOCK || errno == ENOENT : access(s->folder, F_OK) != 0;
        if (taken && s->lock >= 0)
            close(s->lock);
    } while (taken);
    snprintf(s->run, sizeof s->run, "%s/run.db", s->folder);
    return true;
}

void scratch_remove(const struct scratch *s)
{
    remove_folder(s->folder);
    if (s->lock >= 0)
        close(s->lock);
}
