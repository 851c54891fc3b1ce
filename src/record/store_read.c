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

bool store_each_data(struct store *s, store_data_visit *each, void *context, struct error *err)
{
    bool good = true;
    struct store_rows r =
        store_query(s, "SELECT role, path, sha256 FROM data WHERE run_id = ?1 ORDER BY idx", NULL);
    while (good && store_next_row(&r))
        good = each(context, store_text(r.row, 0), store_text(r.row, 1), store_text(r.row, 2), err);
    return store_end_rows(&r, err) && good;
}

/* Calls `each` with the text of each row. */
static bool each_text(struct store *s, const char *sql, store_text_visit *each, void *context,
                      struct error *err)
{
    bool good = true;
    struct store_rows r = store_query(s, sql, NULL);
    while (good && store_next_row(&r))
        good = each(context, store_text(r.row, 0), err);
    return store_end_rows(&r, err) && good;
}

bool store_each_seed(struct store *s, store_text_visit *each, void *context, struct error *err)
{
    return each_text(s, "SELECT source FROM seed WHERE run_id = ?1 ORDER BY idx", each, context,
                     err);
}

/* -- seeds and genomes */

/* Reads a chromosome from a column of little-endian bytes. Returns false if it has not `words`
 * words. */
static bool get_chromosome(sqlite3_stmt *row, int column, uint64_t *chromosome, int words)
{
    const unsigned char *bytes = sqlite3_column_blob(row, column);
    if (sqlite3_column_bytes(row, column) != 8 * words)
        return false;
    memset(chromosome, 0, (size_t)words * sizeof *chromosome);
    for (int i = 0; i < 8 * words; i++)
        chromosome[i / 8] |= (uint64_t)bytes[i] << i % 8 * 8;
    return true;
}

bool store_get_seeds(struct store *s, uint64_t *seeds, int words, int room, int *count,
                     struct error *err)
{
    bool good = true;
    struct store_rows r =
        store_query(s, "SELECT idx, chromosome FROM seed WHERE run_id = ?1 ORDER BY idx", NULL);
    for (*count = 0; good && store_next_row(&r); *count += good)
        good = (*count < room && sqlite3_column_int(r.row, 0) == *count &&
                get_chromosome(r.row, 1, seeds + (size_t)*count * (size_t)words, words)) ||
               error_set(err, "%s is damaged (seed %d); go back to a copy", s->path, *count);
    return store_end_rows(&r, err) && good;
}

/* Adds a row of the genome table to the cache. It must get the same id there. `chromosome` is
 * scratch. */
static bool keep_genome(struct store *s, sqlite3_stmt *row, struct fitness_cache *cache,
                        uint64_t *chromosome, struct error *err)
{
    int64_t id = sqlite3_column_int64(row, 0);
    if (id != (int64_t)cache->count || !get_chromosome(row, 1, chromosome, cache->words) ||
        fitness_cache_find(cache, chromosome) != NOT_MEASURED)
        return error_set(err,
                         "%s is damaged (genome %lld is not what was measured there); go back "
                         "to a copy",
                         s->path, (long long)id);
    return fitness_cache_add(cache, chromosome, sqlite3_column_int64(row, 2),
                             sqlite3_column_int64(row, 3)) == id ||
           error_set(err, "no memory for the genomes of %s", s->path);
}

bool store_get_genomes(struct store *s, struct fitness_cache *cache, struct error *err)
{
    bool good = true;
    uint64_t *chromosome = malloc(((size_t)cache->words + 1) * sizeof *chromosome);
    if (chromosome == NULL)
        return error_set(err, "no memory for the genomes of %s", s->path);
    struct store_rows r = store_query(s,
                                      "SELECT id, chromosome, measure, ifnull(held_out, -1) "
                                      "FROM genome WHERE run_id = ?1 ORDER BY id",
                                      NULL);
    while (good && store_next_row(&r))
        good = keep_genome(s, r.row, cache, chromosome, err);
    free(chromosome);
    return store_end_rows(&r, err) && good;
}

int64_t store_count_genomes(struct store *s)
{
    return single(s, "SELECT count(*) FROM genome WHERE run_id = ?1", 0);
}

