#include "recipe_keys.h"

#include "engine.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* The names of the choices, by number. */
static const char *phase_choice(int i)
{
    static const char *const names[] = {"evaluation", "search", "coevolution"};
    return names[i];
}

static const char *measure_choice(int i)
{
    static const char *const names[] = {"move_match", "nodes_to_solution", "games"};
    return names[i];
}

static const char *split_choice(int i)
{
    static const char *const names[] = {"none", "halves"};
    return names[i];
}

static const char *definition_choice(int i)
{
    static const char *const names[] = {"first", "stable"};
    return names[i];
}

static const char *scale_choice(int i)
{
    static const char *const names[] = {"linear", "log"};
    return names[i];
}

static const char *leaf_choice(int i)
{
    static const char *const names[] = {"quiescence", "static"};
    return names[i];
}

static const char *selection_choice(int i)
{
    return selection_name((enum selection)i);
}

static const char *crossover_choice(int i)
{
    return crossover_name((enum crossover)i);
}

static const char *fill_choice(int i)
{
    static const char *const names[] = {"random", "offspring"};
    return names[i];
}

static const char *optimiser_choice(int i)
{
    return optimiser_method_of((enum optimiser_kind)i)->name;
}

static const char *unique_choice(int i)
{
    static const char *const names[] = {"no", "yes"};
    return names[i];
}

#define NAME(field)          VALUE_NAME, offsetof(struct recipe, field), 0, 0, NULL
#define FILE_PATH(field)     VALUE_FILE, offsetof(struct recipe, field), 0, 0, NULL
#define FILES(field)         VALUE_FILES, offsetof(struct recipe, field), 0, 0, NULL
#define SEED(field)          VALUE_SEED, offsetof(struct recipe, field), 0, 0, NULL
#define WHOLE(field, a, b)   VALUE_WHOLE, offsetof(struct recipe, field), a, b, NULL
#define EVEN(field, a, b)    VALUE_EVEN, offsetof(struct recipe, field), a, b, NULL
#define REAL(field, a, b)    VALUE_REAL, offsetof(struct recipe, field), a, b, NULL
#define CHOICE(field, f, to) VALUE_CHOICE, offsetof(struct recipe, field), 0, to, f

enum {
    MATCH = 1 << MEASURE_MOVE_MATCH,
    NODES = 1 << MEASURE_NODES_TO_SOLUTION,
    GAMES = 1 << MEASURE_GAMES,
    POSITIONS = MATCH | NODES,
    SEARCHES = NODES | GAMES,
    ALL = POSITIONS | GAMES,
};

/* The owners of a key that one optimiser has. */
#define OF(kind) (ALL | 1u << (OPTIMISER_BITS + OPTIMISER_##kind))

