#include "store_internal.h"

#include "command_line.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Every INSERT lists its values in the order of the table's columns. ?1 is the run. */

/* Prepares a statement of the current transaction. On failure rolls back and returns NULL. */
static sqlite3_stmt *prepare(struct store *s, const char *sql, struct error *err)
{
    sqlite3_stmt *st = store_prepare(s, sql, err);
    if (st == NULL)
        store_roll_back(s);
    return st;
}

/* Runs a bound statement of the current transaction. On failure rolls back. */
static bool put(struct store *s, sqlite3_stmt *st, struct error *err)
{
    return store_finish(s, st, err) || store_roll_back(s);
}

static void bind_text(sqlite3_stmt *st, int column, const char *text)
{
    sqlite3_bind_text(st, column, text, -1, SQLITE_STATIC);
}

bool store_put(struct store *s, const char *key, const char *value, struct error *err)
{
    sqlite3_stmt *st = prepare(s,
                               "INSERT INTO property VALUES (?1, ?2, ?3) "
                               "ON CONFLICT (run_id, key) DO UPDATE SET value = excluded.value",
                               err);
    if (st == NULL)
        return false;
    bind_text(st, 2, key);
    bind_text(st, 3, value);
    return put(s, st, err);
}

bool store_put_number(struct store *s, const char *key, int64_t value, struct error *err)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    return store_put(s, key, text, err);
}

bool store_remove(struct store *s, const char *key, struct error *err)
{
    sqlite3_stmt *st = prepare(s, "DELETE FROM property WHERE run_id = ?1 AND key = ?2", err);
    if (st == NULL)
        return false;
    bind_text(st, 2, key);
    return put(s, st, err);
}

/* Deletes the rows of a table that belong to a stage. */
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
    int count = 0;
    bool games;
    if (!store_has_match_pgn(s, &games, err))
        return store_roll_back(s);
    if (games && !delete_rows(s, "match_pgn", "run_id", stage, err))
        return false;
    while (store_tables[count].name != NULL)
        count++;
    assert(strcmp(store_tables[0].name, "run") == 0 && strcmp(s->stage, stage) != 0);
    while (--count > 0) /* the last first: rows of a table refer to tables before it */
        if (!delete_rows(s, store_tables[count].name, "run_id", stage, err))
            return false;
    return delete_rows(s, "run", "id", stage, err);
}

bool store_put_moment(struct store *s, const char *key, struct error *err)
{
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return store_put(s, key, text, err);
}

bool store_put_data(struct store *s, const char *role, const char *path, const char *sha256,
                    struct error *err)
{
    sqlite3_stmt *st = prepare(s,
                               "INSERT INTO data SELECT ?1, count(*), ?2, ?3, ?4 FROM data "
                               "WHERE run_id = ?1",
                               err);
    if (st == NULL)
        return false;
    bind_text(st, 2, role);
    bind_text(st, 3, path);
    bind_text(st, 4, sha256);
    return put(s, st, err);
}

