#include "night_recipe.h"

#include "engine.h"
#include "params_file.h"
#include "parse.h"
#include "paths.h"
#include "space.h"
#include "suggest.h"
#include "text_stream.h"
#include "values.h"
#include "yaml_document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The source and the destination of a night that is being read. */
struct reader {
    const struct yaml_document *doc;
    const char *directory; /* paths are relative to it; NULL: paths are not changed */
    struct night_recipe *night;
    struct error *err;
};

static bool fail(const struct reader *in, const struct yaml_node *node, const char *reason)
{
    return yaml_fail(in->doc, node, in->err, "%s", reason);
}

/* ---- scalars ---- */

/* Checks that a mapping has only known keys (a NULL-terminated list). */
static bool check_keys(const struct reader *in, const struct yaml_node *mapping,
                       const char *const *known)
{
    char all[256] = "";
    for (int i = 0; known[i] != NULL; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? ", " : "", known[i]);
    if (mapping->kind != YAML_MAPPING)
        return yaml_fail(in->doc, mapping, in->err, "expected keys inside: %s", all);
    for (const struct yaml_node *node = mapping->child; node != NULL; node = node->next) {
        struct suggestion near;
        bool found = false;
        suggest_init(&near, node->key);
        for (int i = 0; known[i] != NULL; i++) {
            found = found || strcmp(known[i], node->key) == 0;
            suggest_offer(&near, known[i], known[i]);
        }
        if (!found && near.name != NULL)
            return yaml_fail(in->doc, node, in->err, "unknown key; did you mean %s?", near.name);
        if (!found)
            return yaml_fail(in->doc, node, in->err, "unknown key; known here: %s", all);
    }
    return true;
}

/* Finds the text of an entry, NULL if the entry is absent. Fails if the entry is not a text. */
static bool text_of(const struct reader *in, const struct yaml_node *mapping, const char *key,
                    const char **text)
{
    const struct yaml_node *node = yaml_find(mapping, key);
    *text = NULL;
    if (node == NULL)
        return true;
    if (node->kind != YAML_SCALAR || node->text[0] == '\0')
        return fail(in, node, "expected a text");
    *text = node->text;
    return true;
}

/* Copies the text of an entry. An absent entry gives "". */
static bool take_text(const struct reader *in, const struct yaml_node *mapping, const char *key,
                      char *out, size_t size)
{
    const char *text;
    if (!text_of(in, mapping, key, &text))
        return false;
    out[0] = '\0';
    if (text == NULL)
        return true;
    if (strlen(text) >= size || !yaml_is_line(text))
        return fail(in, yaml_find(mapping, key), "the text is too long, or not UTF-8 on one line");
    strcpy(out, text);
    return true;
}

/* Reads a number in a range. An absent entry leaves the value unchanged. */
static bool take_real(const struct reader *in, const struct yaml_node *mapping, const char *key,
                      double min, double max, double *value)
{
    const char *text;
    double number;
    if (!text_of(in, mapping, key, &text) || text == NULL)
        return text == NULL && yaml_find(mapping, key) == NULL;
    if (!parse_double(text, &number) || number < min || number > max)
        return yaml_fail(in->doc, yaml_find(mapping, key), in->err,
                         "'%s' is wrong; expected a number from %g to %g", text, min, max);
    *value = number;
    return true;
}

static bool take_whole(const struct reader *in, const struct yaml_node *mapping, const char *key,
                       int min, int max, int step, int *value)
{
    const char *text;
    int64_t number;
    if (!text_of(in, mapping, key, &text) || text == NULL)
        return text == NULL && yaml_find(mapping, key) == NULL;
    if (!parse_int64(text, &number) || number < min || number > max || number % step != 0)
        return yaml_fail(in->doc, yaml_find(mapping, key), in->err,
                         "'%s' is wrong; expected %s number from %d to %d", text,
                         step == 2 ? "an even" : "a whole", min, max);
    *value = (int)number;
    return true;
}

