/* The games of a match as PGN. Only files with a match that keeps its games have the table. */
#include "store_internal.h"

bool store_has_match_pgn(struct store *s, bool *has, struct error *err)
{
    int64_t count = 0;
    bool asked = store_query_number(s,
                                    "SELECT count(*) FROM main.sqlite_master"
                                    " WHERE type = 'table' AND name = 'match_pgn'",
                                    &count, err);
    *has = count > 0;
    return asked;
}

bool store_keep_match_pgn(struct store *s, struct error *err)
{
    return store_execute(s,
                         "CREATE TABLE IF NOT EXISTS match_pgn (run_id INTEGER NOT NULL,"
                         " pairing INTEGER NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL,"
                         " PRIMARY KEY (run_id, pairing, number), FOREIGN KEY"
                         " (run_id, pairing, number) REFERENCES match_game) WITHOUT ROWID",
                         err) ||
           store_roll_back(s);
}

bool store_put_match_pgn(struct store *s, int pairing, int number, const char *text,
                         struct error *err)
{
    sqlite3_stmt *st = store_prepare(s, "INSERT INTO match_pgn VALUES (?1, ?2, ?3, ?4)", err);
    if (st == NULL)
        return store_roll_back(s);
    sqlite3_bind_int(st, 2, pairing);
    sqlite3_bind_int(st, 3, number);
    sqlite3_bind_text(st, 4, text, -1, SQLITE_STATIC);
    return store_finish(s, st, err) || store_roll_back(s);
}

bool store_each_match_pgn(struct store *s, store_pgn_visit *each, void *context, struct error *err)
{
    bool has;
    if (!store_has_match_pgn(s, &has, err) || !has)
        return !has;
    sqlite3_stmt *st = store_prepare(
        s, "SELECT text FROM match_pgn WHERE run_id = ?1 ORDER BY pairing, number", err);
    if (st == NULL)
        return false;
    int status;
    while ((status = sqlite3_step(st)) == SQLITE_ROW)
        if (!each(context, store_text(st, 0), err)) {
            sqlite3_reset(st);
            return false;
        }
    return store_end_rows(s, st, status, err);
}
