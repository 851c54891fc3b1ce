#include "clock.h"
#include "output.h"
#include "store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WAL_PAGES = 512 /* 2 MiB: the WAL is copied into the file when it is so large */ };

char *store_beside(const char *path, const char *suffix)
{
    char *name = malloc(strlen(path) + strlen(suffix) + 1);
    if (name != NULL)
        strcat(strcpy(name, path), suffix);
    return name;
}

void store_remove_beside(const char *path, const char *suffix)
{
    char *name = store_beside(path, suffix);
    if (name != NULL)
        unlink(name);
    free(name);
}

/* -- stages: FILE#STAGE is the run of stage STAGE inside FILE */

/* The length of FILE in FILE#STAGE; of the whole path if that is a file, or FILE is none. */
static size_t file_length(const char *path)
{
    const char *mark = strrchr(path, '#');
    if (mark == NULL || !path_is_stage_name(mark + 1) || access(path, F_OK) == 0)
        return strlen(path);
    char *file = strndup(path, (size_t)(mark - path));
    bool there = file != NULL && access(file, F_OK) == 0;
    free(file);
    return there ? (size_t)(mark - path) : strlen(path);
}

/* Returns the stage that a path names; "" if none. */
static const char *stage_of(const char *path)
{
    const char *end = path + file_length(path);
    return *end == '#' ? end + 1 : end;
}

char *store_path_of_file(const char *path)
{
    return strndup(path, file_length(path));
}

/* -- life cycle */

struct store *store_allocate(const char *path, const char *ending, struct error *err)
{
    struct store *s = calloc(1, sizeof *s);
    char *file = store_path_of_file(path);
    if (s != NULL && file != NULL) {
        s->path = strdup(path);
        s->file = store_beside(file, ending);
        snprintf(s->stage, sizeof s->stage, "%s", stage_of(path));
    }
    free(file);
    if (s != NULL && s->path != NULL && s->file != NULL)
        return s;
    store_close(s);
    return error_null(err, "no memory for the store");
}

const char *store_file(const struct store *s)
{
    return s->file;
}

const char *store_stage(const struct store *s)
{
    return s->stage;
}

bool store_running(const struct store *s)
{
    return s->running;
}

/* -- creation */

void store_remove_leftovers(const char *file)
{
    static const char ending[] = ".db";
    size_t length = strlen(file), tail = sizeof ending - 1;
    bool has = length > tail && strcmp(file + length - tail, ending) == 0;
    char *stem = strndup(file, has ? length - tail : length);
    if (stem != NULL)
        output_remove_leftovers(stem);
    free(stem);
}

bool store_available(const char *path, bool force, struct error *err)
{
    struct stat st;
    if (stage_of(path)[0] != '\0') {
        struct store *s = store_open_file(path, STORE_READ, err);
        bool available = s != NULL && (s->run == 0 || error_set(err, "%s already exists", path));
        store_close(s);
        return available;
    }
    if (lstat(path, &st) != 0)
        return output_check(path, true, err);
    if (!force)
        return error_set(err, "%s exists; choose another name or give --force", path);
    if (!S_ISREG(st.st_mode))
        return error_set(err, "%s is not a file, and is not replaced", path);
    if (store_is_being_written(path))
        return error_set(err, "%s is locked by another process, which is running it", path);
    return true;
}

/* Creates an empty store and begins its first transaction. */
static bool create_file(struct store *s, struct error *err)
{
    char identity[96];
    int fd = output_create(s->file);
    if (fd < 0)
        return error_set(err, "cannot write %s: %s", s->path, strerror(errno));
    close(fd);
    snprintf(identity, sizeof identity, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             STORE_APPLICATION, STORE_VERSION);
    return store_connect_new(s, err) &&
           store_execute(s, "PRAGMA journal_mode = MEMORY; PRAGMA cache_spill = OFF", err) &&
           store_begin(s, err) && store_execute(s, identity, err);
}

struct store *store_create(const char *path, bool force, struct error *err)
{
    char suffix[OUTPUT_SUFFIX];
    if (!store_available(path, force, err))
        return NULL;
    const bool stage = stage_of(path)[0] != '\0';
    output_suffix(suffix);
    struct store *s =
        stage ? store_open_file(path, STORE_WRITE, err) : store_allocate(path, suffix, err);
    if (s == NULL)
        return NULL;
    s->force = force;
    s->creating = !stage;
    if (!stage)
        store_remove_leftovers(path);
    if ((stage ? store_begin(s, err) : create_file(s, err)) && store_create_tables(s, err) &&
        store_add_run(s, err))
        return s;
    store_close(s);
    return NULL;
}

/* Gives the finished file its name. First removes the WAL of an older run, which SQLite would
 * otherwise read into this one. */
static bool move_into_place(const struct store *s, struct error *err)
{
    if (!store_available(s->path, s->force, err))
        return false;
    store_remove_beside(s->path, "-wal");
    store_remove_beside(s->path, "-shm");
    store_remove_beside(s->path, "-journal");
    bool moved = !s->force && link(s->file, s->path) == 0;
    /* Some file systems have no links: many in user space (FUSE) say that the call is unknown; others have
     * room for one name only. */
    const bool links = errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK;
    if (!moved && (s->force || !links))
        moved = rename(s->file, s->path) == 0;
    if (!moved)
        return error_set(err, "cannot write %s: %s", s->path, strerror(errno));
    output_sync_directory(s->path);
    return true;
}

bool store_publish(struct store *s, struct error *err)
{
    bool moved = (store_execute(s, "COMMIT", err) || store_roll_back(s)) &&
                 (!s->creating || move_into_place(s, err));
    store_close(s);
    return moved;
}

/* -- transactions */

/* A transaction writes page 1, in which nothing need change, so that a program that copies it from the WAL
 * breaks the seal (store_pages.c). */
bool store_begin(struct store *s, struct error *err)
{
    char identity[64];
    snprintf(identity, sizeof identity, "PRAGMA application_id = %d", STORE_APPLICATION);
    return store_undisturbed(s, err) && store_execute(s, "BEGIN IMMEDIATE", err) &&
           (store_execute(s, identity, err) || store_roll_back(s));
}

/* Copies the WAL into the file and truncates it, once a second, or earlier if it grows. Does not
 * wait for a reader that blocks this: the next checkpoint copies the rest. */
static void checkpoint(struct store *s)
{
    if (clock_seconds() - s->checkpointed < 1 && s->wal_pages < WAL_PAGES)
        return;
    sqlite3_busy_timeout(s->db, 0);
    store_execute(s, "PRAGMA wal_checkpoint(TRUNCATE)", NULL);
    sqlite3_busy_timeout(s->db, STORE_BUSY_MS);
    s->checkpointed = clock_seconds();
}

bool store_commit(struct store *s, struct error *err)
{
    if (!store_whole(s, err) || !store_execute(s, "COMMIT", err))
        return store_roll_back(s);
    checkpoint(s);
    return true;
}
