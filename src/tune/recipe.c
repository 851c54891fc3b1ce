#define _XOPEN_SOURCE 700 /* realpath */

#include "recipe.h"

#include "parse.h"
#include "paths.h"
#include "search.h"
#include "store.h"
#include "suggest.h"
#include "yaml_document.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the table of keys ---- */

/* What a value may be, and which type its field in struct recipe has. */
enum value_kind {
    VALUE_NAME,   /* char[RECIPE_NAME] */
    VALUE_FILE,   /* char[RECIPE_PATH] */
    VALUE_FILES,  /* char[RECIPE_FILES][RECIPE_PATH], followed by an int count */
    VALUE_SEED,   /* uint64_t, to 2^63 - 1 */
    VALUE_WHOLE,  /* int */
    VALUE_EVEN,   /* int */
    VALUE_REAL,   /* double */
    VALUE_CHOICE, /* an enum from 0 to `max` */
};

struct key {
    const char *path;
    unsigned measures; /* a bit for each enum recipe_measure that it is a key of */
    enum value_kind kind;
    size_t field; /* where it goes in struct recipe */
    double min, max;
    const char *(*choice)(int);
    const char *initial; /* the value when absent; NULL: it must be there */
    const char *meaning;
};

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

/* Every key of a recipe, one line each; keys of one section stand together. */
/* clang-format off */
static const struct key keys[] = {
    {"name", ALL, NAME(name), NULL, "what the run is called"},
    {"phase", ALL, CHOICE(phase, phase_choice, PHASE_COEVOLUTION), "evaluation", "what evolves"},
    {"seed", ALL, SEED(seed), "1", "the same seed gives the same run"},
    {"space", ALL, FILE_PATH(space), "", "bits and ranges; empty: those of the parameter table"},
    {"data.train", POSITIONS, FILES(train), NULL, "EPD files with the positions to learn from"},
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
    {"fitness.evaluation", NODES, FILE_PATH(evaluation), "", "parameter file of the evaluation; empty: the initial values"},
    {"fitness.search", GAMES, FILE_PATH(search), "", "parameter file of the search; empty: plain alpha-beta"},
    {"fitness.games", GAMES, EVEN(games, 2, 1000), "4", "games of each two organisms, colours half and half"},
    {"fitness.unique", GAMES, CHOICE(unique, unique_choice, 1), "yes", "no opening twice in a generation; no: again when all have been used"},
    {"fitness.rematch", GAMES, EVEN(rematch, 0, 1000), "0", "more games of the leader against each other, until the leader has had them"},
    {"fitness.seed_games", GAMES, EVEN(seed_games, 0, 1000), "0", "games of every organism against each seed"},
    {"fitness.hall", GAMES, WHOLE(hall, 0, 1000), "0", "past champions, the latest different ones, whom every organism plays too"},
    {"fitness.hall_games", GAMES, EVEN(hall_games, 2, 1000), "2", "games against each of them"},
    {"fitness.opponent_games", GAMES, EVEN(opponent_games, 2, 1000000), "100", "games of the best against the opponent, always from the same openings"},
    {"ga.population", ALL, WHOLE(ga.population, 2, POPULATION_MAX), "100", "organisms in a generation"},
    {"ga.generations", ALL, WHOLE(generations, 0, 1000000), "200", "steps after the random generation 0"},
    {"ga.seeds", ALL, FILES(seeds), "", "parameter files and runs (their best) that generation 0 begins with"},
    {"ga.fill", ALL, CHOICE(ga.fill, fill_choice, FILL_OFFSPRING), "random", "what fills generation 0 up behind its seeds: random chromosomes, or children of theirs"},
    {"ga.elitism", ALL, WHOLE(ga.elitism, 0, POPULATION_MAX - 1), "1", "best organisms copied unchanged; less than the population"},
    {"ga.selection.kind", ALL, CHOICE(ga.selection, selection_choice, SELECTION_TOURNAMENT), "proportional", "how parents are drawn"},
    {"ga.selection.size", ALL, WHOLE(ga.tournament, 1, POPULATION_MAX), "2", "organisms in a tournament"},
    {"ga.selection.pressure", ALL, REAL(ga.rank_pressure, 1, 2), "2", "expected share of the best under rank selection"},
    {"ga.crossover.kind", ALL, CHOICE(ga.crossover, crossover_choice, CROSSOVER_INTERMEDIATE), "uniform", "how two parents mix"},
    {"ga.crossover.rate", ALL, REAL(ga.crossover_rate, 0, 1), "0.75", "probability that they mix at all"},
    {"ga.mutation.rate", ALL, REAL(ga.mutation_rate, 0, 1), "0.005", "probability that a bit flips"},
};
/* clang-format on */

