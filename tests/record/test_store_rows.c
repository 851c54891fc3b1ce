/* The rows of a run: each kind of row comes back as it was put in, and belongs to its run alone. */
#include "runs.h"

#include <inttypes.h>

enum { POPULATION = 4, GENERATIONS = 3 };

RUNS(store_rows);

/* A chromosome whose bytes are all different. */
static void fill(uint64_t chromosome[WORDS], int64_t number)
{
    for (int w = 0; w < WORDS; w++)
        chromosome[w] = (uint64_t)(number + w + 1) * 0x9e3779b97f4a7c15u;
}

/* Fitness of an organism: the same numbers come twice. The largest is in generation 2, whose best is another
 * organism, like the mean of an evolution strategy. */
static int64_t fitness_of(int generation, int index)
{
    return generation == 0 ? index : index % 2 * 10 * generation;
}

/* Generation g has genomes 4 g to 4 g + 3, but organism 3 is that of organism 0 again. */
static void put_generations(struct store *s, struct fitness_cache *cache)
{
    for (int g = 0; g < GENERATIONS; g++) {
        struct organism organisms[POPULATION] = {{0}};
        int64_t genomes[POPULATION];
        size_t first = cache->count;
        for (int i = 0; i < POPULATION; i++) {
            uint64_t chromosome[WORDS];
            fill(chromosome, 100 * g + i);
            organisms[i].fitness = fitness_of(g, i);
            genomes[i] = i < 3 ? fitness_cache_add(cache, chromosome, 1000 * g + i, NOT_MEASURED)
                               : genomes[0];
        }
        const struct optimiser o = {
            .population = POPULATION, .generation = g, .organisms = organisms};
        const struct generation_row row = {.generation = g,
                                           .best = 2 - g,
                                           .measure = 70 + g,
                                           .held_out = g == 1 ? NOT_MEASURED : 80 + g};
        cr_assert(store_put_genomes(s, cache, first, cache->count, &err) &&
                      store_put_organisms(s, &o, genomes, &err) && store_put_row(s, &row, &err),
                  "%s", err.text);
    }
}

/* A run of some generations, opened to read. */
static struct store *make_generations(struct fitness_cache *cache)
{
    struct store *s = create_run(run);
    put_generations(s, cache);
    publish_run(s);
    return open_run(run, STORE_READ);
}

Test(store_rows, a_population_has_its_chromosomes_and_measures)
{
    struct fitness_cache cache = {.words = WORDS};
    struct store *s = make_generations(&cache);
    uint64_t room[POPULATION][WORDS], expected[WORDS];
    struct organism organisms[POPULATION];
    int64_t measures[POPULATION];
    for (int i = 0; i < POPULATION; i++)
        organisms[i] = (struct organism){.chromosome = room[i]};
    cr_assert(store_get_population(s, 2, organisms, measures, POPULATION, WORDS, &err), "%s",
              err.text);
    for (int i = 0; i < POPULATION; i++) {
        fill(expected, 200 + i % 3);
        cr_assert(chromosome_equal(room[i], expected, WORDS), "organism %d", i);
        cr_assert_eq(organisms[i].fitness, fitness_of(2, i));
        cr_assert_eq(measures[i], 2000 + i % 3);
    }
    cr_assert(store_get_population(s, 0, organisms, NULL, POPULATION, WORDS, &err));
    cr_assert_not(store_get_population(s, 0, organisms, NULL, POPULATION + 1, WORDS, &err));
    cr_assert_not(store_get_population(s, 0, organisms, NULL, POPULATION, WORDS - 1, &err));
    store_close(s);
    fitness_cache_free(&cache);
}