/* Reads the path of a file, relative to the recipe. The file must exist. */
static bool take_path(const struct reader *in, const struct yaml_node *node, char path[RECIPE_PATH])
{
    if (node->kind != YAML_SCALAR || node->text[0] == '\0')
        return fail(in, node, "expected the name of a file");
    if (!yaml_is_line(node->text) || strlen(node->text) >= RECIPE_PATH)
        return fail(in, node, "the path is too long, or not UTF-8 on one line");
    if (in->directory == NULL || node->line == 0) {
        strcpy(path, node->text);
    } else if (!path_absolute(in->directory, node->text, path, in->err))
        return false;
    FILE *file = in->directory == NULL ? NULL : fopen(path, "r");
    bool exists = in->directory == NULL || file != NULL;
    if (file != NULL)
        fclose(file);
    return exists || yaml_fail(in->doc, node, in->err,
                               "cannot open '%s'; paths are relative to the recipe", node->text);
}

/* ---- references to earlier stages ---- */

const struct night_stage *night_stage_find(const struct night_recipe *night, const char *name)
{
    for (int i = 0; i < night->stage_count; i++)
        if (strcmp(night->stages[i].name, name) == 0)
            return &night->stages[i];
    return NULL;
}

bool night_stage_learns(const struct night_stage *stage, const struct night_stage *match)
{
    for (int i = 0; i < stage->result_count; i++)
        if (strcmp(stage->results[i], match->name) == 0)
            return true;
    return false;
}

/* Finds out whether a space is one of an evaluation, and not of a search. */
static bool find_half_of_space(const struct reader *in, const char *path, bool *evaluation)
{
    struct space space;
    if (!space_read(path, values_tables, &space, in->err))
        return false;
    *evaluation = evaluation_table_of_kind(space.table.kind) != NULL;
    bool ours = !space_is_foreign(&space.table) ||
                error_set(in->err, "%s: kind %s: in a night, only our own engine plays itself",
                          path, space.table.kind);
    space_free(&space);
    return ours;
}

/* Finds out whether a recipe evolves an evaluation or a search. In phase coevolution its space
 * decides. The stored text of a night has the key `evolves` instead, because reading that text
 * opens no files. */
static bool find_half(const struct reader *in, const struct yaml_node *mapping,
                      const struct recipe *r, bool *evaluation)
{
    const char *word = NULL;
    *evaluation = r->phase != PHASE_SEARCH;
    if (in->directory == NULL) {
        bool read = text_of(in, mapping, "evolves", &word);
        *evaluation = *evaluation && (word == NULL || strcmp(word, "search") != 0);
        return read;
    }
    return r->phase != PHASE_COEVOLUTION || r->space[0] == '\0' ||
           find_half_of_space(in, r->space, evaluation);
}

/* Reads the name of an earlier stage that evolves an evaluation, or a search. An absent entry gives
 * "". */
static bool take_stage(const struct reader *in, const struct yaml_node *mapping, const char *key,
                       bool evaluation, char out[STORE_STAGE])
{
    const char *text;
    out[0] = '\0';
    if (!text_of(in, mapping, key, &text) || text == NULL)
        return text == NULL && yaml_find(mapping, key) == NULL;
    const struct night_stage *s = night_stage_find(in->night, text);
    const struct yaml_node *node = yaml_find(mapping, key);
    if (s == NULL || s->is_match)
        return yaml_fail(in->doc, node, in->err, "'%s' is not an earlier stage that evolves", text);
    if (s->evolves_evaluation != evaluation)
        return yaml_fail(in->doc, node, in->err,
                         "the stage %s evolves %s; expected one that "
                         "evolves %s",
                         text, evaluation ? "a search" : "an evaluation",
                         evaluation ? "an evaluation" : "a search");
    strcpy(out, s->name);
    return true;
}

/* ---- a stage that evolves ---- */

