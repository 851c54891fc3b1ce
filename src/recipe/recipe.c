#define _XOPEN_SOURCE 700 /* realpath */

#include "recipe.h"

#include "data_files.h"
#include "foreign_text.h"
#include "objective_value.h"
#include "parse.h"
#include "paths.h"
#include "recipe_keys.h"
#include "suggest.h"
#include "text_stream.h"
#include "yaml_document.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- keys ---- */

static void *field_of(const struct key *key, struct recipe *r)
{
    return (char *)r + key->field;
}

static int *count_of(const struct key *key, struct recipe *r)
{
    return (int *)(void *)((char *)r + key->count);
}

static unsigned path_owners(const char *path)
{
    unsigned owners = 0;
    for (int i = 0; i < recipe_key_count; i++)
        if (strcmp(recipe_keys[i].path, path) == 0)
            owners |= recipe_keys[i].owners;
    return owners;
}

/* Returns the next word of `path` if it is inside the section ("": the whole recipe), else NULL. */
static const char *word_inside(const char *path, const char *section, size_t *length)
{
    size_t skip = strlen(section);
    if (strncmp(path, section, skip) != 0 || (skip > 0 && path[skip] != '.'))
        return NULL;
    path += skip > 0 ? skip + 1 : 0;
    *length = strcspn(path, ".");
    return path;
}

static bool is_section(const char *path)
{
    size_t length;
    for (int i = 0; i < recipe_key_count; i++)
        if (word_inside(recipe_keys[i].path, path, &length) != NULL)
            return true;
    return false;
}

/* "population, generations, ...": what is directly inside a section; "" is the whole recipe. */
static void list_section(const char *section, char *text, size_t size)
{
    const char *before = "";
    size_t before_length = 0, length;
    text[0] = '\0';
    for (int i = 0; i < recipe_key_count; i++) {
        const char *word = word_inside(recipe_keys[i].path, section, &length);
        if (word == NULL || (length == before_length && strncmp(word, before, length) == 0))
            continue;
        text_add(text, size, "%s%.*s", text[0] != '\0' ? ", " : "", (int)length, word);
        before = word;
        before_length = length;
    }
}

/* ---- reading ---- */

/* The source and the destination of a recipe that is being read. */
struct reader {
    const struct yaml_document *doc;
    const char *directory;     /* paths are relative to it; NULL: paths are not changed */
    const char *set_directory; /* those of a stage's `set` to this one */
    unsigned later;            /* RECIPE_TRAIN_LATER, RECIPE_SEEDS_LATER */
    struct recipe *recipe;
};

static bool fail_value(const struct reader *in, const struct key *key, const struct yaml_node *node)
{
    char expected[256];
    recipe_describe_expected(key, expected, sizeof expected);
    return refuse_value(in, node, "%s", expected);
}

static int find_choice(const struct key *key, const char *text)
{
    const char *name = strcmp(key->path, "phase") == 0 ? recipe_present_name(text) : text;
    for (int i = 0; i <= (int)key->max; i++)
        if (strcmp(key->choice(i), name) == 0)
            return i;
    return -1;
}

static bool parse_whole(const struct key *key, const char *text, int *value)
{
    int64_t number;
    if (!parse_int64(text, &number) || number < (int64_t)key->min || number > (int64_t)key->max)
        return false;
    *value = (int)number;
    return true;
}

/* Parses a number within the range of the key, or the word for 0 or 1 of a share. */
static bool parse_real(const struct key *key, const char *text, double *value)
{
    double number = key->choice != NULL ? find_choice(key, text) : -1;
    if ((number < 0 && !parse_double(text, &number)) || number < key->min || number > key->max)
        return false;
    *value = number;
    return true;
}

/* Copies a text. Returns false if it is too long or not a single line. */
static bool copy_text(const char *text, char *value, size_t size)
{
    if (strlen(text) >= size || !foreign_text_is_clean(text))
        return false;
    strcpy(value, text);
    return true;
}

