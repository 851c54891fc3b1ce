/* Recipes: what they say, what they may leave out, and how each mistake is named. */
#include "recipe.h"

#include "default_settings.h"
#include "scratch.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct recipe recipe;
static struct error err;

static bool read_text(const char *text)
{
    err.text[0] = '\0';
    return recipe_from_text("r.yaml", text, &recipe, &err);
}

#define LEAST       "name: n\ndata: {train: [a.epd]}\n"
#define SEARCH      LEAST "phase: search\n"
#define COEVOLUTION "name: n\nphase: coevolution\ndata: {openings: a}\n"

/* Reads a text, whose recipe's own text reads back as the same recipe. That has `part`, and not `other` unless NULL. */
static void expect_text(const char *read, const char *part, const char *other)
{
    MUST(read_text(read));
    struct recipe first = recipe;
    char *text = recipe_text(&first);
    cr_assert(text != NULL && strstr(text, part) != NULL, "%s", text);
    cr_assert(other == NULL || strstr(text, other) == NULL, "%s", text);
    cr_assert(read_text(text), "%s\n%s", err.text, text);
    cr_assert_eq(memcmp(&recipe, &first, sizeof recipe), 0, "%s", text);
    free(text);
}

Test(recipe, takes_what_the_file_says)
{
    MUST(read_text("name: my run\nphase: evaluation\nseed: 9223372036854775807\n"
                   "space: s.yaml\n"
                   "data:\n  train: [a.epd, \"b c.epd\"]\n  held_out: h.epd\n"
                   "fitness: {measure: move_match, power: 3, leaf: static}\n"
                   "ga:\n  population: 40\n  generations: 0\n  elitism: 39\n"
                   "  selection: {kind: tournament, size: 5, pressure: 1.25, truncation: 1.5}\n"
                   "  crossover: {kind: two-point, rate: 1}\n  mutation: {rate: 0}\n"));
    struct optimiser_settings expected = optimiser_default_settings(OPTIMISER_GENETIC);
    expected.population = 40;
    expected.genetic.elitism = 39;
    expected.genetic.selection = SELECTION_TOURNAMENT;
    expected.genetic.tournament = 5;
    expected.genetic.rank_pressure = 1.25;
    expected.genetic.truncation = 1.5;
    expected.variation.crossover = CROSSOVER_TWO_POINT;
    expected.variation.crossover_rate = 1;
    expected.variation.mutation_rate = 0;
    cr_assert_eq(memcmp(&recipe.optimiser, &expected, sizeof expected), 0);
    cr_assert_eq(recipe.generations, 0);
    cr_assert_eq(recipe.seed, 9223372036854775807u);
    cr_assert_str_eq(recipe.name, "my run");
    cr_assert_str_eq(recipe.space, "s.yaml");
    cr_assert(recipe.train_count == 2 && recipe.held_out_count == 1);
    cr_assert_str_eq(recipe.train[1], "b c.epd");
    cr_assert_str_eq(recipe.held_out[0], "h.epd");
    cr_assert(recipe.power == 3 && recipe.leaf == LEAF_STATIC);
}

