#include "engine.h"
#include "night_reader.h"
#include "space.h"
#include "text_stream.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what it evolves ---- */

/* Finds out whether a space is one of an evaluation, and not of a search. */
static bool find_half_of_space(const struct night_reader *in, const char *path, bool *evaluation)
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
static bool find_half(const struct night_reader *in, const struct yaml_node *mapping,
                      const struct recipe *r, bool *evaluation)
{
    const char *word = NULL;
    *evaluation = r->phase != PHASE_SEARCH;
    if (in->directory == NULL) {
        bool read = night_text_of(in, mapping, "evolves", &word);
        *evaluation = *evaluation && (word == NULL || strcmp(word, "search") != 0);
        return read;
    }
    return r->phase != PHASE_COEVOLUTION || r->space[0] == '\0' ||
           find_half_of_space(in, r->space, evaluation);
}

/* ---- its recipe ---- */

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
static bool add_settings(const struct night_reader *in, const struct yaml_node *mapping,
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
            return night_fail(in, node, "too many values");
        FILE *out = text_stream(&s->texts[s->count], &size);
        if (out == NULL)
            return night_fail(in, node, "no memory");
        s->count++;
        fprintf(out, "%s=", path);
        write_setting(out, node);
        if (fclose(out) != 0)
            return night_fail(in, node, "no memory");
    }
    return true;
}

/* Reads the recipe of a stage, either from a file, with the values of `set` applied, or from a
 * block of text. */
static bool take_recipe(const struct night_reader *in, const struct yaml_node *mapping,
                        struct night_stage *stage)
{
    const struct yaml_node *node = yaml_find(mapping, "recipe"), *set = yaml_find(mapping, "set");
    const struct yaml_node *all = yaml_find(in->doc->root, "set");
    char path[RECIPE_PATH];
    struct settings settings = {.count = 0};
    if (node == NULL)
        return night_fail(in, mapping, "a stage needs a recipe, or players");
    if (set != NULL && set->kind != YAML_MAPPING)
        return night_fail(in, set, "expected keys of the recipe");
    if (all != NULL && all->kind != YAML_MAPPING)
        return night_fail(in, all, "expected keys of the stages' recipes");
    stage->recipe = calloc(1, sizeof *stage->recipe);
    if (stage->recipe == NULL)
        return night_fail(in, node, "no memory");
    if (node->kind == YAML_SCALAR && strchr(node->text, '\n') != NULL)
        return recipe_from_text(in->doc->path, node->text, stage->recipe, in->err);
    bool (*read_recipe)(const char *, const char *const *, int, struct recipe *, struct error *) =
        yaml_find(mapping, "results") == NULL ? recipe_read : recipe_read_without_train;
    bool read = night_take_path(in, node, path) &&
                (all == NULL || add_settings(in, all, "", &settings)) &&
                (set == NULL || add_settings(in, set, "", &settings)) &&
                read_recipe(path, (const char *const *)settings.texts, settings.count,
                            stage->recipe, in->err);
    settings_free(&settings);
    return read;
}

/* Adds the earlier match that a node names to those whose games a stage learns from. It keeps them. */
static bool add_results(const struct night_reader *in, const struct yaml_node *node,
                        struct night_stage *stage)
{
    if (node->kind != YAML_SCALAR)
        return night_fail(in, node, "expected the name of a match");
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
static bool take_results(const struct night_reader *in, const struct yaml_node *mapping,
                         struct night_stage *stage)
{
    const struct yaml_node *node = yaml_find(mapping, "results");
    if (node == NULL)
        return true;
    if (stage->recipe->measure != MEASURE_RESULTS)
        return night_fail(in, node,
                          "the recipe does not learn from results; its fitness.measure must be "
                          "results");
    if (stage->recipe->train_count > 0)
        return night_fail(in, node,
                          "the recipe has training positions already; leave out its data.train");
    if (node->kind == YAML_SCALAR)
        return add_results(in, node, stage);
    if (node->kind != YAML_SEQUENCE || node->child == NULL)
        return night_fail(in, node, "expected the name of an earlier match, or a list of names");
    for (const struct yaml_node *n = node->child; n != NULL; n = n->next)
        if (!add_results(in, n, stage))
            return false;
    return true;
}

bool night_take_run(const struct night_reader *in, const struct yaml_node *mapping,
                    struct night_stage *stage)
{
    static const char *const known[] = {"recipe", "runs",       "share",  "seeds",   "results",
                                        "set",    "evaluation", "search", "evolves", NULL};
    const struct yaml_node *evolves = yaml_find(mapping, "evolves");
    stage->runs = 1;
    if (in->directory != NULL && evolves != NULL)
        return night_fail(in, evolves, "unknown key; the recipe determines what it evolves");
    if (!night_check_keys(in, mapping, known) || !take_recipe(in, mapping, stage) ||
        !find_half(in, mapping, stage->recipe, &stage->evolves_evaluation) ||
        !night_take_whole(in, in->doc->root, "runs", 1, NIGHT_RUNS, 1, &stage->runs) ||
        !night_take_whole(in, mapping, "runs", 1, NIGHT_RUNS, 1, &stage->runs) ||
        !night_take_stage(in, mapping, "seeds", stage->evolves_evaluation, stage->seeds) ||
        !night_take_stage(in, mapping, "evaluation", true, stage->evaluation) ||
        !night_take_stage(in, mapping, "search", false, stage->search) ||
        !take_results(in, mapping, stage))
        return false;
    if (stage->evaluation[0] != '\0' && stage->evolves_evaluation)
        return night_fail(in, yaml_find(mapping, "evaluation"),
                          "only a search reads an evaluation");
    if (stage->search[0] != '\0' &&
        (!stage->evolves_evaluation || stage->recipe->measure != MEASURE_GAMES))
        return night_fail(in, yaml_find(mapping, "search"),
                          "only evaluations in games play with a search");
    const struct night_stage *seeds = night_stage_find(in->night, stage->seeds);
    int count = seeds == NULL ? 0 : seeds->runs;
    if (count > stage->recipe->optimiser.population || count > RECIPE_FILES)
        return yaml_fail(in->doc, yaml_find(mapping, "seeds"), in->err,
                         "%d seeds for a population of %d (at most %d are allowed)", count,
                         stage->recipe->optimiser.population, RECIPE_FILES);
    return true;
}