/* Every key of a recipe, one line each; keys of one section stand together. */
/* clang-format off */
const struct key recipe_keys[] = {
    {"name", ALL, NAME(name), NULL, "what the run is called"},
    {"phase", ALL, CHOICE(phase, phase_choice, PHASE_COEVOLUTION), "evaluation", "what evolves"},
    {"seed", ALL, SEED(seed), "1", "the same seed gives the same run"},
    {"space", ALL, FILE_PATH(space), "", "bits and ranges; empty: those of the parameter table"},
    {"data.train", POSITIONS, FILES(train), NULL, "EPD files with the positions to learn from"},
    {"data.first", POSITIONS, WHOLE(first, 0, 1000000000), "0", "learn from the first so many positions only; 0: from all"},
    {"data.held_out", POSITIONS, FILES(held_out), "", "EPD files that only report; none: no held-out score"},
    {"data.split", NODES, CHOICE(split, split_choice, SPLIT_HALVES), "none", "halves: of the train files' positions every second is held out"},
    {"data.openings", GAMES, FILE_PATH(openings), NULL, "book that games begin with: EPD, FEN or PGN"},
    {"data.opponent", GAMES, FILE_PATH(opponent), "", "parameter file or run that the best of each generation plays; no part of fitness"},
    {"fitness.measure", ALL, CHOICE(measure, measure_choice, MEASURE_GAMES), "move_match", "what is counted"},
    {"fitness.power", MATCH, WHOLE(power, 1, 4), "2", "fitness = measure ^ power"},
    {"fitness.leaf", MATCH, CHOICE(leaf, leaf_choice, LEAF_STATIC), "quiescence", "what the 1-ply search ends in"},
    {"fitness.limit", SEARCHES, WHOLE(limit, 1, 1000000000), "500000", "nodes a position, which is what it costs unsolved; in games, nodes a move"},
    {"fitness.definition", NODES, CHOICE(definition, definition_choice, DEFINITION_STABLE), "first", "solved when a right move first becomes best, or when it stays so"},
    {"fitness.scale", NODES, CHOICE(scale, scale_choice, SCALE_LOG), "linear", "what adds up: nodes, or their logarithms"},
    {"fitness.hash", SEARCHES, WHOLE(hash, HASH_MIN, HASH_MAX), "16", "MiB of transposition table for each engine"},
    {"fitness.evaluation", SEARCHES, FILE_PATH(evaluation), "", "parameter file of the evaluation, where the search evolves; empty: the initial values"},
    {"fitness.search", GAMES, FILE_PATH(search), "", "parameter file of the search, where the evaluation evolves; empty: plain alpha-beta"},
    {"fitness.games", GAMES, EVEN(games, 2, 1000), "4", "games of each two organisms, colours half and half"},
    {"fitness.unique", GAMES, CHOICE(unique, unique_choice, 1), "yes", "no opening twice in a generation; no: again when all have been used"},
    {"fitness.win_score", GAMES, WHOLE(win_score, 0, 30000), "0", "centipawns: a game that decides fitness is won when both sides have said so much four moves long; 0: all are played to their end"},
    {"fitness.rematch", GAMES, EVEN(rematch, 0, 1000), "0", "more games of the leader against each other, until the leader has had them"},
    {"fitness.seed_games", GAMES, EVEN(seed_games, 0, 1000), "0", "games of every organism against each seed"},
    {"fitness.hall", GAMES, WHOLE(hall, 0, 1000), "0", "past champions, the latest different ones, whom every organism plays too"},
    {"fitness.hall_games", GAMES, EVEN(hall_games, 2, 1000), "2", "games against each of them"},
    {"fitness.opponent_games", GAMES, EVEN(opponent_games, 2, 1000000), "100", "games of the best against the opponent, always from the same openings"},
    {"optimiser.kind", ALL, CHOICE(optimiser.kind, optimiser_choice, OPTIMISERS - 1), "genetic", "what makes each generation from those before"},
    {"optimiser.sigma", OF(CMA_ES), REAL(optimiser.cma_es.sigma, 0.001, 1), "0.3", "first standard deviation, as a share of each gene's range"},
    {"optimiser.sigma", OF(EVOLUTION_STRATEGY), REAL(optimiser.evolution_strategy.sigma, 0.001, 1), "0.3", "standard deviation of the logarithm of a gene's factor, on average"},
    {"optimiser.common", OF(EVOLUTION_STRATEGY), REAL(optimiser.evolution_strategy.common, 0, 1), "0.2", "spread of the factor that genes of one range have in common, in logarithms"},
    {"optimiser.weight", OF(DIFFERENTIAL_EVOLUTION), REAL(optimiser.differential_evolution.weight, 0, 2), "0.5", "F: how much of the difference of two organisms is added to a third"},
    {"optimiser.crossover", OF(DIFFERENTIAL_EVOLUTION), REAL(optimiser.differential_evolution.crossover, 0, 1), "0.9", "CR: probability that a gene comes from that sum"},
    {"optimiser.inertia", OF(PARTICLE_SWARM), REAL(optimiser.particle_swarm.inertia, 0, 1), "0.7298", "share of its velocity that a particle keeps"},
    {"optimiser.attraction", OF(PARTICLE_SWARM), REAL(optimiser.particle_swarm.attraction, 0, 4), "1.4962", "pull of a particle's own best place, and as much of the best of all"},
    {"optimiser.kick", OF(HILL_CLIMBING), WHOLE(optimiser.hill_climbing.kick, 1, 64 * CHROMOSOME_WORDS), "4", "random bits that are flipped where no single one is for the better"},
    {"optimiser.step", OF(SPSA), REAL(optimiser.spsa.step, 0.001, 1), "0.2", "first and longest step, as a share of each gene's range"},
    {"optimiser.step", OF(GRADIENT_DESCENT), REAL(optimiser.gradient_descent.step, 0.001, 1), "0.2", "longest step along a line, as a share of each gene's range"},
    {"optimiser.perturbation", OF(SPSA), REAL(optimiser.spsa.perturbation, 0.001, 0.5), "0.1", "first change of all genes at once to find slopes, as a share of each gene's range"},
    {"optimiser.perturbation", OF(GRADIENT_DESCENT), REAL(optimiser.gradient_descent.perturbation, 0.001, 0.5), "0.1", "first change of one gene at a time to find slopes, as a share of its range"},
    {"optimiser.stability", OF(SPSA), WHOLE(optimiser.spsa.stability, 0, 1000000), "10", "A: steps in which the gain has not shrunk much; a tenth of all is usual"},
    {"ga.population", ALL, WHOLE(optimiser.population, 2, POPULATION_MAX), "100", "organisms in a generation, with every optimiser"},
    {"ga.generations", ALL, WHOLE(generations, 0, 1000000), "200", "steps after the random generation 0"},
    {"ga.seeds", ALL, FILES(seeds), "", "parameter files and runs (their best) that generation 0 begins with"},
    {"ga.fill", ALL, CHOICE(optimiser.fill, fill_choice, FILL_OFFSPRING), "random", "what fills generation 0 up behind its seeds: random chromosomes, or children of theirs"},
    {"ga.elitism", ALL, WHOLE(optimiser.genetic.elitism, 0, POPULATION_MAX - 1), "1", "best organisms copied unchanged; less than the population. This, selection, crossover and mutation are the genetic optimiser's"},
    {"ga.selection.kind", ALL, CHOICE(optimiser.genetic.selection, selection_choice, SELECTION_TOURNAMENT), "proportional", "how parents are drawn"},
    {"ga.selection.size", ALL, WHOLE(optimiser.genetic.tournament, 1, POPULATION_MAX), "2", "organisms in a tournament"},
    {"ga.selection.pressure", ALL, REAL(optimiser.genetic.rank_pressure, 1, 2), "2", "expected share of the best under rank selection"},
    {"ga.crossover.kind", ALL, CHOICE(optimiser.variation.crossover, crossover_choice, CROSSOVER_LINE), "uniform", "how two parents mix"},
    {"ga.crossover.rate", ALL, REAL(optimiser.variation.crossover_rate, 0, 1), "0.75", "probability that they mix at all"},
    {"ga.mutation.rate", ALL, REAL(optimiser.variation.mutation_rate, 0, 1), "0.005", "probability that a bit flips"},
};
/* clang-format on */