/* Writes the value of a setting "key=value": a text, or a list of texts in brackets. */
static void write_setting(FILE *out, const struct yaml_node *node)
{
    const char *before = "[";
    if (node->kind == YAML_SCALAR) {
        fputs(node->text, out);
        return;
    }
    for (const struct yaml_node *item = node->child; item != NULL; item = item->next) {
        fprintf(out, "%s%s", before, item->text == NULL ? "" : item->text);
        before = ", ";
    }
    fputs(node->child == NULL ? "[]" : "]", out);
}

enum { SETTINGS = 64 };

/* Settings of a stage, each "key.path=value". Owns the texts. */
struct settings {
    char *texts[SETTINGS];
    int count;
};

static void settings_free(struct settings *s)
{
    while (s->count > 0)
        free(s->texts[--s->count]);
}

/* Adds the leaves of a mapping. `section` is its path, "" for the whole recipe. */
static bool add_settings(const struct reader *in, const struct yaml_node *mapping,
                         const char *section, struct settings *s)
{
    for (const struct yaml_node *node = mapping->child; node != NULL; node = node->next) {
        char path[2 * YAML_KEY];
        size_t size;
        snprintf(path, sizeof path, "%s%s%s", section, section[0] == '\0' ? "" : ".", node->key);
        if (node->kind == YAML_MAPPING) {
            if (strlen(path) >= YAML_KEY || !add_settings(in, node, path, s))
                return false;
            continue;
        }
        if (s->count == SETTINGS)
            return fail(in, node, "too many values");
        FILE *out = text_stream(&s->texts[s->count], &size);
        if (out == NULL)
            return fail(in, node, "no memory");
        s->count++;
        fprintf(out, "%s=", path);
        write_setting(out, node);
        if (fclose(out) != 0)
            return fail(in, node, "no memory");
    }
    return true;
}

/* Reads the recipe of a stage, either from a file, with the values of `set` applied, or from a
 * block of text. */
static bool take_recipe(const struct reader *in, const struct yaml_node *mapping,
                        struct night_stage *stage)
{
    const struct yaml_node *node = yaml_find(mapping, "recipe"), *set = yaml_find(mapping, "set");
    const struct yaml_node *all = yaml_find(in->doc->root, "set");
    char path[RECIPE_PATH];
    struct settings settings = {.count = 0};
    if (node == NULL)
        return fail(in, mapping, "a stage needs a recipe, or players");
    if (set != NULL && set->kind != YAML_MAPPING)
        return fail(in, set, "expected keys of the recipe");
    if (all != NULL && all->kind != YAML_MAPPING)
        return fail(in, all, "expected keys of the stages' recipes");
    stage->recipe = calloc(1, sizeof *stage->recipe);
    if (stage->recipe == NULL)
        return fail(in, node, "no memory");
    if (node->kind == YAML_SCALAR && strchr(node->text, '\n') != NULL)
        return recipe_from_text(in->doc->path, node->text, stage->recipe, in->err);
    bool (*read_recipe)(const char *, const char *const *, int, struct recipe *, struct error *) =
        yaml_find(mapping, "results") == NULL ? recipe_read : recipe_read_without_train;
    bool read = take_path(in, node, path) &&
                (all == NULL || add_settings(in, all, "", &settings)) &&
                (set == NULL || add_settings(in, set, "", &settings)) &&
                read_recipe(path, (const char *const *)settings.texts, settings.count,
                            stage->recipe, in->err);
    settings_free(&settings);
    return read;
}

/* Adds the earlier match that a node names to those whose games a stage learns from. It keeps them. */
static bool add_results(const struct reader *in, const struct yaml_node *node,
                        struct night_stage *stage)
{
    if (node->kind != YAML_SCALAR)
        return fail(in, node, "expected the name of a match");
    const struct night_stage *games = night_stage_find(in->night, node->text);
    if (games == NULL || !games->is_match)
        return yaml_fail(in->doc, node, in->err, "'%s' is not an earlier match", node->text);
    if (night_stage_learns(stage, games))
        return yaml_fail(in->doc, node, in->err, "'%s' stands there twice", node->text);
    if (stage->result_count == NIGHT_RESULTS)
        return yaml_fail(in->doc, node, in->err, "too many matches; at most %d", NIGHT_RESULTS);
    strcpy(stage->results[stage->result_count++], games->name);
    in->night->stages[games - in->night->stages].keeps = true;
    return true;
}