Test(recipe, a_mistake_is_named_with_its_place)
{
    static const struct {
        const char *text, *reason;
    } mistakes[] = {
        /* unknown keys */
        {LEAST "ga:\n  populaton: 5\n",
         "r.yaml:4:3: ga.populaton: unknown key; did you mean ga.population?"},
        {LEAST "population: 5\n",
         "r.yaml:3:1: population: unknown key; did you mean ga.population?"},
        {LEAST "data.opponent: x\n",
         "r.yaml:3:1: data.opponent: a key has no dots here; write 'opponent' inside 'data'"},
        {LEAST "ga: {mutation.rate: 0.1}\n",
         "r.yaml:3:6: ga.mutation.rate: a key has no dots here; write 'rate' inside 'mutation'"},
        {LEAST "mutation: {rate: 0.1}\n", "r.yaml:3:1: mutation: unknown key; known here: name, "
                                          "phase, seed, space, data, fitness, "
                                          "optimiser, ga"},
        {LEAST "ga: {xyzzy: 1}\n",
         "r.yaml:3:6: ga.xyzzy: unknown key; known here: population, "
         "generations, seeds, fit, start, fill, elitism, selection, crossover, mutation"},
        {LEAST "ga: 5\n",
         "r.yaml:3:1: ga: expected keys inside: population, generations, seeds, fit, start, fill, "
         "elitism, selection, crossover, mutation"},
        {"- 1\n", "r.yaml:1:1: expected keys inside: name, phase, seed, space, data, fitness, "
                  "optimiser, ga"},
        {LEAST "name: m\n", "r.yaml:3:1: name: repeated key; it is already in line 1"},
        /* wrong values */
        {LEAST "ga: {population: 10.5}\n",
         "r.yaml:3:6: ga.population: '10.5' is wrong; expected a whole number from 2 to 4096"},
        {LEAST "ga: {population: [10]}\n",
         "r.yaml:3:6: ga.population: a list is wrong; expected a whole number from 2 to 4096"},
        {LEAST "ga: {population: }\n",
         "r.yaml:3:6: ga.population: '' is wrong; expected a whole number from 2 to 4096"},
        {LEAST "ga: {mutation: {rate: 1.5}}\n",
         "r.yaml:3:17: ga.mutation.rate: '1.5' is wrong; expected a number from 0 to 1"},
        {LEAST "ga: {mutation: {rate: nan}}\n",
         "r.yaml:3:17: ga.mutation.rate: 'nan' is wrong; expected a number from 0 to 1"},
        {LEAST "seed: -1\n", "r.yaml:3:1: seed: '-1' is wrong; expected a whole number from 0 to "
                             "9223372036854775807"},
        {COEVOLUTION "fitness: {games: 3}\n",
         "r.yaml:4:11: fitness.games: '3' is wrong; expected an even number from 2 to 1000"},
        {LEAST "phase: chess\n",
         "r.yaml:3:1: phase: 'chess' is wrong; expected one of evaluation, search, games"},
        {LEAST "ga: {start: default}\n",
         "r.yaml:3:6: ga.start: 'default' is wrong; expected random, defaults, or a number from 0 to 1"},
        /* names and lists of files */
        {"name: ''\ndata: {train: a}\n",
         "r.yaml:1:1: name: '' is wrong; expected a name of 1 to 63 bytes on one line"},
        {"data: {train: a}\n", "r.yaml: name: missing; the name of the run"},
        {"name: n\n", "r.yaml: data.train: missing; EPD files with the training positions"},
        {"name: n\ndata: {train: []}\n",
         "r.yaml:2:8: data.train: an empty list; at least one file is needed"},
        {"name: n\ndata: {train: {a: b}}\n",
         "r.yaml:2:8: data.train: a mapping is wrong; expected a list of up to 16 files"},
        {"name: n\ndata: {train: [[a]]}\n",
         "r.yaml:2:16: data.train: a list is wrong; expected a list of up to 16 files"},
        {"name: n\ndata: {train: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,\n17]}\n",
         "r.yaml:3:1: data.train: more than 16 files"},
        {"name: n\nphase: coevolution\n",
         "r.yaml: data.openings: missing; opening book: EPD, FEN or PGN"},
        /* keys of another phase */
        {SEARCH "fitness: {measure: move_match}\n",
         "r.yaml:4:11: fitness.measure: phase search is measured by nodes_to_solution, not "
         "move_match"},
        {LEAST "fitness: {measure: nodes_to_solution}\n",
         "r.yaml:3:11: fitness.measure: phase evaluation is measured by move_match, not "
         "nodes_to_solution"},
        {SEARCH "fitness: {limit: 5, leaf: static}\n",
         "r.yaml:4:21: fitness.leaf: not a key of phase search, measure nodes_to_solution"},
        {COEVOLUTION "fitness: {scale: log}\n",
         "r.yaml:4:11: fitness.scale: not a key of phase games, measure games"},
        /* what does not go together */
        {LEAST "ga: {population: 10, elitism: 10}\n",
         "r.yaml:3:22: ga.elitism: elitism of 10 in a population of 10; it must be less"},
        {LEAST "ga: {elitism: 100}\n",
         "r.yaml:3:6: ga.elitism: elitism of 100 in a population of 100; it must be less"},
        {LEAST "ga: {population: 2, seeds: [a, b, c]}\n",
         "r.yaml:3:21: ga.seeds: 3 seeds for a population of 2"},
        {"name: n\nphase: search\ndata: {train: [a], held_out: [b], split: halves}\n",
         "r.yaml:3:35: data.split: halves hold out every second position; data.held_out must be "
         "empty"},
        {LEAST "optimiser: {kind: differential-evolution}\nga: {population: 3}\n",
         "r.yaml:4:6: ga.population: a population of 3; differential-evolution needs 4 or more"},
        {COEVOLUTION "optimiser: {kind: particle-swarm}\n",
         "r.yaml:4:13: optimiser.kind: particle-swarm compares organisms of different "
         "generations, but games rank only one generation; use genetic, cma-es, sep-cma-es, "
         "evolution-strategy, spsa or random"},
        {COEVOLUTION "fitness: {mates: yes}\n",
         "r.yaml:4:11: fitness.mates: genetic has no pairs of organisms; use spsa or "
         "evolution-strategy"},
        {COEVOLUTION "fitness: {mates: yes}\noptimiser: {kind: spsa}\nga: {population: 8}\n",
         "r.yaml:6:6: ga.population: a population of 8; with fitness.mates it is pairs and the "
         "estimate, an odd number"},
        {COEVOLUTION
         "fitness: {mates: yes, hall: 2}\noptimiser: {kind: spsa}\nga: {population: 9}\n",
         "r.yaml:4:11: fitness.mates: mates play each other only; leave out fitness.neighbours, "
         "rematch, seed_games and hall"},
        /* optimisers */
        {LEAST "optimiser: {kind: annealing}\n",
         "r.yaml:3:13: optimiser.kind: 'annealing' is wrong; expected one of genetic, cma-es, "
         "evolution-strategy, differential-evolution, particle-swarm, random, hill-climbing, spsa, "
         "gradient-descent, sep-cma-es"},
        {LEAST "optimiser: {sigma: 0.3}\n", "r.yaml:3:13: optimiser.sigma: a key of optimiser "
                                            "cma-es or evolution-strategy or sep-cma-es, but the "
                                            "optimiser is genetic"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        const char *text = mistakes[i].text, *reason = mistakes[i].reason;
        cr_expect_not(read_text(text), "%s", text);
        cr_expect_str_eq(err.text, reason, "got  %s\nwant %s", err.text, reason);
    }
}

Test(recipe, former_names_are_read_and_the_present_ones_written)
{
    struct recipe first;
    MUST(read_text("name: n\nphase: games\ndata: {openings: a}\nga: {start: defaults}\n"));
    first = recipe;
    MUST(read_text(COEVOLUTION "ga: {defaults: 1}\n"));
    cr_assert_eq(memcmp(&recipe, &first, sizeof recipe), 0);
    char *text = recipe_text(&recipe);
    cr_assert(strstr(text, "phase: games\n") != NULL && strstr(text, " start: defaults\n") != NULL,
              "%s", text);
    free(text);
    MUST(read_text(LEAST "ga: {start: random, defaults: 0.25}\n"));
    text = recipe_text(&recipe);
    cr_assert(strstr(text, " start: 0.25\n") != NULL, "%s", text);
    free(text);
}

Test(recipe, text_reads_back_as_the_same_recipe)
{
    expect_text("name: 'a \"quoted\" \\ näme: [x]'\nseed: 7\nspace: /s p/a.yaml\n"
                "data:\n  train: [\"/a, b\", '/#c']\n"
                "fitness: {power: 4, leaf: static}\n"
                "ga:\n  population: 12\n  generations: 3\n  elitism: 0\n"
                "  selection: {kind: rank, pressure: 1.1}\n"
                "  crossover: {kind: one-point, rate: 0.3333333333333333}\n"
                "  mutation: {rate: 1e-9}\n",
                "generations: 3\n", NULL);
}

/* A text is for people, and has the paper's values for what was left out. */
Test(recipe, absent_keys_have_the_papers_values_for_the_phase)
{
    static const char *const texts[][2] = {
        {LEAST,
         "name: \"n\"\nphase: evaluation\nseed: 1\nspace: \"\"\n"
         "data:\n  train: [\"a.epd\"]\n  first: 0\n  held_out: []\n"
         "fitness:\n  measure: move_match\n  power: 2\n  batch: 0\n  leaf: quiescence\n"
         "optimiser:\n  kind: genetic\n"
         "ga:\n  population: 100\n  generations: 200\n  seeds: []\n  start: random\n  fill: random\n  elitism: 1\n"
         "  selection:\n    kind: proportional\n    size: 2\n    pressure: 2\n    truncation: 0\n"
         "  crossover:\n    kind: uniform\n    rate: 0.75\n"
         "  mutation:\n    rate: 0.005\n"},
        {SEARCH,
         "name: \"n\"\nphase: search\nseed: 1\nspace: \"\"\n"
         "data:\n  train: [\"a.epd\"]\n  first: 0\n  held_out: []\n  split: none\n"
         "fitness:\n  measure: nodes_to_solution\n  limit: 500000\n  definition: first\n"
         "  cost: nodes\n  scale: linear\n  hash: 16\n  evaluation: \"\"\n"
         "optimiser:\n  kind: genetic\n"
         "ga:\n  population: 10\n  generations: 50\n  seeds: []\n  start: random\n  fill: random\n  elitism: 1\n"
         "  selection:\n    kind: proportional\n    size: 2\n    pressure: 2\n    truncation: 0\n"
         "  crossover:\n    kind: uniform\n    rate: 0.75\n"
         "  mutation:\n    rate: 0.05\n"},
    };
    for (int i = 0; i < 2; i++) {
        MUST(read_text(texts[i][0]));
        char *text = recipe_text(&recipe);
        cr_expect_str_eq(text, texts[i][1]);
        free(text);
    }
}

Test(recipe, search_text_reads_back_as_the_same_recipe)
{
    expect_text("name: s\nphase: search\nspace: /s.yaml\n"
                "data: {train: [/a.epd], split: halves}\n"
                "fitness: {limit: 777, definition: stable, scale: log, hash: 3,\n"
                "          evaluation: /e.yaml}\n"
                "ga: {population: 6, generations: 9}\n",
                "limit: 777\n", "leaf");
    cr_assert(recipe.definition == DEFINITION_STABLE && recipe.scale == SCALE_LOG);
}

/* Defaults are those of the methods, and the text has those of the chosen one and no other. */
Test(recipe, names_an_optimiser_with_its_settings)
{
    expect_text(LEAST "optimiser: {kind: spsa, step: 0.05}\n",
                "optimiser:\n  kind: spsa\n  step: 0.05\n  perturbation: 0.1\n  stability: 10\n"
                "  rate: 0.1\nga:",
                NULL);
    struct optimiser_settings expected = optimiser_default_settings(OPTIMISER_SPSA);
    expected.spsa.step = 0.05;
    cr_assert_eq(memcmp(&recipe.optimiser, &expected, sizeof expected), 0);
}

/* Keys that several methods have are settings of the chosen one, wherever the recipe names it. */
Test(recipe, gives_a_key_of_several_optimisers_to_the_chosen_one)
{
    cr_assert(read_text(LEAST "optimiser: {sigma: 0.05, kind: evolution-strategy}\n"));
    cr_assert_float_eq(recipe.optimiser.evolution_strategy.sigma, 0.05, 0);
    cr_assert_float_eq(recipe.optimiser.cma_es.sigma, 0.3, 0);
    cr_assert(read_text(LEAST "optimiser: {kind: cma-es, sigma: 0.05}\n"));
    cr_assert_float_eq(recipe.optimiser.cma_es.sigma, 0.05, 0);
    cr_assert_float_eq(recipe.optimiser.evolution_strategy.sigma, 0.3, 0);
    cr_assert(read_text(LEAST "optimiser: {perturbation: 0.5, step: 1, kind: gradient-descent}\n"));
    cr_assert_float_eq(recipe.optimiser.gradient_descent.step, 1, 0);
    cr_assert_float_eq(recipe.optimiser.gradient_descent.perturbation, 0.5, 0);
    cr_assert_float_eq(recipe.optimiser.spsa.step, 0.2, 0);
    cr_assert_float_eq(recipe.optimiser.spsa.perturbation, 0.1, 0);
}

Test(recipe, names_are_one_line_of_any_script)
{
    static const char *const refused[] = {"\\n",   "\\t",     "\\P",     "\\N",
                                          "\\x80", "\\uFFFE", "\\uFEFF", "\\x7F"};
    cr_expect(read_text("name: \"Äsche \\u4e2d \\U0001F41F\"\ndata: {train: [a.epd]}\n"), "%s",
              err.text);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        cr_expect_not(read_text(text_of("name: \"a%sb\"\ndata: {train: [a.epd]}\n", refused[i])),
                      "%s", refused[i]);
    }
}

