#define _GNU_SOURCE /* locks of an open file description: fcntl(F_OFD_SETLK) */
#include "store.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    APPLICATION_ID = 0x47524c47, /* "GRLG", in the header of every run */
    PATIENCE_MS = 5000,          /* how long a lock of a passing reader is waited for */
};

/* Every statement that is used again and again, prepared at its first use. */
enum statement {
    BEGIN,
    COMMIT,
    ROLLBACK,
    CHECKPOINT,
    PUT,
    GET,
    PUT_DATA,
    EACH_DATA,
    PUT_GENE,
    EACH_GENE,
    PUT_SEED,
    EACH_SEED,
    EACH_SEED_SOURCE,
    PUT_GENOME,
    EACH_GENOME,
    PUT_HELD_OUT,
    PUT_ORGANISM,
    EACH_ORGANISM,
    PUT_GAME,
    EACH_GAME,
    COUNT_GAMES,
    EACH_CHAMPION,
    PUT_ROW,
    EACH_ROW,
    LAST_GENERATION,
    COUNT_GENOMES,
    BEST,
    LAST_BEST,
    STATEMENTS
};

/* `$` before a table's name stands for the prefix of the stage. */
static const char *const statement_text[STATEMENTS] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
    [CHECKPOINT] = "PRAGMA wal_checkpoint(TRUNCATE)",
    [PUT] = "INSERT INTO $run VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    [GET] = "SELECT value FROM $run WHERE key = ?",
    [PUT_DATA] = "INSERT INTO $data VALUES (?, ?, ?)",
    [EACH_DATA] = "SELECT role, path, sha256 FROM $data ORDER BY rowid",
    [PUT_GENE] = "INSERT INTO $gene VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [EACH_GENE] = "SELECT name, meaning, bits, min, max, initial, sign FROM $gene ORDER BY idx",
    [PUT_SEED] = "INSERT INTO $seed VALUES (?, ?, ?)",
    [EACH_SEED_SOURCE] = "SELECT source FROM $seed ORDER BY idx",
    [EACH_SEED] = "SELECT idx, chromosome FROM $seed ORDER BY idx",
    [PUT_GENOME] = "INSERT INTO $genome VALUES (?, ?, ?, NULL)",
    [EACH_GENOME] = "SELECT id, chromosome, measure, ifnull(held_out, -1) FROM $genome ORDER BY id",
    [PUT_HELD_OUT] = "UPDATE $genome SET held_out = ? WHERE id = ?",
    [PUT_ORGANISM] = "INSERT INTO $organism VALUES (?, ?, ?, ?)",
    [EACH_ORGANISM] =
        "SELECT idx, fitness, genome FROM $organism WHERE generation = ? ORDER BY idx",
    [PUT_GAME] = "INSERT INTO $game VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [EACH_GAME] = "SELECT number, white, black, opening, result, plies, nodes FROM $game "
                  "WHERE generation = ? ORDER BY number",
    [COUNT_GAMES] = "SELECT count(*), ifnull(sum(result = 1), 0) FROM $game",
    [EACH_CHAMPION] =
        "SELECT organism.genome FROM $generation AS generation JOIN $organism AS organism ON "
        "organism.generation = generation.idx AND organism.idx = best "
        "ORDER BY generation.idx",
    [PUT_ROW] = "INSERT INTO $generation VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [EACH_ROW] = "SELECT idx, best, measure, ifnull(held_out, -1), mean, deviation, diversity, "
                 "seconds, ended FROM $generation ORDER BY idx",
    [LAST_GENERATION] = "SELECT ifnull(max(idx), -1) FROM $generation",
    [COUNT_GENOMES] = "SELECT count(*) FROM $genome",
    [BEST] = "SELECT generation, idx, chromosome FROM $organism JOIN $genome AS genome ON "
             "genome.id = genome "
             "ORDER BY fitness DESC, generation, idx LIMIT 1",
    [LAST_BEST] = "SELECT generation.idx, organism.idx, chromosome FROM $generation AS generation "
                  "JOIN $organism AS organism ON "
                  "organism.generation = generation.idx AND organism.idx = best "
                  "JOIN $genome AS genome ON genome.id = organism.genome "
                  "ORDER BY generation.idx DESC LIMIT 1",
};

static const char schema[] =
    "CREATE TABLE $run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE $data (role TEXT NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL);"
    "CREATE TABLE $gene (idx INTEGER PRIMARY KEY, name TEXT NOT NULL, bits INTEGER NOT NULL,"
    " min INTEGER NOT NULL, max INTEGER NOT NULL, initial INTEGER NOT NULL,"
    " sign INTEGER NOT NULL, meaning TEXT NOT NULL);"
    "CREATE TABLE $seed (idx INTEGER PRIMARY KEY, source TEXT NOT NULL, chromosome BLOB NOT NULL);"
    "CREATE TABLE $genome (id INTEGER PRIMARY KEY, chromosome BLOB NOT NULL,"
    " measure INTEGER NOT NULL, held_out INTEGER);"
    "CREATE TABLE $organism (generation INTEGER NOT NULL, idx INTEGER NOT NULL,"
    " genome INTEGER NOT NULL REFERENCES $genome, fitness INTEGER NOT NULL,"
    " PRIMARY KEY (generation, idx)) WITHOUT ROWID;"
    "CREATE TABLE $game (generation INTEGER NOT NULL, number INTEGER NOT NULL,"
    " white INTEGER NOT NULL, black INTEGER NOT NULL, opening INTEGER NOT NULL,"
    " result INTEGER NOT NULL, plies INTEGER NOT NULL, nodes INTEGER NOT NULL,"
    " PRIMARY KEY (generation, number)) WITHOUT ROWID;"
    "CREATE TABLE $generation (idx INTEGER PRIMARY KEY, best INTEGER NOT NULL,"
    " measure INTEGER NOT NULL, held_out INTEGER, mean REAL NOT NULL, deviation REAL NOT NULL,"
    " diversity REAL NOT NULL, seconds REAL NOT NULL, ended INTEGER NOT NULL);";

