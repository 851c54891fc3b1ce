/* Evidence: written, repeated, and compared with a run. */
#include "evidence.h"

#include "checksum.h"
#include "night.h"
#include "night_match.h"
#include "paths.h"
#include "space.h"
#include "text_stream.h"
#include "yaml_document.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT_DIGITS = 8, SHORT_PER_LINE = 8 };

/* ---- organisms ---- */

static void write_lines(FILE *out, const struct organism *organisms, int count, int words,
                        int generation)
{
    for (int i = 0; i < count; i++) {
        fprintf(out, "%d %d ", generation, i);
        for (int b = 0; b < 8 * words; b++)
            fprintf(out, "%02x", (unsigned)(organisms[i].chromosome[b / 8] >> b % 8 * 8 & 0xff));
        fprintf(out, " %" PRId64 "\n", organisms[i].fitness);
    }
}

/* Writes the lines of all generations, those of generation g to ends[g]. */
static bool write_organisms(FILE *out, const char *path, const struct run_summary *s, long *ends,
                            struct error *err)
{
    const int population = s->recipe.optimiser.population;
    struct genome genome;
    if (!genome_init(&genome, &s->space, err))
        return false;
    struct organism *organisms = population_create(&genome, population);
    struct store *store = store_open(path, STORE_READ, err);
    bool written = store != NULL &&
                   (organisms != NULL || error_set(err, "no memory for the organisms of %s", path));
    for (int g = 0; written && g <= s->generation; g++) {
        written = store_get_population(store, g, organisms, NULL, population, genome.words, err);
        if (written)
            write_lines(out, organisms, population, genome.words, g);
        ends[g] = ftell(out);
    }
    store_close(store);
    free(organisms);
    return written;
}

/* Writes the checksums of the lines: of all, and the short ones of each generation. */
static void write_checksums(FILE *out, const char *text, const long *ends, int generations)
{
    char sha256[CHECKSUM_MAX];
    checksum_bytes(text, (size_t)ends[generations - 1], sha256);
    fprintf(out, "    organisms: \"%s\"\n    generations: [", sha256);
    for (int g = 0; g < generations; g++) {
        const long begin = g == 0 ? 0 : ends[g - 1];
        checksum_bytes(text + begin, (size_t)(ends[g] - begin), sha256);
        fprintf(out, "%s%s\"%.*s\"", g > 0 ? "," : "", g % SHORT_PER_LINE == 0 ? "\n      " : " ",
                SHORT_DIGITS, sha256);
    }
    fputs("]\n", out);
}

/* ---- a run ---- */

static bool write_run(FILE *out, const char *name, const char *path, const struct run_summary *s,
                      struct error *err)
{
    if (!s->complete)
        return error_set(err,
                         "%s is not finished (generation %d of %d); evidence is of a finished run",
                         path, s->generation, s->recipe.generations);
    fprintf(out, "  %s:\n", name);
    /* The best organism. Names of other engines may need quotes. */
    const struct generation_row *row = &s->rows[s->best_generation];
    fprintf(out,
            "    outcome: {generation: %d, organism: %d, measure: %" PRId64 ", held_out: %" PRId64
            "}\n    values:\n",
            s->best_generation, s->best_index, row->measure, row->held_out);
    for (int i = 0; i < s->space.count; i++) {
        fputs("      ", out);
        if (space_is_foreign(&s->space))
            yaml_write_text(out, s->space.params[i].name);
        else
            fputs(s->space.params[i].name, out);
        fprintf(out, ": %" PRId32 "\n", s->best[i]);
    }
    const int generations = s->generation + 1;
    char *text = NULL;
    size_t size;
    long *ends = calloc((size_t)generations, sizeof *ends);
    FILE *lines = text_stream(&text, &size);
    bool written = (ends != NULL && lines != NULL) || error_set(err, "no memory for the organisms");
    written = written && write_organisms(lines, path, s, ends, err);
    written = text_close(lines, "the organisms", err) && written;
    if (written)
        write_checksums(out, text, ends, generations);
    free(ends);
    free(text);
    return written;
}

