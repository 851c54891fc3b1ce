/* The tables of a file, and the runs in it. */
#include "store_internal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* The tables, and what their columns hold. All but `run` begin with the run that a row belongs to. A table comes
 * after those that its rows refer to. */
static const struct {
    const char *name;
    const char *columns; /* its definition */
} tables[] = {
    /* The runs of the file. `stage` is "" for the file's own run. */
    {"run", "(id INTEGER PRIMARY KEY, stage TEXT NOT NULL UNIQUE)"},

    /* version, created, recipe, name, seed, generations, fitness, measure, train_size, held_out_size, kind;
     * champion: "estimate" if SPSA reports its estimate; of another engine command, plays, faults; folder: where
     * the run began; "wrote FILE": the SHA-256 of a file that the run wrote; state, reason, process, began,
     * deadline, progress: what others may know while it runs (run_state.h). */
    {"property", "(run_id INTEGER NOT NULL REFERENCES run, key TEXT NOT NULL, value TEXT NOT NULL,"
                 " PRIMARY KEY (run_id, key)) WITHOUT ROWID"},

    /* The training and held-out data (data_kept.h). */
    {"data", "(run_id INTEGER NOT NULL REFERENCES run, idx INTEGER NOT NULL, role TEXT NOT NULL,"
             " path TEXT NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (run_id, idx)) WITHOUT ROWID"},

    /* The members of struct param. `active_if` is NULL in a run of an early program, which did not keep it. */
    {"gene",
     "(run_id INTEGER NOT NULL REFERENCES run, idx INTEGER NOT NULL, name TEXT NOT NULL,"
     " bits INTEGER NOT NULL, min INTEGER NOT NULL, max INTEGER NOT NULL,"
     " initial INTEGER NOT NULL, sign INTEGER NOT NULL, meaning TEXT NOT NULL, active_if TEXT,"
     " type INTEGER NOT NULL, step INTEGER NOT NULL, decimals INTEGER NOT NULL,"
     " choices TEXT NOT NULL, PRIMARY KEY (run_id, idx)) WITHOUT ROWID"},

    /* Organism idx of generation 0. `source` is the file or run that it is from. A chromosome is its words,
     * in little-endian bytes. */
    {"seed", "(run_id INTEGER NOT NULL REFERENCES run, idx INTEGER NOT NULL, source TEXT NOT NULL,"
             " chromosome BLOB NOT NULL, PRIMARY KEY (run_id, idx)) WITHOUT ROWID"},

    /* Each genome once, in order of measurement, with its objective values. `held_out` is NULL if it was not
     * measured. */
    {"genome",
     "(run_id INTEGER NOT NULL REFERENCES run, id INTEGER NOT NULL, chromosome BLOB NOT NULL,"
     " measure INTEGER NOT NULL, held_out INTEGER, PRIMARY KEY (run_id, id)) WITHOUT ROWID"},

    {"organism",
     "(run_id INTEGER NOT NULL, generation INTEGER NOT NULL, idx INTEGER NOT NULL,"
     " genome INTEGER NOT NULL, fitness INTEGER NOT NULL, PRIMARY KEY (run_id, generation, idx),"
     " FOREIGN KEY (run_id, genome) REFERENCES genome) WITHOUT ROWID"},

    /* The games that decide fitness (game_record.h). A kind is an enum player_kind; `idx` is that of the organism, of
     * the seed, or of the champion's generation. `result` is half points for White, here and below. */
    {"game", "(run_id INTEGER NOT NULL REFERENCES run, generation INTEGER NOT NULL,"
             " number INTEGER NOT NULL, white_kind INTEGER NOT NULL, white_idx INTEGER NOT NULL,"
             " black_kind INTEGER NOT NULL, black_idx INTEGER NOT NULL, opening INTEGER NOT NULL,"
             " result INTEGER NOT NULL, plies INTEGER NOT NULL, nodes INTEGER NOT NULL,"
             " PRIMARY KEY (run_id, generation, number)) WITHOUT ROWID"},

    /* struct generation_row: `best` is the idx of the best organism, `measure` and `held_out` are its objective
     * values, `ended` is the Unix time. */
    {"generation",
     "(run_id INTEGER NOT NULL REFERENCES run, idx INTEGER NOT NULL, best INTEGER NOT NULL,"
     " measure INTEGER NOT NULL, held_out INTEGER, mean REAL NOT NULL, deviation REAL NOT NULL,"
     " diversity REAL NOT NULL, seconds REAL NOT NULL, ended INTEGER NOT NULL,"
     " PRIMARY KEY (run_id, idx)) WITHOUT ROWID"},

    /* The players of a closing match, who meets whom in a pairing, and the games of the pairings. */
    {"match_player", "(run_id INTEGER NOT NULL REFERENCES run, idx INTEGER NOT NULL,"
                     " name TEXT NOT NULL, PRIMARY KEY (run_id, idx)) WITHOUT ROWID"},
    {"match_pairing", "(run_id INTEGER NOT NULL, idx INTEGER NOT NULL, first INTEGER NOT NULL,"
                      " second INTEGER NOT NULL, PRIMARY KEY (run_id, idx),"
                      " FOREIGN KEY (run_id, first) REFERENCES match_player,"
                      " FOREIGN KEY (run_id, second) REFERENCES match_player) WITHOUT ROWID"},
    {"match_game",
     "(run_id INTEGER NOT NULL, pairing INTEGER NOT NULL, number INTEGER NOT NULL,"
     " white INTEGER NOT NULL, black INTEGER NOT NULL, result INTEGER NOT NULL,"
     " plies INTEGER NOT NULL, nodes INTEGER NOT NULL, PRIMARY KEY (run_id, pairing, number),"
     " FOREIGN KEY (run_id, pairing) REFERENCES match_pairing) WITHOUT ROWID"},

    /* Games that are kept as PGN, of a match, or of a run, whose generation stands for the pairing. */
    {"match_pgn", "(run_id INTEGER NOT NULL, pairing INTEGER NOT NULL, number INTEGER NOT NULL,"
                  " text TEXT NOT NULL, PRIMARY KEY (run_id, pairing, number)) WITHOUT ROWID"},
};

