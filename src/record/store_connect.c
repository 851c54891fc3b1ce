/* The file of a store, the connection to it, and its end. */
#include "store_internal.h"

#include "clock.h"
#include "file_kind.h"
#include "input.h"
#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WORK_STEP = 4096,       /* operations of SQLite between two looks at what is done */
    WORK_AT_LEAST = 2048,   /* steps that any statement may take: some tenths of a second */
    BYTES_FOR_A_STEP = 128, /* a larger file allows more steps: 32 operations a byte */
    HEADER = 72,            /* bytes of the header up to the kind of file */
    AT_APPLICATION = 68,
    VERSION_OF_JOURNAL = 1, /* bytes 18 and 19 of a file that is not in WAL mode */
    VERSION_OF_WAL = 2,     /* the same bytes of one that is */
    IMAGE_AT_FIRST = 1 << 20,
    PAUSE_MS = 10,       /* between two attempts to have a file alone */
    PATIENCE_MS = 60000, /* how long a writer waits for those who read a file at rest */
    ATTEMPTS = 10,       /* of a writer to enter WAL mode */
};

/* -- what can be asked of a file that may be an open database, without reading it as one
 *
 * SQLite does it: if this process has the file open as a database, closing a descriptor of our own would
 * release SQLite's locks on it (fcntl(2)). Then a reader that closes the database in another process takes
 * itself for the last one and removes the WAL, and the writer's next commit is lost. */

/* Opens a file without reading it. Returns its connection, to be closed, or NULL. */
static sqlite3 *open_plain(const char *file, sqlite3_file **plain)
{
    struct stat st;
    sqlite3 *db = NULL;
    *plain = NULL;
    if (stat(file, &st) != 0 || !S_ISREG(st.st_mode)) /* SQLite would wait for a pipe's writer */
        return NULL;
    if (sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
        sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, plain) == SQLITE_OK &&
        *plain != NULL && (*plain)->pMethods != NULL)
        return db;
    sqlite3_close(db);
    return NULL;
}

/* Reads the first `size` bytes of a file. False if it is no file, cannot be read or is shorter. */
static bool read_head(const char *file, void *bytes, size_t size)
{
    sqlite3_file *in;
    sqlite3 *db = open_plain(file, &in);
    bool read = db != NULL && in->pMethods->xRead(in, bytes, (int)size, 0) == SQLITE_OK;
    sqlite3_close(db);
    return read;
}

bool store_is_being_written(const char *file)
{
    sqlite3_file *in;
    sqlite3 *db = open_plain(file, &in);
    int held = 0;
    bool asked = db != NULL && in->pMethods->xCheckReservedLock(in, &held) == SQLITE_OK;
    sqlite3_close(db);
    return asked && held != 0;
}

/* -- compressed files */

/* The largest store, in bytes, that is read into memory. */
static const size_t image_limit = (size_t)1 << 30;

/* True if the file is compressed with zstd, whatever it contains. */
static bool is_compressed(const char *file)
{
    static const char magic[] = {0x28, (char)0xb5, 0x2f, (char)0xfd};
    char head[sizeof magic];
    return read_head(file, head, sizeof head) && memcmp(head, magic, sizeof magic) == 0;
}

/* Reads to the end of the input, into a block that grows. */
static unsigned char *read_all(struct input *in, const char *file, size_t *length,
                               struct error *err)
{
    unsigned char *bytes = NULL;
    size_t read = 1;
    *length = 0;
    for (size_t room = IMAGE_AT_FIRST; read > 0 && room <= image_limit; room *= 2) {
        unsigned char *moved = realloc(bytes, room);
        if (moved == NULL)
            break;
        bytes = moved;
        if (!input_read(in, bytes + *length, room - *length, &read, err)) {
            free(bytes);
            return NULL;
        }
        *length += read;
        if (*length < room)
            return bytes;
    }
    free(bytes);
    return error_null(err, "no memory for %s, which is larger than %zu MiB", file, *length >> 20);
}

bool store_is_database(const char *path)
{
    static const char magic[16] = "SQLite format 3"; /* with the NUL */
    char head[sizeof magic] = "", *file = store_path_of_file(path);
    size_t found;
    if (file != NULL && is_compressed(file)) {
        struct input *in = input_open(file, FILE_OTHER, NULL);
        if (in != NULL)
            input_read(in, head, sizeof head, &found, NULL);
        input_close(in);
    } else if (file != NULL && !read_head(file, head, sizeof head))
        head[0] = '\0';
    free(file);
    return memcmp(head, magic, sizeof magic) == 0;
}