/* Writes the text of a recipe and releases it; NULL: it could not be made for want of memory. */
static bool write_recipe(FILE *out, char *text, struct error *err)
{
    if (text == NULL)
        return error_set(err, "no memory for the recipe");
    night_recipe_write_block(out, 0, text);
    fputs("runs:\n", out);
    free(text);
    return true;
}

static bool write_single(FILE *out, const char *path, const char *directory, struct error *err)
{
    struct run_summary s;
    struct path_view view = {path_relative, directory};
    if (!run_summary_read(path, &s, err))
        return false;
    bool written = recipe_each_file(&s.recipe, recipe_view_path, &view, err) &&
                   write_recipe(out, recipe_text(&s.recipe), err) &&
                   write_run(out, "run", path, &s, err);
    run_summary_free(&s);
    return written;
}

/* ---- a night ---- */

static bool write_match(FILE *out, const struct night_run *run, struct error *err)
{
    int count;
    struct night_pairing *pairings = night_match_read(run, &count, err);
    if (pairings == NULL)
        return false;
    fprintf(out, "  %s:\n    games:\n", run->name);
    for (int i = 0; i < count; i++) {
        const struct night_player *players = run->stage->players;
        const struct match_counts *c = &pairings[i].counts;
        char names[2 * RECIPE_NAME + 8];
        snprintf(names, sizeof names, "%s - %s", players[pairings[i].a].name,
                 players[pairings[i].b].name);
        fputs("      ", out);
        yaml_write_text(out, names);
        fprintf(out, ": {wins: %" PRId64 ", draws: %" PRId64 ", losses: %" PRId64 "}\n", c->wins,
                c->draws, c->losses);
    }
    free(pairings);
    return true;
}

static bool write_stage(FILE *out, const struct night_run_summary *r, struct error *err)
{
    struct run_summary s;
    if (r->state != NIGHT_COMPLETE)
        return error_set(err, "%s %s; evidence is of a run whose stages are all complete",
                         r->run.path,
                         r->state == NIGHT_TIME ? "was ended by its time, which does not repeat"
                                                : "is not finished");
    if (r->run.stage->is_match)
        return write_match(out, &r->run, err);
    if (!run_summary_read(r->run.path, &s, err))
        return false;
    bool written = write_run(out, r->run.name, r->run.path, &s, err);
    run_summary_free(&s);
    return written;
}

static bool write_night(FILE *out, const char *path, const char *directory, struct error *err)
{
    struct night_summary night;
    struct path_view view = {path_relative, directory};
    if (!night_summary_read(path, &night, err))
        return false;
    bool written = night_recipe_each_file(&night.recipe, recipe_view_path, &view, err) &&
                   write_recipe(out, night_recipe_text(&night.recipe), err);
    for (int i = 0; written && i < night.run_count; i++)
        written = write_stage(out, &night.runs[i], err);
    night_summary_free(&night);
    return written;
}

bool evidence_write(FILE *out, const char *store_path, const char *directory, struct error *err)
{
    fputs("# Evidence of a run: its recipe, its outcome and the SHA-256 of its organisms.\n"
          "# `grayling verify --expect` with this file repeats the run and compares.\n",
          out);
    return night_is(store_path) ? write_night(out, store_path, directory, err)
                                : write_single(out, store_path, directory, err);
}

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
                       const char *keys)
{
    char names[YAML_KEY], *rest;
    snprintf(names, sizeof names, "%s", keys);
    for (char *key = strtok_r(names, ", ", &rest); key != NULL; key = strtok_r(NULL, ", ", &rest))
        if (node->kind == YAML_MAPPING && yaml_find(node, key) == NULL)
            return yaml_fail(doc, node, "the key %s is missing", key);
    return yaml_check_keys(doc, node, keys);
}

