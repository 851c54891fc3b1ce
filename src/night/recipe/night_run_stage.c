#include "data_files.h"
#include "engine.h"
#include "foreign_text.h"
#include "night_reader.h"
#include "paths.h"
#include "recipe_keys.h"
#include "space.h"
#include "text_stream.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what it evolves ---- */

/* Reads the space of a recipe. The caller frees it. */
static bool read_recipe_space(const struct night_reader *in, const struct recipe *r,
                              struct space *space)
{
    if (r->space[0] == '\0')
        return space_of_table(r->phase == PHASE_SEARCH ? &search_table : &eval_table, space,
                              in->err);
    return space_read(r->space, recipe_tables, space, in->err);
}

/* Finds the kind of a recipe's space. */
static bool find_kind(const struct night_reader *in, const struct recipe *r, char kind[NIGHT_KIND])
{
    struct space space;
    if (!read_recipe_space(in, r, &space))
        return false;
    snprintf(kind, NIGHT_KIND, "%s", space.table.kind);
    space_free(&space);
    return true;
}

/* Finds out what a recipe evolves: the kind, and whether it is an evaluation or a search. In phase
 * coevolution its space decides. The stored text of a night has the key `evolves` instead, because
 * reading that text opens no files; the kind is not known then. */
static bool find_half(const struct night_reader *in, const struct yaml_node *mapping,
                      struct night_stage *stage)
{
    const struct recipe *r = stage->recipe;
    const char *word = NULL;
    stage->evolves_evaluation = r->phase != PHASE_SEARCH;
    if (in->directory == NULL) {
        bool read = night_text_of(in, mapping, "evolves", &word);
        if (word != NULL && strcmp(word, "search") == 0)
            stage->evolves_evaluation = false;
        return read;
    }
    if (!find_kind(in, r, stage->kind))
        return false;
    if (r->phase != PHASE_GAMES)
        return true;
    stage->evolves_evaluation = evaluation_table_of_kind(stage->kind) != NULL;
    return recipe_is_kind(stage->kind) ||
           error_set(in->err, "%s: kind %s: in a night, only our own engine plays itself", r->space,
                     stage->kind);
}

/* The least and the largest value of a gene; one without bits is constant. */
static int32_t least(const struct param *gene)
{
    return gene->bits == 0 ? gene->initial : gene->min;
}

static int32_t largest(const struct param *gene)
{
    return gene->bits == 0 ? gene->initial : gene->max;
}

/* Checks that each value that a seed may have is one of the stage, as values_read asks of the one that it
 * has. */
static bool check_ranges(const struct night_reader *in, const struct yaml_node *node,
                         const struct night_stage *seeds, const struct param_table *from,
                         const struct param_table *to)
{
    for (int i = 0; i < to->count; i++) {
        const struct param *gene = &to->params[i];
        const int j = param_find_from(from, gene->name, i);
        if (j < 0 && param_is_added(to, i))
            continue;
        if (j < 0)
            return yaml_fail(in->doc, node, in->err, "the stage %s has no gene %s", seeds->name,
                             gene->name);
        const struct param *seed = &from->params[j];
        if (least(seed) < least(gene) || largest(seed) > largest(gene))
            return yaml_fail(in->doc, node, in->err,
                             "the stage %s has %s from %d to %d, and this one from %d to %d; "
                             "expected a range that holds the other",
                             seeds->name, gene->name, (int)least(seed), (int)largest(seed),
                             (int)least(gene), (int)largest(gene));
    }
    return true;
}

/* The same for two stages, whose spaces it reads. */
static bool check_spaces(const struct night_reader *in, const struct yaml_node *node,
                         const struct night_stage *seeds, const struct night_stage *stage)
{
    struct space from = {0}, to = {0};
    bool good = read_recipe_space(in, seeds->recipe, &from) &&
                read_recipe_space(in, stage->recipe, &to) &&
                check_ranges(in, node, seeds, &from.table, &to.table);
    space_free(&from);
    space_free(&to);
    return good;
}