struct store {
    char *path;          /* as the user names it */
    char *file;          /* where it is: `path`, or the temporary name of a run in creation */
    char *prefix;        /* of the names of its tables: empty but for a stage */
    bool force;          /* of store_create */
    bool creating;       /* the file is not yet a run, and goes when it is closed */
    bool running;        /* someone else was writing when it was opened */
    double checkpointed; /* when the WAL was last folded in, by the monotonic clock */
    int lock;            /* file descriptor that holds the writer's lock, or -1 */
    sqlite3 *db;
    sqlite3_stmt *statements[STATEMENTS];
};

/* -- reasons */

/* The reason for SQLite's last failure, and false. */
static bool fail(const struct store *s, struct error *err)
{
    int code = sqlite3_extended_errcode(s->db);
    switch (code & 0xff) {
    case SQLITE_FULL:
        return error_set(err, "no room to write %s: the disk is full", s->path);
    case SQLITE_NOTADB:
        return error_set(err, "%s is not a Grayling run: it is no SQLite database", s->path);
    case SQLITE_CORRUPT:
        return error_set(err, "%s is damaged (%s); go back to a copy", s->path,
                         sqlite3_errmsg(s->db));
    case SQLITE_BUSY:
        return error_set(err, "%s is locked by another process", s->path);
    case SQLITE_READONLY:
        return error_set(err, "cannot write %s: it or its directory is read-only", s->path);
    case SQLITE_CANTOPEN:
        return error_set(err, "cannot open %s: it or its directory is closed to this user",
                         s->path);
    case SQLITE_IOERR:
        return error_set(err, "cannot %s %s: %s", code == SQLITE_IOERR_READ ? "read" : "write",
                         s->path,
                         code == SQLITE_IOERR_WRITE
                             ? "no room; a quota or a limit on file size is reached, or the disk "
                               "fails"
                             : sqlite3_errmsg(s->db));
    default:
        return error_set(err, "%s: %s", s->path, sqlite3_errmsg(s->db));
    }
}

/* -- statements */

/* SQL with the names of the stage's tables, malloc'ed; NULL without memory. */
static char *name_tables(const struct store *s, const char *sql)
{
    size_t marks = 0;
    for (const char *c = sql; *c != '\0'; c++)
        marks += *c == '$';
    char *named = malloc(strlen(sql) + marks * strlen(s->prefix) + 1), *to = named;
    for (; named != NULL && *sql != '\0'; sql++) {
        if (*sql == '$')
            to = stpcpy(to, s->prefix);
        else
            *to++ = *sql;
    }
    if (named != NULL)
        *to = '\0';
    return named;
}

/* The statement, prepared and with nothing bound; NULL on failure. */
static sqlite3_stmt *ready(struct store *s, enum statement which, struct error *err)
{
    sqlite3_stmt **st = &s->statements[which];
    if (*st != NULL)
        return *st;
    char *sql = name_tables(s, statement_text[which]);
    if (sql == NULL)
        error_set(err, "no memory for the store");
    else if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, st, NULL) != SQLITE_OK)
        fail(s, err);
    free(sql);
    return *st;
}

/* Runs a bound statement that gives no rows, or whose rows do not matter. */
static bool finish(struct store *s, sqlite3_stmt *st, struct error *err)
{
    int status = sqlite3_step(st);
    bool done = status == SQLITE_DONE || status == SQLITE_ROW;
    if (!done)
        fail(s, err);
    sqlite3_reset(st);
    return done;
}

/* Runs a statement without parameters. */
static bool perform(struct store *s, enum statement which, struct error *err)
{
    sqlite3_stmt *st = ready(s, which, err);
    return st != NULL && finish(s, st, err);
}

/* A text column; what should not be NULL but is, reads as empty. */
static const char *text_of(sqlite3_stmt *st, int column)
{
    const unsigned char *text = sqlite3_column_text(st, column);
    return text == NULL ? "" : (const char *)text;
}

/* Ends the reading of rows: `status` is what the last step said. */
static bool end_rows(struct store *s, sqlite3_stmt *st, int status, struct error *err)
{
    bool done = status == SQLITE_DONE;
    if (!done)
        fail(s, err);
    sqlite3_reset(st);
    return done;
}

/* Runs SQL that is used once. */
static bool execute(struct store *s, const char *sql, struct error *err)
{
    char *named = name_tables(s, sql);
    if (named == NULL)
        return error_set(err, "no memory for the store");
    bool done = sqlite3_exec(s->db, named, NULL, NULL, NULL) == SQLITE_OK || fail(s, err);
    free(named);
    return done;
}

/* The first value of the first row of a query, as text into `text`. */
static bool query_text(struct store *s, const char *sql, char *text, size_t size, struct error *err)
{
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK)
        return fail(s, err);
    bool found = sqlite3_step(st) == SQLITE_ROW;
    if (found)
        snprintf(text, size, "%s", text_of(st, 0));
    else
        fail(s, err);
    sqlite3_finalize(st);
    return found;
}

/* The same as a whole number. */
static bool query_number(struct store *s, const char *sql, int64_t *value, struct error *err)
{
    char text[32];
    if (!query_text(s, sql, text, sizeof text, err))
        return false;
    *value = strtoll(text, NULL, 10);
    return true;
}