enum { TABLES = sizeof tables / sizeof tables[0] };

bool store_create_tables(struct store *s, struct error *err)
{
    char sql[1024];
    for (int i = 0; i < TABLES; i++) {
        snprintf(sql, sizeof sql, "CREATE TABLE IF NOT EXISTS %s %s", tables[i].name,
                 tables[i].columns);
        if (!store_execute(s, sql, err))
            return store_roll_back(s);
    }
    return true;
}

/* -- runs */

bool store_find_run(struct store *s, struct error *err)
{
    struct store_rows r = store_query(s, "SELECT id FROM run WHERE stage = ?2", "t", s->stage);
    if (!store_next(&r, "n", &s->run))
        s->run = 0;
    return store_end(&r, err);
}

bool store_add_run(struct store *s, struct error *err)
{
    bool added = store_change(s, err, "INSERT INTO run (stage) VALUES (?2)", "t", s->stage);
    s->run = added ? sqlite3_last_insert_rowid(s->db) : 0;
    return added;
}

static bool delete_rows(struct store *s, const char *table, const char *key, const char *stage,
                        struct error *err)
{
    char *sql = sqlite3_mprintf("DELETE FROM %s WHERE %s = (SELECT id FROM run WHERE stage = %Q)",
                                table, key, stage);
    bool deleted = sql != NULL ? store_execute(s, sql, err) : error_set(err, "no memory");
    sqlite3_free(sql);
    return deleted || store_roll_back(s);
}

bool store_remove_stage(struct store *s, const char *stage, struct error *err)
{
    assert(strcmp(s->stage, stage) != 0);
    if (!store_create_tables(s, err))
        return false;
    for (int i = TABLES - 1; i > 0; i--)
        if (!delete_rows(s, tables[i].name, "run_id", stage, err))
            return false;
    return delete_rows(s, "run", "id", stage, err);
}

/* -- a look at all of a file */

bool store_sound(struct store *s, struct error *err)
{
    char found[512];
    if (!store_read_text(s, "PRAGMA quick_check(1)", found, sizeof found, err))
        return false;
    return strcmp(found, "ok") == 0 || store_damaged(s, err, "%s", found);
}

/* Checks that no row refers to one that is missing. */
static bool has_all_rows(struct store *s, struct error *err)
{
    char table[64];
    static const char sql[] =
        "SELECT \"table\" FROM pragma_foreign_key_check UNION ALL "
        "SELECT 'organism' FROM organism AS o WHERE NOT EXISTS"
        " (SELECT 1 FROM generation AS g WHERE g.run_id = o.run_id AND g.idx = o.generation)"
        " UNION ALL SELECT ''";
    if (!store_read_text(s, sql, table, sizeof table, err))
        return false;
    return table[0] == '\0' ||
           store_damaged(s, err, "a row of %s refers to one that is missing", table);
}

bool store_check(const char *path, struct store_check *found, struct error *err)
{
    struct store *s = store_open(path, STORE_READ, err);
    bool sound = s != NULL && store_sound(s, err) &&
                 store_read_number(s, "PRAGMA page_count", &found->pages, err) &&
                 store_read_number(s, "SELECT count(*) FROM run WHERE id > 0", &found->runs, err) &&
                 has_all_rows(s, err);
    if (sound)
        found->broken = store_seal(s) == STORE_NOT_SEALED;
    store_close(s);
    return sound;
}
