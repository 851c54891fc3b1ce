/* The internals of the store: the SQLite connection, its statements and the tables. Only the
 * store's own files include this header. No other file uses SQLite.
 *
 *     store.c           paths, opening, creating, transactions
 *     store_lock.c      the locks of a writer and of a holder, and the end of writing
 *     store_connect.c   the connection to SQLite, and what a file may not do with it
 *     store_sql.c       reasons for failures, statements, single values
 *     store_schema.c    the tables, and views of versions 1 and 2 as the present one
 *     store_migrate.c   migration from versions 1 and 2
 *     store_write.c     writing
 *     store_read.c      reading
 *     store_pages.c     checksums of pages
 *     store_check.c     a look at all of a file
 *     store_games.c     the games of a match as PGN
 *     store_genes.c     reading the genes */
#ifndef GRAYLING_STORE_INTERNAL_H
#define GRAYLING_STORE_INTERNAL_H

#include "store.h"
#include "store_pages.h"

#include <sqlite3.h>

enum {
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
    int64_t work; /* of the present statement, in steps of WORK_STEP operations (store_connect.c) */
    struct store_statement statements[STORE_STATEMENTS];
    int statement_count;
};

/* -- paths (store.c) */

/* Joins a path and a suffix. The caller frees the result. NULL without memory. */
char *store_beside(const char *path, const char *suffix);
/* Removes a file beside the database, if it exists. */
void store_remove_beside(const char *path, const char *suffix);

/* -- locks (store_lock.c) */

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

/* -- the connection (store_connect.c) */

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

/* -- reasons for failures (store_sql.c) */

/* Sets the reason for SQLite's last failure. Always returns false. */
bool store_fail(const struct store *s, struct error *err);

/* -- statements */

/* Returns the prepared statement of a string literal, with parameter ?1 bound to the run. Its other
 * bindings persist between uses. NULL on failure. */
sqlite3_stmt *store_prepare(struct store *s, const char *sql, struct error *err);

/* Runs a bound statement and ignores its rows. */
bool store_finish(struct store *s, sqlite3_stmt *st, struct error *err);

/* Ends the reading of rows. `status` is the result of the last sqlite3_step. */
bool store_end_rows(struct store *s, sqlite3_stmt *st, int status, struct error *err);

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

/* A table, and the source of its rows in version 1. */
struct store_table {
    const char *name;
    const char *columns; /* its definition */
    const char *old;     /* the version 1 table that must exist, */
    const char *rows;    /* and the SELECT that produces the rows (store_view_old) */
};

/* All tables; the last has the name NULL. A table comes after the tables that its rows refer to. */
extern const struct store_table store_tables[];

/* A run of a file of version 1. */
struct store_old_run {
    const char *stage;
    char prefix[STORE_STAGE + 2]; /* of its tables' names */
    int64_t run;                  /* its id in the table `run` */
};

bool store_create_tables(struct store *s, struct error *err);

/* Finds out whether the file has the table of a match's games. */
bool store_has_match_pgn(struct store *s, bool *has, struct error *err);

/* Finds the run id of the store's stage, 0 if there is no such run. */
bool store_find_run(struct store *s, struct error *err);

/* Adds the store's stage to the table `run`. */
bool store_add_run(struct store *s, struct error *err);

/* Writes the prefix of a stage's tables in version 1: "search__", "evolve_1__". For the stage "" it
 * is "__", the prefix that the migration gives to the file's own tables. */
void store_old_prefix(const char *stage, char prefix[STORE_STAGE + 2]);

/* Finds out whether the run has this table of version 1. */
bool store_has_old(struct store *s, const char *table, const struct store_old_run *from, bool *has,
                   struct error *err);

/* Creates the temporary view temp.NAME, which shows the rows of a version 1 run as a table of
 * the present version. If the run has no such old table, does nothing and sets *shown to false. */
bool store_view_old(struct store *s, const struct store_table *table,
                    const struct store_old_run *from, bool *shown, struct error *err);

/* Makes the store's run in a file of version 1 readable as tables of the present version. */
bool store_view_old_run(struct store *s, struct error *err);

/* Makes a file of version 2 readable as the present version. */
bool store_view_version_2(struct store *s, struct error *err);

/* Converts the tables of version 2, inside a transaction. */
bool store_convert_version_2(struct store *s, struct error *err);

/* -- migration (store_migrate.c) */

/* Converts a file of version 1 or 2 to version 3 in one transaction, and one of version 3 to
 * STORE_VERSION if there is room. Renews the checksums of its pages if need be. The caller holds the
 * writer's lock. */
bool store_migrate(struct store *s, struct error *err);

#endif