const int recipe_key_count = sizeof recipe_keys / sizeof recipe_keys[0];

const struct phase_default recipe_phase_defaults[] = {
    {PHASE_SEARCH, "fitness.measure", "nodes_to_solution"},
    {PHASE_SEARCH, "ga.population", "10"},
    {PHASE_SEARCH, "ga.generations", "50"},
    {PHASE_SEARCH, "ga.mutation.rate", "0.05"},
    {PHASE_COEVOLUTION, "fitness.measure", "games"},
    {PHASE_COEVOLUTION, "fitness.limit", "2000"},
    {PHASE_COEVOLUTION, "fitness.hash", "1"},
    {PHASE_COEVOLUTION, "ga.population", "10"},
    {PHASE_COEVOLUTION, "ga.generations", "50"},
    {PHASE_COEVOLUTION, "ga.selection.kind", "rank"},
};

const int recipe_phase_default_count =
    sizeof recipe_phase_defaults / sizeof recipe_phase_defaults[0];

static_assert(offsetof(struct recipe, train_count) ==
                      offsetof(struct recipe, train) + RECIPE_FILES * RECIPE_PATH &&
                  offsetof(struct recipe, held_out_count) ==
                      offsetof(struct recipe, held_out) + RECIPE_FILES * RECIPE_PATH &&
                  offsetof(struct recipe, seed_count) ==
                      offsetof(struct recipe, seeds) + RECIPE_FILES * RECIPE_PATH,
              "the count of a list of files follows the list");

const char *recipe_phase_name(int phase)
{
    return phase_choice(phase);
}

const char *recipe_measure_name(int measure)
{
    return measure_choice(measure);
}