/* After a failure the transaction is void; SQLite may have rolled it back already. */
static bool roll_back(struct store *s)
{
    if (!sqlite3_get_autocommit(s->db))
        perform(s, ROLLBACK, NULL);
    return false;
}

/* -- the writer's lock
 *
 * The writer holds a lock on the WAL file, which is there while anyone has the run open and writes.
 * The kernel drops it when the process ends, however it ends. SQLite itself never locks that file;
 * on the database a descriptor of ours, once closed, would take SQLite's own locks with it. */

/* The name beside the database that SQLite gives to its WAL; malloc'ed. */
static char *with_suffix(const char *path, const char *suffix)
{
    char *name = malloc(strlen(path) + strlen(suffix) + 1);
    if (name != NULL)
        strcat(strcpy(name, path), suffix);
    return name;
}

static int open_wal(const char *path, int flags)
{
    char *name = with_suffix(path, "-wal");
    int fd = name == NULL ? -1 : open(name, flags | O_CLOEXEC);
    free(name);
    return fd;
}

static struct flock whole_file(void)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
}

static bool is_being_written(const char *path)
{
    int fd = open_wal(path, O_RDONLY);
    if (fd < 0)
        return false;
    struct flock lock = whole_file();
    bool held = fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    close(fd);
    return held;
}

static bool take_lock(struct store *s, struct error *err)
{
    s->lock = open_wal(s->file, O_RDWR);
    if (s->lock < 0)
        return error_set(err, "cannot lock %s: %s", s->path, strerror(errno));
    struct flock lock = whole_file();
    if (fcntl(s->lock, F_OFD_SETLK, &lock) == 0)
        return true;
    return error_set(err, "%s is locked by another process, which is running it", s->path);
}

/* -- stages: FILE#STAGE is a run inside FILE, whose tables have the stage's name before theirs */

bool store_is_stage_name(const char *name)
{
    size_t length = strlen(name);
    return name[0] >= 'a' && name[0] <= 'z' && length < STORE_STAGE &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

/* Parts a path into the file (malloc'ed, NULL without memory) and the stage, which is empty where
 * the path leads to a file as it is, or to none at all. */
static char *part_path(const char *path, char stage[STORE_STAGE])
{
    const char *mark = strrchr(path, '#');
    stage[0] = '\0';
    if (mark == NULL || !store_is_stage_name(mark + 1) || access(path, F_OK) == 0)
        return with_suffix(path, "");
    char *file = strndup(path, (size_t)(mark - path));
    if (file != NULL && access(file, F_OK) != 0) {
        free(file);
        return with_suffix(path, "");
    }
    strcpy(stage, mark + 1);
    return file;
}

bool store_is_database(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic], stage[STORE_STAGE];
    char *file = part_path(path, stage);
    FILE *in = file == NULL ? NULL : fopen(file, "rb");
    free(file);
    if (in == NULL)
        return false;
    bool read = fread(head, 1, sizeof head, in) == sizeof head;
    fclose(in);
    return read && memcmp(head, magic, sizeof magic) == 0;
}

/* -- life cycle */

/* A store at `path` whose database is `file`, of the stage if there is one. */
static struct store *allocate(const char *path, const char *file, const char *stage,
                              struct error *err)
{
    struct store *s = calloc(1, sizeof *s);
    if (s != NULL) {
        s->lock = -1;
        s->path = with_suffix(path, "");
        s->file = with_suffix(file, "");
        s->prefix = with_suffix(stage, stage[0] == '\0' ? "" : "__");
        if (s->path != NULL && s->file != NULL && s->prefix != NULL) {
            for (char *c = s->prefix; *c != '\0'; c++)
                *c = *c == '-' ? '_' : *c;
            return s;
        }
    }
    store_close(s);
    error_set(err, "no memory for the store");
    return NULL;
}