/* Checks that the seeds have the genes of the stage. The stored text of a night has been checked. */
static bool check_seeds(const struct night_reader *in, const struct yaml_node *mapping,
                        const struct night_stage *stage)
{
    const struct night_stage *seeds = night_stage_find(in->night, stage->seeds);
    const struct yaml_node *node = yaml_find(mapping, "seeds");
    if (seeds == NULL)
        return true;
    if (in->directory != NULL && stage->recipe->seed_count > 0)
        return night_fail(
            in, node, "the recipe has seeds already; leave out its ga.seeds, or set them to []");
    if (strcmp(seeds->kind, stage->kind) != 0)
        return yaml_fail(in->doc, node, in->err,
                         "the stage %s evolves kind %s, and this one %s; expected a stage that "
                         "evolves %s",
                         seeds->name, seeds->kind, stage->kind, stage->kind);
    if (seeds->runs > stage->recipe->optimiser.population || seeds->runs > RECIPE_FILES)
        return yaml_fail(in->doc, node, in->err,
                         "%d seeds for a population of %d (at most %d are allowed)", seeds->runs,
                         stage->recipe->optimiser.population, RECIPE_FILES);
    return in->directory == NULL || check_spaces(in, node, seeds, stage);
}

/* ---- its recipe ---- */

/* True if a file can be read, or the file of a stage (store.h). */
static bool is_readable(const char *path)
{
    const char *mark = strrchr(path, '#');
    char file[RECIPE_PATH];
    if (access(path, R_OK) == 0 || mark == NULL || !path_is_stage_name(mark + 1))
        return access(path, R_OK) == 0;
    snprintf(file, sizeof file, "%.*s", (int)(mark - path), path);
    return access(file, R_OK) == 0;
}

/* Finds the file that the night's recipe names in a `set`: one of the recipe's folder, unless there is
 * none and it may be the name of a file that comes with the program. */
static bool place_path(const struct night_reader *in, const struct yaml_node *node,
                       char path[RECIPE_PATH])
{
    struct error reason;
    if (!path_absolute(in->directory, node->text, path, &reason))
        return night_fail(in, node, reason.text);
    if (!is_readable(path) && data_file_is_name(node->text))
        strcpy(path, node->text);
    return true;
}

/* Writes a text of a setting. The command line (line 0) has paths of its own, to the working
 * directory. */
static bool write_item(const struct night_reader *in, FILE *out, bool is_path,
                       const struct yaml_node *node)
{
    char path[RECIPE_PATH];
    const char *text = node->text == NULL ? "" : node->text;
    if (is_path && node->line > 0 && text[0] != '\0') {
        if (!place_path(in, node, path))
            return false;
        text = path;
    }
    if (foreign_text_is_clean(text))
        yaml_write_text(out, text);
    else
        fputs(text, out);
    return true;
}

/* True if the values of a setting are paths. */
static bool has_paths(const char *setting, const struct yaml_node *node)
{
    const struct key *key = recipe_find_key(setting, OPTIMISER_GENETIC);
    if (key != NULL && key->kind == VALUE_SPACE)
        return node->kind == YAML_SCALAR && !recipe_is_kind(node->text);
    return key != NULL && (key->kind == VALUE_FILE || key->kind == VALUE_FILES);
}