/* Parses a value into its field, unless it is a file or list of files. False if invalid. */
static bool parse_value(const struct key *key, const char *text, struct recipe *r)
{
    void *field = field_of(key, r);
    int64_t number, increment;
    switch (key->kind) {
    case VALUE_NAME:
        return text[0] != '\0' && copy_text(text, field, RECIPE_NAME);
    case VALUE_CLOCK:
        return (text[0] == '\0' || parse_clock(text, &number, &increment)) &&
               copy_text(text, field, RECIPE_CLOCK);
    case VALUE_SEED:
        if (!parse_int64(text, &number) || number < 0)
            return false;
        *(uint64_t *)field = (uint64_t)number;
        return true;
    case VALUE_WHOLE:
        return parse_whole(key, text, field);
    case VALUE_EVEN:
        return parse_whole(key, text, field) && *(int *)field % 2 == 0;
    case VALUE_REAL:
        return parse_real(key, text, field);
    case VALUE_CHOICE:
        number = find_choice(key, text);
        if (number >= 0)
            *(int *)field = (int)number; /* an enum has the size of an int */
        return number >= 0;
    default:
        return false;
    }
}

/* The absolute path of a readable file, or of a stage in one, which the caller frees; or NULL. */
static char *find_file(const char *path)
{
    char *absolute = realpath(path, NULL);
    if (absolute != NULL && access(absolute, R_OK) == 0)
        return absolute;
    free(absolute);
    const char *mark = strrchr(path, '#');
    if (mark == NULL || !path_is_stage_name(mark + 1))
        return NULL;
    char *file = strndup(path, (size_t)(mark - path));
    char *found = file == NULL ? NULL : find_file(file);
    free(file);
    char *stage = found == NULL ? NULL : realloc(found, strlen(found) + strlen(mark) + 1);
    return stage == NULL ? NULL : strcat(stage, mark);
}

/* Finds the absolute path of a data file, which must exist: relative to the recipe, or to the working directory with
 * --set; or a name is that of a file that comes with the program. */
static bool resolve_file(const struct reader *in, const struct yaml_node *node,
                         char path[RECIPE_PATH])
{
    const bool of_file = node->line != 0, rooted = node->text[0] == '/';
    const char *directory = node->line > 0 ? in->directory : in->set_directory;
    char joined[PATH_SIZE];
    struct error reason;
    if (!of_file && !data_file_find(node->text, DATA_VALUES | DATA_SPACES, joined, &reason))
        return refuse(in, node, "%s", reason.text);
    if (of_file && snprintf(joined, PATH_SIZE, "%s%s%s", rooted ? "" : directory, rooted ? "" : "/",
                            node->text) >= PATH_SIZE)
        return refuse(in, node, "the path is too long");
    char *absolute = find_file(joined);
    const int why = errno;
    if (absolute == NULL &&
        of_file && /* a file of the working directory is none of the program's */
        data_file_find(node->text, DATA_VALUES | DATA_SPACES, joined, &reason) && joined[0] == '/')
        absolute = find_file(joined);
    if (absolute == NULL)
        return refuse(in, node, "cannot open '%s': %s%s", node->text, strerror(why),
                      rooted    ? ""
                      : of_file ? "; paths are relative to the recipe"
                                : "; paths are relative to the working directory");
    bool copied = copy_text(absolute, path, RECIPE_PATH);
    free(absolute);
    return copied ||
           refuse(in, node, "the path is longer than %d bytes, or not visible UTF-8 on one line",
                  RECIPE_PATH - 1);
}

/* Reads the name of a file. An empty name means no file. */
static bool take_file(const struct reader *in, const struct key *key, const struct yaml_node *node,
                      char path[RECIPE_PATH])
{
    path[0] = '\0';
    if (node->kind != YAML_SCALAR || (node->text[0] == '\0' && key->kind == VALUE_FILES))
        return fail_value(in, key, node);
    if (node->text[0] == '\0')
        return true;
    bool is_kind = key->kind == VALUE_SPACE && recipe_is_kind(node->text);
    if (in->directory != NULL && !is_kind)
        return resolve_file(in, node, path);
    return copy_text(node->text, path, RECIPE_PATH) || fail_value(in, key, node);
}

static bool take_files(const struct reader *in, const struct key *key, const struct yaml_node *node)
{
    char(*paths)[RECIPE_PATH] = field_of(key, in->recipe);
    int *count = count_of(key, in->recipe);
    *count = 0;
    if (node->kind == YAML_MAPPING)
        return fail_value(in, key, node);
    if (node->kind == YAML_SCALAR)
        return take_file(in, key, node, paths[(*count)++]);
    for (const struct yaml_node *item = node->child; item != NULL; item = item->next) {
        if (*count == RECIPE_FILES)
            return refuse(in, item, "more than %d files", RECIPE_FILES);
        if (!take_file(in, key, item, paths[(*count)++]))
            return false;
    }
    if (*count == 0 && key->initial == NULL && (in->later & RECIPE_TRAIN_LATER) == 0)
        return refuse(in, node, "an empty list; at least one file is needed");
    return true;
}