Test(recipe, reference_names_every_key_of_the_text)
{
    static const char *const parts[] = {
        "  ga.mutation.rate: probability that a bit flips\n"
        "      a number from 0 to 1; default 0.005; in phase search 0.05\n",
        "  name: the name of the run\n"
        "      a name of 1 to 63 bytes on one line; required\n",
        "  data.train: EPD files with the training positions\n"
        "      a list of up to 16 files; required; only with measure move_match or\n"
        "      nodes_to_solution or mentor or results\n",
        "  data.openings: opening book: EPD, FEN or PGN\n"
        "      the name of a file; required; only with measure games\n",
    };
    char *reference = recipe_reference();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cr_expect_not_null(strstr(reference, parts[i]), "%s", parts[i]);
    free(reference);
}

/* A recipe in a directory of its own, with a data file beside it. */
static const char *path, *data;

static void begin_files(void)
{
    scratch_begin();
    data = scratch_write("a.epd", "");
    path = scratch_write("r.yaml", LEAST "ga: {population: 20}\n");
}

TestSuite(recipe_file, .init = begin_files, .fini = scratch_end);

/* Reads the recipe, with up to one setting. */
static bool read_with(const char *setting)
{
    return recipe_read(path, &setting, setting != NULL, &recipe, &err);
}

