#include "store_internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* -- properties and data */

char *store_get(struct store *s, const char *key)
{
    sqlite3_stmt *st =
        store_prepare(s, "SELECT value FROM property WHERE run_id = ?1 AND key = ?2", NULL);
    if (st == NULL) {
        s->lost = true;
        return NULL;
    }
    sqlite3_bind_text(st, 2, key, -1, SQLITE_STATIC);
    int status = sqlite3_step(st);
    char *value = status == SQLITE_ROW ? strdup(store_text(st, 0)) : NULL;
    bool whole = sqlite3_reset(st) == SQLITE_OK; /* not without memory for the text of a column */
    if (whole && (value != NULL || status == SQLITE_DONE))
        return value;
    free(value);
    s->lost = true;
    return NULL;
}

bool store_whole(const struct store *s, struct error *err)
{
    return !s->lost || error_set(err, "no memory to read %s, or it is damaged", s->path);
}

int64_t store_get_number(struct store *s, const char *key, int64_t missing)
{
    char *text = store_get(s, key);
    int64_t value = text == NULL ? missing : strtoll(text, NULL, 10);
    free(text);
    return value;
}

bool store_each_data(struct store *s, store_data_visit *each, void *context, struct error *err)
{
    sqlite3_stmt *st =
        store_prepare(s, "SELECT role, path, sha256 FROM data WHERE run_id = ?1 ORDER BY idx", err);
    if (st == NULL)
        return false;
    int status;
    while ((status = sqlite3_step(st)) == SQLITE_ROW)
        if (!each(context, store_text(st, 0), store_text(st, 1), store_text(st, 2), err)) {
            sqlite3_reset(st);
            return false;
        }
    return store_end_rows(s, st, status, err);
}

/* -- seeds */

/* Reads a chromosome from a column of little-endian bytes. Returns false if it has not `words`
 * words. */
static bool get_chromosome(sqlite3_stmt *st, int column, uint64_t *chromosome, int words)
{
    const unsigned char *bytes = sqlite3_column_blob(st, column);
    if (sqlite3_column_bytes(st, column) != 8 * words)
        return false;
    memset(chromosome, 0, (size_t)words * sizeof *chromosome);
    for (int i = 0; i < 8 * words; i++)
        chromosome[i / 8] |= (uint64_t)bytes[i] << i % 8 * 8;
    return true;
}

bool store_get_seeds(struct store *s, uint64_t *seeds, int words, int room, int *count,
                     struct error *err)
{
    *count = 0;
    sqlite3_stmt *st =
        store_prepare(s, "SELECT idx, chromosome FROM seed WHERE run_id = ?1 ORDER BY idx", err);
    if (st == NULL)
        return false;
    int status;
    while ((status = sqlite3_step(st)) == SQLITE_ROW) {
        if (*count >= room || sqlite3_column_int(st, 0) != *count ||
            !get_chromosome(st, 1, seeds + (size_t)*count * (size_t)words, words)) {
            sqlite3_reset(st);
            return error_set(err, "%s is damaged (seed %d); go back to a copy", s->path, *count);
        }
        ++*count;
    }
    return store_end_rows(s, st, status, err);
}