/* Returns the known key closest to an unknown one, by its path or by its last word, or NULL. */
static const char *suggest_key(const char *path)
{
    struct suggestion by_path, by_word;
    const char *dot = strrchr(path, '.');
    suggest_init(&by_path, path);
    suggest_init(&by_word, dot != NULL ? dot + 1 : path);
    for (int i = 0; i < recipe_key_count; i++) {
        const char *last = strrchr(recipe_keys[i].path, '.');
        suggest_offer(&by_path, recipe_keys[i].path, recipe_keys[i].path);
        suggest_offer(&by_word, last != NULL ? last + 1 : recipe_keys[i].path, recipe_keys[i].path);
    }
    bool word_is_closer = by_path.name == NULL || by_word.distance < by_path.distance;
    return word_is_closer ? by_word.name : by_path.name;
}

/* Fails with the unknown key, and suggests a known key or lists those of the section. */
static bool fail_unknown(const struct reader *in, const struct yaml_node *node)
{
    char path[YAML_KEY];
    yaml_path(node, path);
    const char *near = suggest_key(path);
    if (near != NULL)
        return refuse(in, node, "unknown key; did you mean %s?", near);
    char section[YAML_KEY], known[512];
    yaml_path(node->parent, section);
    list_section(section, known, sizeof known);
    return refuse(in, node, "unknown key; known here: %s", known);
}

static bool take_section(const struct reader *in, const struct yaml_node *section)
{
    char path[YAML_KEY], known[512];
    if (section->kind != YAML_MAPPING) {
        yaml_path(section, path);
        list_section(path, known, sizeof known);
        return refuse(in, section, "expected keys inside: %s", known);
    }
    for (const struct yaml_node *node = section->child; node != NULL; node = node->next) {
        yaml_path(node, path);
        const char *dot = strrchr(node->key, '.'); /* the checks would not find it in its section */
        if (dot != NULL)
            return refuse(in, node, "a key has no dots here; write '%s' inside '%.*s'", dot + 1,
                          (int)(dot - node->key), node->key);
        const struct key *key = recipe_find_key(path, in->recipe->optimiser.kind);
        const bool taken =
            key == NULL                ? (is_section(path) ? take_section : fail_unknown)(in, node)
            : key->kind == VALUE_FILES ? take_files(in, key, node)
            : key->kind == VALUE_FILE || key->kind == VALUE_SPACE
                ? take_file(in, key, node, field_of(key, in->recipe))
                : (node->kind == YAML_SCALAR && parse_value(key, node->text, in->recipe)) ||
                      fail_value(in, key, node);
        if (!taken)
            return false;
    }
    return true;
}

static const struct yaml_node *find(const struct reader *in, const char *path)
{
    return yaml_find_path(in->doc->root, path);
}

/* Returns the node of a key, or that of another key if the first is absent. */
static const struct yaml_node *node_of(const struct reader *in, const char *path, const char *other)
{
    const struct yaml_node *node = find(in, path);
    return node != NULL ? node : find(in, other);
}

static bool check_measure(const struct reader *in)
{
    const struct recipe *r = in->recipe;
    static const enum recipe_measure measures[] = {[PHASE_EVALUATION] = MEASURE_MOVE_MATCH,
                                                   [PHASE_SEARCH] = MEASURE_NODES_TO_SOLUTION,
                                                   [PHASE_GAMES] = MEASURE_GAMES};
    const bool labelled = r->phase == PHASE_EVALUATION &&
                          (r->measure == MEASURE_MENTOR || r->measure == MEASURE_RESULTS);
    return r->measure == measures[r->phase] || labelled ||
           refuse(in, node_of(in, "fitness.measure", "phase"), "phase %s is measured by %s, not %s",
                  recipe_phase_name(r->phase), recipe_measure_name(measures[r->phase]),
                  recipe_measure_name(r->measure));
}

/* Checks that every required key is present, and that every key belongs to the measure and to the
 * optimiser. A key of the file's optimiser is idle where --set, or the `set` of a stage, has named another one. */
