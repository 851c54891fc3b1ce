/* The rows of a run: each kind of row comes back as it was put in, and belongs to its run alone. */
#include "runs.h"

#include "database.h"

#include <inttypes.h>

enum { POPULATION = 4, GENERATIONS = 3 };

static struct fitness_cache cache = {.words = WORDS}; /* what the generations measured */
static struct store *s;                               /* which is closed after a test */

static void end_rows(void)
{
    store_close(s);
    fitness_cache_free(&cache);
    scratch_end();
}

/* A chromosome whose bytes are all different. */
static void fill(uint64_t chromosome[WORDS], int64_t number)
{
    for (int w = 0; w < WORDS; w++)
        chromosome[w] = (uint64_t)(number + w + 1) * 0x9e3779b97f4a7c15u;
}

static void expect_filled(const uint64_t chromosome[WORDS], int64_t number)
{
    uint64_t expected[WORDS];
    fill(expected, number);
    cr_assert(chromosome_equal(chromosome, expected, WORDS), "chromosome %" PRId64, number);
}

/* Fitness of an organism: the same numbers come twice. The largest is in generation 2, whose best is another
 * organism, like the mean of an evolution strategy. */
static int64_t fitness_of(int generation, int index)
{
    return generation == 0 ? index : index % 2 * 10 * generation;
}

/* Generation g has genomes 3 g to 3 g + 2; organism 3 is that of organism 0 again. */
static void put_generations(void)
{
    for (int g = 0; g < GENERATIONS; g++) {
        struct organism organisms[POPULATION] = {{0}};
        int64_t genomes[POPULATION];
        size_t first = cache.count;
        for (int i = 0; i < POPULATION; i++) {
            uint64_t chromosome[WORDS];
            fill(chromosome, 100 * g + i);
            organisms[i].fitness = fitness_of(g, i);
            genomes[i] = i < 3 ? fitness_cache_add(&cache, chromosome, 1000 * g + i, NOT_MEASURED)
                               : genomes[0];
        }
        const struct optimiser o = {
            .population = POPULATION, .generation = g, .organisms = organisms};
        const struct generation_row row = {
            g, 2 - g, 70 + g, g == 1 ? NOT_MEASURED : 80 + g, 1.5, 0.1, 2.25, 0.5, 1234};
        MUST(store_put_genomes(s, &cache, first, cache.count, &err) &&
             store_put_held_out(s, genomes[0], 3, &err) &&
             store_put_organisms(s, &o, genomes, &err) && store_put_row(s, &row, &err));
    }
}

/* Puts what is written in a run, and opens it to read. */
static void reopen(const char *path)
{
    publish_run(s);
    s = open_run(path, STORE_READ);
}

/* A run of some generations, opened to read. */
static void begin_rows(void)
{
    begin();
    s = create_run(run);
    put_generations();
    reopen(run);
}

TestSuite(generations, .init = begin_rows, .fini = end_rows);

Test(generations, genomes_come_back_into_a_cache)
{
    struct fitness_cache found = {.words = WORDS};
    cr_assert_eq(store_last_generation(s), GENERATIONS - 1);
    cr_assert_eq(store_count_genomes(s), 9);
    MUST(store_get_genomes(s, &found, &err));
    cr_assert_eq(found.count, 9u);
    for (size_t i = 0; i < 9; i++) {
        expect_filled(fitness_cache_chromosome(&found, i), (int64_t)(i / 3 * 100 + i % 3));
        cr_assert_eq(found.entries[i].measure, (int64_t)(i / 3 * 1000 + i % 3));
        cr_assert_eq(found.entries[i].held_out, i % 3 == 0 ? 3 : NOT_MEASURED);
    }
    fitness_cache_free(&found);
}