/* Writes another recipe, and reads it. */
static bool read_file(const char *text)
{
    scratch_write("r.yaml", text);
    return read_with(NULL);
}

Test(recipe_file, paths_are_relative_to_the_recipe_and_become_absolute)
{
    MUST(read_with(NULL));
    cr_assert_eq(recipe.train[0][0], '/');
    const char *end = strrchr(recipe.train[0], '/');
    cr_assert_str_eq(end, "/a.epd");
    cr_assert_eq(access(recipe.train[0], R_OK), 0);
}

Test(recipe_file, a_missing_data_file_is_named)
{
    cr_assert_not(read_file("name: n\ndata:\n  train: [a.epd, b.epd]\n"));
    cr_assert_str_eq(
        err.text,
        text_of("%s:3:18: data.train: cannot open 'b.epd': No such file or directory; paths are "
                "relative to the recipe",
                path));
}

Test(recipe_file, a_name_is_a_file_beside_it_or_one_of_the_program)
{
    cr_assert_eq(mkdir(scratch_path("data"), 0777), 0);
    scratch_write("data/known.epd", "4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n");
    scratch_write("r.yaml", "name: n\ndata:\n  train: [known]\n");
    cr_assert_eq(setenv("GRAYLING_DATA", directory, 1), 0);
    MUST(read_with(NULL));
    cr_expect_str_eq(strrchr(recipe.train[0], '/'), "/known.epd");
    scratch_write("known", "4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n");
    MUST(read_with(NULL));
    cr_expect_str_eq(strrchr(recipe.train[0], '/'), "/known", "what is beside the recipe wins");
    cr_expect_not(read_file("name: n\ndata:\n  train: [unknown]\n"));
    SAID("cannot open 'unknown': No such file");
}