bool recipe_key_of_measure(const struct key *key, enum recipe_measure measure)
{
    return (key->owners >> measure & 1) != 0;
}

bool recipe_key_of_optimiser(const struct key *key, enum optimiser_kind kind)
{
    unsigned optimisers = key->owners >> OPTIMISER_BITS;
    return optimisers == 0 || (optimisers >> kind & 1) != 0;
}

const struct key *recipe_find_key(const char *path, enum optimiser_kind kind)
{
    const struct key *found = NULL;
    for (int i = 0; i < recipe_key_count; i++)
        if (strcmp(recipe_keys[i].path, path) == 0 &&
            (found == NULL || recipe_key_of_optimiser(&recipe_keys[i], kind)))
            found = &recipe_keys[i];
    return found;
}

unsigned recipe_path_owners(const char *path)
{
    unsigned owners = 0;
    for (int i = 0; i < recipe_key_count; i++)
        if (strcmp(recipe_keys[i].path, path) == 0)
            owners |= recipe_keys[i].owners;
    return owners;
}

/* The next word of `path` when it lies inside the section ("" is the whole recipe), else NULL. */
static const char *word_inside(const char *path, const char *section, size_t *length)
{
    size_t skip = strlen(section);
    if (strncmp(path, section, skip) != 0 || (skip > 0 && path[skip] != '.'))
        return NULL;
    path += skip > 0 ? skip + 1 : 0;
    *length = strcspn(path, ".");
    return path;
}

bool recipe_is_section(const char *path)
{
    size_t length;
    for (int i = 0; i < recipe_key_count; i++)
        if (word_inside(recipe_keys[i].path, path, &length) != NULL)
            return true;
    return false;
}

void recipe_list_section(const char *section, char *text, size_t size)
{
    const char *before = "";
    size_t used = 0, before_length = 0, length;
    text[0] = '\0';
    for (int i = 0; i < recipe_key_count && used < size; i++) {
        const char *word = word_inside(recipe_keys[i].path, section, &length);
        if (word == NULL || (length == before_length && strncmp(word, before, length) == 0))
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", used > 0 ? ", " : "",
                                 (int)length, word);
        before = word;
        before_length = length;
    }
}

/* "one of proportional, rank, tournament". */
static void list_choices(const struct key *key, char *text, size_t size)
{
    int used = snprintf(text, size, key->max > 0 ? "one of " : "");
    for (int i = 0; i <= (int)key->max && (size_t)used < size; i++)
        used +=
            snprintf(text + used, size - (size_t)used, "%s%s", i > 0 ? ", " : "", key->choice(i));
}

/* Joins what the first `count` bits of `owners` are called by " or "; "" when all are set. */
static void list_owners(unsigned owners, int count, const char *(*name)(int), char *text,
                        size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used < size && owners != (1u << count) - 1; i++)
        if ((owners >> i & 1) != 0)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? " or " : "", name(i));
}

void recipe_list_measures(const struct key *key, char *text, size_t size)
{
    list_owners(key->owners & ALL, MEASURE_GAMES + 1, measure_choice, text, size);
}

void recipe_list_optimisers(unsigned owners, char *text, size_t size)
{
    list_owners(owners >> OPTIMISER_BITS, OPTIMISERS, optimiser_choice, text, size);
}

void recipe_describe_expected(const struct key *key, char *text, size_t size)
{
    switch (key->kind) {
    case VALUE_NAME:
        snprintf(text, size, "a name of 1 to %d bytes on one line", RECIPE_NAME - 1);
        break;
    case VALUE_FILE:
        snprintf(text, size, "the name of a file");
        break;
    case VALUE_FILES:
        snprintf(text, size, "a list of up to %d files", RECIPE_FILES);
        break;
    case VALUE_SEED:
        snprintf(text, size, "a whole number from 0 to %lld", (long long)INT64_MAX);
        break;
    case VALUE_WHOLE:
        snprintf(text, size, "a whole number from %.0f to %.0f", key->min, key->max);
        break;
    case VALUE_EVEN:
        snprintf(text, size, "an even number from %.0f to %.0f", key->min, key->max);
        break;
    case VALUE_REAL:
        snprintf(text, size, "a number from %g to %g", key->min, key->max);
        break;
    case VALUE_CHOICE:
        list_choices(key, text, size);
        break;
    }
}
