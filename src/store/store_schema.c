#include "store_internal.h"
#include "text_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- the tables */

/* Converts a player of version 1 to a kind (enum player_kind) and an index. Version 1 stored one
 * number: the index of an organism, -2 - S for seed S, or -100 - G for the champion of generation
 * G. */
#define OLD_PLAYER(color)                                                                          \
    "CASE WHEN " color " >= 0 THEN 0 WHEN " color " > -100 THEN 1 ELSE 2 END AS " color "_kind,"   \
    "CASE WHEN " color " >= 0 THEN " color " WHEN " color " > -100 THEN -2 - " color               \
    " ELSE -100 - " color " END AS " color "_idx"
#define OLD_PLAYERS OLD_PLAYER("white") ", " OLD_PLAYER("black")

/* True if a run of version 1 is a closing match. Its games were in the table `game`, with the
 * number of the pairing as their generation. */
#define OLD_IS_MATCH "EXISTS (SELECT 1 FROM main.$run WHERE key = 'player 0')"

/* The columns of a gene in versions 1 and 2 after the run, and those that they did not have. */
#define OLD_GENE                                                                                   \
    "idx, name, bits, min, max, initial, sign, meaning, NULL AS active_if, 0 AS type, 0 AS step,"  \
    " 0 AS decimals, '' AS choices"