/* Reads the matches whose games a stage learns from: a name or a list of names. */
static bool take_results(const struct reader *in, const struct yaml_node *mapping,
                         struct night_stage *stage)
{
    const struct yaml_node *node = yaml_find(mapping, "results");
    if (node == NULL)
        return true;
    if (stage->recipe->measure != MEASURE_RESULTS)
        return fail(in, node,
                    "the recipe does not learn from results; its fitness.measure must be "
                    "results");
    if (stage->recipe->train_count > 0)
        return fail(in, node,
                    "the recipe has training positions already; leave out its data.train");
    if (node->kind == YAML_SCALAR)
        return add_results(in, node, stage);
    if (node->kind != YAML_SEQUENCE || node->child == NULL)
        return fail(in, node, "expected the name of an earlier match, or a list of names");
    for (const struct yaml_node *n = node->child; n != NULL; n = n->next)
        if (!add_results(in, n, stage))
            return false;
    return true;
}

static bool take_run(const struct reader *in, const struct yaml_node *mapping,
                     struct night_stage *stage)
{
    static const char *const known[] = {"recipe", "runs",       "share",  "seeds",   "results",
                                        "set",    "evaluation", "search", "evolves", NULL};
    const struct yaml_node *evolves = yaml_find(mapping, "evolves");
    stage->runs = 1;
    if (in->directory != NULL && evolves != NULL)
        return fail(in, evolves, "unknown key; the recipe determines what it evolves");
    if (!check_keys(in, mapping, known) || !take_recipe(in, mapping, stage) ||
        !find_half(in, mapping, stage->recipe, &stage->evolves_evaluation) ||
        !take_whole(in, in->doc->root, "runs", 1, NIGHT_RUNS, 1, &stage->runs) ||
        !take_whole(in, mapping, "runs", 1, NIGHT_RUNS, 1, &stage->runs) ||
        !take_stage(in, mapping, "seeds", stage->evolves_evaluation, stage->seeds) ||
        !take_stage(in, mapping, "evaluation", true, stage->evaluation) ||
        !take_stage(in, mapping, "search", false, stage->search) ||
        !take_results(in, mapping, stage))
        return false;
    if (stage->evaluation[0] != '\0' && stage->evolves_evaluation)
        return fail(in, yaml_find(mapping, "evaluation"), "only a search reads an evaluation");
    if (stage->search[0] != '\0' &&
        (!stage->evolves_evaluation || stage->recipe->measure != MEASURE_GAMES))
        return fail(in, yaml_find(mapping, "search"),
                    "only evaluations in games play with a search");
    const struct night_stage *seeds = night_stage_find(in->night, stage->seeds);
    int count = seeds == NULL ? 0 : seeds->runs;
    if (count > stage->recipe->optimiser.population || count > RECIPE_FILES)
        return yaml_fail(in->doc, yaml_find(mapping, "seeds"), in->err,
                         "%d seeds for a population of %d (at most %d are allowed)", count,
                         stage->recipe->optimiser.population, RECIPE_FILES);
    return true;
}

/* ---- a match ---- */

/* Reads the source of a player's evaluation or search: an earlier stage, one of the words, or a
 * file, which must contain such parameters. */
