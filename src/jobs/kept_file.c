#include "kept_file.h"

#include "output.h"
#include "ranks_internal.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { KEPT_PATH = 5000 };

/* A file that waits to be sent: its path, NUL, its bytes. */
struct kept {
    struct kept *next;
    int most; /* files in its folder, which is created; 0: as many as there are */
    size_t size;
    char bytes[];
};

/* What jobs of this rank left; the lock guards it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kept *waiting;

/* ---- on the machine of rank 0 ---- */

/* True if the folder has as many files. */
static bool is_full(const char *folder, int most)
{
    int count = 0;
    DIR *files = opendir(folder);
    while (files != NULL && count < most + 2 && readdir(files) != NULL)
        count++;
    if (files != NULL)
        closedir(files);
    return count >= most + 2; /* "." and ".." are listed too */
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

static bool write_file(const char *path, const void *bytes, size_t size, struct error *err)
{
    struct content content = {bytes, size};
    return output_write(path, print, &content, err);
}

/* Writes a file whose folder has room for it. */
static void add_file(const char *path, const void *bytes, size_t size, int most)
{
    char folder[KEPT_PATH];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash == NULL)
        return;
    *slash = '\0';
    if (mkdir(folder, 0777) == 0 || !is_full(folder, most))
        write_file(path, bytes, size, NULL);
}

void kept_file_take(const struct arrival *a)
{
    const char *path = (const char *)a->bytes, *end = memchr(path, '\0', a->size);
    if (end == NULL)
        return;
    const size_t size = a->size - (size_t)(end + 1 - path);
    if (a->head.count > 0)
        add_file(path, end + 1, size, (int)a->head.count);
    else
        write_file(path, end + 1, size, NULL);
}

/* ---- on another rank ---- */

/* Keeps a file until it is sent. */
static bool keep(const char *path, const void *bytes, size_t size, int most)
{
    const size_t length = strlen(path) + 1;
    struct kept *k = malloc(sizeof *k + length + size);
    if (k == NULL)
        return false;
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

void kept_files_send(struct ranks *r)
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

/* ---- on any ---- */

bool kept_file_write(const char *path, const void *bytes, size_t size, struct error *err)
{
    if (ranks_serves())
        return keep(path, bytes, size, 0) || error_set(err, "no memory for %s", path);
    return write_file(path, bytes, size, err);
}

void kept_file_add(const char *folder, const char *name, const void *bytes, size_t size, int most)
{
    char path[KEPT_PATH];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return;
    if (ranks_serves())
        keep(path, bytes, size, most);
    else
        add_file(path, bytes, size, most);
}