Test(generations, a_population_has_its_chromosomes_and_measures)
{
    uint64_t room[POPULATION][WORDS];
    struct organism organisms[POPULATION + 1];
    int64_t measures[POPULATION], fitness[POPULATION], genomes[POPULATION];
    for (int i = 0; i < POPULATION; i++)
        organisms[i] = (struct organism){.chromosome = room[i]};
    MUST(store_get_population(s, 2, organisms, measures, POPULATION, WORDS, &err));
    MUST(store_get_organisms(s, 2, fitness, genomes, POPULATION, &err));
    for (int i = 0; i < POPULATION; i++) {
        expect_filled(room[i], 200 + i % 3);
        cr_assert(organisms[i].fitness == fitness_of(2, i) && fitness[i] == fitness_of(2, i));
        cr_assert_eq(measures[i], 2000 + i % 3);
        cr_assert_eq(genomes[i], 6 + i % 3);
    }
    cr_assert(store_get_population(s, 0, organisms, NULL, POPULATION, WORDS, &err));
    organisms[POPULATION].chromosome = room[0];
    cr_assert_not(store_get_population(s, 0, organisms, NULL, POPULATION + 1, WORDS, &err));
    cr_assert_not(store_get_population(s, 0, organisms, NULL, POPULATION - 1, WORDS, &err));
    cr_assert_not(store_get_population(s, 0, organisms, NULL, POPULATION, WORDS - 1, &err));
    cr_assert_not(store_get_organisms(s, 1, fitness, genomes, 2, &err));
    SAID("generation 1 does not have its 2 organisms");
}

Test(generations, the_best_of_a_run_and_of_its_end)
{
    uint64_t best[WORDS];
    int64_t genomes[GENERATIONS];
    int generation, index;
    MUST(store_get_best(s, false, &generation, &index, best, WORDS, &err));
    cr_assert(generation == 1 && index == 1);
    expect_filled(best, 101);
    MUST(store_get_best(s, true, &generation, &index, best, WORDS, &err));
    cr_assert(generation == 2 && index == 0);
    expect_filled(best, 200);
    MUST(store_count_genomes_by_generation(s, genomes, GENERATIONS, &err));
    for (int g = 0; g < GENERATIONS; g++)
        cr_assert_eq(genomes[g], 3 * (g + 1), "generation %d", g);
}

Test(generations, what_was_not_held_out_stays_unknown)
{
    int count;
    struct generation_row *rows = store_get_rows(s, &count, &err);
    MUST(rows != NULL && count == GENERATIONS);
    for (int g = 0; g < GENERATIONS; g++)
        cr_assert(rows[g].generation == g && rows[g].best == 2 - g && rows[g].measure == 70 + g &&
                      rows[g].held_out == (g == 1 ? NOT_MEASURED : 80 + g) && rows[g].mean == 1.5 &&
                      rows[g].deviation == (double)0.1 && rows[g].diversity == 2.25 &&
                      rows[g].seconds == 0.5 && rows[g].ended == 1234,
                  "generation %d", g);
    free(rows);
}

TestSuite(store_rows, .init = begin, .fini = end_rows);

Test(store_rows, chromosomes_are_little_endian_bytes)
{
    const uint64_t c[WORDS] = {0x1122334455667788u, 0x99};
    s = create_run(run);
    fitness_cache_add(&cache, c, 1, -1);
    cr_assert(store_put_genomes(s, &cache, 0, 1, &err));
    reopen(run);
    cr_assert_eq(number(run, "SELECT hex(chromosome) = '88776655443322119900000000000000'"
                             " FROM genome"),
                 1);
}

Test(store_rows, genes_have_their_texts)
{
    struct param_table found;
    make_run(run);
    s = open_run(run, STORE_READ);
    cr_assert(store_get_genes(s, &found, &err));
    cr_assert_str_eq(found.kind, "test");
    cr_assert_eq(found.count, 3);
    for (int i = 0; i < 3; i++) {
        const struct param *p = &found.params[i], *q = &params[i];
        cr_assert_str_eq(p->name, q->name);
        cr_assert_str_eq(p->meaning, q->meaning);
        cr_assert(p->bits == q->bits && p->min == q->min && p->max == q->max &&
                  p->initial == q->initial && p->sign == q->sign);
    }
    store_free_genes(&found);
}