bool store_count_genomes_by_generation(struct store *s, int64_t *genomes, int count,
                                       struct error *err)
{
    int64_t most = 0;
    struct store_rows r = store_query(s,
                                      "SELECT generation, max(genome) + 1 FROM organism "
                                      "WHERE run_id = ?1 GROUP BY generation ORDER BY generation",
                                      NULL);
    while (store_next_row(&r)) {
        int generation = sqlite3_column_int(r.row, 0);
        int64_t known = sqlite3_column_int64(r.row, 1);
        most = known > most ? known : most;
        if (generation >= 0 && generation < count)
            genomes[generation] = most;
    }
    return store_end_rows(&r, err);
}

/* -- games */

static struct game_record read_game(sqlite3_stmt *row)
{
    return (struct game_record){
        .number = sqlite3_column_int(row, 0),
        .white = {(enum player_kind)sqlite3_column_int(row, 1), sqlite3_column_int(row, 2)},
        .black = {(enum player_kind)sqlite3_column_int(row, 3), sqlite3_column_int(row, 4)},
        .opening = sqlite3_column_int(row, 5),
        .result = sqlite3_column_int(row, 6),
        .plies = sqlite3_column_int(row, 7),
        .nodes = sqlite3_column_int64(row, 8),
    };
}

bool store_get_games(struct store *s, int generation, struct game_record **games, size_t *count,
                     struct error *err)
{
    struct game_record *list = NULL;
    size_t found = 0, room = 0;
    bool good = true;
    struct store_rows r = store_query(s,
                                      "SELECT number, white_kind, white_idx, black_kind, black_idx,"
                                      " opening, result, plies, nodes FROM game "
                                      "WHERE run_id = ?1 AND generation = ?2 ORDER BY number",
                                      (int64_t[]){generation});
    while (good && store_next_row(&r)) {
        if (found == room) {
            room = room == 0 ? 256 : 2 * room;
            struct game_record *moved = realloc(list, room * sizeof *moved);
            if (moved == NULL) {
                good = error_set(err, "no memory for the games of %s", s->path);
                break;
            }
            list = moved;
        }
        list[found++] = read_game(r.row);
    }
    good = store_end_rows(&r, err) && good;
    if (!good)
        free(list);
    *games = good ? list : NULL;
    *count = good ? found : 0;
    return good;
}

bool store_count_start_pairs(struct store *s, int first, int last, struct pair_counts *counts,
                             struct error *err)
{
    *counts = (struct pair_counts){0};
    struct store_rows r = store_query(
        s,
        "SELECT points, count(*) FROM (SELECT sum(CASE white_kind WHEN ?4 THEN 2 - result ELSE"
        " result END) AS points FROM game WHERE run_id = ?1 AND generation BETWEEN ?2 AND ?3 AND"
        " ((white_kind = ?4 AND white_idx = 0) OR (black_kind = ?4 AND black_idx = 0))"
        " GROUP BY generation, number / 2 HAVING count(*) = 2)"
        " WHERE points BETWEEN 0 AND 4 GROUP BY points",
        (int64_t[]){first, last, PLAYER_CHAMPION});
    while (store_next_row(&r))
        counts->pairs[sqlite3_column_int(r.row, 0)] = sqlite3_column_int64(r.row, 1);
    return store_end_rows(&r, err);
}

bool store_count_games(struct store *s, int64_t *games, int64_t *draws, struct error *err)
{
    *games = *draws = 0;
    struct store_rows r = store_query(
        s, "SELECT count(*), ifnull(sum(result = 1), 0) FROM game WHERE run_id = ?1", NULL);
    while (store_next_row(&r)) {
        *games = sqlite3_column_int64(r.row, 0);
        *draws = sqlite3_column_int64(r.row, 1);
    }
    return store_end_rows(&r, err);
}

/* -- a closing match */

bool store_each_match_pairing(struct store *s, store_pairing_visit *each, void *context,
                              struct error *err)
{
    bool good = true;
    struct store_rows r = store_query(
        s, "SELECT idx, first, second FROM match_pairing WHERE run_id = ?1 ORDER BY idx", NULL);
    while (good && store_next_row(&r))
        good = each(context, sqlite3_column_int(r.row, 0), sqlite3_column_int(r.row, 1),
                    sqlite3_column_int(r.row, 2), err);
    return store_end_rows(&r, err) && good;
}