static bool check_keys(const struct reader *in)
{
    const struct recipe *r = in->recipe;
    const enum optimiser_kind own = r->optimiser.kind;
    const struct yaml_node *kind = find(in, "optimiser.kind");
    const bool replaced = kind != NULL && kind->line <= 0;
    for (int i = 0; i < recipe_key_count; i++) {
        const struct key *key = &recipe_keys[i];
        const struct yaml_node *node = find(in, key->path);
        const bool measured = recipe_key_of_measure(key, r->measure);
        char owners[256];
        if (node == NULL && key->initial == NULL && measured &&
            !((in->later & RECIPE_TRAIN_LATER) != 0 && strcmp(key->path, "data.train") == 0))
            return error_set(in->doc->err, "%s: %s: missing; %s", in->doc->path, key->path,
                             key->meaning);
        if (node != NULL && !measured)
            return refuse(in, node, "not a key of phase %s, measure %s",
                          recipe_phase_name(r->phase), recipe_measure_name(r->measure));
        if (node == NULL || (replaced && node->line > 0) ||
            recipe_key_of_optimiser(recipe_find_key(key->path, own), own))
            continue;
        recipe_list_optimisers(path_owners(key->path), owners, sizeof owners);
        return refuse(in, node, "a key of optimiser %s, but the optimiser is %s", owners,
                      recipe_optimiser_name((int)own));
    }
    return true;
}

/* Checks that the optimiser supports the measure and the population. */
static bool check_optimiser(const struct reader *in)
{
    const struct recipe *r = in->recipe;
    const struct optimiser_method *method = optimiser_method_of(r->optimiser.kind);
    if (method->across_generations && !objective_value_of(r)->across_generations)
        return refuse(
            in, node_of(in, "optimiser.kind", "phase"),
            "%s compares organisms of different generations, but %s rank only one "
            "generation; use genetic, cma-es, sep-cma-es, evolution-strategy, spsa or random",
            method->name, r->measure == MEASURE_GAMES ? "games" : "batches");
    return r->optimiser.population >= method->fewest ||
           refuse(in, node_of(in, "ga.population", "optimiser.kind"),
                  "a population of %d; %s needs %d or more", r->optimiser.population, method->name,
                  method->fewest);
}

/* Checks that organisms which play only their mates come in pairs, before the estimate. */
static bool check_mates(const struct reader *in)
{
    const struct recipe *r = in->recipe;
    const struct yaml_node *node = node_of(in, "fitness.mates", "phase");
    if (!r->mates)
        return true;
    if (!optimiser_method_of(r->optimiser.kind)->mates)
        return refuse(in, node, "%s has no pairs of organisms; use spsa or evolution-strategy",
                      optimiser_method_of(r->optimiser.kind)->name);
    if (r->optimiser.population % 2 == 0)
        return refuse(in, node_of(in, "ga.population", "fitness.mates"),
                      "a population of %d; with fitness.mates it is pairs and the estimate, an "
                      "odd number",
                      r->optimiser.population);
    return (r->neighbours == 0 && r->rematch == 0 && r->seed_games == 0 && r->hall == 0) ||
           refuse(in, node,
                  "mates play each other only; leave out fitness.neighbours, rematch, "
                  "seed_games and hall");
}

static bool check_together(const struct reader *in)
{
    const struct optimiser_settings *o = &in->recipe->optimiser;
    if (in->recipe->split != SPLIT_NONE && in->recipe->held_out_count > 0)
        return refuse(in, find(in, "data.split"),
                      "halves hold out every second position; data.held_out must be empty");
    if (in->recipe->neighbours > o->population - 1)
        return refuse(in, node_of(in, "fitness.neighbours", "ga.population"),
                      "%d neighbours, but an organism has %d others", in->recipe->neighbours,
                      o->population - 1);
    if (!check_mates(in))
        return false;
    if (in->recipe->cost == COST_TIME && in->recipe->scale == SCALE_LOG)
        return refuse(in, node_of(in, "fitness.scale", "fitness.cost"),
                      "log is for nodes; with cost: time the scale is linear");
    if (in->recipe->seed_count > o->population)
        return refuse(in, find(in, "ga.seeds"), "%d seeds for a population of %d",
                      in->recipe->seed_count, o->population);
    if (o->genetic.elitism < o->population)
        return optimiser_check(o, in->doc->err) ||
               error_prefix(in->doc->err, "%s: ga: ", in->doc->path);
    return refuse(in, node_of(in, "ga.elitism", "ga.population"),
                  "elitism of %d in a population of %d; it must be less", o->genetic.elitism,
                  o->population);
}