Test(recipe_file, settings_go_over_the_file)
{
    const char *settings[] = {"ga.population=50", "seed=9", "ga.selection={kind: rank}"};
    MUST(recipe_read(path, settings, 3, &recipe, &err));
    cr_assert_eq(recipe.optimiser.population, 50);
    cr_assert_eq(recipe.seed, 9u);
    cr_assert_eq(recipe.optimiser.genetic.selection, SELECTION_RANK);
}

Test(recipe_file, a_setting_names_a_file_from_the_working_directory)
{
    cr_assert_eq(chdir("/"), 0);
    MUST(read_with(text_of("data.train=%s", data + 1)));
    cr_assert_eq(recipe.train_count, 1);
}

/* Counts the files that a recipe names. */
static bool count_file(void *context, const char *role, char file[RECIPE_PATH], struct error *e)
{
    (void)role, (void)file, (void)e;
    ++*(int *)context;
    return true;
}

/* It names no file, wherever the recipe is. */
Test(recipe_file, a_space_may_be_the_kind_of_a_table)
{
    int files = 0;
    MUST(read_file(LEAST "space: evaluation-modern\n"));
    cr_expect_str_eq(recipe.space, "evaluation-modern");
    cr_expect(recipe_each_file(&recipe, count_file, &files, &err));
    cr_expect_eq(files, 1, "the training positions");
    MUST(read_with("space=search-modern"));
    cr_expect_str_eq(recipe.space, "search-modern");
    cr_expect_not(read_file(LEAST "space: evaluation-modem\n"));
    SAID("cannot open 'evaluation-modem'");
}

