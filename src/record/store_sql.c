#include "store_internal.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- reasons for failures */

bool store_damaged(const struct store *s, struct error *err, const char *format, ...)
{
    char where[256];
    va_list args;
    va_start(args, format);
    vsnprintf(where, sizeof where, format, args);
    va_end(args);
    return error_set(err, "%s is damaged (%s); go back to a copy", s->path, where);
}

bool store_fail(const struct store *s, struct error *err)
{
    int code = sqlite3_extended_errcode(s->db);
    switch (code & 0xff) {
    case SQLITE_FULL:
        return error_set(err, "no space to write %s: the disk is full", s->path);
    case SQLITE_NOTADB:
        return error_set(err, "%s is not a Grayling run: it is not an SQLite database", s->path);
    case SQLITE_CORRUPT:
        return store_damaged(s, err, "%s", sqlite3_errmsg(s->db));
    case SQLITE_INTERRUPT:
        return store_damaged(s, err, "reading it has no end");
    case SQLITE_TOOBIG:
        return store_damaged(s, err, "a value is too large");
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
            return store_damaged(s, err, "a page has not its checksum");
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

/* Binds a chromosome as its words in little-endian bytes. */
static bool bind_chromosome(sqlite3_stmt *st, int column, const uint64_t *chromosome, int words)
{
    unsigned char *bytes = malloc(8 * (size_t)words + 1);
    if (bytes == NULL)
        return false;
    for (int i = 0; i < 8 * words; i++)
        bytes[i] = (unsigned char)(chromosome[i / 8] >> i % 8 * 8);
    sqlite3_bind_blob(st, column, bytes, 8 * words, free);
    return true;
}

/* Reads such bytes. False if there are not so many words, or `chromosome` is NULL. */
static bool read_chromosome(sqlite3_stmt *row, int column, uint64_t *chromosome, int words)
{
    const unsigned char *bytes = sqlite3_column_blob(row, column);
    if (chromosome == NULL || bytes == NULL || sqlite3_column_bytes(row, column) != 8 * words)
        return false;
    memset(chromosome, 0, (size_t)words * sizeof *chromosome);
    for (int i = 0; i < 8 * words; i++)
        chromosome[i / 8] |= (uint64_t)bytes[i] << i % 8 * 8;
    return true;
}

/* Returns the prepared statement of a literal, with its values bound. NULL on failure. */
static sqlite3_stmt *prepare(struct store *s, const char *sql, const char *kinds, va_list values,
                             struct error *err)
{
    int i = 0;
    while (i < s->statement_count && s->statements[i].sql != sql)
        i++;
    assert(i < STORE_STATEMENTS);
    if (i == s->statement_count)
        s->statements[s->statement_count++].sql = sql;
    struct store_statement *entry = &s->statements[i];
    s->work = 0;
    if (entry->prepared == NULL && sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                                      &entry->prepared, NULL) != SQLITE_OK) {
        store_fail(s, err);
        return NULL;
    }
    sqlite3_stmt *st = entry->prepared;
    if (sqlite3_bind_parameter_count(st) > 0)
        sqlite3_bind_int64(st, 1, s->run);
    for (int at = 2; *kinds != '\0'; at++, kinds++)
        if (*kinds == 'i')
            sqlite3_bind_int(st, at, va_arg(values, int));
        else if (*kinds == 'n')
            sqlite3_bind_int64(st, at, va_arg(values, int64_t));
        else if (*kinds == 'r')
            sqlite3_bind_double(st, at, va_arg(values, double));
        else if (*kinds == 't')
            sqlite3_bind_text(st, at, va_arg(values, const char *), -1, SQLITE_STATIC);
        else {
            const uint64_t *chromosome = va_arg(values, const uint64_t *);
            if (!bind_chromosome(st, at, chromosome, va_arg(values, int)))
                return error_null(err, "no memory for a chromosome");
        }
    return st;
}

bool store_change(struct store *s, struct error *err, const char *sql, const char *kinds, ...)
{
    va_list values;
    va_start(values, kinds);
    sqlite3_stmt *st = prepare(s, sql, kinds, values, err);
    va_end(values);
    bool done = st != NULL && (sqlite3_step(st) == SQLITE_DONE || store_fail(s, err));
    sqlite3_reset(st);
    return done || store_roll_back(s);
}

struct store_rows store_query(struct store *s, const char *sql, const char *kinds, ...)
{
    va_list values;
    va_start(values, kinds);
    struct store_rows rows = {s, prepare(s, sql, kinds, values, NULL), SQLITE_ERROR};
    va_end(values);
    return rows;
}

bool store_next(struct store_rows *rows, const char *kinds, ...)
{
    va_list places;
    bool good = true;
    if (rows->row != NULL)
        rows->status = sqlite3_step(rows->row);
    if (rows->status != SQLITE_ROW)
        return false;
    va_start(places, kinds);
    for (int column = 0; kinds[column] != '\0'; column++)
        if (kinds[column] == 'i')
            *va_arg(places, int *) = sqlite3_column_int(rows->row, column);
        else if (kinds[column] == 'n')
            *va_arg(places, int64_t *) = sqlite3_column_int64(rows->row, column);
        else if (kinds[column] == 'r')
            *va_arg(places, double *) = sqlite3_column_double(rows->row, column);
        else if (kinds[column] == 't') {
            const unsigned char *text = sqlite3_column_text(rows->row, column);
            *va_arg(places, const char **) = text == NULL ? "" : (const char *)text;
        } else {
            uint64_t *chromosome = va_arg(places, uint64_t *);
            good = read_chromosome(rows->row, column, chromosome, va_arg(places, int)) && good;
        }
    va_end(places);
    return good;
}

/* Without memory for a text or a chromosome the reset fails. */
bool store_end(struct store_rows *rows, struct error *err)
{
    bool good = sqlite3_reset(rows->row) == SQLITE_OK &&
                (rows->status == SQLITE_DONE || rows->status == SQLITE_ROW);
    return good || store_fail(rows->s, err);
}

bool store_execute(struct store *s, const char *sql, struct error *err)
{
    s->work = 0;
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(s, err);
}

bool store_read_text(struct store *s, const char *sql, char *text, size_t size, struct error *err)
{
    const char *found;
    struct store_rows r = store_query(s, sql, "");
    const bool any = store_next(&r, "t", &found);
    if (any)
        snprintf(text, size, "%s", found);
    return store_end(&r, err) && (any || store_fail(s, err));
}

bool store_read_number(struct store *s, const char *sql, int64_t *value, struct error *err)
{
    struct store_rows r = store_query(s, sql, "");
    const bool any = store_next(&r, "n", value);
    return store_end(&r, err) && (any || store_fail(s, err));
}

bool store_roll_back(struct store *s)
{
    if (!sqlite3_get_autocommit(s->db))
        store_execute(s, "ROLLBACK", NULL);
    return false;
}