bool store_get_match_players(struct store *s, char ***names, int *count, struct error *err)
{
    bool good = true;
    *names = NULL;
    struct store_rows r =
        store_query(s, "SELECT name FROM match_player WHERE run_id = ?1 ORDER BY idx", NULL);
    for (*count = 0; good && store_next_row(&r); *count += good) {
        char **more = realloc(*names, ((size_t)*count + 1) * sizeof *more);
        good = more != NULL && (*names = more, more[*count] = strdup(store_text(r.row, 0))) != NULL;
        if (!good)
            error_set(err, "no memory for the players of %s", s->path);
    }
    return store_end_rows(&r, err) && good;
}

bool store_each_match_game(struct store *s, int pairing, store_match_game_visit *each,
                           void *context, struct error *err)
{
    bool good = true;
    struct store_rows r =
        store_query(s,
                    "SELECT number, white, black, result, plies, nodes "
                    "FROM match_game WHERE run_id = ?1 AND pairing = ?2 ORDER BY number",
                    (int64_t[]){pairing});
    while (good && store_next_row(&r)) {
        const struct match_game_row game = {
            .number = sqlite3_column_int(r.row, 0),
            .white = sqlite3_column_int(r.row, 1),
            .black = sqlite3_column_int(r.row, 2),
            .result = sqlite3_column_int(r.row, 3),
            .plies = sqlite3_column_int(r.row, 4),
            .nodes = sqlite3_column_int64(r.row, 5),
        };
        good = each(context, &game, err);
    }
    return store_end_rows(&r, err) && good;
}

bool store_each_match_pgn(struct store *s, store_text_visit *each, void *context, struct error *err)
{
    bool has;
    if (!store_has_match_pgn(s, &has, err) || !has)
        return !has;
    return each_text(s, "SELECT text FROM match_pgn WHERE run_id = ?1 ORDER BY pairing, number",
                     each, context, err);
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
    int found = 0;
    struct store_rows r = store_query(s,
                                      "SELECT o.genome FROM generation AS g JOIN organism AS o "
                                      "ON o.run_id = ?1 AND o.generation = g.idx AND o.idx = g.best"
                                      " WHERE g.run_id = ?1 ORDER BY g.idx",
                                      NULL);
    while (found < count && store_next_row(&r))
        genomes[found++] = sqlite3_column_int64(r.row, 0);
    return store_end_rows(&r, err) &&
           (found == count ||
            error_set(err,
                      "%s is damaged (the best of generation %d is missing); go back to a copy",
                      s->path, found));
}

/* Reads the organism that a query finds. */
static bool get_organism(struct store *s, const char *sql, int *generation, int *index,
                         uint64_t *chromosome, int words, struct error *err)
{
    struct store_rows r = store_query(s, sql, NULL);
    bool found = store_next_row(&r), good = found;
    if (found) {
        *generation = sqlite3_column_int(r.row, 0);
        *index = sqlite3_column_int(r.row, 1);
        good = get_chromosome(r.row, 2, chromosome, words);
    }
    return store_end_rows(&r, err) &&
           (found || error_set(err, "%s has no organism yet", s->path)) &&
           (good ||
            error_set(err, "%s is damaged (its best chromosome); go back to a copy", s->path));
}

/* The best organisms of all generations. */
#define BESTS                                                                                      \
    "SELECT g.idx, o.idx, m.chromosome FROM generation AS g "                                      \
    "JOIN organism AS o ON o.run_id = ?1 AND o.generation = g.idx AND o.idx = g.best "             \
    "JOIN genome AS m ON m.run_id = ?1 AND m.id = o.genome WHERE g.run_id = ?1 "

bool store_get_best(struct store *s, int *generation, int *index, uint64_t *chromosome, int words,
                    struct error *err)
{
    return get_organism(s, BESTS "ORDER BY o.fitness DESC, g.idx LIMIT 1", generation, index,
                        chromosome, words, err);
}