/* Keeps a clock as it is written, and the rules for games that end early. */
Test(recipe, text_of_games_reads_back_as_the_same_recipe)
{
    expect_text(COEVOLUTION "fitness: {tc: 8+0.08, win_score: 600, draw_score: 12}\n",
                "tc: \"8+0.08\"\n", NULL);
    cr_expect_str_eq(recipe.tc, "8+0.08");
    cr_expect(recipe_is_timed(&recipe));
    cr_expect(recipe.win_moves == 4 && recipe.draw_score == 12 && recipe.draw_moves == 8 &&
              recipe.draw_from == 40);
    MUST(read_text(COEVOLUTION));
    cr_expect(recipe.draw_score == 0 && recipe.tc[0] == '\0' && !recipe_is_timed(&recipe));
    cr_expect_not(read_text(COEVOLUTION "fitness: {tc: 40/8}\n"));
    SAID("fitness.tc: '40/8' is wrong; expected seconds for a game "
         "and after each move, as 8+0.08");
}

#define GAMES(fitness)                                                                             \
    "name: n\nphase: coevolution\ndata: {openings: a.epd}\nfitness: {" fitness "}\n"

/* The stored text of a run that began before there were pairs has no such key. */
Test(recipe_file, games_are_pairs_unless_a_stored_text_does_not_say_so)
{
    MUST(read_file(GAMES("games: 2")));
    cr_expect_eq(recipe.pairs, 1);
    char *text = recipe_text(&recipe);
    MUST(read_text(text));
    cr_expect_eq(recipe.pairs, 1);
    free(text);
    MUST(read_text(GAMES("games: 2")));
    cr_expect_eq(recipe.pairs, 0);
}

