/* The internals of the store: the SQLite connection, its statements and the tables. Only the
 * store's own files include this header. No other file uses SQLite.
 *
 *     store.c           paths, creating, transactions
 *     store_schema.c    the tables, the runs in them, a look at all of a file
 *     store_connect.c   the file, plain or compressed, and what it may not do; opening, locks, closing
 *     store_pages.c     checksums of pages, and the lock of a writer
 *     store_sql.c       reasons for failures, statements and their rows
 *     store_write.c     writing
 *     store_read.c      reading */
#ifndef GRAYLING_STORE_INTERNAL_H
#define GRAYLING_STORE_INTERNAL_H

#include "store.h"

#include <sqlite3.h>

enum { STORE_PAGE_RESERVE = 8 };

/* What the checksums of an open file can tell. */
enum store_seal {
    STORE_NOT_SUMMED, /* pages have no checksums */
    STORE_NOT_SEALED, /* another program wrote to the file */
    STORE_SEALED,
};

/* A writer has a lock while it has the file open. A holder has the other one, and lets one writer after
 * another of its own process have the first. */
enum store_lock { STORE_NO_LOCK, STORE_LOCK_WRITER, STORE_LOCK_HOLDER };

/* What others may do to a file, or to its name, that a lock does not keep them from. */
enum store_trouble {
    STORE_NO_TROUBLE,
    STORE_GONE,        /* it was moved or removed; another file may have its name by now */
    STORE_OVERWRITTEN, /* another run, or something else, was written into it; we write nothing more */
    STORE_WITHOUT_WAL, /* the WAL was removed or replaced; we still have it open */
};

enum {
    STORE_APPLICATION = 0x47524c47, /* "GRLG": PRAGMA application_id */
    STORE_VERSION = 4,              /* of the tables and pages: PRAGMA user_version */
    STORE_STATEMENTS = 96,
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
/* Removes what killed processes left beside the database: new databases, and files of an outcome. */
void store_remove_leftovers(const char *file);
/* Allocates the store of a path, in its file, or beside that in one of this ending. */
struct store *store_allocate(const char *path, const char *ending, struct error *err);

/* -- the file (store_connect.c)
 *
 * A run may come from anybody, so a file cannot make the program do anything but read its rows: its views and triggers
 * do not run, no function is trusted in its schema, sizes have limits, and a statement ends with an error when it takes
 * more steps than a file of this size can need. */

/* True if a writer or a holder has the file open. */
bool store_is_being_written(const char *file);
/* True if the file has a WAL with content and lies where nothing can be written. */
bool store_lacks_room_beside(const char *file);
/* Opens the file of a path, which need not have the stage. */
struct store *store_open_file(const char *path, enum store_mode mode, struct error *err);
/* Connects to a new, empty file. */
bool store_connect_new(struct store *s, struct error *err);
/* What the checksums of the open file can tell. */
enum store_seal store_seal(const struct store *s);
/* Fails if others have removed, moved or overwritten the file of a writer, or its WAL. */
bool store_undisturbed(const struct store *s, struct error *err);

/* -- reasons for failures (store_sql.c); they return false */

/* Sets the reason for SQLite's last failure. */
bool store_fail(const struct store *s, struct error *err);

/* "FILE is damaged (WHERE); go back to a copy". */
bool store_damaged(const struct store *s, struct error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* -- statements (store_sql.c)
 *
 * A statement is a literal, which stays prepared. Its parameter ?1 is the run. What is bound to the others follows
 * as arguments, with a letter for each (store_next). */

/* Runs a change of the current transaction; on failure rolls back. An INSERT lists its values in the order of
 * the table's columns. */
bool store_change(struct store *s, struct error *err, const char *sql, const char *kinds, ...);

/* Begins a query, to be read by store_next. */
struct store_rows store_query(struct store *s, const char *sql, const char *kinds, ...);

/* Read the first value of the first row. No row is a failure. */
bool store_read_text(struct store *s, const char *sql, char *text, size_t size, struct error *err);
bool store_read_number(struct store *s, const char *sql, int64_t *value, struct error *err);

/* Runs statements that need not be a literal, and ignores their rows. */
bool store_execute(struct store *s, const char *sql, struct error *err);

/* Rolls back the transaction, unless SQLite has already done so. Always returns false. */
bool store_roll_back(struct store *s);

/* -- pages (store_pages.c) */

/* Returns the name of the VFS for sqlite3_open_v2. NULL without memory. A file that is opened read-only
 * through it is taken for one that is not in WAL mode. */
const char *store_pages_vfs(void);

/* -- an open database */

/* Makes a new, empty database one whose pages have checksums. */
bool store_pages_reserve(sqlite3 *db);
/* Tells what is known of the file, whose first page it reads. */
enum store_seal store_pages_seal(sqlite3 *db);
/* Seals the file unless it is sealed: renews the checksums of all pages, as its only writer. From now on each page that
 * this connection writes gets its checksum. */
bool store_pages_renew(sqlite3 *db);
/* Seals a file, which nobody else has open, if page 1 alone lacks its checksum: a power cut may tear it. */
void store_pages_mend(sqlite3 *db);

/* Takes a lock of a file that is open in WAL mode, until it is closed. False if another process, or another
 * connection of this one, has it. *under tells whether a holder of this process has the file, which closes it later. */
bool store_pages_lock(sqlite3 *db, enum store_lock which, bool *under);
/* Tells what others have done to a file that is locked. */
enum store_trouble store_pages_trouble(sqlite3 *db);

/* -- a database in memory */

/* Tells what the checksums of a whole file say; *damaged is the number of a page whose checksum is wrong, or 0. */
enum store_seal store_pages_check(const unsigned char *bytes, size_t size, size_t *damaged);

/* -- tables (store_schema.c) */

/* Creates the tables that the file does not have yet, within a transaction. */
bool store_create_tables(struct store *s, struct error *err);

/* Finds the run id of the store's stage, 0 if there is no such run; or adds the stage. */
bool store_find_run(struct store *s, struct error *err);
bool store_add_run(struct store *s, struct error *err);

#endif