bool store_get_last_best(struct store *s, int *generation, int *index, uint64_t *chromosome,
                         int words, struct error *err)
{
    return get_organism(s, BESTS "ORDER BY g.idx DESC LIMIT 1", generation, index, chromosome,
                        words, err);
}

bool store_get_organisms(struct store *s, int generation, int64_t *fitness, int64_t *genomes,
                         int count, struct error *err)
{
    int found = 0;
    struct store_rows r = store_query(s,
                                      "SELECT idx, fitness, genome FROM organism "
                                      "WHERE run_id = ?1 AND generation = ?2 ORDER BY idx",
                                      (int64_t[]){generation});
    for (; store_next_row(&r) && found < count && sqlite3_column_int(r.row, 0) == found; found++) {
        fitness[found] = sqlite3_column_int64(r.row, 1);
        genomes[found] = sqlite3_column_int64(r.row, 2);
    }
    const bool all = r.status == SQLITE_DONE && found == count;
    return store_end_rows(&r, err) &&
           (all ||
            error_set(err,
                      "%s is damaged (generation %d does not have its %d organisms); go back "
                      "to a copy",
                      s->path, generation, count));
}

/* Reads organism `index`, which this row should be. */
static bool take_organism(sqlite3_stmt *row, int index, struct organism *o, int64_t *measures,
                          int words)
{
    if (sqlite3_column_int(row, 0) != index || !get_chromosome(row, 2, o->chromosome, words))
        return false;
    o->fitness = sqlite3_column_int64(row, 1);
    if (measures != NULL)
        measures[index] = sqlite3_column_int64(row, 3);
    return true;
}

bool store_get_population(struct store *s, int generation, struct organism *organisms,
                          int64_t *measures, int count, int words, struct error *err)
{
    int found = 0;
    struct store_rows r = store_query(s,
                                      "SELECT o.idx, o.fitness, m.chromosome, m.measure "
                                      "FROM organism AS o CROSS JOIN genome AS m "
                                      "ON m.run_id = ?1 AND m.id = o.genome "
                                      "WHERE o.run_id = ?1 AND o.generation = ?2 ORDER BY o.idx",
                                      (int64_t[]){generation});
    while (store_next_row(&r) && found < count &&
           take_organism(r.row, found, &organisms[found], measures, words))
        found++;
    const bool all = r.status == SQLITE_DONE && found == count;
    return store_end_rows(&r, err) &&
           (all ||
            error_set(
                err,
                "%s is damaged (generation %d: organism %d or its genome is missing); go back "
                "to a copy",
                s->path, generation, found));
}

static struct generation_row read_row(sqlite3_stmt *row)
{
    return (struct generation_row){
        .generation = sqlite3_column_int(row, 0),
        .best = sqlite3_column_int(row, 1),
        .measure = sqlite3_column_int64(row, 2),
        .held_out = sqlite3_column_int64(row, 3),
        .mean = sqlite3_column_double(row, 4),
        .deviation = sqlite3_column_double(row, 5),
        .diversity = sqlite3_column_double(row, 6),
        .seconds = sqlite3_column_double(row, 7),
        .ended = sqlite3_column_int64(row, 8),
    };
}

struct generation_row *store_get_rows(struct store *s, int *count, struct error *err)
{
    const int64_t room = single(s, "SELECT count(*) FROM generation WHERE run_id = ?1", 0);
    struct generation_row *rows = malloc(((size_t)room + 1) * sizeof *rows);
    if (rows == NULL) {
        error_set(err, "no memory for the generations of %s", s->path);
        return NULL;
    }
    struct store_rows r = store_query(s,
                                      "SELECT idx, best, measure, ifnull(held_out, -1), mean, "
                                      "deviation, diversity, seconds, ended FROM generation "
                                      "WHERE run_id = ?1 ORDER BY idx",
                                      NULL);
    int i = 0;
    for (; store_next_row(&r) && i < room && sqlite3_column_int(r.row, 0) == i; i++)
        rows[i] = read_row(r.row);
    const bool all = r.status == SQLITE_DONE && i == room;
    *count = i;
    if (store_end_rows(&r, err) &&
        (all ||
         error_set(err, "%s is damaged (generation %d is missing); go back to a copy", s->path, i)))
        return rows;
    free(rows);
    return NULL;
}