Test(recipe_file, a_key_without_effect_is_refused)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {LEAST "ga: {selection: {kind: rank, size: 5}}\n",
         "ga.selection.size: has no effect without ga.selection.kind: tournament; leave it out"},
        {LEAST "ga: {selection: {size: 5}}\n", "ga.selection.size: has no effect"},
        {LEAST "ga: {selection: {pressure: 1.5}}\n", "without ga.selection.kind: rank"},
        {LEAST "ga: {selection: {kind: rank, truncation: 2}}\n",
         "without ga.selection.kind: proportional"},
        {LEAST "ga: {fill: offspring}\n", "ga.fill: has no effect without ga.seeds or ga.start"},
        {GAMES("movetime: 20, limit: 500000"),
         "fitness.limit: has no effect without fitness.movetime: 0; leave it out"},
        {GAMES("tc: 8+0.08, limit: 500000"),
         "fitness.limit: has no effect without fitness.tc: ''; leave it out"},
        {GAMES("tc: 8+0.08, movetime: 20"),
         "fitness.movetime: has no effect without fitness.tc: ''; leave it out"},
        {GAMES("win_moves: 3"), "fitness.win_moves: has no effect without fitness.win_score"},
        {GAMES("draw_moves: 4"), "fitness.draw_moves: has no effect without fitness.draw_score"},
        {GAMES("draw_from: 20"), "fitness.draw_from: has no effect without fitness.draw_score"},
        {GAMES("seed_games: 2"), "fitness.seed_games: has no effect without ga.seeds"},
        {GAMES("hall_games: 4"), "fitness.hall_games: has no effect without fitness.hall"},
        {GAMES("opponent_games: 6"), "fitness.opponent_games: has no effect without data.opponent"},
        {GAMES("start_games: 6"), "fitness.start_games: has no effect without fitness.mates"},
        {GAMES("mates: yes, pairs: no") "optimiser: {kind: spsa}\nga: {population: 9}\n",
         "fitness.pairs: has no effect without fitness.mates: no"},
        {GAMES("games: 2") "optimiser: {kind: spsa, rate: 0.2}\n",
         "optimiser.rate: has no effect without fitness.mates"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_not(read_file(cases[i].text), "%s", cases[i].text);
        SAID(cases[i].reason);
        cr_expect(read_text(cases[i].text), "a stored text is read as it is: %s", err.text);
    }
}

Test(recipe_file, a_key_with_an_effect_or_its_default_is_read)
{
    static const char *const texts[] = {
        LEAST "ga: {selection: {kind: rank, size: 2, pressure: 1.5, truncation: 0.0}}\n",
        LEAST "ga: {selection: {kind: tournament, size: 5}}\n",
        LEAST "ga: {defaults: 0.5, fill: offspring}\n",
        GAMES("hall: 1, hall_games: 4, seed_games: 2") "ga: {seeds: [a.epd]}\n",
        GAMES("movetime: 20, limit: 2000"),
        GAMES("movetime: 0, limit: 300"),
        GAMES("tc: '', limit: 300"),
        GAMES("tc: 8+0.08, limit: 2000, movetime: 0"),
        GAMES("win_score: 600, win_moves: 3, draw_score: 10, draw_moves: 4, draw_from: 30"),
        GAMES("hall: 0, hall_games: 2, seed_games: 0, opponent_games: 100") "ga: {fill: random}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_expect(read_file(texts[i]), "%s%s", texts[i], err.text);
    }
}

