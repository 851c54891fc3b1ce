#include "recipe_keys.h"

#include "engine.h"
#include "evaluation.h"
#include "text_stream.h"

#include <stdio.h>
#include <string.h>

const struct param_table *const recipe_tables[] = {
    &eval_table,     &modern_eval_table, &search_table, &modern_table,
    &nullmove_table, &search_all_table,  NULL};

bool recipe_is_kind(const char *name)
{
    for (const struct param_table *const *t = recipe_tables; *t != NULL; t++)
        if (strcmp((*t)->kind, name) == 0)
            return true;
    return false;
}

/* The names of each choice, by number. */
/* clang-format off */
#define NAMED(i, ...) { static const char *const names[] = {__VA_ARGS__}; return names[i]; }
const char *recipe_phase_name(int i) NAMED(i, "evaluation", "search", "games")
const char *recipe_measure_name(int i) NAMED(i, "move_match", "nodes_to_solution", "games", "mentor", "results")
static const char *split_choice(int i) NAMED(i, "none", "halves")
static const char *definition_choice(int i) NAMED(i, "first", "stable")
static const char *scale_choice(int i) NAMED(i, "linear", "log")
static const char *cost_choice(int i) NAMED(i, "nodes", "time")
static const char *leaf_choice(int i) NAMED(i, "quiescence", "static")
static const char *fill_choice(int i) NAMED(i, "random", "offspring")
static const char *start_choice(int i) NAMED(i, "random", "defaults")
static const char *unique_choice(int i) NAMED(i, "no", "yes")
static const char *selection_choice(int i) NAMED(i, "proportional", "rank", "tournament")
static const char *crossover_choice(int i) NAMED(i, "uniform", "one-point", "two-point", "discrete", "intermediate", "line")
const char *recipe_optimiser_name(int i) { return optimiser_method_of((enum optimiser_kind)i)->name; }
/* clang-format on */

#define AT(field)            offsetof(struct recipe, field)
#define NAME(field)          VALUE_NAME, AT(field), 0, 0, 0, NULL
#define FILE_PATH(field)     VALUE_FILE, AT(field), 0, 0, 0, NULL
#define SPACE(field)         VALUE_SPACE, AT(field), 0, 0, 0, NULL
#define FILES(field, count)  VALUE_FILES, AT(field), AT(count), 0, 0, NULL
#define CLOCK(field)         VALUE_CLOCK, AT(field), 0, 0, 0, NULL
#define SEED(field)          VALUE_SEED, AT(field), 0, 0, 0, NULL
#define WHOLE(field, a, b)   VALUE_WHOLE, AT(field), 0, a, b, NULL
#define EVEN(field, a, b)    VALUE_EVEN, AT(field), 0, a, b, NULL
#define REAL(field, a, b)    VALUE_REAL, AT(field), 0, a, b, NULL
#define CHOICE(field, f, to) VALUE_CHOICE, AT(field), 0, 0, to, f
#define SHARE(field, f)      VALUE_REAL, AT(field), 0, 0, 1, f

enum {
    MATCH = 1 << MEASURE_MOVE_MATCH,
    NODES = 1 << MEASURE_NODES_TO_SOLUTION,
    GAMES = 1 << MEASURE_GAMES,
    MENTOR = 1 << MEASURE_MENTOR,
    RESULTS = 1 << MEASURE_RESULTS,
    LEAVES = MATCH | MENTOR | RESULTS,
    POSITIONS = LEAVES | NODES,
    SEARCHES = NODES | GAMES,
    ALL = POSITIONS | GAMES,
};

