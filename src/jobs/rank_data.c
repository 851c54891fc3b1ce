#define _GNU_SOURCE /* memfd_create */
#include "ranks_internal.h"

#include "checksum.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 16 << 20 };

static const char prefix[] = "rank-data-";

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

/* Enters a name. NULL without memory. */
static struct rank_data *enter(const char *name, int file)
{
    struct rank_data *d = calloc(1, sizeof *d);
    if (d == NULL)
        return NULL;
    snprintf(d->name, sizeof d->name, "%s", name);
    d->file = file;
    snprintf(d->path, sizeof d->path, "/proc/self/fd/%d", file);
    d->next = all;
    all = d;
    return d;
}

/* ---- rank 0 ---- */

/* Sends a file in pieces to a rank. */
static bool send_pieces(struct ranks *r, int to, const char *name, const char *bytes, size_t size)
{
    size_t at = 0;
    do {
        const size_t piece = size - at < PIECE ? size - at : PIECE;
        const struct message head = {.kind = MESSAGE_DATA, .first = at, .count = size};
        if (!ranks_send(r, to, &head, name, RANK_DATA_NAME, bytes + at, piece))
            return false;
        at += piece;
    } while (at < size);
    return true;
}

bool ranks_put_data(const void *bytes, size_t size, char name[RANK_DATA_NAME], struct error *err)
{
    struct ranks *r = ranks_here();
    char sha256[CHECKSUM_MAX];
    checksum_bytes(bytes, size, sha256);
    memset(name, 0, RANK_DATA_NAME);
    snprintf(name, RANK_DATA_NAME, "%s%s", prefix, sha256);
    if (r == NULL || find(name) != NULL)
        return true;
    if (enter(name, -1) == NULL)
        return error_set(err, "no memory for the data of %d ranks", r->count);
    for (int to = 1; to < r->count; to++)
        if (!send_pieces(r, to, name, bytes, size))
            return error_set(err, "cannot send data to rank %d on %s", to, r->peers[to].host);
    return true;
}

/* ---- the others ---- */

/* Appends bytes to a file in memory. */
static bool append(int file, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t written = write(file, at, size);
        if (written <= 0)
            return false;
        at += written;
        size -= (size_t)written;
    }
    return true;
}

/* The file that a piece belongs to; NULL if there is no memory. */
static struct rank_data *file_of(const struct arrival *a)
{
    char name[RANK_DATA_NAME];
    memcpy(name, a->bytes, sizeof name);
    name[sizeof name - 1] = '\0';
    struct rank_data *d = find(name);
    if (d != NULL)
        return d;
    int file = memfd_create("grayling", MFD_CLOEXEC);
    d = file < 0 ? NULL : enter(name, file);
    if (d == NULL && file >= 0)
        close(file);
    return d;
}

bool rank_data_take(const struct arrival *a, struct error *err)
{
    char sha256[CHECKSUM_MAX];
    if (a->size < RANK_DATA_NAME)
        return error_set(err, "data arrived damaged");
    struct rank_data *d = file_of(a);
    const size_t size = a->size - RANK_DATA_NAME;
    if (d == NULL || !append(d->file, a->bytes + RANK_DATA_NAME, size))
        return error_set(err, "no memory for %llu bytes of data: %s",
                         (unsigned long long)a->head.count, strerror(errno));
    if (a->head.first + size < a->head.count)
        return true;
    return checksum_file(d->path, sha256, err) &&
           (strcmp(sha256, d->name + strlen(prefix)) == 0 ||
            error_set(err, "data arrived damaged: its SHA-256 is %s, not %s", sha256,
                      d->name + strlen(prefix)));
}

const char *ranks_data_path(const char *name)
{
    const struct rank_data *d = find(name);
    return d == NULL || d->file < 0 ? NULL : d->path;
}

void rank_data_free(void)
{
    while (all != NULL) {
        struct rank_data *next = all->next;
        if (all->file >= 0)
            close(all->file);
        free(all);
        all = next;
    }
}
