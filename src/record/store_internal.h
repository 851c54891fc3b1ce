/* The internals of the store: the SQLite connection, its statements and the tables. Only the
 * store's own files include this header. No other file uses SQLite.
 *
 *     store.c           paths, opening, creating, transactions
 *     store_schema.c    the tables, the runs in them, a look at all of a file
 *     store_connect.c   the file, plain or compressed, and what it may not do; its locks
 *     store_pages.c     checksums of pages
 *     store_sql.c       reasons for failures, statements, rows, single values
 *     store_write.c     writing
 *     store_read.c      reading
 *     store_genes.c     reading the genes */
#ifndef GRAYLING_STORE_INTERNAL_H
#define GRAYLING_STORE_INTERNAL_H

#include "store.h"
#include "store_pages.h"

#include <sqlite3.h>

enum {
    STORE_VERSION = 4, /* of the tables and pages: PRAGMA user_version */
    STORE_STATEMENTS = 64,
    STORE_BUSY_MS = 5000, /* how long to wait for a lock of another process */
};

/* A statement, which stays prepared until the store is closed. */
struct store_statement {
    const char *sql; /* a literal: its address identifies the statement */
    sqlite3_stmt *prepared;
};

struct store {
    char *path;              /* the path that the user gave */
    char *file;              /* the file; a new run has a temporary name until it is published */
    char stage[STORE_STAGE]; /* "" for the file's own run */
    int64_t run;             /* id in the table `run`; 0: the file has no such run */
    bool force;              /* of store_create */
    bool creating;           /* the run is not published; closing it removes the file */
    bool running;            /* another process was writing when it was opened */
    bool lost;               /* a value that is there could not be read (store_whole) */
    double checkpointed;     /* time of the last checkpoint, by the monotonic clock */
    int wal_pages;           /* in the WAL after the last commit */
    enum store_lock lock;    /* that it has, */
    bool under;              /* in a file that a holder of this process has */
    bool joins;              /* it reads a file in WAL mode, beside others */
    sqlite3 *db;
    unsigned char *image; /* owned: the decompressed database of a compressed run; else NULL */
    int64_t image_size;
    enum store_seal image_seal;
    int64_t work; /* of the present statement, in steps of WORK_STEP operations (store_connect.c) */
    struct store_statement statements[STORE_STATEMENTS];
    int statement_count;
};

/* -- paths (store.c) */

/* Joins a path and a suffix. The caller frees the result. NULL without memory. */
char *store_beside(const char *path, const char *suffix);
/* Removes a file beside the database, if it exists. */
void store_remove_beside(const char *path, const char *suffix);

/* -- the file (store_connect.c) */

/* Reads the first `size` bytes of a file. False if it is no file, cannot be read or is shorter. */
bool store_read_head(const char *file, void *bytes, size_t size);
/* True if a writer or a holder has the file open. */
bool store_is_being_written(const char *file);
/* True if the file is compressed with zstd, whatever it contains. */
bool store_is_compressed(const char *file);
/* True if the file is compressed with zstd and its decompressed content starts with these bytes. */
bool store_compressed_begins(const char *file, const char *bytes, size_t length);
/* Decompresses a file into memory. The caller frees it. NULL with the reason on failure. */
unsigned char *store_decompress(const char *file, size_t *length, struct error *err);

enum store_connection { STORE_CONNECT_READ, STORE_CONNECT_WRITE, STORE_CONNECT_CREATE };

/* Connects to the file, or to the content of a compressed file, without reading it. A run may come
 * from anybody, so the file cannot make the program do anything but read its rows:
 *
 *     - views and triggers of the file do not run, and no function is trusted in its schema;
 *     - texts, rows and the schema have a largest size;
 *     - a statement ends with an error when it takes more steps than a file of this size can need;
 *     - a file at rest is opened read-only, unless it is opened to be written. */
bool store_connect(struct store *s, enum store_connection mode, struct error *err);

/* Fails if the file has views, triggers or virtual tables. A run has none. */
bool store_refuse_programs(struct store *s, struct error *err);

/* True if the file has a WAL with content and lies where nothing can be written. */
bool store_lacks_room_beside(const char *file);

/* Begins to count the steps of a statement. */
void store_count_work(struct store *s);

/* What the checksums of the open file can tell. */
enum store_seal store_seal(const struct store *s);

/* Takes a lock of a file that is open in WAL mode. store_close releases it. Fails if another process, or
 * another store of this one, has it. */
bool store_lock(struct store *s, enum store_lock which, struct error *err);

/* Fails if others have removed, moved or overwritten the file or its WAL. Any other store is undisturbed. */
bool store_undisturbed(const struct store *s, struct error *err);

/* Copies the WAL into the file, so that a closed run is a single file that can be read from read-only
 * media. Tries for so long while others have the file open; false if they still have. */
bool store_leave_wal(struct store *s, int milliseconds);

/* Ends the writing of a locked store: it leaves WAL mode unless the file is held, or not its own any more. If
 * others have the file open for longer than STORE_BUSY_MS, it stays in WAL mode, and whoever closes or opens
 * it next does this. */
void store_end_writing(struct store *s);

/* -- reasons for failures (store_sql.c) */

/* Sets the reason for SQLite's last failure. Always returns false. */
bool store_fail(const struct store *s, struct error *err);

/* -- statements */

/* Returns the prepared statement of a string literal, with parameter ?1 bound to the run. Its other
 * bindings persist between uses. NULL on failure. */
sqlite3_stmt *store_prepare(struct store *s, const char *sql, struct error *err);

/* Runs a bound statement and ignores its rows. */
bool store_finish(struct store *s, sqlite3_stmt *st, struct error *err);

/* The rows of a query, which are read so, to the end or not:
 *
 *     struct store_rows r = store_query(s, "SELECT ...", NULL);
 *     while (store_next_row(&r))
 *         ... sqlite3_column_int(r.row, 0) ...
 *     return store_end_rows(&r, err);
 *
 * ?1 is the run, and `numbers` has a number for each further parameter. store_end_rows tells whether SQLite
 * has failed. */
struct store_rows {
    struct store *s;
    sqlite3_stmt *row;
    int status; /* SQLITE_DONE after the last row */
};
struct store_rows store_query(struct store *s, const char *sql, const int64_t *numbers);
bool store_next_row(struct store_rows *rows);
bool store_end_rows(struct store_rows *rows, struct error *err);

/* Prepares and runs a statement without parameters other than the run. */
bool store_perform(struct store *s, const char *sql, struct error *err);

/* Runs one or more statements that are used only once. */
bool store_execute(struct store *s, const char *sql, struct error *err);

/* Read the first value of the first row of a query that is used only once. No row is a failure. */
bool store_query_text(struct store *s, const char *sql, char *text, size_t size, struct error *err);
bool store_query_number(struct store *s, const char *sql, int64_t *value, struct error *err);

/* Returns a text column, "" for NULL. The text is valid until the statement is stepped or reset. */
const char *store_text(sqlite3_stmt *st, int column);

/* Rolls back the transaction, unless SQLite has already done so. Always returns false. */
bool store_roll_back(struct store *s);

/* -- tables (store_schema.c) */

/* Creates all tables but that of a match's games. */
bool store_create_tables(struct store *s, struct error *err);

/* Finds out whether the file has the table of a match's games. */
bool store_has_match_pgn(struct store *s, bool *has, struct error *err);

/* Finds the run id of the store's stage, 0 if there is no such run. */
bool store_find_run(struct store *s, struct error *err);

/* Adds the store's stage to the table `run`. */
bool store_add_run(struct store *s, struct error *err);

#endif
