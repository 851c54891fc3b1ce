/* Reads evidence: repeats it and compares it with a run. */
#include "evidence.h"

#include "night.h"
#include "paths.h"
#include "text_stream.h"
#include "yaml_document.h"

#include <stdlib.h>
#include <string.h>

/* ---- the file ---- */

/* An evidence file; the recipe is parsed separately. */
struct evidence {
    struct yaml_document doc;
    const struct yaml_node *recipe, *runs;
    bool is_night;
    char directory[PATH_SIZE]; /* the file's directory */
};

/* True if a mapping has exactly these keys, listed as "recipe, runs". */
static bool check_keys(const struct yaml_document *doc, const struct yaml_node *node,
                       const char *keys, struct error *err)
{
    char names[YAML_KEY], *rest;
    snprintf(names, sizeof names, "%s", keys);
    for (char *key = strtok_r(names, ", ", &rest); key != NULL; key = strtok_r(NULL, ", ", &rest))
        if (node->kind == YAML_MAPPING && yaml_find(node, key) == NULL)
            return yaml_fail(doc, node, err, "the key %s is missing", key);
    return yaml_check_keys(doc, node, keys, err);
}

/* True if every run has its keys. */
static bool check_runs(const struct evidence *e, struct error *err)
{
    char found[YAML_KEY];
    yaml_describe(e->runs, found);
    if (e->runs->kind != YAML_MAPPING)
        return yaml_fail(&e->doc, e->runs, err, "%s; expected a mapping of runs", found);
    for (const struct yaml_node *run = e->runs->child; run != NULL; run = run->next) {
        if (yaml_find(run, "games") != NULL
                ? !check_keys(&e->doc, run, "games", err)
                : !check_keys(&e->doc, run, "outcome, values, organisms, generations", err) ||
                      !check_keys(&e->doc, yaml_find(run, "outcome"),
                                  "generation, organism, measure, held_out", err))
            return false;
    }
    return true;
}

/* "FILE: recipe", the name of the recipe in error messages. */
static const char *recipe_name(const struct evidence *e, char name[PATH_SIZE])
{
    snprintf(name, PATH_SIZE, "%.1000s: recipe", e->doc.path);
    return name;
}

/* Reads the file. Close it even on failure. */
static bool open_evidence(struct evidence *e, const char *path, struct error *err)
{
    char name[PATH_SIZE];
    *e = (struct evidence){0};
    if (!yaml_read_file(&e->doc, path, err) ||
        !check_keys(&e->doc, e->doc.root, "recipe, runs", err))
        return false;
    e->recipe = yaml_find(e->doc.root, "recipe");
    e->runs = yaml_find(e->doc.root, "runs");
    if (e->recipe->kind != YAML_SCALAR)
        return yaml_fail(&e->doc, e->recipe, err, "expected a recipe as a block of text, after |");
    return check_runs(e, err) &&
           night_recipe_recognise(recipe_name(e, name), e->recipe->text, &e->is_night, err) &&
           path_directory(path, e->directory, err);
}

/* ---- comparing ---- */

static bool same_tree(const struct yaml_document *doc, const struct yaml_node *expected,
                      const struct yaml_node *found, struct error *err);

/* Compares two lists entry by entry; those of generations tell the first that differs. */
static bool same_sequence(const struct yaml_document *doc, const struct yaml_node *expected,
                          const struct yaml_node *found, struct error *err)
{
    const bool generations = expected->key != NULL && strcmp(expected->key, "generations") == 0;
    const struct yaml_node *e = expected->child, *f = found->child;
    int at = 0;
    for (; e != NULL && f != NULL; e = e->next, f = f->next, at++)
        if (!same_tree(doc, e, f, err))
            return generations &&
                   yaml_fail(doc, expected, err,
                             "generation %d is the first with unexpected organisms", at);
    if (e == NULL && f == NULL)
        return true;
    return generations ? yaml_fail(doc, expected, err, "the run %s generation %d",
                                   e == NULL ? "goes on after" : "ends before", at - (e == NULL))
                       : yaml_fail(doc, expected, err, "the run has %s entries",
                                   e == NULL ? "more" : "fewer");
}

/* Compares two mappings; the order of keys does not matter. Begins with the generations of a run, because all
 * else follows from its organisms. */
static bool same_mapping(const struct yaml_document *doc, const struct yaml_node *expected,
                         const struct yaml_node *found, struct error *err)
{
    const struct yaml_node *first = yaml_find(expected, "generations"),
                           *run = yaml_find(found, "generations");
    if (first != NULL && run != NULL && !same_tree(doc, first, run, err))
        return false;
    for (const struct yaml_node *e = expected->child; e != NULL; e = e->next) {
        const struct yaml_node *f = yaml_find(found, e->key);
        if (f == NULL)
            return yaml_fail(doc, e, err, "the run has no such key");
        if (!same_tree(doc, e, f, err))
            return false;
    }
    for (const struct yaml_node *f = found->child; f != NULL; f = f->next)
        if (yaml_find(expected, f->key) == NULL)
            return yaml_fail(doc, expected, err, "the key %s of the run is missing", f->key);
    return true;
}