/* Opens the connection; nothing has been read yet. */
static bool connect_to(struct store *s, int flags, struct error *err)
{
    if (sqlite3_open_v2(s->file, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return fail(s, err);
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_timeout(s->db, PATIENCE_MS);
    return true;
}

/* Refuses what is not a run of this version. */
static bool identify(struct store *s, struct error *err)
{
    int64_t application, version;
    if (!query_number(s, "PRAGMA application_id", &application, err) ||
        !query_number(s, "PRAGMA user_version", &version, err))
        return false;
    if (application != APPLICATION_ID)
        return error_set(err, "%s is not a Grayling run: it is a database of something else",
                         s->path);
    if (version != STORE_VERSION)
        return error_set(err,
                         "%s is a run of store version %lld, and this program reads version %d: "
                         "use the grayling that made it",
                         s->path, (long long)version, STORE_VERSION);
    return true;
}

/* Whether a query that counts finds something. */
static bool finds(struct store *s, const char *query)
{
    char *sql = name_tables(s, query);
    int64_t count = 0;
    bool found = sql != NULL && query_number(s, sql, &count, NULL) && count > 0;
    free(sql);
    return found;
}

/* Whether there are tables of this stage. */
static bool has_tables(struct store *s)
{
    return finds(s, "SELECT count(*) FROM sqlite_master WHERE name = '$run'");
}

/* Refuses a stage that the run does not have. */
static bool has_stage(struct store *s, struct error *err)
{
    return s->prefix[0] == '\0' || has_tables(s) ||
           error_set(err, "%s: the run has no such stage", s->path);
}

/* Makes ready for writing: WAL, every commit on the disk, checkpoints only where we ask for them.
 * The first read is what brings the WAL file into being. */
static bool prepare_writing(struct store *s, struct error *err)
{
    char mode[16];
    int64_t tables;
    if (!query_text(s, "PRAGMA journal_mode = WAL", mode, sizeof mode, err))
        return false;
    if (strcmp(mode, "wal") != 0)
        return error_set(err, "cannot write %s: it or its directory is read-only", s->path);
    return execute(s, "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0", err) &&
           query_number(s, "SELECT count(*) FROM sqlite_master", &tables, err);
}

bool store_sound(struct store *s, struct error *err)
{
    char found[512];
    if (!query_text(s, "PRAGMA quick_check(1)", found, sizeof found, err))
        return false;
    if (strcmp(found, "ok") == 0)
        return true;
    for (char *c = found; *c != '\0'; c++)
        if (*c == '\n')
            *c = ' ';
    return error_set(err, "%s is damaged (%s); go back to a copy", s->path, found);
}

/* Whether the path leads to a file that could be a database, told better than SQLite would. */
static bool is_file(const char *path, struct error *err)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return error_set(err, "cannot open %s: %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return error_set(err, "%s is not a Grayling run: it is no file", path);
    if (st.st_size == 0)
        return error_set(err, "%s is not a Grayling run: it is empty", path);
    return true;
}

/* Opens the file that a path leads to; whether it has the stage is not asked. */
static struct store *open_file(const char *path, enum store_mode mode, struct error *err)
{
    char stage[STORE_STAGE];
    char *file = part_path(path, stage);
    struct store *s = file != NULL && is_file(file, err) ? allocate(path, file, stage, err) : NULL;
    free(file);
    if (s == NULL)
        return NULL;
    s->running = is_being_written(s->file);
    bool opened = connect_to(s, SQLITE_OPEN_READWRITE, err) && identify(s, err);
    if (mode == STORE_WRITE)
        opened = opened && prepare_writing(s, err) && take_lock(s, err) && store_sound(s, err);
    else
        opened = opened && execute(s, "PRAGMA query_only = 1; BEGIN", err); /* one view of it */
    if (opened)
        return s;
    store_close(s);
    return NULL;
}

struct store *store_open(const char *path, enum store_mode mode, struct error *err)
{
    struct store *s = open_file(path, mode, err);
    if (s == NULL || has_stage(s, err))
        return s;
    store_close(s);
    return NULL;
}

const char *store_file(const struct store *s)
{
    return s->file;
}

bool store_running(const struct store *s)
{
    return s->running;
}

/* Folds the WAL into the file, so that the run at rest is one plain file that can be read from
 * anywhere. With a reader inside it stays in WAL mode, and the reader tidies up. */
static void leave_wal(struct store *s)
{
    sqlite3_busy_timeout(s->db, 0);
    execute(s, "PRAGMA journal_mode = DELETE", NULL);
}

void store_close(struct store *s)
{
    if (s == NULL)
        return;
    if (s->db != NULL)
        roll_back(s);
    if (s->lock >= 0)
        leave_wal(s);
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(s->statements[i]);
    sqlite3_close(s->db);
    if (s->lock >= 0)
        close(s->lock);
    if (s->creating)
        unlink(s->file);
    free(s->path);
    free(s->file);
    free(s->prefix);
    free(s);
}

/* -- creation */

/* Whether a file can be made beside `path`. */
static bool directory_writable(const char *path, struct error *err)
{
    char *directory = with_suffix(path, "");
    if (directory == NULL)
        return error_set(err, "no memory for the store");
    char *slash = strrchr(directory, '/');
    if (slash != NULL)
        slash[slash == directory] = '\0';
    bool writable = access(slash == NULL ? "." : directory, W_OK | X_OK) == 0;
    if (!writable)
        error_set(err, "cannot write %s: %s", path, strerror(errno));
    free(directory);
    return writable;
}

/* Whether a run may get this stage. */
static bool stage_available(const char *path, struct error *err)
{
    struct store *s = open_file(path, STORE_READ, err);
    bool available = s != NULL && (!has_tables(s) || error_set(err, "%s exists already", path));
    store_close(s);
    return available;
}

bool store_available(const char *path, bool force, struct error *err)
{
    struct stat st;
    char stage[STORE_STAGE];
    free(part_path(path, stage));
    if (stage[0] != '\0')
        return stage_available(path, err);
    if (lstat(path, &st) != 0)
        return directory_writable(path, err);
    if (!force)
        return error_set(err, "%s exists; choose another name or give --force", path);
    if (!S_ISREG(st.st_mode))
        return error_set(err, "%s is no file, and is not replaced", path);
    if (is_being_written(path))
        return error_set(err, "%s is locked by another process, which is running it", path);
    return true;
}

/* Removes a file beside the database, if it is there. */
static void remove_beside(const char *path, const char *suffix)
{
    char *name = with_suffix(path, suffix);
    if (name != NULL)
        unlink(name);
    free(name);
}

/* Opens an empty database of our kind and begins its first transaction. */
static bool create_file(struct store *s, struct error *err)
{
    char identity[96];
    snprintf(identity, sizeof identity, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             APPLICATION_ID, STORE_VERSION);
    return connect_to(s, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err) &&
           execute(s, "PRAGMA journal_mode = MEMORY", err) && perform(s, BEGIN, err) &&
           execute(s, identity, err) && execute(s, schema, err);
}

/* Begins a stage in an existing run, as one transaction. */
static struct store *create_stage(const char *path, struct error *err)
{
    struct store *s = open_file(path, STORE_WRITE, err);
    if (s != NULL && perform(s, BEGIN, err) && execute(s, schema, err))
        return s;
    store_close(s);
    return NULL;
}

struct store *store_create(const char *path, bool force, struct error *err)
{
    char stage[STORE_STAGE], suffix[32];
    if (!store_available(path, force, err))
        return NULL;
    free(part_path(path, stage));
    if (stage[0] != '\0')
        return create_stage(path, err);
    snprintf(suffix, sizeof suffix, ".new-%ld", (long)getpid());
    char *file = with_suffix(path, suffix);
    struct store *s = file == NULL ? NULL : allocate(path, file, "", err);
    free(file);
    if (s == NULL)
        return NULL;
    s->force = force;
    s->creating = true;
    unlink(s->file);
    if (create_file(s, err))
        return s;
    store_close(s);
    return NULL;
}

/* Gives the finished file its name. A WAL that an older run left there would be read into ours. */
static bool move_into_place(const struct store *s, struct error *err)
{
    if (!store_available(s->path, s->force, err))
        return false;
    remove_beside(s->path, "-wal");
    remove_beside(s->path, "-shm");
    remove_beside(s->path, "-journal");
    bool moved = !s->force && link(s->file, s->path) == 0;
    if (s->force || errno == EPERM || errno == EOPNOTSUPP) /* or a file system without links */
        moved = moved || rename(s->file, s->path) == 0;
    return moved || error_set(err, "cannot write %s: %s", s->path, strerror(errno));
}

bool store_publish(struct store *s, struct error *err)
{
    bool moved =
        (perform(s, COMMIT, err) || roll_back(s)) && (!s->creating || move_into_place(s, err));
    store_close(s);
    return moved;
}

/* -- writing */

bool store_begin(struct store *s, struct error *err)
{
    return perform(s, BEGIN, err);
}

/* Folds the WAL into the file and empties it, at most once a second. A reader that holds it up is
 * not waited for: the next checkpoint catches up. */
static void checkpoint(struct store *s)
{
    if (clock_seconds() - s->checkpointed < 1)
        return;
    sqlite3_busy_timeout(s->db, 0);
    perform(s, CHECKPOINT, NULL);
    sqlite3_busy_timeout(s->db, PATIENCE_MS);
    s->checkpointed = clock_seconds();
}

bool store_commit(struct store *s, struct error *err)
{
    if (!perform(s, COMMIT, err))
        return roll_back(s);
    checkpoint(s);
    return true;
}

/* Runs a bound statement of the transaction in work. */
static bool put(struct store *s, sqlite3_stmt *st, struct error *err)
{
    return finish(s, st, err) || roll_back(s);
}

static void bind_text(sqlite3_stmt *st, int column, const char *text)
{
    sqlite3_bind_text(st, column, text, -1, SQLITE_STATIC);
}

bool store_put(struct store *s, const char *key, const char *value, struct error *err)
{
    sqlite3_stmt *st = ready(s, PUT, err);
    if (st == NULL)
        return roll_back(s);
    bind_text(st, 1, key);
    bind_text(st, 2, value);
    return put(s, st, err);
}

bool store_put_moment(struct store *s, const char *key, struct error *err)
{
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return store_put(s, key, text, err);
}

bool store_put_data(struct store *s, const char *role, const char *path, const char *sha256,
                    struct error *err)
{
    sqlite3_stmt *st = ready(s, PUT_DATA, err);
    if (st == NULL)
        return roll_back(s);
    bind_text(st, 1, role);
    bind_text(st, 2, path);
    bind_text(st, 3, sha256);
    return put(s, st, err);
}

static bool put_gene(struct store *s, int index, const struct param *gene, struct error *err)
{
    sqlite3_stmt *st = ready(s, PUT_GENE, err);
    if (st == NULL)
        return roll_back(s);
    sqlite3_bind_int(st, 1, index);
    bind_text(st, 2, gene->name);
    sqlite3_bind_int(st, 3, gene->bits);
    sqlite3_bind_int(st, 4, gene->min);
    sqlite3_bind_int(st, 5, gene->max);
    sqlite3_bind_int(st, 6, gene->initial);
    sqlite3_bind_int(st, 7, gene->sign);
    bind_text(st, 8, gene->meaning == NULL ? "" : gene->meaning);
    return put(s, st, err);
}

bool store_put_genes(struct store *s, const struct param_table *space, struct error *err)
{
    for (int i = 0; i < space->count; i++)
        if (!put_gene(s, i, &space->params[i], err))
            return false;
    return store_put(s, "kind", space->kind, err);
}

/* A chromosome as the file has it: its words in little-endian bytes. */
static void to_bytes(const struct chromosome *c, int words, unsigned char *bytes)
{
    for (int i = 0; i < 8 * words; i++)
        bytes[i] = (unsigned char)(c->words[i / 8] >> i % 8 * 8);
}

static bool from_bytes(const unsigned char *bytes, int size, struct chromosome *c)
{
    *c = (struct chromosome){0};
    if (bytes == NULL || size % 8 != 0 || size > 8 * CHROMOSOME_WORDS)
        return false;
    for (int i = 0; i < size; i++)
        c->words[i / 8] |= (uint64_t)bytes[i] << i % 8 * 8;
    return true;
}

bool store_put_seed(struct store *s, int index, const char *source, const struct chromosome *c,
                    int words, struct error *err)
{
    unsigned char bytes[8 * CHROMOSOME_WORDS];
    sqlite3_stmt *st = ready(s, PUT_SEED, err);
    if (st == NULL)
        return roll_back(s);
    to_bytes(c, words, bytes);
    sqlite3_bind_int(st, 1, index);
    bind_text(st, 2, source);
    sqlite3_bind_blob(st, 3, bytes, 8 * words, SQLITE_STATIC);
    return put(s, st, err);
}

bool store_put_genomes(struct store *s, const struct memo *memo, size_t first, size_t end,
                       int words, struct error *err)
{
    sqlite3_stmt *st = ready(s, PUT_GENOME, err);
    if (st == NULL)
        return roll_back(s);
    for (size_t id = first; id < end; id++) {
        unsigned char bytes[8 * CHROMOSOME_WORDS];
        to_bytes(&memo->entries[id].chromosome, words, bytes);
        sqlite3_bind_int64(st, 1, (int64_t)id);
        sqlite3_bind_blob(st, 2, bytes, 8 * words, SQLITE_STATIC);
        sqlite3_bind_int64(st, 3, memo->entries[id].measure);
        if (!put(s, st, err))
            return false;
    }
    return true;
}

bool store_put_held_out(struct store *s, int64_t genome, int64_t held_out, struct error *err)
{
    sqlite3_stmt *st = ready(s, PUT_HELD_OUT, err);
    if (st == NULL)
        return roll_back(s);
    sqlite3_bind_int64(st, 1, held_out);
    sqlite3_bind_int64(st, 2, genome);
    return put(s, st, err);
}

bool store_put_organisms(struct store *s, const struct optimiser *o, const int64_t *genomes,
                         struct error *err)
{
    sqlite3_stmt *st = ready(s, PUT_ORGANISM, err);
    if (st == NULL)
        return roll_back(s);
    for (int i = 0; i < o->population; i++) {
        sqlite3_bind_int(st, 1, o->generation);
        sqlite3_bind_int(st, 2, i);
        sqlite3_bind_int64(st, 3, genomes[i]);
        sqlite3_bind_int64(st, 4, o->organisms[i].fitness);
        if (!put(s, st, err))
            return false;
    }
    return true;
}

bool store_put_game(struct store *s, int generation, const struct played *game, struct error *err)
{
    sqlite3_stmt *st = ready(s, PUT_GAME, err);
    if (st == NULL)
        return roll_back(s);
    sqlite3_bind_int(st, 1, generation);
    sqlite3_bind_int(st, 2, game->number);
    sqlite3_bind_int(st, 3, game->white);
    sqlite3_bind_int(st, 4, game->black);
    sqlite3_bind_int(st, 5, game->opening);
    sqlite3_bind_int(st, 6, game->result);
    sqlite3_bind_int(st, 7, game->plies);
    sqlite3_bind_int64(st, 8, game->nodes);
    return put(s, st, err);
}

bool store_put_row(struct store *s, const struct generation_row *row, struct error *err)
{
    sqlite3_stmt *st = ready(s, PUT_ROW, err);
    if (st == NULL)
        return roll_back(s);
    sqlite3_bind_int(st, 1, row->generation);
    sqlite3_bind_int(st, 2, row->best);
    sqlite3_bind_int64(st, 3, row->measure);
    if (row->held_out == NOT_MEASURED)
        sqlite3_bind_null(st, 4);
    else
        sqlite3_bind_int64(st, 4, row->held_out);
    sqlite3_bind_double(st, 5, row->mean);
    sqlite3_bind_double(st, 6, row->deviation);
    sqlite3_bind_double(st, 7, row->diversity);
    sqlite3_bind_double(st, 8, row->seconds);
    sqlite3_bind_int64(st, 9, row->ended);
    return put(s, st, err);
}

/* -- reading */

char *store_get(struct store *s, const char *key)
{
    sqlite3_stmt *st = ready(s, GET, NULL);
    if (st == NULL)
        return NULL;
    bind_text(st, 1, key);
    char *value = NULL;
    if (sqlite3_step(st) == SQLITE_ROW)
        value = with_suffix(text_of(st, 0), "");
    sqlite3_reset(st);
    return value;
}

int64_t store_get_number(struct store *s, const char *key, int64_t missing)
{
    char *text = store_get(s, key);
    int64_t value = text == NULL ? missing : strtoll(text, NULL, 10);
    free(text);
    return value;
}

bool store_each_data(struct store *s, store_data_visit *each, void *context, struct error *err)
{
    sqlite3_stmt *st = ready(s, EACH_DATA, err);
    if (st == NULL)
        return false;
    int status;
    while ((status = sqlite3_step(st)) == SQLITE_ROW)
        if (!each(context, text_of(st, 0), text_of(st, 1), text_of(st, 2), err)) {
            sqlite3_reset(st);
            return false;
        }
    return end_rows(s, st, status, err);
}

/* Copies a text column to `*at` and moves it on. */
static const char *keep_text(sqlite3_stmt *st, int column, char **at)
{
    char *text = *at;
    strcpy(text, text_of(st, column));
    *at += strlen(text) + 1;
    return text;
}

/* How many genes there are, and the room that their texts take. */
static bool measure_genes(struct store *s, sqlite3_stmt *st, int *count, size_t *size,
                          struct error *err)
{
    int status;
    *count = 0;
    *size = 0;
    while ((status = sqlite3_step(st)) == SQLITE_ROW) {
        *size += strlen(text_of(st, 0)) + strlen(text_of(st, 1)) + 2;
        ++*count;
    }
    return end_rows(s, st, status, err);
}

/* The genes into their block, the texts behind them. Returns where the texts end. */
static char *read_genes(sqlite3_stmt *st, struct param *genes, int count)
{
    char *texts = (char *)(genes + count);
    for (int i = 0; i < count && sqlite3_step(st) == SQLITE_ROW; i++) {
        genes[i].name = keep_text(st, 0, &texts);
        genes[i].active_if = NULL;
        genes[i].meaning = keep_text(st, 1, &texts);
        genes[i].bits = sqlite3_column_int(st, 2);
        genes[i].min = sqlite3_column_int(st, 3);
        genes[i].max = sqlite3_column_int(st, 4);
        genes[i].initial = sqlite3_column_int(st, 5);
        genes[i].sign = sqlite3_column_int(st, 6);
    }
    sqlite3_reset(st);
    return texts;
}

void *store_get_genes(struct store *s, struct param_table *space, struct error *err)
{
    int count;
    size_t size;
    sqlite3_stmt *st = ready(s, EACH_GENE, err);
    if (st == NULL || !measure_genes(s, st, &count, &size, err))
        return NULL;
    char *kind = store_get(s, "kind");
    const char *name = kind == NULL ? "" : kind;
    struct param *genes = malloc((size_t)count * sizeof *genes + size + strlen(name) + 1);
    if (genes == NULL)
        error_set(err, "no memory for the genes of %s", s->path);
    else
        *space = (struct param_table){strcpy(read_genes(st, genes, count), name), genes, count};
    free(kind);
    return genes;
}

/* Whether there are seeds and games: runs of older programs have no tables of them. */
static bool has_seeds(struct store *s)
{
    return finds(s, "SELECT count(*) FROM sqlite_master WHERE name = '$seed'");
}

static bool has_games(struct store *s)
{
    return finds(s, "SELECT count(*) FROM sqlite_master WHERE name = '$game'");
}

bool store_get_seeds(struct store *s, struct chromosome *seeds, int room, int *count,
                     struct error *err)
{
    *count = 0;
    if (!has_seeds(s))
        return true;
    sqlite3_stmt *st = ready(s, EACH_SEED, err);
    if (st == NULL)
        return false;
    int status;
    while ((status = sqlite3_step(st)) == SQLITE_ROW) {
        if (*count >= room || sqlite3_column_int(st, 0) != *count ||
            !from_bytes(sqlite3_column_blob(st, 1), sqlite3_column_bytes(st, 1), &seeds[*count])) {
            sqlite3_reset(st);
            return error_set(err, "%s is damaged (seed %d); go back to a copy", s->path, *count);
        }
        ++*count;
    }
    return end_rows(s, st, status, err);
}

bool store_each_seed(struct store *s, store_seed_visit *each, void *context, struct error *err)
{
    sqlite3_stmt *st = has_seeds(s) ? ready(s, EACH_SEED_SOURCE, err) : NULL;
    if (st == NULL)
        return !has_seeds(s);
    int status;
    while ((status = sqlite3_step(st)) == SQLITE_ROW)
        if (!each(context, text_of(st, 0), err)) {
            sqlite3_reset(st);
            return false;
        }
    return end_rows(s, st, status, err);
}

/* One row of the genome table into the memo, where it must get the id that it has. */
static bool keep_genome(struct store *s, sqlite3_stmt *st, struct memo *memo, struct error *err)
{
    struct chromosome c;
    int64_t id = sqlite3_column_int64(st, 0);
    const void *bytes = sqlite3_column_blob(st, 1);
    if (id != (int64_t)memo->count || !from_bytes(bytes, sqlite3_column_bytes(st, 1), &c) ||
        memo_find(memo, &c) != NOT_MEASURED)
        return error_set(err,
                         "%s is damaged (genome %lld is not what was measured there); go back "
                         "to a copy",
                         s->path, (long long)id);
    if (memo_add(memo, &c, sqlite3_column_int64(st, 2), sqlite3_column_int64(st, 3)) != id)
        return error_set(err, "no memory for the genomes of %s", s->path);
    return true;
}

bool store_get_genomes(struct store *s, struct memo *memo, struct error *err)
{
    sqlite3_stmt *st = ready(s, EACH_GENOME, err);
    if (st == NULL)
        return false;
    int status;
    while ((status = sqlite3_step(st)) == SQLITE_ROW)
        if (!keep_genome(s, st, memo, err)) {
            sqlite3_reset(st);
            return false;
        }
    return end_rows(s, st, status, err);
}

/* The only value of a query that always has one; `otherwise` when it fails. */
static int64_t single(struct store *s, enum statement which, int64_t otherwise)
{
    sqlite3_stmt *st = ready(s, which, NULL);
    if (st != NULL && sqlite3_step(st) == SQLITE_ROW)
        otherwise = sqlite3_column_int64(st, 0);
    sqlite3_reset(st);
    return otherwise;
}

int store_last_generation(struct store *s)
{
    return (int)single(s, LAST_GENERATION, -1);
}

int64_t store_count_genomes(struct store *s)
{
    return single(s, COUNT_GENOMES, 0);
}

static struct played read_game(sqlite3_stmt *st)
{
    return (struct played){
        .number = sqlite3_column_int(st, 0),
        .white = sqlite3_column_int(st, 1),
        .black = sqlite3_column_int(st, 2),
        .opening = sqlite3_column_int(st, 3),
        .result = sqlite3_column_int(st, 4),
        .plies = sqlite3_column_int(st, 5),
        .nodes = sqlite3_column_int64(st, 6),
    };
}

/* Makes room for one more game. */
static bool grow_games(struct played **games, size_t count, size_t *room)
{
    if (count < *room)
        return true;
    size_t larger = *room == 0 ? 256 : 2 * *room;
    struct played *moved = realloc(*games, larger * sizeof *moved);
    if (moved == NULL)
        return false;
    *games = moved;
    *room = larger;
    return true;
}

bool store_get_games(struct store *s, int generation, struct played **games, size_t *count,
                     struct error *err)
{
    size_t room = 0;
    *games = NULL;
    *count = 0;
    sqlite3_stmt *st = ready(s, EACH_GAME, err);
    if (st == NULL)
        return false;
    sqlite3_bind_int(st, 1, generation);
    int status;
    while ((status = sqlite3_step(st)) == SQLITE_ROW && grow_games(games, *count, &room))
        (*games)[(*count)++] = read_game(st);
    bool got = status == SQLITE_ROW ? error_set(err, "no memory for the games of %s", s->path)
                                    : status == SQLITE_DONE || fail(s, err);
    sqlite3_reset(st);
    if (!got) {
        free(*games);
        *games = NULL;
    }
    return got;
}

bool store_count_games(struct store *s, int64_t *games, int64_t *draws, struct error *err)
{
    *games = *draws = 0;
    sqlite3_stmt *st = has_games(s) ? ready(s, COUNT_GAMES, err) : NULL;
    if (st == NULL)
        return !has_games(s);
    int status = sqlite3_step(st);
    if (status == SQLITE_ROW) {
        *games = sqlite3_column_int64(st, 0);
        *draws = sqlite3_column_int64(st, 1);
    }
    bool counted = status == SQLITE_ROW || fail(s, err);
    sqlite3_reset(st);
    return counted;
}

bool store_get_champions(struct store *s, int64_t *genomes, int count, struct error *err)
{
    sqlite3_stmt *st = ready(s, EACH_CHAMPION, err);
    if (st == NULL)
        return false;
    int status, found = 0;
    while ((status = sqlite3_step(st)) == SQLITE_ROW && found < count)
        genomes[found++] = sqlite3_column_int64(st, 0);
    if (status != SQLITE_DONE && status != SQLITE_ROW)
        fail(s, err);
    else if (found < count)
        error_set(err, "%s is damaged (the best of generation %d is missing); go back to a copy",
                  s->path, found);
    sqlite3_reset(st);
    return found == count;
}

/* The one organism that a statement finds, with its chromosome. */
static bool get_organism(struct store *s, enum statement which, int *generation, int *index,
                         struct chromosome *c, struct error *err)
{
    sqlite3_stmt *st = ready(s, which, err);
    if (st == NULL)
        return false;
    int status = sqlite3_step(st);
    bool found = status == SQLITE_ROW;
    if (found) {
        *generation = sqlite3_column_int(st, 0);
        *index = sqlite3_column_int(st, 1);
        found = from_bytes(sqlite3_column_blob(st, 2), sqlite3_column_bytes(st, 2), c) ||
                error_set(err, "%s is damaged (its best chromosome); go back to a copy", s->path);
    } else if (status == SQLITE_DONE)
        error_set(err, "%s has no organism yet", s->path);
    else
        fail(s, err);
    sqlite3_reset(st);
    return found;
}

bool store_get_best(struct store *s, int *generation, int *index, struct chromosome *c,
                    struct error *err)
{
    return get_organism(s, BEST, generation, index, c, err);
}

bool store_get_last_best(struct store *s, int *generation, int *index, struct chromosome *c,
                         struct error *err)
{
    return get_organism(s, LAST_BEST, generation, index, c, err);
}

bool store_get_organisms(struct store *s, int generation, int64_t *fitness, int64_t *genomes,
                         int count, struct error *err)
{
    sqlite3_stmt *st = ready(s, EACH_ORGANISM, err);
    if (st == NULL)
        return false;
    sqlite3_bind_int(st, 1, generation);
    int status, found = 0;
    for (; (status = sqlite3_step(st)) == SQLITE_ROW; found++)
        if (found < count && sqlite3_column_int(st, 0) == found) {
            fitness[found] = sqlite3_column_int64(st, 1);
            genomes[found] = sqlite3_column_int64(st, 2);
        } else
            break;
    sqlite3_reset(st);
    if (status == SQLITE_DONE && found == count)
        return true;
    if (status != SQLITE_DONE && status != SQLITE_ROW)
        return fail(s, err);
    return error_set(err,
                     "%s is damaged (generation %d does not have its %d organisms); go back "
                     "to a copy",
                     s->path, generation, count);
}

static struct generation_row read_row(sqlite3_stmt *st)
{
    return (struct generation_row){
        .generation = sqlite3_column_int(st, 0),
        .best = sqlite3_column_int(st, 1),
        .measure = sqlite3_column_int64(st, 2),
        .held_out = sqlite3_column_int64(st, 3),
        .mean = sqlite3_column_double(st, 4),
        .deviation = sqlite3_column_double(st, 5),
        .diversity = sqlite3_column_double(st, 6),
        .seconds = sqlite3_column_double(st, 7),
        .ended = sqlite3_column_int64(st, 8),
    };
}

struct generation_row *store_get_rows(struct store *s, int *count, struct error *err)
{
    sqlite3_stmt *st = ready(s, EACH_ROW, err);
    int room = store_last_generation(s) + 1;
    struct generation_row *rows = malloc(((size_t)room + 1) * sizeof *rows);
    if (st == NULL || rows == NULL) {
        if (rows == NULL)
            error_set(err, "no memory for the generations of %s", s->path);
        free(rows);
        return NULL;
    }
    int status, i = 0;
    for (; (status = sqlite3_step(st)) == SQLITE_ROW && i < room; i++) {
        rows[i] = read_row(st);
        if (rows[i].generation != i)
            break;
    }
    sqlite3_reset(st);
    *count = i;
    if (status == SQLITE_DONE && i == room)
        return rows;
    if (status == SQLITE_ROW)
        error_set(err, "%s is damaged (generation %d is missing); go back to a copy", s->path, i);
    else
        fail(s, err);
    free(rows);
    return NULL;
}