enum { KEYS = sizeof keys / sizeof keys[0] };

/* The defaults of a phase that are others (david-2014, sections III-C and IV). */
static const struct {
    enum recipe_phase phase;
    const char *path, *initial;
} phase_defaults[] = {
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

enum { PHASE_DEFAULTS = sizeof phase_defaults / sizeof phase_defaults[0] };

static_assert(offsetof(struct recipe, train_count) ==
                      offsetof(struct recipe, train) + RECIPE_FILES * RECIPE_PATH &&
                  offsetof(struct recipe, held_out_count) ==
                      offsetof(struct recipe, held_out) + RECIPE_FILES * RECIPE_PATH &&
                  offsetof(struct recipe, seed_count) ==
                      offsetof(struct recipe, seeds) + RECIPE_FILES * RECIPE_PATH,
              "the count of a list of files follows the list");

/* Where the value of a key goes in a recipe. */
static void *field_of(const struct key *key, struct recipe *r)
{
    return (char *)r + key->field;
}

/* Where the value of a key stands in a recipe. */
static const void *value_of(const struct key *key, const struct recipe *r)
{
    return (const char *)r + key->field;
}

/* Whether recipes of this measure have the key. */
static bool is_key_of(const struct key *key, enum recipe_measure measure)
{
    return (key->measures >> measure & 1) != 0;
}

/* The key with this path, or NULL. */
static const struct key *find_key(const char *path)
{
    for (int i = 0; i < KEYS; i++)
        if (strcmp(keys[i].path, path) == 0)
            return &keys[i];
    return NULL;
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

/* Whether some key lies inside this path. */
static bool is_section(const char *path)
{
    size_t length;
    for (int i = 0; i < KEYS; i++)
        if (word_inside(keys[i].path, path, &length) != NULL)
            return true;
    return false;
}

/* "population, generations, ...": the keys and sections directly inside a section. */
static void list_section(const char *section, char *text, size_t size)
{
    const char *before = "";
    size_t used = 0, before_length = 0, length;
    text[0] = '\0';
    for (int i = 0; i < KEYS && used < size; i++) {
        const char *word = word_inside(keys[i].path, section, &length);
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

/* What would be right for this key, in words. */
static void describe_expected(const struct key *key, char *text, size_t size)
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

/* ---- reading ---- */

/* What a recipe is read from and into. */
struct reader {
    const struct yaml_document *doc;
    const char *directory; /* what paths are relative to; NULL: they stay as they are */
    struct recipe *recipe;
    struct error *err;
};

/* Says what the value is and what it should be. */
static bool fail_value(const struct reader *in, const struct key *key, const struct yaml_node *node)
{
    char value[YAML_KEY], expected[256];
    yaml_describe(node, value);
    describe_expected(key, expected, sizeof expected);
    return yaml_fail(in->doc, node, in->err, "%s is wrong; expected %s", value, expected);
}

/* The index of a choice's name, or -1. */
static int find_choice(const struct key *key, const char *text)
{
    for (int i = 0; i <= (int)key->max; i++)
        if (strcmp(key->choice(i), text) == 0)
            return i;
    return -1;
}

/* A whole number within the range of the key. */
static bool parse_whole(const struct key *key, const char *text, int *value)
{
    int64_t number;
    if (!parse_int64(text, &number) || number < (int64_t)key->min || number > (int64_t)key->max)
        return false;
    *value = (int)number;
    return true;
}

/* A number within the range of the key. */
static bool parse_real(const struct key *key, const char *text, double *value)
{
    double number;
    if (!parse_double(text, &number) || number < key->min || number > key->max)
        return false;
    *value = number;
    return true;
}

/* A whole number from 0. */
static bool parse_seed(const char *text, uint64_t *value)
{
    int64_t number;
    if (!parse_int64(text, &number) || number < 0)
        return false;
    *value = (uint64_t)number;
    return true;
}

/* Copies a text of one line that fits; false when it does not. */
static bool copy_text(const char *text, char *value, size_t size)
{
    if (strlen(text) >= size || !yaml_is_line(text))
        return false;
    strcpy(value, text);
    return true;
}

/* Writes one value, not a file or list of files, into its field; false when it is not one. */
static bool parse_value(const struct key *key, const char *text, struct recipe *r)
{
    void *field = field_of(key, r);
    int choice;
    switch (key->kind) {
    case VALUE_NAME:
        return text[0] != '\0' && copy_text(text, field, RECIPE_NAME);
    case VALUE_SEED:
        return parse_seed(text, field);
    case VALUE_WHOLE:
        return parse_whole(key, text, field);
    case VALUE_EVEN:
        return parse_whole(key, text, field) && *(int *)field % 2 == 0;
    case VALUE_REAL:
        return parse_real(key, text, field);
    case VALUE_CHOICE:
        choice = find_choice(key, text);
        memcpy(field, &choice, sizeof choice);
        return choice >= 0;
    default:
        return false;
    }
}

/* The absolute path of a file that can be read, malloc'ed; of a stage (store.h) when its run can.
 */
static char *find_file(const char *path)
{
    char *absolute = realpath(path, NULL);
    if (absolute != NULL && access(absolute, R_OK) == 0)
        return absolute;
    free(absolute);
    const char *mark = strrchr(path, '#');
    if (mark == NULL || !store_is_stage_name(mark + 1))
        return NULL;
    char *file = strndup(path, (size_t)(mark - path));
    char *found = file == NULL ? NULL : find_file(file);
    free(file);
    char *stage = found == NULL ? NULL : realloc(found, strlen(found) + strlen(mark) + 1);
    return stage == NULL ? NULL : strcat(stage, mark);
}

/* The absolute path of a data file, which must be there. A path in the recipe is relative to the
 * recipe, one from --set to the working directory. */
static bool resolve_file(const struct reader *in, const struct yaml_node *node,
                         char path[RECIPE_PATH])
{
    char joined[2 * RECIPE_PATH];
    const char *text = node->text;
    bool as_it_is = text[0] == '/' || node->line == 0;
    int length = snprintf(joined, sizeof joined, "%s%s%s", as_it_is ? "" : in->directory,
                          as_it_is ? "" : "/", text);
    if (length < 0 || (size_t)length >= sizeof joined)
        return yaml_fail(in->doc, node, in->err, "the path is too long");
    char *absolute = find_file(joined);
    if (absolute == NULL)
        return yaml_fail(in->doc, node, in->err, "cannot open '%s': %s; paths are relative to %s",
                         text, strerror(errno),
                         node->line == 0 ? "the working directory" : "the recipe");
    bool copied = copy_text(absolute, path, RECIPE_PATH);
    free(absolute);
    if (!copied)
        return yaml_fail(in->doc, node, in->err,
                         "the path is longer than %d bytes, or not UTF-8 on one line",
                         RECIPE_PATH - 1);
    return true;
}

/* Takes the name of a file; the empty one stands for none. */
static bool take_file(const struct reader *in, const struct key *key, const struct yaml_node *node,
                      char path[RECIPE_PATH])
{
    path[0] = '\0';
    if (node->kind != YAML_SCALAR || (node->text[0] == '\0' && key->kind != VALUE_FILE))
        return fail_value(in, key, node);
    if (node->text[0] == '\0')
        return true;
    if (in->directory != NULL)
        return resolve_file(in, node, path);
    return copy_text(node->text, path, RECIPE_PATH) || fail_value(in, key, node);
}

/* Takes a list of files, or a single one. */
static bool take_files(const struct reader *in, const struct key *key, const struct yaml_node *node)
{
    char(*paths)[RECIPE_PATH] = field_of(key, in->recipe);
    int *count = (void *)(paths + RECIPE_FILES);
    *count = 0;
    if (node->kind == YAML_MAPPING)
        return fail_value(in, key, node);
    if (node->kind == YAML_SCALAR)
        return take_file(in, key, node, paths[(*count)++]);
    for (const struct yaml_node *item = node->child; item != NULL; item = item->next) {
        if (*count == RECIPE_FILES)
            return yaml_fail(in->doc, item, in->err, "more than %d files", RECIPE_FILES);
        if (!take_file(in, key, item, paths[(*count)++]))
            return false;
    }
    if (*count == 0 && key->initial == NULL)
        return yaml_fail(in->doc, node, in->err, "an empty list; at least one file is needed");
    return true;
}

/* Takes the value of a key from its node. */
static bool take_value(const struct reader *in, const struct key *key, const struct yaml_node *node)
{
    if (key->kind == VALUE_FILES)
        return take_files(in, key, node);
    if (key->kind == VALUE_FILE)
        return take_file(in, key, node, field_of(key, in->recipe));
    if (node->kind == YAML_SCALAR && parse_value(key, node->text, in->recipe))
        return true;
    return fail_value(in, key, node);
}

/* Proposes the known key that is closest to an unknown one, by its path or by its last word. */
static const char *suggest_key(const char *path)
{
    struct suggestion by_path, by_word;
    const char *dot = strrchr(path, '.');
    suggest_init(&by_path, path);
    suggest_init(&by_word, dot != NULL ? dot + 1 : path);
    for (int i = 0; i < KEYS; i++) {
        const char *last = strrchr(keys[i].path, '.');
        suggest_offer(&by_path, keys[i].path, keys[i].path);
        suggest_offer(&by_word, last != NULL ? last + 1 : keys[i].path, keys[i].path);
    }
    bool word_is_closer = by_path.name == NULL || by_word.distance < by_path.distance;
    return word_is_closer ? by_word.name : by_path.name;
}

/* Says which key is unknown, and which one was meant or what is known there. */
static bool fail_unknown(const struct reader *in, const struct yaml_node *node, const char *path)
{
    const char *near = suggest_key(path);
    if (near != NULL)
        return yaml_fail(in->doc, node, in->err, "unknown key; did you mean %s?", near);
    char section[YAML_KEY], known[512];
    yaml_path(node->parent, section);
    list_section(section, known, sizeof known);
    return yaml_fail(in->doc, node, in->err, "unknown key; known here: %s", known);
}

/* Takes all that a section holds. */
static bool take_section(const struct reader *in, const struct yaml_node *section)
{
    char path[YAML_KEY], known[512];
    if (section->kind != YAML_MAPPING) {
        yaml_path(section, path);
        list_section(path, known, sizeof known);
        return yaml_fail(in->doc, section, in->err, "expected keys inside: %s", known);
    }
    for (const struct yaml_node *node = section->child; node != NULL; node = node->next) {
        yaml_path(node, path);
        const struct key *key = find_key(path);
        bool taken = key != NULL        ? take_value(in, key, node)
                     : is_section(path) ? take_section(in, node)
                                        : fail_unknown(in, node, path);
        if (!taken)
            return false;
    }
    return true;
}

/* The value of every key that may be absent; files have none. */
static void set_defaults(struct recipe *r)
{
    memset(r, 0, sizeof *r);
    for (int i = 0; i < KEYS; i++)
        if (keys[i].initial != NULL && keys[i].initial[0] != '\0')
            parse_value(&keys[i], keys[i].initial, r);
}

/* The values that depend on the phase, where the document has another than the first. */
static void set_phase_defaults(const struct reader *in)
{
    const struct yaml_node *phase = yaml_find(in->doc->root, "phase");
    if (phase == NULL || phase->kind != YAML_SCALAR)
        return;
    for (int i = 0; i < PHASE_DEFAULTS; i++)
        if (strcmp(phase->text, phase_choice((int)phase_defaults[i].phase)) == 0)
            parse_value(find_key(phase_defaults[i].path), phase_defaults[i].initial, in->recipe);
}

/* Whether every key that has no default is there. */
static bool check_required(const struct reader *in)
{
    for (int i = 0; i < KEYS; i++)
        if (keys[i].initial == NULL && is_key_of(&keys[i], in->recipe->measure) &&
            yaml_find_path(in->doc->root, keys[i].path) == NULL)
            return error_set(in->err, "%s: %s: missing; %s", in->doc->path, keys[i].path,
                             keys[i].meaning);
    return true;
}

/* Whether phase and measure belong together, and every key to the measure. */
static bool check_measure(const struct reader *in)
{
    const struct recipe *r = in->recipe;
    static const enum recipe_measure measures[] = {[PHASE_EVALUATION] = MEASURE_MOVE_MATCH,
                                                   [PHASE_SEARCH] = MEASURE_NODES_TO_SOLUTION,
                                                   [PHASE_COEVOLUTION] = MEASURE_GAMES};
    enum recipe_measure expected = measures[r->phase];
    const struct yaml_node *node = yaml_find_path(in->doc->root, "fitness.measure");
    if (r->measure != expected)
        return yaml_fail(in->doc, node != NULL ? node : yaml_find(in->doc->root, "phase"), in->err,
                         "phase %s is measured by %s, not %s", phase_choice(r->phase),
                         measure_choice(expected), measure_choice(r->measure));
    for (int i = 0; i < KEYS; i++) {
        node = yaml_find_path(in->doc->root, keys[i].path);
        if (node != NULL && !is_key_of(&keys[i], r->measure))
            return yaml_fail(in->doc, node, in->err, "not a key of phase %s, measure %s",
                             phase_choice(r->phase), measure_choice(r->measure));
    }
    if (r->split == SPLIT_NONE || r->held_out_count == 0)
        return true;
    return yaml_fail(in->doc, yaml_find_path(in->doc->root, "data.split"), in->err,
                     "halves hold out every second position; data.held_out must be empty");
}

/* What one key cannot say alone. */
static bool check_together(const struct reader *in)
{
    const struct evolution_settings *ga = &in->recipe->ga;
    if (in->recipe->seed_count > ga->population)
        return yaml_fail(in->doc, yaml_find_path(in->doc->root, "ga.seeds"), in->err,
                         "%d seeds for a population of %d", in->recipe->seed_count, ga->population);
    if (ga->elitism < ga->population)
        return evolution_check(ga, in->err) || error_prefix(in->err, "%s: ga: ", in->doc->path);
    const struct yaml_node *node = yaml_find_path(in->doc->root, "ga.elitism");
    if (node == NULL)
        node = yaml_find_path(in->doc->root, "ga.population");
    return yaml_fail(in->doc, node, in->err,
                     "%d organisms would be copied of a population of %d; elitism must be less",
                     ga->elitism, ga->population);
}

/* Defaults, then what the document says, then whether it is complete and hangs together. */
static bool read_document(const struct reader *in)
{
    set_defaults(in->recipe);
    set_phase_defaults(in);
    return take_section(in, in->doc->root) && check_measure(in) && check_required(in) &&
           check_together(in);
}

/* The directory of a file's path. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

bool recipe_read(const char *path, const char *const *settings, int setting_count,
                 struct recipe *recipe, struct error *err)
{
    struct yaml_document doc;
    if (!yaml_read_file(&doc, path, err))
        return false;
    char *directory = directory_of(path);
    bool read = directory != NULL || error_set(err, "%s: no memory", path);
    for (int i = 0; read && i < setting_count; i++)
        read = yaml_apply(&doc, settings[i], err);
    struct reader in = {.doc = &doc, .directory = directory, .recipe = recipe, .err = err};
    read = read && read_document(&in);
    free(directory);
    yaml_finish(&doc);
    return read;
}

bool recipe_from_text(const char *name, const char *text, struct recipe *recipe, struct error *err)
{
    struct yaml_document doc;
    if (!yaml_read_text(&doc, name, text, strlen(text), err))
        return false;
    struct reader in = {.doc = &doc, .recipe = recipe, .err = err};
    bool read = read_document(&in);
    yaml_finish(&doc);
    return read;
}

/* ---- files ---- */

bool recipe_each_file(struct recipe *recipe, recipe_visit *visit, void *context, struct error *err)
{
    for (int i = 0; i < KEYS; i++) {
        const char *dot = strrchr(keys[i].path, '.');
        const char *role = dot == NULL ? keys[i].path : dot + 1;
        char(*paths)[RECIPE_PATH] = field_of(&keys[i], recipe);
        int count = 0;
        if (keys[i].kind == VALUE_FILES)
            count = *(const int *)(const void *)(paths + RECIPE_FILES);
        else if (keys[i].kind == VALUE_FILE)
            count = paths[0][0] != '\0';
        for (int f = 0; f < count; f++)
            if (!visit(context, role, paths[f], err))
                return false;
    }
    return true;
}

bool recipe_view_path(void *context, const char *role, char path[RECIPE_PATH], struct error *err)
{
    static_assert((int)RECIPE_PATH == (int)PATH_SIZE, "a recipe's paths are paths");
    const struct path_view *view = context;
    (void)role;
    return view->rewrite(view->directory, path, path, err);
}

/* ---- writing ---- */

/* The shortest of the usual forms that reads back as the same number. */
static void write_real(FILE *out, double value)
{
    char text[32];
    double back;
    snprintf(text, sizeof text, "%.15g", value);
    if (!parse_double(text, &back) || back < value || back > value)
        snprintf(text, sizeof text, "%.17g", value);
    fputs(text, out);
}

/* A list of files; the field is an array of paths and, behind it, their count. */
static void write_files(FILE *out, const char *paths)
{
    int count = *(const int *)(const void *)(paths + RECIPE_FILES * RECIPE_PATH);
    putc('[', out);
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", out);
        yaml_write_text(out, paths + i * RECIPE_PATH);
    }
    putc(']', out);
}

/* The value of a key as YAML. */
static void write_value(FILE *out, const struct key *key, const struct recipe *r)
{
    const void *value = value_of(key, r);
    switch (key->kind) {
    case VALUE_NAME:
    case VALUE_FILE:
        yaml_write_text(out, value);
        break;
    case VALUE_FILES:
        write_files(out, value);
        break;
    case VALUE_SEED:
        fprintf(out, "%llu", (unsigned long long)*(const uint64_t *)value);
        break;
    case VALUE_WHOLE:
    case VALUE_EVEN:
        fprintf(out, "%d", *(const int *)value);
        break;
    case VALUE_REAL:
        write_real(out, *(const double *)value);
        break;
    case VALUE_CHOICE:
        fputs(key->choice(*(const int *)value), out);
        break;
    }
}

/* The length of the section, final dot included, that two paths share. */
static size_t shared_section(const char *a, const char *b)
{
    size_t shared = 0;
    for (size_t i = 0; a[i] != '\0' && a[i] == b[i]; i++)
        if (a[i] == '.')
            shared = i + 1;
    return shared;
}

/* "key: " of a path, after the headings of the sections that begin with it, indented by depth. */
static void write_heading(FILE *out, const char *path, const char *before)
{
    size_t place = shared_section(path, before);
    int depth = 0;
    for (size_t i = 0; i < place; i++)
        depth += path[i] == '.';
    for (;; depth++) {
        size_t length = strcspn(path + place, ".");
        fprintf(out, "%*s%.*s:", 2 * depth, "", (int)length, path + place);
        place += length;
        if (path[place++] == '\0')
            break;
        putc('\n', out);
    }
    putc(' ', out);
}

char *recipe_text(const struct recipe *recipe)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    const char *before = "";
    for (int i = 0; i < KEYS; i++) {
        if (!is_key_of(&keys[i], recipe->measure))
            continue;
        write_heading(out, keys[i].path, before);
        write_value(out, &keys[i], recipe);
        putc('\n', out);
        before = keys[i].path;
    }
    bool written = !ferror(out);
    if (fclose(out) == 0 && written)
        return text;
    free(text);
    return NULL;
}

/* Where a key's default is another, and which measures it is a key of; empty when there is nothing
 * to say. */
static const char *describe_exceptions(const struct key *key, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < PHASE_DEFAULTS; i++)
        if (strcmp(phase_defaults[i].path, key->path) == 0)
            used += (size_t)snprintf(text + used, size - used, "; in phase %s %s",
                                     phase_choice((int)phase_defaults[i].phase),
                                     phase_defaults[i].initial);
    const char *before = "; only with measure ";
    for (int m = 0; m <= (int)MEASURE_GAMES && key->measures != ALL; m++)
        if (is_key_of(key, (enum recipe_measure)m)) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", before, measure_choice(m));
            before = " or ";
        }
    return text;
}

char *recipe_reference(void)
{
    char *text = NULL, expected[256], exceptions[256];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    for (int i = 0; i < KEYS; i++) {
        const char *initial = keys[i].initial;
        describe_expected(&keys[i], expected, sizeof expected);
        fprintf(out, "  %s: %s\n      %s", keys[i].path, keys[i].meaning, expected);
        if (initial == NULL)
            fputs("; required\n", out);
        else
            fprintf(out, "; default %s%s\n", *initial == '\0' ? "none" : initial,
                    describe_exceptions(&keys[i], exceptions, sizeof exceptions));
    }
    bool written = !ferror(out);
    if (fclose(out) == 0 && written)
        return text;
    free(text);
    return NULL;
}