static bool put_gene(struct store *s, int index, const struct param *gene, struct error *err)
{
    sqlite3_stmt *st = prepare(
        s, "INSERT INTO gene VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        err);
    if (st == NULL)
        return false;
    sqlite3_bind_int(st, 2, index);
    bind_text(st, 3, gene->name);
    sqlite3_bind_int(st, 4, gene->bits);
    sqlite3_bind_int(st, 5, gene->min);
    sqlite3_bind_int(st, 6, gene->max);
    sqlite3_bind_int(st, 7, gene->initial);
    sqlite3_bind_int(st, 8, gene->sign);
    bind_text(st, 9, gene->meaning == NULL ? "" : gene->meaning);
    bind_text(st, 10, gene->active_if == NULL ? "" : gene->active_if);
    sqlite3_bind_int(st, 11, (int)gene->type);
    sqlite3_bind_int(st, 12, gene->step);
    sqlite3_bind_int(st, 13, gene->decimals);
    bind_text(st, 14, gene->choices == NULL ? "" : gene->choices);
    return put(s, st, err);
}

char *store_kept_command(const struct store *s, const char *command, bool moves, struct error *err)
{
    if (moves)
        return command_moved_to_file(s->path, command, err);
    char *kept = strdup(command);
    if (kept == NULL)
        error_set(err, "no memory for a command");
    return kept;
}

/* Keeps a command, if there is one. */
static bool put_command(struct store *s, const char *key, const char *command, bool moves,
                        struct error *err)
{
    if (command == NULL)
        return true;
    char *kept = store_kept_command(s, command, moves, err);
    bool put = kept != NULL && store_put(s, key, kept, err);
    free(kept);
    return put;
}

bool store_put_genes(struct store *s, const struct param_table *space, struct error *err)
{
    for (int i = 0; i < space->count; i++)
        if (!put_gene(s, i, &space->params[i], err))
            return false;
    return put_command(s, "command", space->command, space->command_moves, err) &&
           put_command(s, "plays", space->plays, space->plays_moves, err) &&
           store_put(s, "kind", space->kind, err);
}

/* Binds a chromosome as its words in little-endian bytes. */
static bool bind_chromosome(sqlite3_stmt *st, int column, const uint64_t *chromosome, int words,
                            struct error *err)
{
    unsigned char *bytes = malloc(8 * (size_t)words + 1);
    if (bytes == NULL)
        return error_set(err, "no memory for a chromosome");
    for (int i = 0; i < 8 * words; i++)
        bytes[i] = (unsigned char)(chromosome[i / 8] >> i % 8 * 8);
    sqlite3_bind_blob(st, column, bytes, 8 * words, free);
    return true;
}

bool store_put_seed(struct store *s, int index, const char *source, const uint64_t *chromosome,
                    int words, struct error *err)
{
    sqlite3_stmt *st = prepare(s, "INSERT INTO seed VALUES (?1, ?2, ?3, ?4)", err);
    if (st == NULL)
        return false;
    sqlite3_bind_int(st, 2, index);
    bind_text(st, 3, source);
    return bind_chromosome(st, 4, chromosome, words, err) ? put(s, st, err) : store_roll_back(s);
}

bool store_put_genomes(struct store *s, const struct fitness_cache *cache, size_t first, size_t end,
                       struct error *err)
{
    sqlite3_stmt *st = prepare(s, "INSERT INTO genome VALUES (?1, ?2, ?3, ?4, NULL)", err);
    if (st == NULL)
        return false;
    for (size_t id = first; id < end; id++) {
        sqlite3_bind_int64(st, 2, (int64_t)id);
        sqlite3_bind_int64(st, 4, cache->entries[id].measure);
        if (!bind_chromosome(st, 3, fitness_cache_chromosome(cache, id), cache->words, err))
            return store_roll_back(s);
        if (!put(s, st, err))
            return false;
    }
    return true;
}

bool store_put_held_out(struct store *s, int64_t genome, int64_t held_out, struct error *err)
{
    sqlite3_stmt *st =
        prepare(s, "UPDATE genome SET held_out = ?3 WHERE run_id = ?1 AND id = ?2", err);
    if (st == NULL)
        return false;
    sqlite3_bind_int64(st, 2, genome);
    sqlite3_bind_int64(st, 3, held_out);
    return put(s, st, err);
}

bool store_put_organisms(struct store *s, const struct optimiser *o, const int64_t *genomes,
                         struct error *err)
{
    sqlite3_stmt *st = prepare(s, "INSERT INTO organism VALUES (?1, ?2, ?3, ?4, ?5)", err);
    if (st == NULL)
        return false;
    for (int i = 0; i < o->population; i++) {
        sqlite3_bind_int(st, 2, o->generation);
        sqlite3_bind_int(st, 3, i);
        sqlite3_bind_int64(st, 4, genomes[i]);
        sqlite3_bind_int64(st, 5, o->organisms[i].fitness);
        if (!put(s, st, err))
            return false;
    }
    return true;
}

bool store_put_game(struct store *s, int generation, const struct game_record *game,
                    struct error *err)
{
    sqlite3_stmt *st =
        prepare(s, "INSERT INTO game VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)", err);
    if (st == NULL)
        return false;
    sqlite3_bind_int(st, 2, generation);
    sqlite3_bind_int(st, 3, game->number);
    sqlite3_bind_int(st, 4, (int)game->white.kind);
    sqlite3_bind_int(st, 5, game->white.index);
    sqlite3_bind_int(st, 6, (int)game->black.kind);
    sqlite3_bind_int(st, 7, game->black.index);
    sqlite3_bind_int(st, 8, game->opening);
    sqlite3_bind_int(st, 9, game->result);
    sqlite3_bind_int(st, 10, game->plies);
    sqlite3_bind_int64(st, 11, game->nodes);
    return put(s, st, err);
}

bool store_put_row(struct store *s, const struct generation_row *row, struct error *err)
{
    sqlite3_stmt *st =
        prepare(s, "INSERT INTO generation VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", err);
    if (st == NULL)
        return false;
    sqlite3_bind_int(st, 2, row->generation);
    sqlite3_bind_int(st, 3, row->best);
    sqlite3_bind_int64(st, 4, row->measure);
    if (row->held_out == NOT_MEASURED)
        sqlite3_bind_null(st, 5);
    else
        sqlite3_bind_int64(st, 5, row->held_out);
    sqlite3_bind_double(st, 6, row->mean);
    sqlite3_bind_double(st, 7, row->deviation);
    sqlite3_bind_double(st, 8, row->diversity);
    sqlite3_bind_double(st, 9, row->seconds);
    sqlite3_bind_int64(st, 10, row->ended);
    return put(s, st, err);
}

/* -- a closing match */

bool store_put_match_player(struct store *s, int index, const char *name, struct error *err)
{
    sqlite3_stmt *st = prepare(s, "INSERT INTO match_player VALUES (?1, ?2, ?3)", err);
    if (st == NULL)
        return false;
    sqlite3_bind_int(st, 2, index);
    bind_text(st, 3, name);
    return put(s, st, err);
}

bool store_put_match_pairing(struct store *s, int pairing, int first, int second, struct error *err)
{
    sqlite3_stmt *st = prepare(s, "INSERT INTO match_pairing VALUES (?1, ?2, ?3, ?4)", err);
    if (st == NULL)
        return false;
    sqlite3_bind_int(st, 2, pairing);
    sqlite3_bind_int(st, 3, first);
    sqlite3_bind_int(st, 4, second);
    return put(s, st, err);
}

bool store_put_match_game(struct store *s, int pairing, const struct match_game_row *game,
                          struct error *err)
{
    sqlite3_stmt *st =
        prepare(s, "INSERT INTO match_game VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)", err);
    if (st == NULL)
        return false;
    sqlite3_bind_int(st, 2, pairing);
    sqlite3_bind_int(st, 3, game->number);
    sqlite3_bind_int(st, 4, game->white);
    sqlite3_bind_int(st, 5, game->black);
    sqlite3_bind_int(st, 6, game->result);
    sqlite3_bind_int(st, 7, game->plies);
    sqlite3_bind_int64(st, 8, game->nodes);
    return put(s, st, err);
}
