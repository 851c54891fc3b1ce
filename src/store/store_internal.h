/* Inside the store: a connection to SQLite, its statements, and the tables. Only the store's own
 * files include this header, so that no other file knows SQLite.
 *
 *     store.c           paths, the writer's lock, opening, creating, transactions
 *     store_sql.c       reasons of failure, statements, single values
 *     store_schema.c    the tables, and version 1 seen as version 2
 *     store_migrate.c   version 1 made into version 2
 *     store_write.c     what is put in
 *     store_read.c      what comes out */
#ifndef GRAYLING_STORE_INTERNAL_H
#define GRAYLING_STORE_INTERNAL_H

#include "store.h"

#include <sqlite3.h>

enum { STORE_STATEMENTS = 64 };

/* A statement that stays prepared until the store is closed. */
struct store_statement {
    const char *sql; /* a literal: its address identifies the statement */
    sqlite3_stmt *prepared;
};

struct store {
    char *path;              /* as the user names it */
    char *file;              /* where it is: `path`, or the temporary name of a run in creation */
    char stage[STORE_STAGE]; /* "" for the file's own run */
    int64_t run;             /* id in the table `run`; 0: the file has no such run */
    bool force;              /* of store_create */
    bool creating;           /* the file is not yet a run, and goes when it is closed */
    bool running;            /* someone else was writing when it was opened */
    double checkpointed;     /* when the WAL was last folded in, by the monotonic clock */
    int lock;                /* file descriptor that holds the writer's lock, or -1 */
    sqlite3 *db;
    unsigned char *image; /* owned: of a compressed run, the database that is read; else NULL */
    struct store_statement statements[STORE_STATEMENTS];
    int statement_count;
};

/* -- reasons (store_sql.c) */

/* Sets the reason for SQLite's last failure. Always false. */
bool store_fail(const struct store *s, struct error *err);

/* -- statements */

/* The prepared statement of a string literal, its parameter ?1 bound to the run. It keeps its other
 * bindings from one use to the next. NULL on failure. */
sqlite3_stmt *store_prepare(struct store *s, const char *sql, struct error *err);

/* Runs a bound statement that gives no rows, or whose rows do not matter. */
bool store_finish(struct store *s, sqlite3_stmt *st, struct error *err);

/* Ends the reading of rows: `status` is what the last sqlite3_step returned. */
bool store_end_rows(struct store *s, sqlite3_stmt *st, int status, struct error *err);

/* Prepares and runs a statement that has no parameter but the run. */
bool store_perform(struct store *s, const char *sql, struct error *err);

/* Runs SQL that is used once: one statement or several. */
bool store_execute(struct store *s, const char *sql, struct error *err);

/* The first value of the first row of a query that is used once; no row is a failure. */
bool store_query_text(struct store *s, const char *sql, char *text, size_t size, struct error *err);
bool store_query_number(struct store *s, const char *sql, int64_t *value, struct error *err);

/* A text column; NULL reads as "". Valid until the statement is stepped or reset. */
const char *store_text(sqlite3_stmt *st, int column);

/* Rolls back the transaction if there is one, since SQLite may have done so itself. Always
 * false. */
bool store_roll_back(struct store *s);

/* -- tables (store_schema.c) */

/* A table of version 2, and where its rows are in version 1. */
struct store_table {
    const char *name;
    const char *columns; /* its definition */
    const char *old;     /* the table of version 1 that its rows come from, */
    const char *rows;    /* and the SELECT that makes them (store_view_old) */
};

/* All tables; the name of the last is NULL. A table comes after those that it is made from. */
extern const struct store_table store_tables[];

/* A run of a file of version 1. */
struct store_old_run {
    const char *stage;
    char prefix[STORE_STAGE + 2]; /* of the names of its tables */
    int64_t run;                  /* its id in version 2 */
};

bool store_create_tables(struct store *s, struct error *err);

/* Finds the id of the store's stage, 0 where there is no such run. */
bool store_find_run(struct store *s, struct error *err);

/* Adds the store's stage to the runs. */
bool store_add_run(struct store *s, struct error *err);

/* The prefix that tables of this stage have in version 1: "search__", "evolve_1__"; "__" where the
 * stage is "", whose tables must have been renamed so. */
void store_old_prefix(const char *stage, char prefix[STORE_STAGE + 2]);

/* Whether the run has this table of version 1. */
bool store_has_old(struct store *s, const char *table, const struct store_old_run *from, bool *has,
                   struct error *err);

/* Creates the temporary view temp.NAME that shows a version 1 run's rows as those of a version 2
 * table. Does nothing and sets *shown to false where the run has no such old table. */
bool store_view_old(struct store *s, const struct store_table *table,
                    const struct store_old_run *from, bool *shown, struct error *err);

/* Makes a file of version 1 readable: the store's run under the names of version 2. */
bool store_view_old_run(struct store *s, struct error *err);

/* -- migration (store_migrate.c) */

/* Makes a file of version 1 one of STORE_VERSION, in one transaction; the caller holds the writer's
 * lock. Does nothing where the file has that version already. */
bool store_migrate(struct store *s, struct error *err);

#endif