static bool take_half(const struct reader *in, const struct yaml_node *player, const char *key,
                      bool evaluation, char out[RECIPE_PATH])
{
    const struct yaml_node *node = yaml_find(player, key);
    const char *text;
    strcpy(out, evaluation ? "" : NIGHT_PLAIN);
    if (!text_of(in, player, key, &text))
        return false;
    if (text == NULL)
        return !evaluation || fail(in, player, "a player needs an evaluation");
    if (night_stage_find(in->night, text) != NULL) {
        char name[STORE_STAGE];
        bool taken = take_stage(in, player, key, evaluation, name);
        return taken && strcpy(out, name) != NULL;
    }
    if (strcmp(text, NIGHT_RANDOM) == 0 || (!evaluation && strcmp(text, NIGHT_PLAIN) == 0))
        return strcpy(out, text) != NULL;
    struct evaluation e;
    struct search_params p;
    if (!take_path(in, node, out))
        return false;
    if (in->directory == NULL)
        return true; /* it was checked when the night started */
    return evaluation ? values_evaluation(out, &e, in->err)
                      : values_search_params(out, &p, in->err);
}

static bool take_player(const struct reader *in, const struct yaml_node *node,
                        struct night_stage *stage)
{
    static const char *const known[] = {"evaluation", "search", NULL};
    if (stage->player_count == NIGHT_PLAYERS)
        return fail(in, node, "too many players");
    struct night_player *player = &stage->players[stage->player_count++];
    if (node->key[0] == '\0' || strlen(node->key) >= sizeof player->name ||
        !yaml_is_line(node->key))
        return fail(in, node, "the name is too long, or not UTF-8 on one line");
    strcpy(player->name, node->key);
    return check_keys(in, node, known) &&
           take_half(in, node, "evaluation", true, player->evaluation) &&
           take_half(in, node, "search", false, player->search);
}

/* Reads "yes" or "no". An absent entry leaves the value unchanged. */
static bool take_yes(const struct reader *in, const struct yaml_node *mapping, const char *key,
                     bool *value)
{
    const char *text;
    if (!text_of(in, mapping, key, &text) || text == NULL)
        return text == NULL && yaml_find(mapping, key) == NULL;
    *value = strcmp(text, "yes") == 0;
    return *value || strcmp(text, "no") == 0 ||
           yaml_fail(in->doc, yaml_find(mapping, key), in->err, "'%s' is wrong; expected yes or no",
                     text);
}

static bool take_match(const struct reader *in, const struct yaml_node *mapping,
                       struct night_stage *stage)
{
    static const char *const known[] = {"players",  "share",     "games", "limit", "hash",
                                        "openings", "win_score", "keep",  NULL};
    const struct yaml_node *players = yaml_find(mapping, "players");
    const struct yaml_node *openings = yaml_find(mapping, "openings");
    stage->is_match = true;
    stage->games = 400;
    stage->limit = 5000;
    stage->hash = 4;
    if (!check_keys(in, mapping, known) ||
        !take_whole(in, mapping, "games", 2, 1000000, 2, &stage->games) ||
        !take_whole(in, mapping, "limit", 1, 1000000000, 1, &stage->limit) ||
        !take_whole(in, mapping, "hash", HASH_MIN, HASH_MAX, 1, &stage->hash) ||
        !take_whole(in, mapping, "win_score", 0, 30000, 1, &stage->win_score) ||
        !take_yes(in, mapping, "keep", &stage->keeps))
        return false;
    if (openings == NULL)
        return fail(in, mapping, "a match needs openings: a book of EPD, FEN or PGN");
    if (!take_path(in, openings, stage->openings))
        return false;
    if (players->kind != YAML_MAPPING)
        return fail(in, players, "expected players by name, each with an evaluation and a search");
    for (const struct yaml_node *p = players->child; p != NULL; p = p->next)
        if (!take_player(in, p, stage))
            return false;
    return stage->player_count >= 2 || fail(in, players, "a match needs two players or more");
}

/* ---- the whole document ---- */