bool store_each_seed(struct store *s, store_seed_visit *each, void *context, struct error *err)
{
    sqlite3_stmt *st =
        store_prepare(s, "SELECT source FROM seed WHERE run_id = ?1 ORDER BY idx", err);
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

/* -- genomes */

/* Adds a row of the genome table to the cache. It must get the same id there. `chromosome` is
 * scratch. */
static bool keep_genome(struct store *s, sqlite3_stmt *st, struct fitness_cache *cache,
                        uint64_t *chromosome, struct error *err)
{
    int64_t id = sqlite3_column_int64(st, 0);
    if (id != (int64_t)cache->count || !get_chromosome(st, 1, chromosome, cache->words) ||
        fitness_cache_find(cache, chromosome) != NOT_MEASURED)
        return error_set(err,
                         "%s is damaged (genome %lld is not what was measured there); go back "
                         "to a copy",
                         s->path, (long long)id);
    if (fitness_cache_add(cache, chromosome, sqlite3_column_int64(st, 2),
                          sqlite3_column_int64(st, 3)) != id)
        return error_set(err, "no memory for the genomes of %s", s->path);
    return true;
}

bool store_get_genomes(struct store *s, struct fitness_cache *cache, struct error *err)
{
    sqlite3_stmt *st = store_prepare(s,
                                     "SELECT id, chromosome, measure, ifnull(held_out, -1) "
                                     "FROM genome WHERE run_id = ?1 ORDER BY id",
                                     err);
    uint64_t *chromosome = malloc(((size_t)cache->words + 1) * sizeof *chromosome);
    if (st == NULL || chromosome == NULL) {
        free(chromosome);
        return st != NULL && error_set(err, "no memory for the genomes of %s", s->path);
    }
    int status;
    bool kept = true;
    while (kept && (status = sqlite3_step(st)) == SQLITE_ROW)
        kept = keep_genome(s, st, cache, chromosome, err);
    free(chromosome);
    if (kept)
        return store_end_rows(s, st, status, err);
    sqlite3_reset(st);
    return false;
}

/* Returns the only value of a query that always has one, or `otherwise` if it fails. */
static int64_t single(struct store *s, const char *sql, int64_t otherwise)
{
    sqlite3_stmt *st = store_prepare(s, sql, NULL);
    if (st != NULL && sqlite3_step(st) == SQLITE_ROW)
        otherwise = sqlite3_column_int64(st, 0);
    else
        s->lost = true;
    sqlite3_reset(st);
    return otherwise;
}

int64_t store_count_genomes(struct store *s)
{
    return single(s, "SELECT count(*) FROM genome WHERE run_id = ?1", 0);
}

bool store_count_genomes_by_generation(struct store *s, int64_t *genomes, int count,
                                       struct error *err)
{
    sqlite3_stmt *st = store_prepare(s,
                                     "SELECT generation, max(genome) + 1 FROM organism "
                                     "WHERE run_id = ?1 GROUP BY generation ORDER BY generation",
                                     err);
    if (st == NULL)
        return false;
    int status;
    int64_t most = 0;
    while ((status = sqlite3_step(st)) == SQLITE_ROW) {
        int generation = sqlite3_column_int(st, 0);
        int64_t known = sqlite3_column_int64(st, 1);
        most = known > most ? known : most;
        if (generation >= 0 && generation < count)
            genomes[generation] = most;
    }
    return store_end_rows(s, st, status, err);
}

/* -- games */

static struct game_record read_game(sqlite3_stmt *st)
{
    return (struct game_record){
        .number = sqlite3_column_int(st, 0),
        .white = {(enum player_kind)sqlite3_column_int(st, 1), sqlite3_column_int(st, 2)},
        .black = {(enum player_kind)sqlite3_column_int(st, 3), sqlite3_column_int(st, 4)},
        .opening = sqlite3_column_int(st, 5),
        .result = sqlite3_column_int(st, 6),
        .plies = sqlite3_column_int(st, 7),
        .nodes = sqlite3_column_int64(st, 8),
    };
}

/* Ensures that there is room for one more game. */
static bool grow_games(struct game_record **games, size_t count, size_t *room)
{
    if (count < *room)
        return true;
    size_t larger = *room == 0 ? 256 : 2 * *room;
    struct game_record *moved = realloc(*games, larger * sizeof *moved);
    if (moved == NULL)
        return false;
    *games = moved;
    *room = larger;
    return true;
}

bool store_get_games(struct store *s, int generation, struct game_record **games, size_t *count,
                     struct error *err)
{
    struct game_record *list = NULL;
    size_t found = 0, room = 0;
    *games = NULL;
    *count = 0;
    sqlite3_stmt *st = store_prepare(s,
                                     "SELECT number, white_kind, white_idx, black_kind, black_idx, "
                                     "opening, result, plies, nodes FROM game "
                                     "WHERE run_id = ?1 AND generation = ?2 ORDER BY number",
                                     err);
    if (st == NULL)
        return false;
    sqlite3_bind_int(st, 2, generation);
    int status;
    while ((status = sqlite3_step(st)) == SQLITE_ROW && grow_games(&list, found, &room))
        list[found++] = read_game(st);
    bool got = status == SQLITE_ROW ? error_set(err, "no memory for the games of %s", s->path)
                                    : status == SQLITE_DONE || store_fail(s, err);
    sqlite3_reset(st);
    if (got) {
        *games = list;
        *count = found;
    } else
        free(list);
    return got;
}

bool store_count_start_pairs(struct store *s, int first, int last, struct pair_counts *counts,
                             struct error *err)
{
    *counts = (struct pair_counts){0};
    sqlite3_stmt *st = store_prepare(
        s,
        "SELECT points, count(*) FROM (SELECT sum(CASE white_kind WHEN ?4 THEN 2 - result ELSE"
        " result END) AS points FROM game WHERE run_id = ?1 AND generation BETWEEN ?2 AND ?3 AND"
        " ((white_kind = ?4 AND white_idx = 0) OR (black_kind = ?4 AND black_idx = 0))"
        " GROUP BY generation, number / 2 HAVING count(*) = 2)"
        " WHERE points BETWEEN 0 AND 4 GROUP BY points",
        err);
    if (st == NULL)
        return false;
    sqlite3_bind_int(st, 2, first);
    sqlite3_bind_int(st, 3, last);
    sqlite3_bind_int(st, 4, PLAYER_CHAMPION);
    int status;
    while ((status = sqlite3_step(st)) == SQLITE_ROW)
        counts->pairs[sqlite3_column_int(st, 0)] = sqlite3_column_int64(st, 1);
    return store_end_rows(s, st, status, err);
}

bool store_count_games(struct store *s, int64_t *games, int64_t *draws, struct error *err)
{
    *games = *draws = 0;
    sqlite3_stmt *st = store_prepare(
        s, "SELECT count(*), ifnull(sum(result = 1), 0) FROM game WHERE run_id = ?1", err);
    if (st == NULL)
        return false;
    int status = sqlite3_step(st);
    if (status == SQLITE_ROW) {
        *games = sqlite3_column_int64(st, 0);
        *draws = sqlite3_column_int64(st, 1);
    }
    bool counted = status == SQLITE_ROW || store_fail(s, err);
    sqlite3_reset(st);
    return counted;
}

/* -- a closing match */

bool store_each_match_pairing(struct store *s, store_pairing_visit *each, void *context,
                              struct error *err)
{
    sqlite3_stmt *st = store_prepare(
        s, "SELECT idx, first, second FROM match_pairing WHERE run_id = ?1 ORDER BY idx", err);
    if (st == NULL)
        return false;
    int status;
    while ((status = sqlite3_step(st)) == SQLITE_ROW)
        if (!each(context, sqlite3_column_int(st, 0), sqlite3_column_int(st, 1),
                  sqlite3_column_int(st, 2), err)) {
            sqlite3_reset(st);
            return false;
        }
    return store_end_rows(s, st, status, err);
}

static struct match_game_row read_match_game(sqlite3_stmt *st)
{
    return (struct match_game_row){
        .number = sqlite3_column_int(st, 0),
        .white = sqlite3_column_int(st, 1),
        .black = sqlite3_column_int(st, 2),
        .result = sqlite3_column_int(st, 3),
        .plies = sqlite3_column_int(st, 4),
        .nodes = sqlite3_column_int64(st, 5),
    };
}

bool store_get_match_players(struct store *s, char ***names, int *count, struct error *err)
{
    *names = NULL;
    *count = 0;
    sqlite3_stmt *st =
        store_prepare(s, "SELECT name FROM match_player WHERE run_id = ?1 ORDER BY idx", err);
    if (st == NULL)
        return false;
    int status;
    while ((status = sqlite3_step(st)) == SQLITE_ROW) {
        char **more = realloc(*names, ((size_t)*count + 1) * sizeof *more);
        if (more == NULL || (*names = more, more[*count] = strdup(store_text(st, 0))) == NULL) {
            sqlite3_reset(st);
            return error_set(err, "no memory for the players of %s", s->path);
        }
        ++*count;
    }
    return store_end_rows(s, st, status, err);
}

bool store_each_match_game(struct store *s, int pairing, store_match_game_visit *each,
                           void *context, struct error *err)
{
    sqlite3_stmt *st = store_prepare(s,
                                     "SELECT number, white, black, result, plies, nodes "
                                     "FROM match_game WHERE run_id = ?1 AND pairing = ?2 "
                                     "ORDER BY number",
                                     err);
    if (st == NULL)
        return false;
    sqlite3_bind_int(st, 2, pairing);
    int status;
    while ((status = sqlite3_step(st)) == SQLITE_ROW) {
        const struct match_game_row game = read_match_game(st);
        if (!each(context, &game, err)) {
            sqlite3_reset(st);
            return false;
        }
    }
    return store_end_rows(s, st, status, err);
}

int64_t store_count_match_games(struct store *s)
{
    return single(s, "SELECT count(*) FROM match_game WHERE run_id = ?1", 0);
}

int64_t store_count_match_players(struct store *s)
{
    return single(s, "SELECT count(*) FROM match_player WHERE run_id = ?1", 0);
}

/* -- organisms and generations */

int store_last_generation(struct store *s)
{
    int64_t last = single(s, "SELECT ifnull(max(idx), -1) FROM generation WHERE run_id = ?1", -1);
    return last >= 0 && last < INT_MAX ? (int)last : -1;
}

bool store_get_champions(struct store *s, int64_t *genomes, int count, struct error *err)
{
    sqlite3_stmt *st = store_prepare(s,
                                     "SELECT o.genome FROM generation AS g JOIN organism AS o "
                                     "ON o.run_id = ?1 AND o.generation = g.idx AND o.idx = g.best "
                                     "WHERE g.run_id = ?1 ORDER BY g.idx",
                                     err);
    if (st == NULL)
        return false;
    int status, found = 0;
    while ((status = sqlite3_step(st)) == SQLITE_ROW && found < count)
        genomes[found++] = sqlite3_column_int64(st, 0);
    if (status != SQLITE_DONE && status != SQLITE_ROW)
        store_fail(s, err);
    else if (found < count)
        error_set(err, "%s is damaged (the best of generation %d is missing); go back to a copy",
                  s->path, found);
    sqlite3_reset(st);
    return found == count;
}

/* Reads the one organism that a query finds, with its chromosome. */
static bool get_organism(struct store *s, const char *sql, int *generation, int *index,
                         uint64_t *chromosome, int words, struct error *err)
{
    sqlite3_stmt *st = store_prepare(s, sql, err);
    if (st == NULL)
        return false;
    int status = sqlite3_step(st);
    bool found = status == SQLITE_ROW;
    if (found) {
        *generation = sqlite3_column_int(st, 0);
        *index = sqlite3_column_int(st, 1);
        found = get_chromosome(st, 2, chromosome, words) ||
                error_set(err, "%s is damaged (its best chromosome); go back to a copy", s->path);
    } else if (status == SQLITE_DONE)
        error_set(err, "%s has no organism yet", s->path);
    else
        store_fail(s, err);
    sqlite3_reset(st);
    return found;
}

bool store_get_best(struct store *s, int *generation, int *index, uint64_t *chromosome, int words,
                    struct error *err)
{
    return get_organism(s,
                        "SELECT g.idx, o.idx, m.chromosome FROM generation AS g "
                        "JOIN organism AS o "
                        "ON o.run_id = ?1 AND o.generation = g.idx AND o.idx = g.best "
                        "JOIN genome AS m ON m.run_id = ?1 AND m.id = o.genome "
                        "WHERE g.run_id = ?1 ORDER BY o.fitness DESC, g.idx LIMIT 1",
                        generation, index, chromosome, words, err);
}

bool store_get_last_best(struct store *s, int *generation, int *index, uint64_t *chromosome,
                         int words, struct error *err)
{
    return get_organism(s,
                        "SELECT g.idx, o.idx, m.chromosome FROM generation AS g "
                        "JOIN organism AS o "
                        "ON o.run_id = ?1 AND o.generation = g.idx AND o.idx = g.best "
                        "JOIN genome AS m ON m.run_id = ?1 AND m.id = o.genome "
                        "WHERE g.run_id = ?1 ORDER BY g.idx DESC LIMIT 1",
                        generation, index, chromosome, words, err);
}

bool store_get_organisms(struct store *s, int generation, int64_t *fitness, int64_t *genomes,
                         int count, struct error *err)
{
    sqlite3_stmt *st = store_prepare(s,
                                     "SELECT idx, fitness, genome FROM organism "
                                     "WHERE run_id = ?1 AND generation = ?2 ORDER BY idx",
                                     err);
    if (st == NULL)
        return false;
    sqlite3_bind_int(st, 2, generation);
    int status, found = 0;
    for (; (status = sqlite3_step(st)) == SQLITE_ROW; found++)
        if (found < count && sqlite3_column_int(st, 0) == found) {
            fitness[found] = sqlite3_column_int64(st, 1);
            genomes[found] = sqlite3_column_int64(st, 2);
        } else
            break;
    sqlite3_reset(st);
    if (status == SQLITE_DONE && found == count)
        return true;
    if (status != SQLITE_DONE && status != SQLITE_ROW)
        return store_fail(s, err);
    return error_set(err,
                     "%s is damaged (generation %d does not have its %d organisms); go back "
                     "to a copy",
                     s->path, generation, count);
}

/* Reads organism `index`, which this row should be. */
static bool take_organism(sqlite3_stmt *st, int index, struct organism *o, int64_t *measures,
                          int words)
{
    if (sqlite3_column_int(st, 0) != index || !get_chromosome(st, 2, o->chromosome, words))
        return false;
    o->fitness = sqlite3_column_int64(st, 1);
    if (measures != NULL)
        measures[index] = sqlite3_column_int64(st, 3);
    return true;
}

bool store_get_population(struct store *s, int generation, struct organism *organisms,
                          int64_t *measures, int count, int words, struct error *err)
{
    sqlite3_stmt *st = store_prepare(s,
                                     "SELECT o.idx, o.fitness, m.chromosome, m.measure "
                                     "FROM organism AS o CROSS JOIN genome AS m "
                                     "ON m.run_id = ?1 AND m.id = o.genome "
                                     "WHERE o.run_id = ?1 AND o.generation = ?2 ORDER BY o.idx",
                                     err);
    if (st == NULL)
        return false;
    sqlite3_bind_int(st, 2, generation);
    int status, found = 0;
    while ((status = sqlite3_step(st)) == SQLITE_ROW && found < count &&
           take_organism(st, found, &organisms[found], measures, words))
        found++;
    sqlite3_reset(st);
    if (status == SQLITE_DONE && found == count)
        return true;
    if (status != SQLITE_DONE && status != SQLITE_ROW)
        return store_fail(s, err);
    return error_set(err,
                     "%s is damaged (generation %d: organism %d or its genome is missing); go back "
                     "to a copy",
                     s->path, generation, found);
}

static struct generation_row read_row(sqlite3_stmt *st)
{
    return (struct generation_row){
        .generation = sqlite3_column_int(st, 0),
        .best = sqlite3_column_int(st, 1),
        .measure = sqlite3_column_int64(st, 2),
        .held_out = sqlite3_column_int64(st, 3),
        .mean = sqlite3_column_double(st, 4),
        .deviation = sqlite3_column_double(st, 5),
        .diversity = sqlite3_column_double(st, 6),
        .seconds = sqlite3_column_double(st, 7),
        .ended = sqlite3_column_int64(st, 8),
    };
}

struct generation_row *store_get_rows(struct store *s, int *count, struct error *err)
{
    sqlite3_stmt *st = store_prepare(s,
                                     "SELECT idx, best, measure, ifnull(held_out, -1), mean, "
                                     "deviation, diversity, seconds, ended FROM generation "
                                     "WHERE run_id = ?1 ORDER BY idx",
                                     err);
    int64_t room = single(s, "SELECT count(*) FROM generation WHERE run_id = ?1", 0);
    struct generation_row *rows = malloc(((size_t)room + 1) * sizeof *rows);
    if (st == NULL || rows == NULL) {
        if (rows == NULL)
            error_set(err, "no memory for the generations of %s", s->path);
        free(rows);
        return NULL;
    }
    int status, i = 0;
    for (; (status = sqlite3_step(st)) == SQLITE_ROW && i < room; i++) {
        rows[i] = read_row(st);
        if (rows[i].generation != i)
            break;
    }
    sqlite3_reset(st);
    *count = i;
    if (status == SQLITE_DONE && i == room)
        return rows;
    if (status == SQLITE_ROW)
        error_set(err, "%s is damaged (generation %d is missing); go back to a copy", s->path, i);
    else
        store_fail(s, err);
    free(rows);
    return NULL;
}