Test(store_rows, a_property_is_replaced_and_removed)
{
    make_run(run);
    s = open_run(run, STORE_WRITE);
    cr_assert(store_begin(s, &err) && store_put(s, "one", "1", &err) &&
              store_put(s, "one", "17", &err) && store_put_number(s, "two", -2, &err) &&
              store_put_moment(s, "when", &err));
    cr_assert(store_get_number(s, "one", 0) == 17 && store_get_number(s, "two", 0) == -2);
    char *when = store_get(s, "when");
    cr_assert(strlen(when) == 20 && when[4] == '-' && when[10] == 'T' && when[19] == 'Z', "%s",
              when);
    free(when);
    MUST(store_remove(s, "one", &err) && store_remove(s, "three", &err));
    for (int reads = 0; reads < 2; reads++) {
        cr_assert(store_get_number(s, "one", 5) == 5 && store_get_number(s, "two", 5) == -2);
        cr_assert_null(store_get(s, "nothing"));
        cr_assert(reads > 0 || store_commit(s, &err));
        store_close(s);
        s = open_run(run, STORE_READ);
    }
}

Test(store_rows, games_are_counted_and_come_back)
{
    int64_t games, draws;
    struct game_record *found;
    size_t count;
    s = create_run(run);
    cr_assert(store_count_games(s, &games, &draws, &err) && games == 0 && draws == 0);
    for (int i = 0; i < 4; i++) {
        const struct game_record g = {i,      {PLAYER_CHAMPION, i}, {PLAYER_SEED, 2 * i}, 5, i % 3,
                                      60 + i, 1234567890123};
        MUST(store_put_game(s, 0, &g, &err));
    }
    reopen(run);
    cr_assert(store_count_games(s, &games, &draws, &err) && games == 4 && draws == 1);
    MUST(store_get_games(s, 0, &found, &count, &err) && count == 4);
    const struct game_record *g = &found[3];
    cr_assert(player_ref_equal(g->white, (struct player_ref){PLAYER_CHAMPION, 3}) &&
              player_ref_equal(g->black, (struct player_ref){PLAYER_SEED, 6}));
    cr_assert(g->number == 3 && g->opening == 5 && g->result == 0 && g->plies == 63 &&
              g->nodes == 1234567890123);
    free(found);
}

/* Joins the texts of rows of three. */
static const char *join(struct store_rows r, char text[100])
{
    const char *a, *b, *c;
    for (text[0] = '\0'; store_next(&r, "ttt", &a, &b, &c);)
        snprintf(text + strlen(text), 100 - strlen(text), "%s %s %s;", a, b, c);
    MUST(store_end(&r, &err));
    return text;
}

Test(store_rows, data_and_seeds_have_an_order)
{
    static const char *const sources[] = {"a.db", "b", "a"};
    uint64_t seed[WORDS], found[3][WORDS];
    char text[100];
    int count = -1;
    s = create_run(run);
    cr_assert(store_put_data(s, "train", "b", "12", &err) &&
              store_put_data(s, "held_out", "a", "34", &err));
    for (int i = 2; i >= 0; i--) {
        fill(seed, 7 + i);
        cr_assert(store_put_seed(s, i, sources[i], seed, WORDS, &err));
    }
    reopen(run);
    cr_assert_str_eq(join(store_data(s), text), "train b 12;held_out a 34;");
    cr_assert_str_eq(join(store_seeds(s), text), "seed a.db ;seed b ;seed a ;");
    MUST(store_get_seeds(s, *found, WORDS, 3, &count, &err) && count == 3);
    for (int i = 0; i < 3; i++)
        expect_filled(found[i], 7 + i);
    cr_assert_not(store_get_seeds(s, *found, WORDS, 2, &count, &err), "there is no room");
    cr_assert_not(store_get_seeds(s, *found, WORDS - 1, 3, &count, &err), "they are longer");
}

/* -- a match */