static bool take_stages(const struct reader *in, const struct yaml_node *stages)
{
    if (stages == NULL || stages->kind != YAML_MAPPING || stages->child == NULL)
        return yaml_fail(in->doc, stages == NULL ? in->doc->root : stages, in->err,
                         "stages: missing; at least one is needed, each with its name");
    for (const struct yaml_node *node = stages->child; node != NULL; node = node->next) {
        if (in->night->stage_count == NIGHT_STAGES)
            return fail(in, node, "too many stages");
        struct night_stage stage = {.share = 1};
        if (!store_is_stage_name(node->key) || strlen(node->key) > STORE_STAGE - 13)
            return fail(in, node,
                        "the name of a stage has lower-case letters, digits and -, starts with a "
                        "letter, and has at most 19 characters");
        strcpy(stage.name, node->key);
        bool match = yaml_find(node, "players") != NULL;
        bool taken = match ? take_match(in, node, &stage) : take_run(in, node, &stage);
        taken = taken && take_real(in, node, "share", 1e-6, 1e6, &stage.share);
        in->night->stages[in->night->stage_count++] = stage; /* night_recipe_free frees it */
        if (!taken)
            return false;
    }
    return true;
}

static bool read_document(const struct reader *in)
{
    static const char *const known[] = {"name", "phase", "seed",   "hours",
                                        "runs", "set",   "stages", NULL};
    struct night_recipe *night = in->night;
    const struct yaml_node *root = in->doc->root, *seed = yaml_find(root, "seed");
    int64_t number = 1;
    *night = (struct night_recipe){.hours = 8};
    night->stages = calloc(NIGHT_STAGES, sizeof *night->stages);
    if (night->stages == NULL)
        return error_set(in->err, "no memory for the stages");
    if (!check_keys(in, root, known) ||
        !take_text(in, root, "name", night->name, sizeof night->name) ||
        !take_real(in, root, "hours", 1e-3, 1e4, &night->hours))
        return false;
    if (night->name[0] == '\0')
        return fail(in, root, "name: missing; the name of the run");
    if (seed != NULL && (seed->kind != YAML_SCALAR || !parse_int64(seed->text, &number) ||
                         number < 0 || number > INT64_MAX - NIGHT_RUNS))
        return fail(in, seed, "expected a whole number from 0");
    night->seed = (uint64_t)number;
    return take_stages(in, yaml_find(root, "stages"));
}

bool night_recipe_recognise(const char *path, bool *is_night, struct error *err)
{
    struct yaml_document doc;
    if (!yaml_read_file(&doc, path, err))
        return false;
    const struct yaml_node *phase = yaml_find(doc.root, "phase");
    *is_night = phase != NULL && phase->kind == YAML_SCALAR && strcmp(phase->text, "night") == 0;
    yaml_finish(&doc);
    return true;
}

bool night_recipe_read(const char *path, const char *const *settings, int setting_count,
                       struct night_recipe *night, struct error *err)
{
    struct yaml_document doc;
    char directory[PATH_SIZE];
    *night = (struct night_recipe){0};
    if (!path_directory(path, directory, err) || !yaml_read_file(&doc, path, err))
        return false;
    bool read = true;
    for (int i = 0; read && i < setting_count; i++)
        read = yaml_apply(&doc, settings[i], err);
    struct reader in = {.doc = &doc, .directory = directory, .night = night, .err = err};
    read = read && read_document(&in);
    yaml_finish(&doc);
    if (!read)
        night_recipe_free(night);
    return read;
}

bool night_recipe_from_text(const char *name, const char *text, struct night_recipe *night,
                            struct error *err)
{
    struct yaml_document doc;
    *night = (struct night_recipe){0};
    if (!yaml_read_text(&doc, name, text, strlen(text), err))
        return false;
    struct reader in = {.doc = &doc, .night = night, .err = err};
    bool read = read_document(&in);
    yaml_finish(&doc);
    if (!read)
        night_recipe_free(night);
    return read;
}

void night_recipe_free(struct night_recipe *night)
{
    for (int i = 0; i < night->stage_count; i++)
        free(night->stages[i].recipe);
    free(night->stages);
    *night = (struct night_recipe){0};
}

/* ---- files ---- */