/* In `rows`, $ stands for the prefix of the old tables, # for the run id and @ for the stage. */
const struct store_table store_tables[] = {
    {"run", "(id INTEGER PRIMARY KEY, stage TEXT NOT NULL UNIQUE)", "run",
     "SELECT # AS id, '@' AS stage"},
    {"property",
     "(run_id INTEGER NOT NULL REFERENCES run, key TEXT NOT NULL, value TEXT NOT NULL,"
     " PRIMARY KEY (run_id, key)) WITHOUT ROWID",
     "run", "SELECT # AS run_id, key, value FROM main.$run WHERE key NOT GLOB 'player [0-9]*'"},
    {"data",
     "(run_id INTEGER NOT NULL REFERENCES run, idx INTEGER NOT NULL, role TEXT NOT NULL,"
     " path TEXT NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (run_id, idx)) WITHOUT ROWID",
     "data",
     "SELECT # AS run_id, row_number() OVER (ORDER BY rowid) - 1 AS idx, role, path, sha256"
     " FROM main.$data"},
    {"gene",
     "(run_id INTEGER NOT NULL REFERENCES run, idx INTEGER NOT NULL, name TEXT NOT NULL,"
     " bits INTEGER NOT NULL, min INTEGER NOT NULL, max INTEGER NOT NULL,"
     " initial INTEGER NOT NULL, sign INTEGER NOT NULL, meaning TEXT NOT NULL, active_if TEXT,"
     " type INTEGER NOT NULL, step INTEGER NOT NULL, decimals INTEGER NOT NULL,"
     " choices TEXT NOT NULL, PRIMARY KEY (run_id, idx)) WITHOUT ROWID",
     "gene", "SELECT # AS run_id, " OLD_GENE " FROM main.$gene"},
    {"seed",
     "(run_id INTEGER NOT NULL REFERENCES run, idx INTEGER NOT NULL, source TEXT NOT NULL,"
     " chromosome BLOB NOT NULL, PRIMARY KEY (run_id, idx)) WITHOUT ROWID",
     "seed", "SELECT # AS run_id, idx, source, chromosome FROM main.$seed"},
    {"genome",
     "(run_id INTEGER NOT NULL REFERENCES run, id INTEGER NOT NULL, chromosome BLOB NOT NULL,"
     " measure INTEGER NOT NULL, held_out INTEGER, PRIMARY KEY (run_id, id)) WITHOUT ROWID",
     "genome", "SELECT # AS run_id, id, chromosome, measure, held_out FROM main.$genome"},
    {"organism",
     "(run_id INTEGER NOT NULL, generation INTEGER NOT NULL, idx INTEGER NOT NULL,"
     " genome INTEGER NOT NULL, fitness INTEGER NOT NULL, PRIMARY KEY (run_id, generation, idx),"
     " FOREIGN KEY (run_id, genome) REFERENCES genome) WITHOUT ROWID",
     "organism", "SELECT # AS run_id, generation, idx, genome, fitness FROM main.$organism"},
    {"game",
     "(run_id INTEGER NOT NULL REFERENCES run, generation INTEGER NOT NULL,"
     " number INTEGER NOT NULL, white_kind INTEGER NOT NULL, white_idx INTEGER NOT NULL,"
     " black_kind INTEGER NOT NULL, black_idx INTEGER NOT NULL, opening INTEGER NOT NULL,"
     " result INTEGER NOT NULL, plies INTEGER NOT NULL, nodes INTEGER NOT NULL,"
     " PRIMARY KEY (run_id, generation, number)) WITHOUT ROWID",
     "game",
     "SELECT # AS run_id, generation, number, " OLD_PLAYERS ", opening, result, plies, nodes"
     " FROM main.$game WHERE NOT " OLD_IS_MATCH},
    {"generation",
     "(run_id INTEGER NOT NULL REFERENCES run, idx INTEGER NOT NULL, best INTEGER NOT NULL,"
     " measure INTEGER NOT NULL, held_out INTEGER, mean REAL NOT NULL, deviation REAL NOT NULL,"
     " diversity REAL NOT NULL, seconds REAL NOT NULL, ended INTEGER NOT NULL,"
     " PRIMARY KEY (run_id, idx)) WITHOUT ROWID",
     "generation",
     "SELECT # AS run_id, idx, best, measure, held_out, mean, deviation, diversity, seconds, ended"
     " FROM main.$generation"},
    {"match_player",
     "(run_id INTEGER NOT NULL REFERENCES run, idx INTEGER NOT NULL, name TEXT NOT NULL,"
     " PRIMARY KEY (run_id, idx)) WITHOUT ROWID",
     "run",
     "SELECT # AS run_id, CAST(substr(key, 8) AS INTEGER) AS idx, value AS name FROM main.$run"
     " WHERE key GLOB 'player [0-9]*'"},
    {"match_pairing",
     "(run_id INTEGER NOT NULL, idx INTEGER NOT NULL, first INTEGER NOT NULL,"
     " second INTEGER NOT NULL, PRIMARY KEY (run_id, idx),"
     " FOREIGN KEY (run_id, first) REFERENCES match_player,"
     " FOREIGN KEY (run_id, second) REFERENCES match_player) WITHOUT ROWID",
     "run",
     "SELECT # AS run_id, row_number() OVER (ORDER BY a.idx, b.idx) - 1 AS idx, a.idx AS first,"
     " b.idx AS second FROM temp.match_player AS a JOIN temp.match_player AS b ON a.idx < b.idx"},
    {"match_game",
     "(run_id INTEGER NOT NULL, pairing INTEGER NOT NULL, number INTEGER NOT NULL,"
     " white INTEGER NOT NULL, black INTEGER NOT NULL, result INTEGER NOT NULL,"
     " plies INTEGER NOT NULL, nodes INTEGER NOT NULL, PRIMARY KEY (run_id, pairing, number),"
     " FOREIGN KEY (run_id, pairing) REFERENCES match_pairing) WITHOUT ROWID",
     "game",
     "SELECT # AS run_id, generation AS pairing, number, white, black, result, plies, nodes"
     " FROM main.$game WHERE " OLD_IS_MATCH},
    {NULL, NULL, NULL, NULL},
};

/* -- the present version */

/* Creates a table. `where` is "" or "TEMP". */
static bool create_table(struct store *s, const char *where, const struct store_table *table,
                         struct error *err)
{
    char sql[1024];
    snprintf(sql, sizeof sql, "CREATE %s TABLE %s %s", where, table->name, table->columns);
    return store_execute(s, sql, err);
}

bool store_create_tables(struct store *s, struct error *err)
{
    for (const struct store_table *t = store_tables; t->name != NULL; t++)
        if (!create_table(s, "", t, err))
            return false;
    return true;
}