Test(store_rows, the_best_of_a_run_and_of_its_end)
{
    struct fitness_cache cache = {.words = WORDS};
    struct store *s = make_generations(&cache);
    uint64_t best[WORDS], expected[WORDS];
    int64_t champions[GENERATIONS], genomes[GENERATIONS];
    int generation, index;
    cr_assert(store_get_best(s, false, &generation, &index, best, WORDS, &err), "%s", err.text);
    fill(expected, 101);
    cr_assert(generation == 1 && index == 1 && chromosome_equal(best, expected, WORDS));
    cr_assert(store_get_best(s, true, &generation, &index, best, WORDS, &err), "%s", err.text);
    fill(expected, 200);
    cr_assert(generation == 2 && index == 0 && chromosome_equal(best, expected, WORDS));
    cr_assert(store_get_champions(s, champions, GENERATIONS, &err), "%s", err.text);
    cr_assert(store_count_genomes_by_generation(s, genomes, GENERATIONS, &err), "%s", err.text);
    for (int g = 0; g < GENERATIONS; g++)
        cr_assert(champions[g] == 3 * g + 2 - g && genomes[g] == 3 * (g + 1), "generation %d", g);
    store_close(s);
    fitness_cache_free(&cache);
}

Test(store_rows, what_was_not_held_out_stays_unknown)
{
    struct fitness_cache cache = {.words = WORDS};
    int count;
    struct store *s = make_generations(&cache);
    struct generation_row *rows = store_get_rows(s, &count, &err);
    cr_assert(rows != NULL && count == GENERATIONS, "%s", err.text);
    for (int g = 0; g < GENERATIONS; g++)
        cr_assert(rows[g].best == 2 - g && rows[g].measure == 70 + g &&
                      rows[g].held_out == (g == 1 ? NOT_MEASURED : 80 + g),
                  "generation %d", g);
    free(rows);
    store_close(s);
    fitness_cache_free(&cache);
}

Test(store_rows, a_property_is_replaced_and_removed)
{
    publish_run(create_run(run));
    struct store *s = open_run(run, STORE_WRITE);
    cr_assert(store_begin(s, &err) && store_put(s, "one", "1", &err) &&
              store_put(s, "one", "17", &err) && store_put_number(s, "two", -2, &err) &&
              store_put_moment(s, "when", &err));
    cr_assert(store_get_number(s, "one", 0) == 17 && store_get_number(s, "two", 0) == -2);
    char *when = store_get(s, "when");
    cr_assert(strlen(when) == 20 && when[4] == '-' && when[10] == 'T' && when[19] == 'Z', "%s",
              when);
    free(when);
    cr_assert(store_remove(s, "one", &err) && store_remove(s, "three", &err), "%s", err.text);
    cr_assert(store_get_number(s, "one", 5) == 5 && store_get_number(s, "two", 5) == -2);
    cr_assert(store_commit(s, &err));
    store_close(s);
    s = open_run(run, STORE_READ);
    cr_assert(store_get_number(s, "one", 5) == 5 && store_get_number(s, "two", 5) == -2);
    store_close(s);
}

/* Adds "ROLE PATH SHA256;" to a text. */
static bool join_data(void *context, const char *role, const char *path, const char *sha256,
                      struct error *reason)
{
    char *text = context;
    (void)reason;
    snprintf(text + strlen(text), 100 - strlen(text), "%s %s %s;", role, path, sha256);
    return strcmp(role, "stop") != 0;
}

Test(store_rows, data_and_seeds_have_an_order)
{
    uint64_t seed[WORDS], found[2][WORDS];
    char text[100] = "";
    int count = -1;
    struct store *s = create_run(run);
    cr_assert(store_put_data(s, "train", "b", "12", &err) &&
              store_put_data(s, "held_out", "a", "34", &err) &&
              store_put_data(s, "stop", "c", "56", &err) &&
              store_put_data(s, "train", "d", "78", &err));
    for (int i = 1; i >= 0; i--) {
        fill(seed, 7 + i);
        cr_assert(store_put_seed(s, i, "x", seed, WORDS, &err));
    }
    publish_run(s);
    s = open_run(run, STORE_READ);
    cr_assert_not(store_each_data(s, join_data, text, &err), "it stops");
    cr_assert_str_eq(text, "train b 12;held_out a 34;stop c 56;");
    cr_assert(store_get_seeds(s, *found, WORDS, 2, &count, &err) && count == 2, "%s", err.text);
    for (int i = 0; i < 2; i++) {
        fill(seed, 7 + i);
        cr_assert(chromosome_equal(found[i], seed, WORDS), "seed %d", i);
    }
    cr_assert_not(store_get_seeds(s, *found, WORDS, 1, &count, &err), "there is no room");
    cr_assert_not(store_get_seeds(s, *found, WORDS - 1, 2, &count, &err), "they are longer");
    store_close(s);
}

