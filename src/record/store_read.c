#include "array.h"
#include "store_internal.h"

#include "command_line.h"
#include "foreign_text.h"
#include "search_params.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* -- properties and data */

char *store_get(struct store *s, const char *key)
{
    const char *text;
    struct store_rows r =
        store_query(s, "SELECT value FROM property WHERE run_id = ?1 AND key = ?2", "t", key);
    char *value = store_next(&r, "t", &text) ? strdup(text) : NULL;
    if (store_end(&r, NULL) && (value != NULL || r.status == SQLITE_DONE))
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
    if (!store_read_number(s, sql, &otherwise, NULL))
        s->lost = true;
    return otherwise;
}

struct store_rows store_data(struct store *s)
{
    return store_query(s, "SELECT role, path, sha256 FROM data WHERE run_id = ?1 ORDER BY idx", "");
}

struct store_rows store_seeds(struct store *s)
{
    return store_query(s, "SELECT 'seed', source, '' FROM seed WHERE run_id = ?1 ORDER BY idx", "");
}

/* -- genes */

static void drop(const char *text)
{
    free((void *)(uintptr_t)text);
}

void store_free_genes(struct param_table *space)
{
    for (int i = 0; i < space->count; i++) {
        drop(space->params[i].name);
        drop(space->params[i].meaning);
        drop(space->params[i].active_if);
        drop(space->params[i].choices);
    }
    free((void *)(uintptr_t)space->params);
    drop(space->kind);
    drop(space->command);
    drop(space->plays);
    *space = (struct param_table){.count = 0};
}

/* The condition of a gene of our search, which early programs did not keep; NULL: there is none. */
static const char *condition_of(const char *name)
{
    const int index = param_find(&search_all_table, name);
    return index >= 0 ? search_all_table.params[index].active_if : NULL;
}

static bool read_genes(struct store *s, struct param *genes, int count, struct error *err)
{
    const char *name, *meaning, *active_if, *choices;
    int i = 0, type, has_condition;
    bool good = true;
    struct store_rows r = store_query(
        s,
        "SELECT name, meaning, active_if, active_if IS NOT NULL, choices, bits, min, max, initial,"
        " sign, type, step, decimals FROM gene WHERE run_id = ?1 ORDER BY idx",
        "");
    for (; good && i < count; i++) {
        struct param *p = &genes[i];
        if (!store_next(&r, "tttitiiiiiiii", &name, &meaning, &active_if, &has_condition, &choices,
                        &p->bits, &p->min, &p->max, &p->initial, &p->sign, &type, &p->step,
                        &p->decimals))
            break;
        const char *condition = has_condition ? active_if : condition_of(name);
        p->name = strdup(name);
        p->meaning = strdup(meaning);
        p->active_if = condition != NULL ? strdup(condition) : NULL;
        p->choices = choices[0] != '\0' ? strdup(choices) : NULL;
        p->type = (enum param_type)type;
        if (p->name == NULL || p->meaning == NULL || (p->active_if == NULL && condition != NULL) ||
            (p->choices == NULL && choices[0] != '\0'))
            good = error_set(err, "no memory for the genes of %s", s->path);
        else if (!param_check(p, err))
            good = error_prefix(err, "%s is damaged: gene %d: ", s->path, i);
    }
    return store_end(&r, good ? err : NULL) && good &&
           (i == count || store_damaged(s, err, "gene %d is missing", i));
}

/* Reads a text of the table, which must be clean; a command as seen from anywhere. NULL: none. */
static bool read_own(struct store *s, const char *key, bool command, char **text, struct error *err)
{
    char *kept = store_get(s, key);
    *text = kept;
    if (kept != NULL && command) {
        *text = command_of_file_anywhere(s->path, kept, err);
        free(kept);
        if (*text == NULL)
            return error_prefix(err, "%s: ", s->path);
    }
    return *text == NULL || foreign_text_is_clean(*text) ||
           error_set(err, "%s is damaged: '%s' is not visible UTF-8 on one line", s->path, *text);
}

bool store_get_genes(struct store *s, struct param_table *space, struct error *err)
{
    const int count = (int)single(s, "SELECT count(*) FROM gene WHERE run_id = ?1", 0);
    struct param *genes = calloc((size_t)count + 1, sizeof *genes);
    char *kind = NULL, *command = NULL, *plays = NULL;
    bool good = (genes != NULL || error_set(err, "no memory for the genes of %s", s->path)) &&
                read_own(s, "kind", false, &kind, err) &&
                read_own(s, "command", true, &command, err) &&
                read_own(s, "plays", true, &plays, err);
    if (good && kind == NULL && count > 0)
        good = error_set(err, "%s is damaged: it does not say of what kind its genes are", s->path);
    *space = (struct param_table){.kind = kind != NULL ? kind : strdup(""),
                                  .params = genes,
                                  .count = genes != NULL ? count : 0,
                                  .command = command,
                                  .plays = plays};
    if (good && read_genes(s, genes, count, err))
        return true;
    store_free_genes(space);
    return false;
}

/* -- seeds and genomes */