/* Refuses a key that has no effect while `other` is not `needed`, but not one with its default, nor
 * one of the file where --set or the `set` of a stage has changed `other`. */
static bool check_idle(const struct reader *in, const char *path, const char *other,
                       const char *needed)
{
    const struct yaml_node *node = find(in, path);
    const struct yaml_node *cause = find(in, other);
    const char *initial = recipe_find_key(path, in->recipe->optimiser.kind)->initial;
    double value, number;
    if (node == NULL || (node->line > 0 && cause != NULL && cause->line <= 0))
        return true;
    for (int i = 0; i < recipe_phase_default_count; i++)
        if (recipe_phase_defaults[i].phase == in->recipe->phase &&
            strcmp(recipe_phase_defaults[i].path, path) == 0)
            initial = recipe_phase_defaults[i].initial;
    if (parse_double(node->text, &value) && parse_double(initial, &number)
            ? value >= number && value <= number /* however it is written */
            : strcmp(node->text, initial) == 0)
        return true;
    return refuse(in, node, "has no effect without %s; leave it out, or add that", needed);
}

/* Checks that every key has an effect. The text of a stored recipe is read as it is. */
static bool check_effects(const struct reader *in)
{
    const struct recipe *r = in->recipe;
    const enum selection selection = r->optimiser.genetic.selection;
    const bool seeded = r->seed_count > 0 || (in->later & RECIPE_SEEDS_LATER) != 0;
    const struct {
        const char *path, *other;
        bool acts;
        const char *needed;
    } keys[] = {
        {"ga.selection.size", "ga.selection.kind", selection == SELECTION_TOURNAMENT,
         "ga.selection.kind: tournament"},
        {"ga.selection.pressure", "ga.selection.kind", selection == SELECTION_RANK,
         "ga.selection.kind: rank"},
        {"ga.selection.truncation", "ga.selection.kind", selection == SELECTION_PROPORTIONAL,
         "ga.selection.kind: proportional"},
        {"ga.fill", "ga.seeds", seeded || r->optimiser.defaults > 0, "ga.seeds or ga.start"},
        {"fitness.limit", "fitness.movetime", r->movetime == 0, "fitness.movetime: 0"},
        {"fitness.limit", "fitness.depth", r->depth == 0, "fitness.depth: 0"},
        {"fitness.movetime", "fitness.depth", r->depth == 0, "fitness.depth: 0"},
        {"fitness.limit", "fitness.tc", r->tc[0] == '\0', "fitness.tc: ''"},
        {"fitness.depth", "fitness.tc", r->tc[0] == '\0', "fitness.tc: ''"},
        {"fitness.movetime", "fitness.tc", r->tc[0] == '\0', "fitness.tc: ''"},
        {"fitness.win_moves", "fitness.win_score", r->win_score > 0, "fitness.win_score"},
        {"fitness.draw_moves", "fitness.draw_score", r->draw_score > 0, "fitness.draw_score"},
        {"fitness.draw_from", "fitness.draw_score", r->draw_score > 0, "fitness.draw_score"},
        {"fitness.seed_games", "ga.seeds", seeded, "ga.seeds"},
        {"fitness.hall_games", "fitness.hall", r->hall > 0, "fitness.hall"},
        {"fitness.pairs", "fitness.mates", r->mates == 0, "fitness.mates: no"},
        {"fitness.start_games", "fitness.mates", r->mates != 0, "fitness.mates"},
        {"optimiser.rate", "fitness.mates", r->mates != 0, "fitness.mates"},
        {"fitness.opponent_games", "data.opponent", r->opponent[0] != '\0', "data.opponent"},
    };
    if (in->directory == NULL)
        return true;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!keys[i].acts && !check_idle(in, keys[i].path, keys[i].other, keys[i].needed))
            return false;
    return true;
}