Test(store_rows, the_players_of_a_match_have_names)
{
    char **names = NULL;
    int count = -1;
    struct store *s = create_run(run);
    cr_assert(store_put_match_player(s, 1, "the second", &err) &&
              store_put_match_player(s, 0, "the first", &err) &&
              store_put_match_player(s, 2, "", &err));
    publish_run(s);
    s = open_run(run, STORE_READ);
    cr_assert_eq(store_count_match_players(s), 3);
    cr_assert(store_get_match_players(s, &names, &count, &err) && count == 3, "%s", err.text);
    cr_assert_str_eq(names[0], "the first");
    cr_assert_str_eq(names[1], "the second");
    cr_assert_str_eq(names[2], "");
    for (int i = 0; i < count; i++)
        free(names[i]);
    free(names);
    store_close(s);
}

/* How many rows a run has, of each kind that a run may have. */
static int64_t count_rows(const char *path)
{
    struct store *s = open_run(path, STORE_READ);
    int64_t games, draws;
    int seeds;
    uint64_t room[8 * WORDS];
    char text[100] = "";
    cr_assert(store_count_games(s, &games, &draws, &err) &&
              store_get_seeds(s, room, WORDS, 8, &seeds, &err) &&
              store_each_data(s, join_data, text, &err));
    int64_t count = games + seeds + (text[0] != '\0') + store_count_genomes(s) +
                    store_last_generation(s) + 1 + store_count_match_games(s) +
                    store_count_match_players(s) + store_get_number(s, "size", 0);
    store_close(s);
    return count;
}

/* Puts a row of each kind, and some generations: 16 rows as count_rows has them. */
static void make_full(const char *path)
{
    struct fitness_cache cache = {.words = WORDS};
    const struct game_record game = {.white = {PLAYER_ORGANISM, 0}, .black = {PLAYER_SEED, 0}};
    const struct match_game_row match_game = {0, 0, 0, 2, 60, 5};
    uint64_t seed[WORDS];
    fill(seed, 1);
    struct store *s = create_run(path);
    put_generations(s, &cache);
    cr_assert(store_put_game(s, 0, &game, &err) && store_put_seed(s, 0, "x", seed, WORDS, &err) &&
                  store_put_data(s, "train", "a", "1", &err) && store_put(s, "size", "1", &err) &&
                  store_put_match_player(s, 0, "A", &err) &&
                  store_put_match_pairing(s, 0, 0, 0, &err) &&
                  store_put_match_game(s, 0, &match_game, &err),
              "%s", err.text);
    publish_run(s);
    fitness_cache_free(&cache);
}

Test(store_rows, of_a_removed_stage_nothing_is_left)
{
    enum { ROWS = 9 + 3 + 6 };
    char stages[2][112];
    make_full(run);
    for (int i = 0; i < 2; i++) {
        snprintf(stages[i], sizeof stages[i], "%s#stage-%d", run, i);
        make_full(stages[i]);
        cr_assert_eq(count_rows(stages[i]), ROWS, "%" PRId64, count_rows(stages[i]));
    }
    struct store *s = open_run(run, STORE_WRITE);
    cr_assert(store_begin(s, &err) && store_remove_stage(s, "stage-0", &err) &&
                  store_commit(s, &err),
              "%s", err.text);
    store_close(s);
    cr_assert_null(store_open(stages[0], STORE_READ, &err));
    cr_assert(count_rows(run) == ROWS && count_rows(stages[1]) == ROWS, "the others stay");
    publish_run(create_run(stages[0]));
    cr_assert_eq(count_rows(stages[0]), 0, "nothing is left for one of the same name");
    struct store_check check;
    cr_assert(store_check(run, &check, &err) && check.runs == 3, "%s", err.text);
}
