/* Looking into run files, and changing them, behind the back of the store. */
#ifndef GRAYLING_TESTS_DATABASE_H
#define GRAYLING_TESTS_DATABASE_H

#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdint.h>

static inline sqlite3 *open_database(const char *path)
{
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    return db;
}

static inline void execute(const char *path, const char *sql)
{
    sqlite3 *db = open_database(path);
    char *message = NULL;
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, &message), SQLITE_OK, "%s: %s", sql, message);
    cr_assert_eq(sqlite3_close(db), SQLITE_OK);
}

/* The first value of a query. */
static inline int64_t number_in(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *st;
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    cr_assert_eq(sqlite3_step(st), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    return value;
}

/* The same, in a file. */
static inline int64_t number(const char *path, const char *sql)
{
    sqlite3 *db = open_database(path);
    int64_t value = number_in(db, sql);
    sqlite3_close(db);
    return value;
}

#endif