/* A setting may take the effect from a key of the file, as the file is then the base of another recipe. */
Test(recipe_file, a_setting_without_effect_is_refused)
{
    const char *size = "ga.selection.size=5";
    cr_expect_not(read_with(size));
    SAID("--set ga.selection.size: has no effect");
    scratch_write("r.yaml", LEAST "ga: {selection: {kind: tournament, size: 4}}\n");
    cr_expect(read_with(size), "%s", err.text);
    cr_expect(read_with("ga.selection.kind=rank"), "%s", err.text);
    cr_expect_eq(recipe.optimiser.genetic.selection, SELECTION_RANK);
}

Test(recipe_file, a_setting_of_another_optimiser_leaves_the_keys_of_the_files_idle)
{
    const char *settings[] = {"optimiser.kind=spsa", "optimiser.common=0.1"};
    scratch_write("r.yaml",
                  LEAST "optimiser: {kind: evolution-strategy, sigma: 0.1, margin: 0.2}\n");
    cr_expect(recipe_read(path, settings, 1, &recipe, &err), "%s", err.text);
    cr_expect_eq(recipe.optimiser.kind, OPTIMISER_SPSA);
    cr_expect_not(recipe_read(path, settings, 2, &recipe, &err));
    SAID("--set optimiser.common: a key of optimiser evolution-");
}

Test(recipe_file, a_stage_may_have_its_seeds_later)
{
    static const struct yaml_node *const none[2];
    scratch_write("r.yaml", GAMES("seed_games: 2") "ga: {fill: offspring}\n");
    cr_expect(recipe_read_of_stage(path, none, "", RECIPE_SEEDS_LATER, &recipe, &err), "%s",
              err.text);
    cr_expect_not(recipe_read_of_stage(path, none, "", RECIPE_TRAIN_LATER, &recipe, &err));
}

Test(recipe_file, wrong_settings_are_named)
{
    static const struct {
        const char *setting, *reason;
    } cases[] = {
        {"ga.population=1",
         "--set ga.population: '1' is wrong; expected a whole number from 2 to 4096"},
        {"ga.populaton=5", "--set ga.populaton: unknown key; did you mean ga.population?"},
        {"ga.population", "--set ga.population: expected key=value, such as ga.population=50"},
        {"=5", "--set =5: expected key=value, such as ga.population=50"},
        {"ga.elitism=20", "--set ga.elitism: elitism of 20 in a population of 20; it must be less"},
        {"data.train=no.epd", "--set data.train: cannot open 'no.epd': No such file or directory; "
                              "paths are relative to the working directory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_not(read_with(cases[i].setting));
        cr_expect_str_eq(err.text, cases[i].reason, "got %s", err.text);
    }
}

/* Reads one of the project's recipes on other data. */
static void read_own(const char *name)
{
    const char *own = text_of("%s/params/recipes/%s.yaml", getenv("GRAYLING_SOURCE"), name),
               *setting = text_of("data={train: %s}", data);
    MUST(recipe_read(own, &setting, 1, &recipe, &err));
    cr_assert_str_eq(recipe.name, name);
}

Test(recipe_file, the_projects_own_recipes_say_what_the_paper_says)
{
    static const char *const evaluation[] = {"paper", "quick"};
    for (int i = 0; i < 2; i++) {
        read_own(evaluation[i]);
        cr_assert(recipe.optimiser.population == 100 && recipe.generations == 200);
    }
    cr_assert(read_text(SEARCH)); /* see absent_keys_have_the_papers_values_for_the_phase */
    struct recipe paper = recipe;
    read_own("search");
    cr_assert_eq(memcmp(&recipe.optimiser, &paper.optimiser, sizeof paper.optimiser), 0);
    cr_assert_eq(recipe.generations, paper.generations);
    cr_assert_eq(recipe.limit, paper.limit);
    cr_assert_eq(recipe.definition, paper.definition);
    cr_assert_eq(recipe.scale, paper.scale);
    cr_assert_neq(recipe.space[0], '\0');
    read_own("search-quick");
    cr_assert_lt(recipe.limit, paper.limit);
    read_own("search-modern");
    cr_assert_eq(recipe.definition, DEFINITION_STABLE);
}