bool store_find_run(struct store *s, struct error *err)
{
    sqlite3_stmt *st = store_prepare(s, "SELECT id FROM run WHERE stage = ?", err);
    if (st == NULL)
        return false;
    sqlite3_bind_text(st, 1, s->stage, -1, SQLITE_STATIC);
    int status = sqlite3_step(st);
    s->run = status == SQLITE_ROW ? sqlite3_column_int64(st, 0) : 0;
    bool asked = status == SQLITE_ROW || status == SQLITE_DONE || store_fail(s, err);
    sqlite3_reset(st);
    return asked;
}

bool store_add_run(struct store *s, struct error *err)
{
    sqlite3_stmt *st = store_prepare(s, "INSERT INTO run (stage) VALUES (?)", err);
    if (st == NULL)
        return false;
    sqlite3_bind_text(st, 1, s->stage, -1, SQLITE_STATIC);
    bool added = store_finish(s, st, err);
    s->run = added ? sqlite3_last_insert_rowid(s->db) : 0;
    return added;
}

/* -- version 2: genes had fewer columns */

bool store_view_version_2(struct store *s, struct error *err)
{
    return store_execute(s, "CREATE TEMP VIEW gene AS SELECT run_id, " OLD_GENE " FROM main.gene",
                         err);
}

bool store_convert_version_2(struct store *s, struct error *err)
{
    const struct store_table *gene = store_tables;
    while (strcmp(gene->name, "gene") != 0)
        gene++;
    return store_execute(s, "PRAGMA legacy_alter_table = ON; ALTER TABLE gene RENAME TO __gene",
                         err) &&
           create_table(s, "", gene, err) &&
           store_execute(s,
                         "INSERT INTO gene SELECT run_id, " OLD_GENE " FROM __gene;"
                         "DROP TABLE __gene",
                         err);
}

/* -- version 1: each run, a stage's or the file's own, had its own set of tables */

void store_old_prefix(const char *stage, char prefix[STORE_STAGE + 2])
{
    snprintf(prefix, STORE_STAGE + 2, "%s__", stage);
    for (char *c = prefix; *c != '\0'; c++)
        *c = *c == '-' ? '_' : *c;
}

bool store_has_old(struct store *s, const char *table, const struct store_old_run *from, bool *has,
                   struct error *err)
{
    char sql[160];
    int64_t count = 0;
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM main.sqlite_master WHERE type = 'table' AND name = '%s%s'",
             from->prefix, table);
    bool asked = store_query_number(s, sql, &count, err);
    *has = count > 0;
    return asked;
}

/* Returns the statement that creates the view. The caller frees it. NULL without memory. */
static char *view_sql(const struct store_table *table, const struct store_old_run *from)
{
    char *sql = NULL;
    size_t size;
    FILE *out = text_stream(&sql, &size);
    if (out == NULL)
        return NULL;
    fprintf(out, "CREATE TEMP VIEW %s AS ", table->name);
    for (const char *c = table->rows; *c != '\0'; c++) {
        if (*c == '$')
            fputs(from->prefix, out);
        else if (*c == '#')
            fprintf(out, "%lld", (long long)from->run);
        else if (*c == '@')
            fputs(from->stage, out);
        else
            fputc(*c, out);
    }
    if (fclose(out) == 0)
        return sql;
    free(sql);
    return NULL;
}

bool store_view_old(struct store *s, const struct store_table *table,
                    const struct store_old_run *from, bool *shown, struct error *err)
{
    if (!store_has_old(s, table->old, from, shown, err) || !*shown)
        return !*shown;
    char *sql = view_sql(table, from);
    bool made =
        sql != NULL ? store_execute(s, sql, err) : error_set(err, "no memory for the store");
    free(sql);
    return made;
}

bool store_view_old_run(struct store *s, struct error *err)
{
    struct store_old_run from = {.stage = s->stage, .run = 1};
    if (s->stage[0] != '\0')
        store_old_prefix(s->stage, from.prefix);
    for (const struct store_table *t = store_tables; t->name != NULL; t++) {
        bool shown;
        if (!store_view_old(s, t, &from, &shown, err) ||
            (!shown && !create_table(s, "TEMP", t, err)))
            return false;
    }
    return true;
}