/* Two pairings of three players, and games of the second with their texts, in a stage of the run. */
Test(store_rows, a_match_comes_back)
{
    static const char *const names[] = {"the first", "the second", ""};
    const char *text;
    int count = 0;
    struct match_game_row game;
    const char *stage = text_of("%s#match", run);
    make_run(run);
    s = open_run(run, STORE_READ);
    struct store_rows r = store_match_pgn(s);
    cr_assert(!store_next(&r, "t", &text) && store_end(&r, &err), "none yet");
    store_close(s);
    s = create_run(stage);
    for (int i = 2; i >= 0; i--)
        MUST(store_put_match_player(s, i, names[i], &err));
    for (int i = 0; i < 2; i++)
        MUST(store_put_match_pairing(s, i, 0, i + 1, &err));
    for (int i = 0; i < 5; i++)
        MUST(store_put_match_game(
                 s, &(struct match_game_row){1, i, 0, 1 + i % 2, 2, 60, 1234567890123}, &err) &&
             store_put_match_pgn(s, 1, i, names[i % 3], &err));
    reopen(stage);
    cr_assert_eq(store_count_match_games(s), 5);
    cr_assert_eq(store_count_match_players(s), 3);
    r = store_match_games(s, 0, 0);
    cr_assert(!store_next_match_game(&r, &game) && store_end(&r, &err));
    for (r = store_match_games(s, 0, 1); store_next_match_game(&r, &game); count++)
        cr_assert(game.pairing == 1 && game.number == count && game.white == 0 &&
                  game.black == 1 + count % 2 && game.result == 2 && game.plies == 60 &&
                  game.nodes == 1234567890123);
    cr_assert(store_end(&r, &err) && count == 5);
    for (r = store_match_pgn(s); store_next(&r, "t", &text); count++)
        cr_assert_str_eq(text, names[(count - 5) % 3]);
    cr_assert(store_end(&r, &err) && count == 10);
    for (r = store_match_players(s); store_next(&r, "t", &text); count++)
        cr_assert_str_eq(text, names[count - 10]);
    cr_assert(store_end(&r, &err) && count == 13);
    store_close(s);
    s = open_run(run, STORE_WRITE);
    cr_assert_eq(store_count_match_games(s), 0, "they are the stage's");
    cr_assert(store_begin(s, &err) && store_remove_stage(s, "match", &err) &&
              store_commit(s, &err));
    store_close(s);
    s = NULL;
    cr_assert_eq(number(run, "SELECT count(*) FROM match_pgn"), 0);
}

/* -- a removed stage */

/* How many rows a run has, of each kind that a run may have. */
static int64_t count_rows(const char *path)
{
    int64_t games, draws;
    int seeds;
    uint64_t room[8 * WORDS];
    char text[100];
    struct store *r = open_run(path, STORE_READ);
    cr_assert(store_count_games(r, &games, &draws, &err) &&
              store_get_seeds(r, room, WORDS, 8, &seeds, &err));
    int64_t count = games + seeds + (join(store_data(r), text)[0] != '\0') +
                    store_count_genomes(r) + store_last_generation(r) + 1 +
                    store_count_match_games(r) + store_count_match_players(r) +
                    store_get_number(r, "size", 0);
    store_close(r);
    return count;
}

/* Puts a row of each kind, and some generations. */
static void make_full(const char *path)
{
    const struct game_record game = {.white = {PLAYER_ORGANISM, 0}, .black = {PLAYER_SEED, 0}};
    const struct match_game_row match_game = {0, 0, 0, 0, 2, 60, 5};
    uint64_t seed[WORDS];
    fill(seed, 1);
    s = create_run(path);
    fitness_cache_free(&cache);
    put_generations();
    MUST(store_put_game(s, 0, &game, &err) && store_put_seed(s, 0, "x", seed, WORDS, &err) &&
         store_put_data(s, "train", "a", "1", &err) && store_put(s, "size", "1", &err) &&
         store_put_match_player(s, 0, "A", &err) && store_put_match_pairing(s, 0, 0, 0, &err) &&
         store_put_match_game(s, &match_game, &err));
    publish_run(s);
    s = NULL;
}

Test(store_rows, of_a_removed_stage_nothing_is_left)
{
    enum { ROWS = 9 + 3 + 6 };
    const char *stages[2];
    make_full(run);
    for (int i = 0; i < 2; i++) {
        stages[i] = text_of("%s#stage-%d", run, i);
        make_full(stages[i]);
        cr_assert_eq(count_rows(stages[i]), ROWS, "%" PRId64, count_rows(stages[i]));
    }
    s = open_run(run, STORE_WRITE);
    MUST(store_begin(s, &err) && store_remove_stage(s, "stage-0", &err) && store_commit(s, &err));
    store_close(s);
    s = NULL;
    cr_assert_null(store_open(stages[0], STORE_READ, &err));
    cr_assert(count_rows(run) == ROWS && count_rows(stages[1]) == ROWS, "the others stay");
    publish_run(create_run(stages[0]));
    cr_assert_eq(count_rows(stages[0]), 0, "nothing is left for one of the same name");
    struct store_check check;
    MUST(store_check(run, &check, &err) && check.runs == 3);
}
