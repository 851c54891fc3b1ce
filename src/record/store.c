#include "clock.h"
#include "file_kind.h"
#include "output.h"
#include "store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WAL_PAGES = 512,             /* 2 MiB: the WAL is copied into the file when it is so large */
    APPLICATION_ID = 0x47524c47, /* "GRLG", in the header of every run */
    PATIENCE_MS = 60000,         /* how long a writer waits for those who read a file at rest */
    ATTEMPTS = 10,               /* of a writer to enter WAL mode */
};

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

/* Returns the length of FILE in FILE#STAGE. It is that of the whole path if there is a file of this name, or no
 * FILE. */
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

/* The first bytes of every SQLite database, including the NUL. */
static const char magic[16] = "SQLite format 3";

bool store_is_database(const char *path)
{
    char head[sizeof magic], *file = store_path_of_file(path);
    bool is =
        file != NULL &&
        ((store_read_head(file, head, sizeof head) && memcmp(head, magic, sizeof magic) == 0) ||
         store_compressed_begins(file, magic, sizeof magic));
    free(file);
    return is;
}

/* -- life cycle */

/* Allocates the store of a path, in its file, or beside that in one of this ending. */
static struct store *allocate(const char *path, const char *ending, struct error *err)
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
    error_set(err, "no memory for the store");
    return NULL;
}

bool store_writable(const char *path, struct error *err)
{
    char *file = store_path_of_file(path);
    bool packed = file != NULL && store_is_compressed(file);
    if (file == NULL)
        error_set(err, "no memory for the store");
    else if (packed)
        error_set(err, "%s is compressed, and read-only; decompress it first: zstd -d %s", path,
                  file);
    free(file);
    return file != NULL && !packed;
}

/* Fails if the file is not a run, or of another version. */
static bool identify(struct store *s, struct error *err)
{
    int64_t application, version;
    if (!store_read_number(s, "PRAGMA application_id", &application, err) ||
        !store_read_number(s, "PRAGMA user_version", &version, err))
        return false;
    if (application != APPLICATION_ID)
        return error_set(err, "%s is not a Grayling run: it is a database of another program",
                         s->path);
    if (version != STORE_VERSION)
        return error_set(
            err,
            "%s is a run of store version %lld, and this program reads version %d: use "
            "the grayling that made it",
            s->path, (long long)version, STORE_VERSION);
    return store_seal(s) != STORE_NOT_SUMMED ||
           store_damaged(s, err, "its pages have no checksums");
}

/* Called by SQLite after a commit. */
static int note_wal(void *store, sqlite3 *db, const char *name, int pages)
{
    (void)db;
    (void)name;
    ((struct store *)store)->wal_pages = pages;
    return SQLITE_OK;
}

/* Enters WAL mode, and creates the WAL with a first read. A file at rest cannot change its mode while
 * somebody reads it; one that is being written has it already, so nobody waits for a writer. Before that
 * read a reader may take the file for one that was left in WAL mode, and lead it out again. */
static bool enter_wal(struct store *s, struct error *err)
{
    char mode[16] = "";
    int64_t tables;
    for (int attempt = 0; attempt < ATTEMPTS && strcmp(mode, "wal") != 0; attempt++) {
        if (!store_read_text(s, "PRAGMA journal_mode = WAL", mode, sizeof mode, err))
            return false;
        if (strcmp(mode, "wal") != 0)
            return error_set(err, "cannot write %s: it or its directory is read-only", s->path);
        if (!store_read_number(s, "SELECT rootpage FROM sqlite_master LIMIT 1", &tables, err) ||
            !store_read_text(s, "PRAGMA journal_mode", mode, sizeof mode, err))
            return false;
    }
    return strcmp(mode, "wal") == 0 ||
           error_set(err, "%s is locked by other processes, which read it", s->path);
}

/* Prepares for writing: WAL mode, every commit synchronised to disk, no automatic checkpoints. */
static bool prepare_writing(struct store *s, struct error *err)
{
    sqlite3_busy_timeout(s->db, PATIENCE_MS);
    bool entered = enter_wal(s, err);
    sqlite3_busy_timeout(s->db, STORE_BUSY_MS);
    sqlite3_wal_hook(s->db, note_wal, s); /* in place of SQLite's own checkpoints */
    return entered && store_execute(s, "PRAGMA synchronous = FULL", err);
}

