/* The kinds of fitness: each recipe gets the one that it asks for, with the values it describes. */
#include "fitness.h"
#include "recipe.h"

#include "scratch.h"

#include <criterion/criterion.h>

static struct error err;

SCRATCH_SUITE(fitness_kinds);

/* A recipe of two organisms on two positions, which are also its openings. */
static struct recipe make_recipe(enum recipe_measure measure)
{
    struct recipe r = {
        .measure = measure, .power = 1, .limit = 10, .hash = 1, .train_count = 1, .games = 2};
    r.optimiser.population = 2;
    strcpy(r.train[0], scratch_write("positions.epd", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#;\n"
                                                      "7k/8/5N2/8/8/8/8/K5R1 w - - bm Rg8#;\n"));
    snprintf(r.openings, sizeof r.openings, "%s", r.train[0]);
    return r;
}

static void check(const struct recipe *r, const char *name, const struct objective_value *value)
{
    struct fitness *f = fitness_create(r, 1, &err);
    MUST(f);
    cr_assert_str_eq(f->method->name, name);
    cr_assert_eq(f->method->value, value);
    cr_assert_eq(objective_value_of(r), value);
    cr_assert_eq(f->method->compete == NULL, value->across_generations);
    cr_assert_neq(f->method->compete == NULL, f->method->measure_batch == NULL);
    f->method->destroy(f);
}

/* The names are those that kept runs have in their stores. */
Test(fitness_kinds, a_recipe_gets_the_one_that_it_asks_for)
{
    struct recipe matches = make_recipe(MEASURE_MOVE_MATCH);
    check(&matches, "move_match", &objective_moves_matched);
    struct recipe games = make_recipe(MEASURE_GAMES);
    check(&games, "coevolution", &objective_points);
    struct recipe nodes = make_recipe(MEASURE_NODES_TO_SOLUTION);
    check(&nodes, "nodes_to_solution", &objective_nodes);
    nodes.scale = SCALE_LOG;
    check(&nodes, "log_nodes_to_solution", &objective_log_nodes);
}

/* 4,096 organisms that play 514 games with each other are 4,310,691,840 games: more than 32 bits
 * hold. */
Test(fitness_kinds, refuses_more_games_than_can_be_listed)
{
    struct recipe r = make_recipe(MEASURE_GAMES);
    r.optimiser.population = 4096;
    r.games = 514;
    cr_assert_null(fitness_create(&r, 1, &err));
    SAID("may have 4310691840 games");
}

/* A fitness of 64 bits takes the fourth power of 55,108 matches. */
Test(fitness_kinds, refuses_a_power_that_does_not_fit_its_positions)
{
    enum { MOST = 55108, LINE = 40 };
    struct recipe r = make_recipe(MEASURE_MOVE_MATCH);
    char *text = malloc((size_t)(MOST + 1) * LINE + 1), *end = text;
    cr_assert_not_null(text);
    for (int i = 0; i <= MOST; i++)
        end += sprintf(end, "7k/8/8/8/8/8/8/K7 w - - bm Kb1;\n");
    strcpy(r.train[0], scratch_write("many.epd", text));
    free(text);
    r.power = 4;
    cr_assert_null(fitness_create(&r, 1, &err));
    for (size_t i = 0; i < 3; i++) {
        const char *words[] = {"fitness.power is 4", "at most 55108", "data.train"};
        SAID(words[i]);
    }
    r.first = MOST;
    struct fitness *f = fitness_create(&r, 1, &err);
    MUST(f);
    cr_assert_gt(f->method->score(f, MOST), f->method->score(f, MOST - 1));
    cr_assert_lt(f->method->score(f, MOST + 1), 0, "no measurement gives this");
    f->method->destroy(f);
}

/* Runs keep the faults of their engine as text; older ones have no losses on time. */
Test(fitness_kinds, faults_are_read_as_they_are_written)
{
    static const enum engine_fault faults[] = {FAULT_EXITED, FAULT_LATE,    FAULT_NONE,
                                               FAULT_LATE,   FAULT_ILLEGAL, FAULT_HUNG};
    char text[ENGINE_FAULTS_TEXT];
    struct engine_faults f = {{0}};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        engine_faults_add(&f, faults[i]);
    cr_expect_str_eq(engine_faults_text(&f, text),
                     "1 crash, 1 hang, 1 illegal move, 2 losses on time");
    f = engine_faults_from_text(text);
    cr_expect_str_eq(engine_faults_text(&f, text),
                     "1 crash, 1 hang, 1 illegal move, 2 losses on time");
    f = engine_faults_from_text("12 crashes, 3 illegal moves, 7 of another kind");
    cr_expect_eq(engine_faults_total(&f), 15);
    cr_expect_str_eq(engine_faults_text(&f, text), "12 crashes, 3 illegal moves");
    f = engine_faults_from_text(NULL);
    cr_expect_str_eq(engine_faults_text(&f, text), "");
}
