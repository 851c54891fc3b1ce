#include "store_internal.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- reasons for failures */

bool store_fail(const struct store *s, struct error *err)
{
    int code = sqlite3_extended_errcode(s->db);
    switch (code & 0xff) {
    case SQLITE_FULL:
        return error_set(err, "no space to write %s: the disk is full", s->path);
    case SQLITE_NOTADB:
        return error_set(err, "%s is not a Grayling run: it is not an SQLite database", s->path);
    case SQLITE_CORRUPT:
        return error_set(err, "%s is damaged (%s); go back to a copy", s->path,
                         sqlite3_errmsg(s->db));
    case SQLITE_INTERRUPT:
        return error_set(err, "%s is damaged (reading it has no end); go back to a copy", s->path);
    case SQLITE_TOOBIG:
        return error_set(err, "%s is damaged (a value is too large); go back to a copy", s->path);
    case SQLITE_BUSY:
        return error_set(err, "%s is locked by another process", s->path);
    case SQLITE_READONLY:
        return error_set(err, "cannot write %s: it or its directory is read-only", s->path);
    case SQLITE_CANTOPEN:
        if (store_lacks_room_beside(s->file))
            return error_set(
                err,
                "%s was not ended: the last of it is in %s-wal, and that cannot be read "
                "where nothing can be written; copy both to another folder",
                s->path, s->file);
        return error_set(
            err, "cannot open %s or its WAL: %s", s->path,
            strerror(sqlite3_system_errno(s->db) != 0 ? sqlite3_system_errno(s->db) : EACCES));
    case SQLITE_IOERR:
        if (code == SQLITE_IOERR_DATA)
            return error_set(err, "%s is damaged (a page has not its checksum); go back to a copy",
                             s->path);
        return error_set(
            err, "cannot %s %s: %s", code == SQLITE_IOERR_READ ? "read" : "write", s->path,
            code == SQLITE_IOERR_WRITE ? "no space; a quota or file size limit was reached, or "
                                         "the disk failed"
                                       : sqlite3_errmsg(s->db));
    default:
        return error_set(err, "%s: %s", s->path, sqlite3_errmsg(s->db));
    }
}

/* -- statements */

/* Returns the entry of a statement, which is new if the statement was not used before. */
static struct store_statement *find_statement(struct store *s, const char *sql)
{
    int i = 0;
    while (i < s->statement_count && s->statements[i].sql != sql)
        i++;
    assert(i < STORE_STATEMENTS);
    if (i == s->statement_count)
        s->statements[s->statement_count++].sql = sql;
    return &s->statements[i];
}

sqlite3_stmt *store_prepare(struct store *s, const char *sql, struct error *err)
{
    struct store_statement *st = find_statement(s, sql);
    store_count_work(s);
    if (st->prepared == NULL && sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                                   &st->prepared, NULL) != SQLITE_OK)
        store_fail(s, err);
    if (sqlite3_bind_parameter_count(st->prepared) > 0)
        sqlite3_bind_int64(st->prepared, 1, s->run);
    return st->prepared;
}

bool store_finish(struct store *s, sqlite3_stmt *st, struct error *err)
{
    int status = sqlite3_step(st);
    bool done = status == SQLITE_DONE || status == SQLITE_ROW;
    if (!done)
        store_fail(s, err);
    sqlite3_reset(st);
    return done;
}

struct store_rows store_query(struct store *s, const char *sql, const int64_t *numbers)
{
    struct error reason; /* of SQLite's failure, which store_end_rows tells */
    struct store_rows rows = {s, store_prepare(s, sql, &reason), SQLITE_ERROR};
    for (int i = 2; i <= sqlite3_bind_parameter_count(rows.row); i++)
        sqlite3_bind_int64(rows.row, i, numbers[i - 2]);
    return rows;
}

bool store_next_row(struct store_rows *rows)
{
    if (rows->row != NULL)
        rows->status = sqlite3_step(rows->row);
    return rows->status == SQLITE_ROW;
}

bool store_end_rows(struct store_rows *rows, struct error *err)
{
    bool good =
        rows->status == SQLITE_DONE || rows->status == SQLITE_ROW || store_fail(rows->s, err);
    sqlite3_reset(rows->row);
    return good;
}

bool store_perform(struct store *s, const char *sql, struct error *err)
{
    sqlite3_stmt *st = store_prepare(s, sql, err);
    return st != NULL && store_finish(s, st, err);
}

bool store_execute(struct store *s, const char *sql, struct error *err)
{
    store_count_work(s);
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(s, err);
}

const char *store_text(sqlite3_stmt *st, int column)
{
    const unsigned char *text = sqlite3_column_text(st, column);
    return text == NULL ? "" : (const char *)text;
}

bool store_query_text(struct store *s, const char *sql, char *text, size_t size, struct error *err)
{
    sqlite3_stmt *st;
    store_count_work(s);
    if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK)
        return store_fail(s, err);
    bool found = sqlite3_step(st) == SQLITE_ROW;
    if (found)
        snprintf(text, size, "%s", store_text(st, 0));
    else
        store_fail(s, err);
    /* Without memory for its text a column is NULL, and this fails. */
    bool whole = sqlite3_finalize(st) == SQLITE_OK;
    return found && (whole || store_fail(s, err));
}

bool store_query_number(struct store *s, const char *sql, int64_t *value, struct error *err)
{
    char text[32];
    if (!store_query_text(s, sql, text, sizeof text, err))
        return false;
    *value = strtoll(text, NULL, 10);
    return true;
}

bool store_roll_back(struct store *s)
{
    if (!sqlite3_get_autocommit(s->db))
        store_perform(s, "ROLLBACK", NULL);
    return false;
}