/* Checks that the path is a file that can be a database. Its messages are clearer than SQLite's. */
static bool is_file(const char *path, struct error *err)
{
    struct stat st;
    char head[512];
    if (stat(path, &st) != 0)
        return error_set(err, "cannot open %s: %s", path, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return error_set(err, "%s is not a Grayling run: it is a folder", path);
    if (!S_ISREG(st.st_mode))
        return error_set(err, "%s is not a Grayling run: it is not a file", path);
    if (st.st_size == 0)
        return error_set(err, "%s is not a Grayling run: it is empty", path);
    const size_t size = (size_t)st.st_size < sizeof head ? (size_t)st.st_size : sizeof head;
    return !store_read_head(path, head, size) || file_kind_of(head, size) == FILE_PACKED ||
           file_kind_expect(path, head, size, FILE_RUN, err);
}

/* Opens a read-only snapshot of a file. */
static bool open_to_read(struct store *s, struct error *err)
{
    return store_connect(s, STORE_CONNECT_READ, err) && store_execute(s, "BEGIN", err) &&
           identify(s, err) && store_refuse_programs(s, err) &&
           store_execute(s, "PRAGMA query_only = 1", err);
}

/* Removes what killed processes left beside the database: new databases, and files of an outcome. */
static void remove_leftovers(const char *file)
{
    static const char ending[] = ".db";
    size_t length = strlen(file), tail = sizeof ending - 1;
    bool has = length > tail && strcmp(file + length - tail, ending) == 0;
    char *stem = strndup(file, has ? length - tail : length);
    if (stem != NULL)
        output_remove_leftovers(stem);
    free(stem);
}

/* Opens a file as its only writer, who renews its checksums if another program wrote to it. */
static bool open_to_write(struct store *s, struct error *err)
{
    if (!store_writable(s->path, err) || !store_connect(s, STORE_CONNECT_WRITE, err) ||
        !identify(s, err) || !store_refuse_programs(s, err) || !prepare_writing(s, err) ||
        !store_lock(s, STORE_LOCK_WRITER, err))
        return false;
    remove_leftovers(s->file);
    return store_sound(s, err) && (store_pages_renew(s->db) || store_fail(s, err));
}

/* Opens the file of a path. The file need not have the stage. */
static struct store *open_file(const char *path, enum store_mode mode, struct error *err)
{
    struct store *s = allocate(path, "", err);
    bool opened = s != NULL && is_file(s->file, err);
    if (opened)
        s->running = store_is_being_written(s->file);
    opened = opened && (mode == STORE_WRITE ? open_to_write(s, err) : open_to_read(s, err));
    if (opened && store_find_run(s, err))
        return s;
    store_close(s);
    return NULL;
}

/* Fails if the file does not have the stage. */
static bool has_run(struct store *s, struct error *err)
{
    char stages[256] = "";
    if (s->run != 0)
        return true;
    if (s->stage[0] == '\0')
        return store_damaged(s, err, "no run");
    store_read_text(s,
                    "SELECT coalesce(group_concat(stage, ', '), '') FROM "
                    "(SELECT stage FROM run WHERE stage <> '' ORDER BY id)",
                    stages, sizeof stages, NULL);
    return stages[0] == '\0' ? error_set(err, "%s: the run has no such stage", s->path)
                             : error_set(err, "%s: no run of this name has begun; begun so far: %s",
                                         s->path, stages);
}

struct store *store_open(const char *path, enum store_mode mode, struct error *err)
{
    struct store *s = open_file(path, mode, err);
    if (s == NULL || has_run(s, err))
        return s;
    store_close(s);
    return NULL;
}

struct store *store_hold(const char *path, struct error *err)
{
    struct store *s = allocate(path, "", err);
    if (s != NULL && is_file(s->file, err) && store_writable(s->path, err) &&
        store_connect(s, STORE_CONNECT_WRITE, err) && identify(s, err) &&
        store_refuse_programs(s, err) && prepare_writing(s, err) &&
        store_lock(s, STORE_LOCK_HOLDER, err)) {
        output_sync_directory(s->file); /* the WAL's name: the writers to come did not create it */
        return s;
    }
    store_close(s);
    return NULL;
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

void store_close(struct store *s)
{
    if (s == NULL)
        return;
    if (s->db != NULL)
        store_roll_back(s);
    if (s->lock != STORE_NO_LOCK)
        store_end_writing(s);
    else if (s->joins && !store_is_being_written(s->file) &&
             store_execute(s, "PRAGMA query_only = 0", NULL))
        store_leave_wal(s, 0); /* its writer has ended, or died, meanwhile */
    for (int i = 0; i < s->statement_count; i++)
        sqlite3_finalize(s->statements[i].prepared);
    sqlite3_close(s->db);
    free(s->image);
    if (s->creating)
        unlink(s->file);
    free(s->path);
    free(s->file);
    free(s);
}

/* -- creation */

bool store_available(const char *path, bool force, struct error *err)
{
    struct stat st;
    if (stage_of(path)[0] != '\0') {
        struct store *s = open_file(path, STORE_READ, err);
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
             APPLICATION_ID, STORE_VERSION);
    return store_connect(s, STORE_CONNECT_CREATE, err) &&
           store_execute(s, "PRAGMA journal_mode = MEMORY; PRAGMA cache_spill = OFF", err) &&
           store_begin(s, err) && store_execute(s, identity, err) && store_create_tables(s, err) &&
           store_add_run(s, err);
}

struct store *store_create(const char *path, bool force, struct error *err)
{
    char suffix[OUTPUT_SUFFIX];
    if (!store_available(path, force, err))
        return NULL;
    const bool stage = stage_of(path)[0] != '\0';
    output_suffix(suffix);
    struct store *s = stage ? open_file(path, STORE_WRITE, err) : allocate(path, suffix, err);
    if (s == NULL)
        return NULL;
    s->force = force;
    s->creating = !stage;
    if (!stage)
        remove_leftovers(path);
    if (stage ? store_begin(s, err) && store_add_run(s, err) : create_file(s, err))
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
    snprintf(identity, sizeof identity, "PRAGMA application_id = %d", APPLICATION_ID);
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