/* Keys of the settings of optimisers (method_settings.def, genetic_settings.def). */
#define BIT(kind) 1u << (OPTIMISER_BITS + OPTIMISER_##kind)
#define SETTING_REAL(owner, path, field, a, b, initial, meaning)                                   \
    {path, ALL | (owner), REAL(optimiser.field, a, b), #initial, meaning},
#define SETTING_WHOLE(owner, path, field, a, b, initial, meaning)                                  \
    {path, ALL | (owner), WHOLE(optimiser.field, a, b), #initial, meaning},
#define SETTING_CHOICE(owner, path, field, names, last, initial, word, meaning)                    \
    {path, ALL | (owner), CHOICE(optimiser.field, names, last), word, meaning},

/* All keys of a recipe. Keys of the same section are adjacent. */
/* clang-format off */
const struct key recipe_keys[] = {
    {"name", ALL, NAME(name), NULL, "the name of the run"},
    {"phase", ALL, CHOICE(phase, recipe_phase_name, PHASE_GAMES), "evaluation", "what evolves"},
    {"seed", ALL, SEED(seed), "1", "a run with the same seed and settings repeats exactly"},
    {"space", ALL, SPACE(space), "", "file with the bits and ranges of the genes; or the kind of a parameter table, such as evaluation-modern, for its own; empty: those of the phase's table"},
    {"data.train", POSITIONS, FILES(train, train_count), NULL, "EPD files with the training positions"},
    {"data.first", POSITIONS, WHOLE(first, 0, 1000000000), "0", "number of positions of the train files to use, from the start and before a split; 0: all"},
    {"data.held_out", POSITIONS, FILES(held_out, held_out_count), "", "EPD files with held-out positions, for reports only"},
    {"data.split", NODES, CHOICE(split, split_choice, SPLIT_HALVES), "none", "halves: every second position of the train files is held out"},
    {"data.openings", GAMES, FILE_PATH(openings), NULL, "opening book: EPD, FEN or PGN"},
    {"data.opponent", GAMES, FILE_PATH(opponent), "", "parameter file or run that plays the best organism of each generation, for reports only"},
    {"fitness.measure", ALL, CHOICE(measure, recipe_measure_name, RECIPE_MEASURES - 1), "move_match", "objective value of an organism"},
    {"fitness.power", MATCH, WHOLE(power, 1, 4), "2", "fitness = moves matched ^ power"},
    {"fitness.batch", MATCH | RESULTS, WHOLE(batch, 0, 1000000000), "0", "training positions that a generation is measured on: the next ones of all, in a random order by the seed, so that more generations fit in the same time; 0: all. Values of different generations do not compare then"},
    {"fitness.clip", MENTOR, WHOLE(clip, 1, 100000), "1000", "centipawns: the most that one position adds to the distance from the mentor"},
    {"fitness.k", RESULTS, WHOLE(k, 1, 100000), "200", "K of Texel's method: a score of K centipawns expects 73 % of the points, 1 / (1 + 1/e)"},
    {"fitness.scores", RESULTS, WHOLE(scores, 0, 100), "0", "percent of a position's score, if it has one (ce, of which 200 expect 73 % of the points, as sample writes it), in what is predicted; the rest is the result"},
    {"fitness.leaf", LEAVES, CHOICE(leaf, leaf_choice, LEAF_STATIC), "quiescence", "where positions are evaluated: at the leaves of their quiescence search, or as they are"},
    {"fitness.limit", SEARCHES, WHOLE(limit, 1, 1000000000), "500000", "nodes per position, which is also the cost of an unsolved one; in games, nodes per move"},
    {"fitness.definition", NODES, CHOICE(definition, definition_choice, DEFINITION_STABLE), "first", "a position is solved when a solution first becomes the best move (first), or from when it stays so (stable)"},
    {"fitness.cost", NODES, CHOICE(cost, cost_choice, COST_TIME), "nodes", "what a search costs; time: milliseconds, which are also the unit of the limit then. For another engine whose node counts mean something else; such a run does not repeat exactly"},
    {"fitness.scale", NODES, CHOICE(scale, scale_choice, SCALE_LOG), "linear", "what is summed: nodes, or their logarithms"},
    {"fitness.hash", SEARCHES, WHOLE(hash, HASH_MIN, HASH_MAX), "16", "size of the transposition table of each engine, in MiB"},
    {"fitness.evaluation", SEARCHES, FILE_PATH(evaluation), "", "parameter file or run with the evaluation, if the search evolves; empty: the initial values"},
    {"fitness.search", GAMES, FILE_PATH(search), "", "parameter file or run with the search, if the evaluation evolves; empty: plain alpha-beta"},
    {"fitness.movetime", GAMES, WHOLE(movetime, 0, 3600000), "0", "milliseconds per move instead of a limit of nodes; 0: nodes. For another engine; such a run does not repeat exactly"},
    {"fitness.depth", GAMES, WHOLE(depth, 0, 100), "0", "plies per move instead of a limit of nodes; 0: nodes. For an evaluation, or weights of another engine: of two searches to one depth, the one that prunes less plays better"},
    {"fitness.tc", GAMES, CLOCK(tc), "", "a clock instead of a limit of nodes or of time per move, so that time management counts. Such a run does not repeat"},
    {"fitness.games", GAMES, EVEN(games, 2, 1000), "4", "games per pair of organisms, half with each colour"},
    {"fitness.pairs", GAMES, CHOICE(pairs, unique_choice, 1), "yes", "yes: two games from each opening with colours reversed, and all generations take openings in one order, so that one comes again when all have been used; no: an opening for each game, and another order in each generation, as in runs that began without this key"},
    {"fitness.neighbours", GAMES, EVEN(neighbours, 0, POPULATION_MAX - 1), "0", "number of other organisms that each organism plays: its neighbours in a circle that is drawn anew for each generation; 0: all others. Few neighbours leave games for more generations"},
    {"fitness.mates", GAMES, CHOICE(mates, unique_choice, 1), "no", "yes: the two organisms of a pair play each other and nobody else; for spsa and the evolution strategy, whose pairs then lie on both sides of an estimate. The start, organism 0 of generation 0, is not played for: a run begins at it"},
    {"fitness.start_games", GAMES, EVEN(start_games, 0, 1000), "0", "with mates: games of each generation's estimate against the start; they show what the run has gained, and decide nothing. They have openings of their own"},
    {"fitness.unique", GAMES, CHOICE(unique, unique_choice, 1), "yes", "yes: no opening comes again in a generation; no: openings repeat when all have been used"},
    {"fitness.keep", GAMES, CHOICE(keep, unique_choice, 1), "no", "yes: the run's file keeps the games as PGN. A night sets it where a later stage learns from them"},
    {"fitness.win_score", GAMES, WHOLE(win_score, 0, 30000), "0", "score in centipawns: a game that decides fitness is won when both sides report it for win_moves moves; 0: none is"},
    {"fitness.win_moves", GAMES, WHOLE(win_moves, 1, 1000), "4", "moves in a row of each side that have this score"},
    {"fitness.draw_score", GAMES, WHOLE(draw_score, 0, 30000), "0", "score in centipawns: a game that decides fitness is drawn when both sides report at most that, for either side, for draw_moves moves; 0: none is"},
    {"fitness.draw_moves", GAMES, WHOLE(draw_moves, 1, 1000), "8", "moves in a row of each side that have this score"},
    {"fitness.draw_from", GAMES, WHOLE(draw_from, 0, 10000), "40", "move from which on games are drawn so; the opening counts"},
    {"fitness.rematch", GAMES, EVEN(rematch, 0, 1000), "0", "extra games of the leader against each other organism; repeated until the leader has played them"},
    {"fitness.seed_games", GAMES, EVEN(seed_games, 0, 1000), "0", "games of each organism against each seed"},
    {"fitness.hall", GAMES, WHOLE(hall, 0, 1000), "0", "number of past champions that each organism also plays; the latest different ones"},
    {"fitness.hall_games", GAMES, EVEN(hall_games, 2, 1000), "2", "games of each organism against each past champion"},
    {"fitness.opponent_games", GAMES, EVEN(opponent_games, 2, 1000000), "100", "games of the best organism against the opponent, always from the same openings"},
    {"optimiser.kind", ALL, CHOICE(optimiser.kind, recipe_optimiser_name, OPTIMISERS - 1), "genetic", "method that produces the generations"},
#include "method_settings.def"
    {"ga.population", ALL, WHOLE(optimiser.population, 2, POPULATION_MAX), "100", "organisms per generation, with every optimiser"},
    {"ga.generations", ALL, WHOLE(generations, 0, 1000000), "200", "generations after generation 0"},
    {"ga.seeds", ALL, FILES(seeds, seed_count), "", "first organisms of generation 0: parameter files, and runs, whose best organism is taken"},
    {"ga.fit", RESULTS, WHOLE(fit, 0, 1000000), "0", "steps of Adam by which the first seed, or the defaults, is fitted to the training positions at the scale fitness.k; the result is a seed too. 0: none is"},
    {"ga.start", ALL, SHARE(optimiser.defaults, start_choice), "random", "where generation 0 begins, after the seeds: at random, or at the defaults of the space, one organism as they are and the others mutated; or the share of it that begins at the defaults"},
    {"ga.fill", ALL, CHOICE(optimiser.fill, fill_choice, FILL_OFFSPRING), "random", "the other organisms of generation 0: random ones, or offspring of the seeds"},
#include "genetic_settings.def"
};
/* clang-format on */

const int recipe_key_count = sizeof recipe_keys / sizeof recipe_keys[0];

const struct phase_default recipe_phase_defaults[] = {
    {PHASE_SEARCH, "fitness.measure", "nodes_to_solution"},
    {PHASE_SEARCH, "ga.population", "10"},
    {PHASE_SEARCH, "ga.generations", "50"},
    {PHASE_SEARCH, "ga.mutation.rate", "0.05"},
    {PHASE_GAMES, "fitness.measure", "games"},
    {PHASE_GAMES, "fitness.limit", "2000"},
    {PHASE_GAMES, "fitness.hash", "1"},
    {PHASE_GAMES, "ga.population", "10"},
    {PHASE_GAMES, "ga.generations", "50"},
    {PHASE_GAMES, "ga.selection.kind", "rank"},
};

const int recipe_phase_default_count =
    sizeof recipe_phase_defaults / sizeof recipe_phase_defaults[0];

bool recipe_key_of_measure(const struct key *key, enum recipe_measure measure)
{
    return (key->owners >> measure & 1) != 0;
}

bool recipe_key_of_optimiser(const struct key *key, enum optimiser_kind kind)
{
    unsigned optimisers = key->owners >> OPTIMISER_BITS;
    return optimisers == 0 || (optimisers >> kind & 1) != 0;
}

const char *recipe_present_name(const char *name)
{
    return strcmp(name, "ga.defaults") == 0   ? "ga.start"
           : strcmp(name, "coevolution") == 0 ? "games"
                                              : name;
}

const struct key *recipe_find_key(const char *path, enum optimiser_kind kind)
{
    const struct key *found = NULL;
    path = recipe_present_name(path);
    for (int i = 0; i < recipe_key_count; i++)
        if (strcmp(recipe_keys[i].path, path) == 0 &&
            (found == NULL || recipe_key_of_optimiser(&recipe_keys[i], kind)))
            found = &recipe_keys[i];
    return found;
}

void recipe_list_owners(unsigned owners, int count, const char *(*name)(int), char *text,
                        size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < count && owners != (1u << count) - 1; i++)
        if ((owners >> i & 1) != 0)
            text_add(text, size, "%s%s", text[0] != '\0' ? " or " : "", name(i));
}

void recipe_describe_expected(const struct key *key, char *text, size_t size)
{
    text[0] = '\0';
    switch (key->kind) {
    case VALUE_NAME:
        snprintf(text, size, "a name of 1 to %d bytes on one line", RECIPE_NAME - 1);
        break;
    case VALUE_FILE:
    case VALUE_SPACE:
        snprintf(text, size, "the name of a file%s",
                 key->kind == VALUE_SPACE ? ", or the kind of a parameter table" : "");
        break;
    case VALUE_FILES:
        snprintf(text, size, "a list of up to %d files", RECIPE_FILES);
        break;
    case VALUE_CLOCK:
        snprintf(text, size, "seconds for a game and after each move, as 8+0.08");
        break;
    case VALUE_SEED:
        snprintf(text, size, "a whole number from 0 to %lld", (long long)INT64_MAX);
        break;
    case VALUE_WHOLE:
    case VALUE_EVEN:
        snprintf(text, size, "%s number from %.0f to %.0f",
                 key->kind == VALUE_EVEN ? "an even" : "a whole", key->min, key->max);
        break;
    case VALUE_REAL:
        if (key->choice != NULL)
            snprintf(text, size, "%s, %s, or ", key->choice(0), key->choice(1));
        text_add(text, size, "a number from %g to %g", key->min, key->max);
        break;
    case VALUE_CHOICE:
        for (int i = 0; i <= (int)key->max; i++)
            text_add(text, size, "%s%s", i > 0 ? ", " : "one of ", key->choice(i));
        break;
    }
}
