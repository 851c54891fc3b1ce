#include "store_compressed.h"
#include "store_head.h"
#include "store_internal.h"

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
};

/* -- what a file may not do */

/* Limits for all that comes from the file. Chromosomes have up to 128 KiB; the largest text is a
 * recipe. VACUUM attaches one database. Operations: quick_check has some fifty for each table and index,
 * and a comparison of version 1 has eight of them for each of up to 1,024 runs. */
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
    {SQLITE_LIMIT_ATTACHED, 1},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
};

/* Views that we make ourselves, of older versions, are temporary: they run. */
static const struct {
    int what, value;
} settings[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
    {SQLITE_DBCONFIG_DQS_DDL, 0},        {SQLITE_DBCONFIG_DQS_DML, 0},
};

/* The bytes of the database, which grows while it is written. */
static int64_t size_of(const struct store *s)
{
    struct stat st;
    if (s->image != NULL)
        return s->image_size;
    return stat(s->file, &st) == 0 ? st.st_size : 0;
}

/* Called by SQLite at each step. Ends a statement that takes more of them than the file's size can
 * explain: its pages refer to each other without end. */
static int look_at_work(void *store)
{
    struct store *s = store;
    return ++s->work > WORK_AT_LEAST && s->work > size_of(s) / BYTES_FOR_A_STEP;
}

void store_count_work(struct store *s)
{
    s->work = 0;
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

bool store_refuse_programs(struct store *s, struct error *err)
{
    static const char sql[] =
        "SELECT 'it has the ' || type || ' ' || name FROM main.sqlite_master"
        " WHERE type NOT IN ('table', 'index') UNION ALL "
        "SELECT 'it has the ' || type || ' table ' || name FROM pragma_table_list"
        " WHERE schema = 'main' AND type <> 'table' UNION ALL SELECT '' LIMIT 1";
    char found[256];
    if (!store_query_text(s, sql, found, sizeof found, err))
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
    char *folder = store_beside(file, "");
    char *slash = folder != NULL ? strrchr(folder, '/') : NULL;
    if (slash != NULL)
        slash[slash == folder] = '\0';
    bool can = folder != NULL && access(slash != NULL ? folder : ".", W_OK | X_OK) == 0 &&
               access(file, W_OK) == 0;
    free(folder);
    return can;
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
    if (!store_read_head(file, head, sizeof head) || size_beside(file, "-journal") >= 0)
        return false;
    if (is_wal_mode(head))
        return size_beside(file, "-wal") <= 0 && !can_write(file) && !store_is_being_written(file);
    return head[18] == VERSION_OF_JOURNAL && head[19] == VERSION_OF_JOURNAL &&
           size_beside(file, "-wal") < 0;
}

/* Marks an image as one without a WAL: in memory there is none, and SQLite refuses to open it. The
 * original had one if it was compressed while a process had it open. */
static void leave_wal(unsigned char *image, size_t size)
{
    if (size >= HEADER && is_wal_mode(image))
        image[18] = image[19] = VERSION_OF_JOURNAL;
}

/* Decompresses a run into memory and opens that as the database. */
static bool open_image(struct store *s, struct error *err)
{
    size_t size, damaged;
    s->image = store_decompress(s->file, &size, err);
    if (s->image == NULL)
        return false;
    s->image_size = (int64_t)size;
    store_pages_check(s->image, size, &damaged);
    if (damaged > 0)
        return error_set(err, "%s is damaged (page %zu has not its checksum); go back to a copy",
                         s->path, damaged);
    leave_wal(s->image, size);
    if (sqlite3_open_v2(":memory:", &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
            SQLITE_OK ||
        sqlite3_deserialize(s->db, "main", s->image, s->image_size, s->image_size,
                            SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
        return store_fail(s, err);
    return true;
}

/* Opens the database with SQLite's flags. */
static bool open_with(struct store *s, int flags, struct error *err)
{
    const char *vfs = store_pages_vfs();
    if (vfs == NULL)
        return error_set(err, "no memory for the store");
    return sqlite3_open_v2(s->file, &s->db, flags | SQLITE_OPEN_NOMUTEX, vfs) == SQLITE_OK ||
           store_fail(s, err);
}

/* Leads a run out of WAL mode whose writer has died, or has ended while others had it open. If somebody has
 * it open now, it stays as it is. */
static void put_in_order(struct store *s)
{
    unsigned char head[HEADER];
    if (!store_read_head(s->file, head, sizeof head) || !is_wal_mode(head) ||
        memcmp(head + AT_APPLICATION, "GRLG", 4) != 0 || !can_write(s->file) ||
        store_is_being_written(s->file))
        return;
    if (open_with(s, SQLITE_OPEN_READWRITE, NULL) && harden(s, NULL) && store_leave_wal(s, 0) &&
        store_pages_seal(s->db) == STORE_NOT_SEALED && store_execute(s, "BEGIN EXCLUSIVE", NULL)) {
        store_pages_mend(s->db);
        store_execute(s, "ROLLBACK", NULL);
    }
    sqlite3_close(s->db);
    s->db = NULL;
}

static bool open_file(struct store *s, enum store_connection mode, struct error *err)
{
    if (mode == STORE_CONNECT_WRITE)
        return open_with(s, SQLITE_OPEN_READWRITE, err);
    if (mode == STORE_CONNECT_CREATE)
        return open_with(s, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err) &&
               (store_pages_reserve(s->db) || store_fail(s, err));
    put_in_order(s);
    s->joins = !is_at_rest(s->file);
    return open_with(s, s->joins ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, err);
}

/* Temporary tables stay in memory, because a reader may not be able to write files. */
bool store_connect(struct store *s, enum store_connection mode, struct error *err)
{
    bool packed = mode == STORE_CONNECT_READ && store_is_compressed(s->file);
    return (packed ? open_image(s, err) : open_file(s, mode, err)) && harden(s, err);
}