/* Sets the defaults, reads the document, then checks that it is complete and consistent. */
static bool read_document(const struct reader *in)
{
    /* Sets the default of every optional key, as the phase has it. Files have none. */
    memset(in->recipe, 0, sizeof *in->recipe);
    for (int i = 0; i < recipe_key_count; i++)
        if (recipe_keys[i].initial != NULL && recipe_keys[i].initial[0] != '\0')
            parse_value(&recipe_keys[i], recipe_keys[i].initial, in->recipe);
    const struct yaml_node *named = yaml_find(in->doc->root, "phase");
    const struct key *phase_key = recipe_find_key("phase", OPTIMISER_GENETIC);
    const int phase =
        named != NULL && named->kind == YAML_SCALAR ? find_choice(phase_key, named->text) : -1;
    for (int i = 0; i < recipe_phase_default_count; i++)
        if (phase == (int)recipe_phase_defaults[i].phase)
            parse_value(recipe_find_key(recipe_phase_defaults[i].path, OPTIMISER_GENETIC),
                        recipe_phase_defaults[i].initial, in->recipe);
    in->recipe->pairs = in->directory != NULL; /* a stored text without it is older than the key */
    /* A key of several optimisers belongs to the one that the document names; take_section refuses an unknown name. */
    const struct key *kind = recipe_find_key("optimiser.kind", OPTIMISER_GENETIC);
    const struct yaml_node *node = find(in, kind->path);
    if (node != NULL && node->kind == YAML_SCALAR)
        parse_value(kind, node->text, in->recipe);
    return take_section(in, in->doc->root) && check_measure(in) && check_keys(in) &&
           check_optimiser(in) && check_together(in) && check_effects(in);
}

/* Reads the document of a recipe file whose settings have been applied, if that is `good`, and finishes it. */
static bool finish_reading(struct reader in, struct yaml_document *doc, bool good)
{
    char directory[PATH_SIZE];
    in.doc = doc;
    in.directory = directory;
    good = good && path_directory(doc->path, directory, doc->err) && read_document(&in);
    yaml_finish(doc);
    return good;
}

bool recipe_read(const char *path, const char *const *settings, int setting_count,
                 struct recipe *recipe, struct error *err)
{
    struct yaml_document doc;
    bool good = yaml_read_file(&doc, path, err);
    for (int i = 0; good && i < setting_count; i++)
        good = yaml_apply(&doc, settings[i]);
    return finish_reading((struct reader){.recipe = recipe}, &doc, good);
}

bool recipe_read_of_stage(const char *path, const struct yaml_node *const sets[2],
                          const char *set_directory, unsigned later, struct recipe *recipe,
                          struct error *err)
{
    struct yaml_document doc;
    bool good = yaml_read_file(&doc, path, err);
    doc.setter = "set";
    for (int i = 0; good && i < 2; i++)
        good = sets[i] == NULL || yaml_merge(&doc, doc.root, sets[i]);
    return finish_reading((struct reader){NULL, NULL, set_directory, later, recipe}, &doc, good);
}

bool recipe_from_text(const char *name, const char *text, struct recipe *recipe, struct error *err)
{
    struct yaml_document doc;
    if (!yaml_read_text(&doc, name, text, strlen(text), err))
        return false;
    /* A stage that learns from results may have been stored before its training positions were found. */
    const struct yaml_node *measure = yaml_find_path(doc.root, "fitness.measure");
    const bool learns = measure != NULL && measure->kind == YAML_SCALAR &&
                        strcmp(measure->text, recipe_measure_name(MEASURE_RESULTS)) == 0;
    struct reader in = {.doc = &doc, .later = learns ? RECIPE_TRAIN_LATER : 0, .recipe = recipe};
    bool read = read_document(&in);
    yaml_finish(&doc);
    return read;
}

/* ---- files ---- */

bool recipe_each_file(struct recipe *recipe, recipe_visit *visit, void *context, struct error *err)
{
    for (int i = 0; i < recipe_key_count; i++) {
        const char *dot = strrchr(recipe_keys[i].path, '.');
        const char *role = dot == NULL ? recipe_keys[i].path : dot + 1;
        char(*paths)[RECIPE_PATH] = field_of(&recipe_keys[i], recipe);
        int count = 0;
        if (recipe_keys[i].kind == VALUE_FILES)
            count = *count_of(&recipe_keys[i], recipe);
        else if (recipe_keys[i].kind == VALUE_FILE)
            count = paths[0][0] != '\0';
        else if (recipe_keys[i].kind == VALUE_SPACE)
            count = paths[0][0] != '\0' && !recipe_is_kind(paths[0]);
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