bool store_get_seeds(struct store *s, uint64_t *seeds, int words, int room, int *count,
                     struct error *err)
{
    int index;
    struct store_rows r =
        store_query(s, "SELECT idx, chromosome FROM seed WHERE run_id = ?1 ORDER BY idx", "");
    *count = 0;
    while (store_next(&r, "ic", &index,
                      *count < room ? seeds + (size_t)*count * (size_t)words : NULL, words) &&
           index == *count)
        ++*count;
    return store_end(&r, err) &&
           (r.status == SQLITE_DONE || store_damaged(s, err, "seed %d", *count));
}

bool store_get_genomes(struct store *s, struct fitness_cache *cache, struct error *err)
{
    int64_t id, measure, held_out;
    bool room = true;
    uint64_t *chromosome = malloc(((size_t)cache->words + 1) * sizeof *chromosome);
    if (chromosome == NULL)
        return error_set(err, "no memory for the genomes of %s", s->path);
    struct store_rows r = store_query(s,
                                      "SELECT id, chromosome, measure, ifnull(held_out, -1) "
                                      "FROM genome WHERE run_id = ?1 ORDER BY id",
                                      "");
    /* A genome must get the same id in the cache. */
    while (room && store_next(&r, "ncnn", &id, chromosome, cache->words, &measure, &held_out) &&
           id == (int64_t)cache->count && fitness_cache_find(cache, chromosome) == NOT_MEASURED)
        room = fitness_cache_add(cache, chromosome, measure, held_out) == id;
    free(chromosome);
    if (!store_end(&r, err))
        return false;
    if (r.status == SQLITE_DONE)
        return true;
    return room ? store_damaged(s, err, "genome %zu is not what was measured there", cache->count)
                : error_set(err, "no memory for the genomes of %s", s->path);
}

int64_t store_count_genomes(struct store *s)
{
    return single(s, "SELECT count(*) FROM genome WHERE run_id = ?1", 0);
}

bool store_count_genomes_by_generation(struct store *s, int64_t *genomes, int count,
                                       struct error *err)
{
    int generation;
    int64_t known, most = 0;
    struct store_rows r = store_query(s,
                                      "SELECT generation, max(genome) + 1 FROM organism "
                                      "WHERE run_id = ?1 GROUP BY generation ORDER BY generation",
                                      "");
    while (store_next(&r, "in", &generation, &known)) {
        most = known > most ? known : most;
        if (generation >= 0 && generation < count)
            genomes[generation] = most;
    }
    return store_end(&r, err);
}

/* -- games */

bool store_get_games(struct store *s, int generation, struct game_record **games, size_t *count,
                     struct error *err)
{
    struct game_record g = {.number = 0}, *list = NULL;
    size_t found = 0;
    int white, black;
    bool good = true;
    struct store_rows r = store_query(s,
                                      "SELECT number, white_kind, white_idx, black_kind, black_idx,"
                                      " opening, result, plies, nodes FROM game "
                                      "WHERE run_id = ?1 AND generation = ?2 ORDER BY number",
                                      "i", generation);
    while (good && store_next(&r, "iiiiiiiin", &g.number, &white, &g.white.index, &black,
                              &g.black.index, &g.opening, &g.result, &g.plies, &g.nodes)) {
        g.white.kind = (enum player_kind)white;
        g.black.kind = (enum player_kind)black;
        good = array_grow(list, found) || error_set(err, "no memory for the games of %s", s->path);
        if (good)
            list[found++] = g;
    }
    good = store_end(&r, err) && good;
    if (!good)
        free(list);
    *games = good ? list : NULL;
    *count = good ? found : 0;
    return good;
}

bool store_count_start_pairs(struct store *s, int first, int last, struct pair_counts *counts,
                             struct error *err)
{
    int points;
    int64_t pairs;
    *counts = (struct pair_counts){0};
    struct store_rows r = store_query(
        s,
        "SELECT points, count(*) FROM (SELECT sum(CASE white_kind WHEN ?4 THEN 2 - result ELSE"
        " result END) AS points FROM game WHERE run_id = ?1 AND generation BETWEEN ?2 AND ?3 AND"
        " ((white_kind = ?4 AND white_idx = 0) OR (black_kind = ?4 AND black_idx = 0))"
        " GROUP BY generation, number / 2 HAVING count(*) = 2)"
        " WHERE points BETWEEN 0 AND 4 GROUP BY points",
        "iii", first, last, PLAYER_CHAMPION);
    while (store_next(&r, "in", &points, &pairs))
        counts->pairs[points] = pairs;
    return store_end(&r, err);
}

bool store_count_games(struct store *s, int64_t *games, int64_t *draws, struct error *err)
{
    *games = *draws = 0;
    struct store_rows r = store_query(
        s, "SELECT count(*), ifnull(sum(result = 1), 0) FROM game WHERE run_id = ?1", "");
    store_next(&r, "nn", games, draws);
    return store_end(&r, err);
}

/* -- a closing match */

struct store_rows store_match_players(struct store *s)
{
    return store_query(s, "SELECT name FROM match_player WHERE run_id = ?1 ORDER BY idx", "");
}