/* True if two trees are equal; the reason names the first node that differs. */
static bool same_tree(const struct yaml_document *doc, const struct yaml_node *expected,
                      const struct yaml_node *found, struct error *err)
{
    char a[YAML_KEY], b[YAML_KEY];
    if (expected->kind == YAML_MAPPING && found->kind == YAML_MAPPING)
        return same_mapping(doc, expected, found, err);
    if (expected->kind == YAML_SEQUENCE && found->kind == YAML_SEQUENCE)
        return same_sequence(doc, expected, found, err);
    if (expected->kind == found->kind && strcmp(expected->text, found->text) == 0)
        return true;
    yaml_describe(expected, a);
    yaml_describe(found, b);
    return yaml_fail(doc, expected, err, "expected %s, and the run has %s", a, b);
}

/* The recipe of the evidence with every key of current recipes, malloc'ed. */
static char *whole_recipe(const struct evidence *e, struct error *err)
{
    char name[PATH_SIZE], *text = NULL;
    struct recipe recipe;
    struct night_recipe night;
    recipe_name(e, name);
    if (e->is_night && night_recipe_from_text(name, e->recipe->text, &night, err)) {
        text = night_recipe_text(&night);
        night_recipe_free(&night);
    } else if (!e->is_night && recipe_from_text(name, e->recipe->text, &recipe, err))
        text = recipe_text(&recipe);
    else
        return NULL;
    if (text == NULL)
        error_set(err, "%s: no memory", name);
    return text;
}

/* True if the run has the expected recipe. */
static enum run_end same_recipe(const struct evidence *e, const struct yaml_node *found,
                                struct error *err)
{
    char name[PATH_SIZE];
    struct yaml_document a = {0}, b = {0};
    enum run_end end = RUN_REFUSED;
    char *text = whole_recipe(e, err);
    recipe_name(e, name);
    if (text != NULL && yaml_read_text(&a, name, text, strlen(text), err) &&
        yaml_read_text(&b, "the run", found->text, strlen(found->text), err))
        end = same_tree(&a, a.root, b.root, err) ? RUN_COMPLETE : RUN_FAILED;
    yaml_finish(&a);
    yaml_finish(&b);
    free(text);
    return end;
}

/* Writes the evidence of a run and parses it. */
static bool describe(const char *store_path, const char *directory, struct yaml_document *doc,
                     struct error *err)
{
    char *text = NULL;
    size_t size;
    FILE *out = text_stream(&text, &size);
    if (out == NULL)
        return error_set(err, "no memory for the evidence of %s", store_path);
    bool written = evidence_write(out, store_path, directory, err);
    if (fclose(out) != 0 && written)
        written = error_set(err, "no memory for the evidence of %s", store_path);
    written = written && yaml_read_text(doc, store_path, text, size, err);
    free(text);
    return written;
}

enum run_end evidence_compare(const char *evidence_path, const char *store_path, struct error *err)
{
    struct evidence e;
    struct yaml_document found = {0};
    enum run_end end = RUN_REFUSED;
    if (open_evidence(&e, evidence_path, err) && describe(store_path, e.directory, &found, err)) {
        end = same_recipe(&e, yaml_find(found.root, "recipe"), err);
        if (end == RUN_COMPLETE && !same_tree(&e.doc, e.runs, yaml_find(found.root, "runs"), err))
            end = RUN_FAILED;
    }
    yaml_finish(&found);
    yaml_finish(&e.doc);
    return end;
}

/* ---- repeating ---- */

/* Repeats the recipe of a night, if `agree` agrees to that of each stage that evolves. */
static enum run_end repeat_night(const struct evidence *e, struct night_recipe *recipe,
                                 const char *store_path, int threads, evidence_agree *agree,
                                 const struct run_observer *observer, struct error *err)
{
    struct path_view view = {path_absolute, e->directory};
    const struct night_observer all = {.each = observer, .stop = observer->stop};
    bool good = night_recipe_each_file(recipe, recipe_view_path, &view, err);
    for (int i = 0; good && i < recipe->stage_count; i++)
        good = recipe->stages[i].is_match || agree(recipe->stages[i].recipe, err);
    return good ? night_evolve(recipe, store_path, false, 0, threads, &all, err) : RUN_REFUSED;
}

enum run_end evidence_repeat(const char *evidence_path, const char *store_path, int threads,
                             evidence_agree *agree, const struct run_observer *observer,
                             struct error *err)
{
    struct evidence e;
    char name[PATH_SIZE];
    struct night_recipe night;
    struct recipe recipe;
    struct path_view view = {path_absolute, e.directory};
    enum run_end end = RUN_REFUSED;
    const bool opened = open_evidence(&e, evidence_path, err);
    if (opened && e.is_night) {
        if (night_recipe_from_text(recipe_name(&e, name), e.recipe->text, &night, err)) {
            end = repeat_night(&e, &night, store_path, threads, agree, observer, err);
            night_recipe_free(&night);
        }
    } else if (opened && recipe_from_text(recipe_name(&e, name), e.recipe->text, &recipe, err) &&
               recipe_each_file(&recipe, recipe_view_path, &view, err) && agree(&recipe, err))
        end = run_evolve(&recipe, store_path, false, threads, observer, err);
    yaml_finish(&e.doc);
    return end;
}