/* True if the evaluation or search of a player is a file. */
static bool is_file(const struct night_recipe *night, const char *half)
{
    return strcmp(half, NIGHT_RANDOM) != 0 && strcmp(half, NIGHT_PLAIN) != 0 &&
           night_stage_find(night, half) == NULL;
}

static bool visit_match(struct night_recipe *night, struct night_stage *s, recipe_visit *visit,
                        void *context, struct error *err)
{
    if (!visit(context, "openings", s->openings, err))
        return false;
    for (int i = 0; i < s->player_count; i++) {
        struct night_player *p = &s->players[i];
        if ((is_file(night, p->evaluation) && !visit(context, "evaluation", p->evaluation, err)) ||
            (is_file(night, p->search) && !visit(context, "search", p->search, err)))
            return false;
    }
    return true;
}

bool night_recipe_each_file(struct night_recipe *night, recipe_visit *visit, void *context,
                            struct error *err)
{
    for (int i = 0; i < night->stage_count; i++) {
        struct night_stage *s = &night->stages[i];
        if (s->is_match ? !visit_match(night, s, visit, context, err)
                        : !recipe_each_file(s->recipe, visit, context, err))
            return false;
    }
    return true;
}

/* ---- writing ---- */

/* Writes a recipe as a block of indented text. */
static bool write_block(FILE *out, const struct recipe *recipe)
{
    char *text = recipe_text(recipe);
    if (text == NULL)
        return false;
    fputs("    recipe: |\n", out);
    for (char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        fprintf(out, "      %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    free(text);
    return true;
}

static bool write_run(FILE *out, const struct night_stage *s)
{
    fprintf(out, "    runs: %d\n    evolves: %s\n", s->runs,
            s->evolves_evaluation ? "evaluation" : "search");
    if (s->seeds[0] != '\0')
        fprintf(out, "    seeds: %s\n", s->seeds);
    if (s->evaluation[0] != '\0')
        fprintf(out, "    evaluation: %s\n", s->evaluation);
    if (s->search[0] != '\0')
        fprintf(out, "    search: %s\n", s->search);
    for (int i = 0; i < s->result_count; i++)
        fprintf(out, "%s%s%s", i == 0 ? "    results: [" : ", ", s->results[i],
                i + 1 == s->result_count ? "]\n" : "");
    return write_block(out, s->recipe);
}

static void write_match(FILE *out, const struct night_stage *s)
{
    fprintf(out, "    games: %d\n    limit: %d\n    hash: %d\n", s->games, s->limit, s->hash);
    if (s->win_score > 0)
        fprintf(out, "    win_score: %d\n", s->win_score);
    if (s->keeps)
        fputs("    keep: yes\n", out);
    fputs("    openings: ", out);
    yaml_write_text(out, s->openings);
    fputs("\n    players:\n", out);
    for (int i = 0; i < s->player_count; i++) {
        fputs("      ", out);
        yaml_write_text(out, s->players[i].name);
        fputs(": {evaluation: ", out);
        yaml_write_text(out, s->players[i].evaluation);
        fputs(", search: ", out);
        yaml_write_text(out, s->players[i].search);
        fputs("}\n", out);
    }
}

char *night_recipe_text(const struct night_recipe *night)
{
    char *text = NULL;
    size_t size;
    FILE *out = text_stream(&text, &size);
    if (out == NULL)
        return NULL;
    fputs("name: ", out);
    yaml_write_text(out, night->name);
    fprintf(out, "\nphase: night\nseed: %llu\nhours: %.15g\nstages:\n",
            (unsigned long long)night->seed, night->hours);
    bool written = true;
    for (int i = 0; i < night->stage_count; i++) {
        const struct night_stage *s = &night->stages[i];
        fprintf(out, "  %s:\n    share: %.15g\n", s->name, s->share);
        if (s->is_match)
            write_match(out, s);
        else
            written = write_run(out, s) && written;
    }
    if (fclose(out) == 0 && written)
        return text;
    free(text);
    return NULL;
}