bool store_writable(const char *path, struct error *err)
{
    char *file = store_path_of_file(path);
    bool packed = file != NULL && is_compressed(file);
    if (file == NULL)
        error_set(err, "no memory for the store");
    else if (packed)
        error_set(err, "%s is compressed, and read-only; decompress it first: zstd -d %s", path,
                  file);
    free(file);
    return file != NULL && !packed;
}

/* -- what a file may not do */

/* Limits for all that comes from the file. Chromosomes have up to 128 KiB; the largest text is a
 * recipe. Operations: quick_check has some fifty for each table and index. */
static const struct {
    int what, most;
} limits[] = {
    {SQLITE_LIMIT_LENGTH, 64 << 20},
    {SQLITE_LIMIT_SQL_LENGTH, 100000},
    {SQLITE_LIMIT_COLUMN, 100},
    {SQLITE_LIMIT_EXPR_DEPTH, 100},
    {SQLITE_LIMIT_COMPOUND_SELECT, 4},
    {SQLITE_LIMIT_VDBE_OP, 1 << 20},
    {SQLITE_LIMIT_FUNCTION_ARG, 8},
    {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
};

static const struct {
    int what, value;
} settings[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
    {SQLITE_DBCONFIG_DQS_DDL, 0},        {SQLITE_DBCONFIG_DQS_DML, 0},
};

/* Called by SQLite at each step. Ends a statement that takes more of them than the file's size can
 * explain: its pages refer to each other without end. */
static int look_at_work(void *store)
{
    struct store *s = store;
    struct stat st = {.st_size = s->image_size};
    if (++s->work <= WORK_AT_LEAST)
        return 0;
    if (s->image == NULL)
        stat(s->file, &st); /* it grows while it is written */
    return s->work > st.st_size / BYTES_FOR_A_STEP;
}

static bool harden(struct store *s, struct error *err)
{
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_timeout(s->db, STORE_BUSY_MS);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (sqlite3_db_config(s->db, settings[i].what, settings[i].value, (int *)NULL) != SQLITE_OK)
            return store_fail(s, err);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        sqlite3_limit(s->db, limits[i].what, limits[i].most);
    sqlite3_progress_handler(s->db, WORK_STEP, look_at_work, s);
    return store_execute(s, "PRAGMA cell_size_check = ON", err) &&
           store_execute(s, "PRAGMA temp_store = MEMORY", err);
}

/* Fails if the file has views, triggers or virtual tables. A run has none. */
static bool refuse_programs(struct store *s, struct error *err)
{
    static const char sql[] =
        "SELECT 'it has the ' || type || ' ' || name FROM main.sqlite_master"
        " WHERE type NOT IN ('table', 'index') UNION ALL "
        "SELECT 'it has the ' || type || ' table ' || name FROM pragma_table_list"
        " WHERE schema = 'main' AND type <> 'table' UNION ALL SELECT '' LIMIT 1";
    char found[256];
    if (!store_read_text(s, sql, found, sizeof found, err))
        return false;
    return found[0] == '\0' ||
           error_set(err, "%s is not a run as Grayling writes them: %s, and is not opened", s->path,
                     found);
}

/* -- connecting */

/* The bytes of a file beside the database; -1 if there is none. */
static int64_t size_beside(const char *file, const char *ending)
{
    struct stat st;
    char *path = store_beside(file, ending);
    int64_t size = path != NULL && stat(path, &st) == 0 ? (int64_t)st.st_size : -1;
    free(path);
    return size;
}

/* True if files beside the database can be written, and it. */
static bool can_write(const char *file)
{
    return output_check(file, true, NULL) && access(file, W_OK) == 0;
}

bool store_lacks_room_beside(const char *file)
{
    return size_beside(file, "-wal") > 0 && !can_write(file);
}

static bool is_wal_mode(const unsigned char *head)
{
    return head[18] == VERSION_OF_WAL && head[19] == VERSION_OF_WAL;
}

/* True if nobody writes the file, and no transaction has to be completed in it. A reader of such a
 * file needs no right to write. One in WAL mode is such a file where nobody can write. */
static bool is_at_rest(const char *file)
{
    unsigned char head[HEADER];
    if (!read_head(file, head, sizeof head) || size_beside(file, "-journal") >= 0)
        return false;
    if (is_wal_mode(head))
        return size_beside(file, "-wal") <= 0 && !can_write(file) && !store_is_being_written(file);
    return head[18] == VERSION_OF_JOURNAL && head[19] == VERSION_OF_JOURNAL &&
           size_beside(file, "-wal") < 0;
}

/* Decompresses a run into memory and opens that as the database. */
static bool open_image(struct store *s, struct error *err)
{
    size_t size = 0, damaged;
    struct input *in = input_open(s->file, FILE_OTHER, err);
    s->image = in == NULL ? NULL : read_all(in, s->file, &size, err);
    input_close(in);
    if (s->image == NULL)
        return false;
    s->image_size = (int64_t)size;
    s->image_seal = store_pages_check(s->image, size, &damaged);
    if (damaged > 0)
        return store_damaged(s, err, "page %zu has not its checksum", damaged);
    /* In memory there is no WAL. The original had one if it was compressed while a process had it open. */
    if (size >= HEADER && is_wal_mode(s->image))
        s->image[18] = s->image[19] = VERSION_OF_JOURNAL;
    if (sqlite3_open_v2(":memory:", &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
            SQLITE_OK ||
        sqlite3_deserialize(s->db, "main", s->image, s->image_size, s->image_size,
                            SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
        return store_fail(s, err);
    return true;
}

static bool open_with(struct store *s, int flags, struct error *err)
{
    const char *vfs = store_pages_vfs();
    if (vfs == NULL)
        return error_set(err, "no memory for the store");
    return sqlite3_open_v2(s->file, &s->db, flags | SQLITE_OPEN_NOMUTEX, vfs) == SQLITE_OK ||
           store_fail(s, err);
}

/* Copies the WAL into the file, so that a closed run is a single file that can be read from read-only media. Tries
 * for so long while others have the file open; false if they still have. */
static bool leave_wal(struct store *s, int milliseconds)
{
    const double end = clock_seconds() + 1e-3 * milliseconds;
    sqlite3_busy_timeout(s->db, 0);
    while (!store_execute(s, "PRAGMA journal_mode = DELETE", NULL)) {
        if ((sqlite3_extended_errcode(s->db) & 0xff) != SQLITE_BUSY || clock_seconds() >= end)
            return false;
        sqlite3_sleep(PAUSE_MS);
    }
    return true;
}

/* Leads a run out of WAL mode whose writer has died or ended meanwhile, unless somebody has it open. */
static void put_in_order(struct store *s)
{
    unsigned char head[HEADER];
    if (!read_head(s->file, head, sizeof head) || !is_wal_mode(head) ||
        memcmp(head + AT_APPLICATION, "GRLG", 4) != 0 || !can_write(s->file) ||
        store_is_being_written(s->file))
        return;
    if (open_with(s, SQLITE_OPEN_READWRITE, NULL) && harden(s, NULL) && leave_wal(s, 0) &&
        store_pages_seal(s->db) == STORE_NOT_SEALED && store_execute(s, "BEGIN EXCLUSIVE", NULL)) {
        store_pages_mend(s->db);
        store_execute(s, "ROLLBACK", NULL);
    }
    sqlite3_close(s->db);
    s->db = NULL;
}

bool store_connect_new(struct store *s, struct error *err)
{
    return open_with(s, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err) &&
           (store_pages_reserve(s->db) || store_fail(s, err)) && harden(s, err);
}

enum store_seal store_seal(const struct store *s)
{
    return s->image != NULL ? s->image_seal : store_pages_seal(s->db);
}

/* -- locks */

/* Takes a lock of a file that is open in WAL mode, until it is closed. */
static bool take_lock(struct store *s, enum store_lock which, struct error *err)
{
    if (!store_pages_lock(s->db, which, &s->under))
        return error_set(err, "%s is locked by another process, which is running it", s->path);
    s->lock = which;
    return store_undisturbed(s, err);
}

bool store_undisturbed(const struct store *s, struct error *err)
{
    static const char *const what[] = {
        [STORE_GONE] = " is gone: it was moved or removed while it was being written; move it back "
                       "and resume it, or begin a new run",
        [STORE_OVERWRITTEN] = " is not this run any more: it was overwritten while it was being "
                              "written; go back to a copy, or begin a new run",
        [STORE_WITHOUT_WAL] = "-wal was removed or replaced while the run was being written; what "
                              "was stored before is kept, so resume it"};
    const enum store_trouble trouble =
        s->lock != STORE_NO_LOCK ? store_pages_trouble(s->db) : STORE_NO_TROUBLE;
    return trouble == STORE_NO_TROUBLE || error_set(err, "%s%s", s->file, what[trouble]);
}

/* Leaves WAL mode unless the file is held, or not its own any more. If others have the file open for longer than
 * STORE_BUSY_MS, it stays so, and whoever closes or opens it next does this. */
static void end_writing(struct store *s)
{
    const enum store_trouble trouble = store_pages_trouble(s->db);
    if (trouble == STORE_OVERWRITTEN) { /* the next to open it must not copy our WAL into it */
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
        store_remove_beside(s->file, "-wal");
        store_remove_beside(s->file, "-shm");
    }
    if (trouble == STORE_OVERWRITTEN || trouble == STORE_GONE || s->under)
        return;
    if (store_pages_seal(s->db) == STORE_NOT_SEALED)
        store_pages_renew(s->db); /* another program has copied the WAL */
    if (!leave_wal(s, STORE_BUSY_MS))
        store_execute(s, "PRAGMA wal_checkpoint(TRUNCATE)", NULL);
}

/* -- opening and closing */

/* Fails if the file is not a run, or of another version. */
static bool identify(struct store *s, struct error *err)
{
    int64_t application, version;
    if (!store_read_number(s, "PRAGMA application_id", &application, err) ||
        !store_read_number(s, "PRAGMA user_version", &version, err))
        return false;
    if (application != STORE_APPLICATION)
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

/* Connects to write: WAL mode, every commit synchronised to disk, no automatic checkpoints; and locks the file. */
static bool begin_writing(struct store *s, enum store_lock lock, struct error *err)
{
    if (!store_writable(s->path, err) || !open_with(s, SQLITE_OPEN_READWRITE, err) ||
        !harden(s, err) || !identify(s, err) || !refuse_programs(s, err))
        return false;
    sqlite3_busy_timeout(s->db, PATIENCE_MS);
    bool entered = enter_wal(s, err);
    sqlite3_busy_timeout(s->db, STORE_BUSY_MS);
    sqlite3_wal_hook(s->db, note_wal, s); /* in place of SQLite's own checkpoints */
    return entered && store_execute(s, "PRAGMA synchronous = FULL", err) && take_lock(s, lock, err);
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
    return !read_head(path, head, size) || file_kind_of(head, size) == FILE_PACKED ||
           file_kind_expect(path, head, size, FILE_RUN, err);
}

/* Opens a snapshot of a file. One at rest is opened read-only. */
static bool open_to_read(struct store *s, struct error *err)
{
    const bool image = is_compressed(s->file);
    if (!image)
        put_in_order(s);
    s->joins = !image && !is_at_rest(s->file);
    return (image ? open_image(s, err)
                  : open_with(s, s->joins ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, err)) &&
           harden(s, err) && store_execute(s, "BEGIN", err) && identify(s, err) &&
           refuse_programs(s, err) && store_execute(s, "PRAGMA query_only = 1", err);
}

/* Opens a file as its only writer, who renews its checksums if another program wrote to it. */
static bool open_to_write(struct store *s, struct error *err)
{
    if (!begin_writing(s, STORE_LOCK_WRITER, err))
        return false;
    store_remove_leftovers(s->file);
    return store_sound(s, err) && (store_pages_renew(s->db) || store_fail(s, err));
}

struct store *store_open_file(const char *path, enum store_mode mode, struct error *err)
{
    struct store *s = store_allocate(path, "", err);
    bool opened = s != NULL && is_file(s->file, err);
    if (opened)
        s->running = store_is_being_written(s->file);
    opened = opened && (mode == STORE_WRITE ? open_to_write(s, err) : open_to_read(s, err));
    if (opened && store_find_run(s, err))
        return s;
    store_close(s);
    return NULL;
}

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
    struct store *s = store_open_file(path, mode, err);
    if (s == NULL || has_run(s, err))
        return s;
    store_close(s);
    return NULL;
}

struct store *store_hold(const char *path, struct error *err)
{
    struct store *s = store_allocate(path, "", err);
    if (s != NULL && is_file(s->file, err) && begin_writing(s, STORE_LOCK_HOLDER, err)) {
        output_sync_directory(s->file); /* the WAL's name: the writers to come did not create it */
        return s;
    }
    store_close(s);
    return NULL;
}

void store_close(struct store *s)
{
    if (s == NULL)
        return;
    if (s->db != NULL)
        store_roll_back(s);
    if (s->lock != STORE_NO_LOCK)
        end_writing(s);
    else if (s->joins && !store_is_being_written(s->file) &&
             store_execute(s, "PRAGMA query_only = 0", NULL))
        leave_wal(s, 0); /* its writer has ended, or died, meanwhile */
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