/* Writes the value of a setting "key=value": a text, or a list of texts in brackets. */
static bool write_setting(const struct night_reader *in, FILE *out, const char *setting,
                          const struct yaml_node *node)
{
    const char *before = "[";
    const bool paths = has_paths(setting, node);
    if (node->kind == YAML_SCALAR)
        return write_item(in, out, paths, node);
    for (const struct yaml_node *item = node->child; item != NULL; item = item->next) {
        fputs(before, out);
        if (!write_item(in, out, paths, item))
            return false;
        before = ", ";
    }
    fputs(node->child == NULL ? "[]" : "]", out);
    return true;
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

/* Adds the value of a leaf. */
static bool add_setting(const struct night_reader *in, const struct yaml_node *leaf,
                        const char *path, struct settings *s)
{
    size_t size;
    if (s->count == SETTINGS)
        return night_fail(in, leaf, "too many values");
    FILE *out = text_stream(&s->texts[s->count], &size);
    if (out == NULL)
        return night_fail(in, leaf, "no memory");
    s->count++;
    fprintf(out, "%s=", path);
    bool written = write_setting(in, out, path, leaf);
    return fclose(out) == 0 ? written : night_fail(in, leaf, "no memory");
}

/* Adds the leaves of a mapping. `section` is its path, "" for the whole recipe. */
static bool add_settings(const struct night_reader *in, const struct yaml_node *mapping,
                         const char *section, struct settings *s)
{
    for (const struct yaml_node *node = mapping->child; node != NULL; node = node->next) {
        char path[YAML_KEY];
        int length = snprintf(path, sizeof path, "%s%s%s", section, section[0] == '\0' ? "" : ".",
                              node->key);
        if (length >= YAML_KEY)
            return night_fail(in, node, "no recipe has such a long key");
        if (node->kind == YAML_MAPPING ? !add_settings(in, node, path, s)
                                       : !add_setting(in, node, path, s))
            return false;
    }
    return true;
}

/* Reads the recipe of a stage, either from a file, with the values of `set` applied, or from a
 * block of text, as a stored night has it for every stage. */
static bool take_recipe(const struct night_reader *in, const struct yaml_node *mapping,
                        struct night_stage *stage)
{
    const struct yaml_node *node = yaml_find(mapping, "recipe"), *set = yaml_find(mapping, "set");
    const struct yaml_node *all = yaml_find(in->doc->root, "set");
    char *path = stage->source;
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
    if (node->kind == YAML_SCALAR && (in->directory == NULL || strchr(node->text, '\n') != NULL))
        return recipe_from_text(in->doc->path, node->text, stage->recipe, in->err);
    const unsigned later = (yaml_find(mapping, "results") != NULL ? RECIPE_TRAIN_LATER : 0u) |
                           (yaml_find(mapping, "seeds") != NULL ? RECIPE_SEEDS_LATER : 0u);
    bool read = night_take_path(in, node, path) &&
                (all == NULL || add_settings(in, all, "", &settings)) &&
                (set == NULL || add_settings(in, set, "", &settings)) &&
                (recipe_read_of_stage(path, (const char *const *)settings.texts, settings.count,
                                      later, stage->recipe, in->err) ||
                 error_prefix(in->err, "%s: stages.%s: ", in->doc->path, stage->name));
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
    if (games->games * games->player_count * (games->player_count - 1) / 2 < NIGHT_FEWEST_GAMES)
        return yaml_fail(
            in->doc, node, in->err,
            "'%s' plays %d games a pairing; %d or more in all are needed to learn from",
            games->name, games->games, NIGHT_FEWEST_GAMES);
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

/* Checks that what the stage evolves is played or searched with the half that it names. The kind is not
 * known of a stored night, which has been checked. */
static bool check_halves(const struct night_reader *in, const struct yaml_node *mapping,
                         const struct night_stage *stage)
{
    const struct yaml_node *evaluation = yaml_find(mapping, "evaluation");
    if (stage->evaluation[0] != '\0' && stage->evolves_evaluation)
        return night_fail(in, evaluation, "only a search reads an evaluation");
    if (stage->evaluation[0] != '\0' && in->directory != NULL && !recipe_is_kind(stage->kind))
        return yaml_fail(in->doc, evaluation, in->err,
                         "the stage evolves kind %s, of another engine, which has an evaluation of "
                         "its own; leave the key out",
                         stage->kind);
    if (stage->search[0] != '\0' &&
        (!stage->evolves_evaluation || stage->recipe->measure != MEASURE_GAMES))
        return night_fail(in, yaml_find(mapping, "search"),
                          "only evaluations in games play with a search");
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
        !find_half(in, mapping, stage) ||
        !night_take_whole(in, in->doc->root, "runs", 1, NIGHT_RUNS, 1, &stage->runs) ||
        !night_take_whole(in, mapping, "runs", 1, NIGHT_RUNS, 1, &stage->runs) ||
        !night_take_stage(in, mapping, "seeds", stage->evolves_evaluation, stage->seeds) ||
        !night_take_stage(in, mapping, "evaluation", true, stage->evaluation) ||
        !night_take_stage(in, mapping, "search", false, stage->search) ||
        !take_results(in, mapping, stage))
        return false;
    return check_halves(in, mapping, stage) && check_seeds(in, mapping, stage);
}
