/* Files that travel: what a fitness reads goes from rank 0 to all others, once, and what a job leaves
 * for people goes back. */
#define _GNU_SOURCE /* memfd_create */
#include "jobs_internal.h"

#include "checksum.h"
#include "output.h"
#include "paths.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 16 << 20, KEPT_PATH = 5000 };

/* ---- data from rank 0 ---- */

/* A file that rank 0 has given to all. Its bytes are in memory without a name, so that nothing is left
 * behind however a rank ends. */
struct rank_data {
    struct rank_data *next;
    char name[RANK_DATA_NAME];
    int file; /* -1 on rank 0, which has the original */
    char path[64];
};

/* All of them; a run's files do not change. */
static struct rank_data *all;

static struct rank_data *find(const char *name)
{
    struct rank_data *d = all;
    while (d != NULL && strcmp(d->name, name) != 0)
        d = d->next;
    return d;
}

static struct rank_data *enter(const char *name, int file)
{
    struct rank_data *d = ranks_alloc(sizeof *d);
    *d = (struct rank_data){.next = all, .file = file};
    snprintf(d->name, sizeof d->name, "%s", name);
    snprintf(d->path, sizeof d->path, "/proc/self/fd/%d", file);
    return all = d;
}

void ranks_put_data(const void *bytes, size_t size, char name[RANK_DATA_NAME])
{
    const struct message head = {.kind = MESSAGE_DATA};
    struct ranks *r = ranks_here();
    char sha256[CHECKSUM_MAX];
    checksum_bytes(bytes, size, sha256);
    memset(name, 0, RANK_DATA_NAME);
    snprintf(name, RANK_DATA_NAME, "rank-data-%s", sha256);
    if (r == NULL || find(name) != NULL)
        return;
    enter(name, -1);
    for (size_t at = 0; at == 0 || at < size; at += PIECE)
        ranks_send_all(r, &head, name, RANK_DATA_NAME, (const char *)bytes + at,
                       size - at < PIECE ? size - at : PIECE);
}

void ranks_take_data(const struct arrival *a)
{
    const char *name = (const char *)a->bytes, *at = name + RANK_DATA_NAME;
    struct rank_data *d = find(name);
    if (d == NULL)
        d = enter(name, memfd_create("grayling", MFD_CLOEXEC));
    for (const char *end = name + a->size; at < end;) {
        const ssize_t written = write(d->file, at, (size_t)(end - at));
        if (written <= 0)
            ranks_abort(EXIT_FAILURE);
        at += written;
    }
}

const char *ranks_data_path(const char *name)
{
    const struct rank_data *d = find(name);
    return d == NULL || d->file < 0 ? NULL : d->path;
}

/* ---- files to rank 0 ---- */

/* A file that waits to be sent: its path, NUL, its bytes. */
struct kept {
    struct kept *next;
    int most;
    size_t size;
    char bytes[];
};

/* What jobs of this rank left; the lock guards it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kept *waiting;

/* True if a folder, which is created, has room for one more file. */
static bool has_room(const char *folder, int most)
{
    if (mkdir(folder, 0777) == 0)
        return true;
    int count = -2; /* "." and ".." are listed too */
    DIR *files = opendir(folder);
    while (files != NULL && count < most && readdir(files) != NULL)
        count++;
    if (files != NULL)
        closedir(files);
    return count < most;
}

/* What output_write prints. */
struct content {
    const void *bytes;
    size_t size;
};

static void print(FILE *out, void *context)
{
    const struct content *c = context;
    fwrite(c->bytes, 1, c->size, out);
}

static bool write_file(const char *path, const void *bytes, size_t size, int most,
                       struct error *err)
{
    struct content content = {bytes, size};
    char folder[KEPT_PATH];
    snprintf(folder, sizeof folder, "%.*s", (int)(path_name(path) - path), path);
    return (most > 0 && !has_room(folder, most)) || output_write(path, print, &content, err);
}

void ranks_take_file(const struct arrival *a)
{
    const char *path = (const char *)a->bytes;
    const size_t length = strlen(path) + 1;
    write_file(path, path + length, a->size - length, (int)a->head.count, NULL);
}

bool ranks_keep_file(const char *path, const void *bytes, size_t size, int most, struct error *err)
{
    const size_t length = strlen(path) + 1;
    if (ranks_here() == NULL || ranks_many())
        return write_file(path, bytes, size, most, err);
    struct kept *k = malloc(sizeof *k + length + size);
    if (k == NULL)
        return error_set(err, "no memory for %s", path);
    k->most = most;
    k->size = length + size;
    memcpy(k->bytes, path, length);
    memcpy(k->bytes + length, bytes, size);
    pthread_mutex_lock(&lock);
    k->next = waiting;
    waiting = k;
    pthread_mutex_unlock(&lock);
    return true;
}

void ranks_send_files(struct ranks *r)
{
    pthread_mutex_lock(&lock);
    struct kept *k = waiting;
    waiting = NULL;
    pthread_mutex_unlock(&lock);
    while (k != NULL) {
        struct kept *next = k->next;
        const struct message head = {.kind = MESSAGE_FILE, .count = (uint64_t)k->most};
        ranks_send(r, 0, &head, k->bytes, k->size, NULL, 0);
        free(k);
        k = next;
    }
}

void ranks_free_files(void)
{
    while (all != NULL) {
        struct rank_data *next = all->next;
        if (all->file >= 0)
            close(all->file);
        free(all);
        all = next;
    }
}