struct store_rows store_match_games(struct store *s, int first, int last)
{
    return store_query(s,
                       "SELECT pairing, number, white, black, result, plies, nodes FROM match_game "
                       "WHERE run_id = ?1 AND pairing BETWEEN ?2 AND ?3 ORDER BY pairing, number",
                       "ii", first, last);
}

bool store_next_match_game(struct store_rows *rows, struct match_game_row *g)
{
    return store_next(rows, "iiiiiin", &g->pairing, &g->number, &g->white, &g->black, &g->result,
                      &g->plies, &g->nodes);
}

struct store_rows store_match_pgn(struct store *s)
{
    return store_query(s, "SELECT text FROM match_pgn WHERE run_id = ?1 ORDER BY pairing, number",
                       "");
}

int64_t store_count_match_games(struct store *s)
{
    return single(s, "SELECT count(*) FROM match_game WHERE run_id = ?1", 0);
}

int64_t store_count_match_pgn(struct store *s)
{
    return single(s, "SELECT count(*) FROM match_pgn WHERE run_id = ?1", 0);
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

/* The best organisms of all generations. */
#define BESTS                                                                                      \
    "SELECT g.idx, o.idx, m.chromosome FROM generation AS g "                                      \
    "JOIN organism AS o ON o.run_id = ?1 AND o.generation = g.idx AND o.idx = g.best "             \
    "JOIN genome AS m ON m.run_id = ?1 AND m.id = o.genome WHERE g.run_id = ?1 "

bool store_get_best(struct store *s, bool last, int *generation, int *index, uint64_t *chromosome,
                    int words, struct error *err)
{
    struct store_rows r = store_query(s,
                                      last ? BESTS "ORDER BY g.idx DESC LIMIT 1"
                                           : BESTS "ORDER BY o.fitness DESC, g.idx LIMIT 1",
                                      "");
    const bool good = store_next(&r, "iic", generation, index, chromosome, words);
    if (!store_end(&r, err) || good)
        return good;
    return r.status == SQLITE_DONE ? error_set(err, "%s has no organism yet", s->path)
                                   : store_damaged(s, err, "its best chromosome");
}

bool store_get_organisms(struct store *s, int generation, int64_t *fitness, int64_t *genomes,
                         int count, struct error *err)
{
    int found = 0, index;
    int64_t value, genome;
    struct store_rows r = store_query(s,
                                      "SELECT idx, fitness, genome FROM organism "
                                      "WHERE run_id = ?1 AND generation = ?2 ORDER BY idx",
                                      "i", generation);
    for (; store_next(&r, "inn", &index, &value, &genome) && found < count && index == found;
         found++) {
        fitness[found] = value;
        genomes[found] = genome;
    }
    return store_end(&r, err) &&
           ((r.status == SQLITE_DONE && found == count) ||
            store_damaged(s, err, "generation %d does not have its %d organisms", generation,
                          count));
}

bool store_get_population(struct store *s, int generation, struct organism *organisms,
                          int64_t *measures, int count, int words, struct error *err)
{
    int found = 0, index;
    int64_t fitness, measure;
    struct store_rows r = store_query(s,
                                      "SELECT o.idx, o.fitness, m.chromosome, m.measure "
                                      "FROM organism AS o CROSS JOIN genome AS m "
                                      "ON m.run_id = ?1 AND m.id = o.genome "
                                      "WHERE o.run_id = ?1 AND o.generation = ?2 ORDER BY o.idx",
                                      "i", generation);
    for (; store_next(&r, "incn", &index, &fitness,
                      found < count ? organisms[found].chromosome : NULL, words, &measure) &&
           index == found;
         found++) {
        organisms[found].fitness = fitness;
        if (measures != NULL)
            measures[found] = measure;
    }
    return store_end(&r, err) &&
           ((r.status == SQLITE_DONE && found == count) ||
            store_damaged(s, err, "generation %d: organism %d or its genome is missing", generation,
                          found));
}

struct generation_row *store_get_rows(struct store *s, int *count, struct error *err)
{
    const int64_t room = single(s, "SELECT count(*) FROM generation WHERE run_id = ?1", 0);
    struct generation_row row, *rows = malloc(((size_t)room + 1) * sizeof *rows);
    *count = 0;
    if (rows == NULL)
        return error_null(err, "no memory for the generations of %s", s->path);
    struct store_rows r = store_query(s,
                                      "SELECT idx, best, measure, ifnull(held_out, -1), mean, "
                                      "deviation, diversity, seconds, ended FROM generation "
                                      "WHERE run_id = ?1 ORDER BY idx",
                                      "");
    while (store_next(&r, "iinnrrrrn", &row.generation, &row.best, &row.measure, &row.held_out,
                      &row.mean, &row.deviation, &row.diversity, &row.seconds, &row.ended) &&
           *count < room && row.generation == *count)
        rows[(*count)++] = row;
    if (store_end(&r, err) && ((r.status == SQLITE_DONE && *count == room) ||
                               store_damaged(s, err, "generation %d is missing", *count)))
        return rows;
    free(rows);
    return NULL;
}