static bool check_runs(const struct evidence *e)
{
    char found[YAML_KEY];
    yaml_describe(e->runs, found);
    if (e->runs->kind != YAML_MAPPING)
        return yaml_fail(&e->doc, e->runs, "%s; expected a mapping of runs", found);
    for (const struct yaml_node *run = e->runs->child; run != NULL; run = run->next) {
        if (yaml_find(run, "games") != NULL
                ? !check_keys(&e->doc, run, "games")
                : !check_keys(&e->doc, run, "outcome, values, organisms, generations") ||
                      !check_keys(&e->doc, yaml_find(run, "outcome"),
                                  "generation, organism, measure, held_out"))
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
    if (!yaml_read_file(&e->doc, path, err) || !check_keys(&e->doc, e->doc.root, "recipe, runs"))
        return false;
    e->recipe = yaml_find(e->doc.root, "recipe");
    e->runs = yaml_find(e->doc.root, "runs");
    if (e->recipe->kind != YAML_SCALAR)
        return yaml_fail(&e->doc, e->recipe, "expected a recipe as a block of text, after |");
    return check_runs(e) &&
           night_recipe_recognise(recipe_name(e, name), e->recipe->text, &e->is_night, err) &&
           path_directory(path, e->directory, err);
}

/* ---- comparing ---- */

static bool same_tree(const struct yaml_document *doc, const struct yaml_node *expected,
                      const struct yaml_node *found);

/* Compares two lists entry by entry; those of generations tell the first that differs. */
static bool same_sequence(const struct yaml_document *doc, const struct yaml_node *expected,
                          const struct yaml_node *found)
{
    const bool generations = expected->key != NULL && strcmp(expected->key, "generations") == 0;
    const struct yaml_node *e = expected->child, *f = found->child;
    int at = 0;
    for (; e != NULL && f != NULL; e = e->next, f = f->next, at++)
        if (!same_tree(doc, e, f))
            return generations &&
                   yaml_fail(doc, expected, "generation %d is the first with unexpected organisms",
                             at);
    if (e == NULL && f == NULL)
        return true;
    return generations
               ? yaml_fail(doc, expected, "the run %s generation %d",
                           e == NULL ? "goes on after" : "ends before", at - (e == NULL))
               : yaml_fail(doc, expected, "the run has %s entries", e == NULL ? "more" : "fewer");
}

/* Compares two mappings in any order, first the generations, from which all else follows. */
static bool same_mapping(const struct yaml_document *doc, const struct yaml_node *expected,
                         const struct yaml_node *found)
{
    const struct yaml_node *first = yaml_find(expected, "generations"),
                           *run = yaml_find(found, "generations");
    if (first != NULL && run != NULL && !same_tree(doc, first, run))
        return false;
    for (const struct yaml_node *e = expected->child; e != NULL; e = e->next) {
        const struct yaml_node *f = yaml_find(found, e->key);
        if (f == NULL)
            return yaml_fail(doc, e, "the run has no such key");
        if (!same_tree(doc, e, f))
            return false;
    }
    for (const struct yaml_node *f = found->child; f != NULL; f = f->next)
        if (yaml_find(expected, f->key) == NULL)
            return yaml_fail(doc, expected, "the key %s of the run is missing", f->key);
    return true;
}

/* True if two trees are equal; the reason names the first node that differs. */
static bool same_tree(const struct yaml_document *doc, const struct yaml_node *expected,
                      const struct yaml_node *found)
{
    char a[YAML_KEY], b[YAML_KEY];
    if (expected->kind == YAML_MAPPING && found->kind == YAML_MAPPING)
        return same_mapping(doc, expected, found);
    if (expected->kind == YAML_SEQUENCE && found->kind == YAML_SEQUENCE)
        return same_sequence(doc, expected, found);
    if (expected->kind == found->kind && strcmp(expected->text, found->text) == 0)
        return true;
    yaml_describe(expected, a);
    yaml_describe(found, b);
    return yaml_fail(doc, expected, "expected %s, and the run has %s", a, b);
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
        end = same_tree(&a, a.root, b.root) ? RUN_COMPLETE : RUN_FAILED;
    yaml_finish(&a);
    yaml_finish(&b);
    free(text);
    return end;
}

static bool describe(const char *store_path, const char *directory, struct yaml_document *doc,
                     struct error *err)
{
    char *text = NULL;
    size_t size;
    FILE *out = text_stream(&text, &size);
    bool written = out != NULL && evidence_write(out, store_path, directory, err);
    written = text_close(out, "the evidence", err) && written &&
              yaml_read_text(doc, store_path, text, size, err);
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
        if (end == RUN_COMPLETE && !same_tree(&e.doc, e.runs, yaml_find(found.root, "runs")))
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
