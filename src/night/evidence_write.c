/* Writes the evidence of a finished run. */
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

/* Reads the organisms of a run, generation by generation. */
struct reading {
    struct store *store;
    struct organism *organisms; /* of one generation */
    int population, words;
};

static void finish_reading(struct reading *r)
{
    store_close(r->store);
    free(r->organisms);
}

/* Opens the run. Call the finish function even on failure. */
static bool begin_reading(struct reading *r, const char *path, const struct run_summary *s,
                          struct error *err)
{
    struct genome genome;
    *r = (struct reading){.population = s->recipe.optimiser.population};
    if (!genome_init(&genome, &s->space, err))
        return false;
    r->words = genome.words;
    r->organisms = population_create(&genome, r->population);
    if (r->organisms == NULL)
        return error_set(err, "no memory for the organisms of %s", path);
    r->store = store_open(path, STORE_READ, err);
    return r->store != NULL;
}

/* Writes the words of a chromosome, least significant byte first. */
static void write_chromosome(FILE *out, const uint64_t *chromosome, int words)
{
    for (int i = 0; i < 8 * words; i++)
        fprintf(out, "%02x", (unsigned)(chromosome[i / 8] >> i % 8 * 8 & 0xff));
}

/* Writes the lines of a generation. */
static bool write_generation(FILE *out, struct reading *r, int generation, struct error *err)
{
    if (!store_get_population(r->store, generation, r->organisms, NULL, r->population, r->words,
                              err))
        return false;
    for (int i = 0; i < r->population; i++) {
        fprintf(out, "%d %d ", generation, i);
        write_chromosome(out, r->organisms[i].chromosome, r->words);
        fprintf(out, " %" PRId64 "\n", r->organisms[i].fitness);
    }
    return true;
}

/* The lines of all generations, malloc'ed; generation g's lines end at ends[g]. */
static char *write_organisms(struct reading *r, int generations, size_t *ends, struct error *err)
{
    char *text = NULL;
    size_t size;
    FILE *out = text_stream(&text, &size);
    bool written = out != NULL || error_set(err, "no memory for the organisms");
    for (int g = 0; written && g < generations; g++) {
        written = write_generation(out, r, g, err);
        ends[g] = (size_t)ftell(out);
    }
    if (out != NULL && fclose(out) != 0 && written)
        written = error_set(err, "no memory for the organisms");
    if (written)
        return text;
    free(text);
    return NULL;
}

/* Writes the checksums of the lines: of all, and the short ones of each generation. */
static void write_checksums(FILE *out, const char *text, const size_t *ends, int generations)
{
    char sha256[CHECKSUM_MAX];
    checksum_bytes(text, ends[generations - 1], sha256);
    fprintf(out, "    organisms: \"%s\"\n    generations: [", sha256);
    for (int g = 0; g < generations; g++) {
        size_t begin = g == 0 ? 0 : ends[g - 1];
        checksum_bytes(text + begin, ends[g] - begin, sha256);
        fprintf(out, "%s%s\"%.*s\"", g > 0 ? "," : "", g % SHORT_PER_LINE == 0 ? "\n      " : " ",
                SHORT_DIGITS, sha256);
    }
    fputs("]\n", out);
}

static bool write_all_organisms(FILE *out, const char *path, const struct run_summary *s,
                                struct error *err)
{
    struct reading r;
    int generations = s->generation + 1;
    size_t *ends = calloc((size_t)generations, sizeof *ends);
    bool ready = ends != NULL || error_set(err, "no memory for the organisms");
    ready = begin_reading(&r, path, s, err) && ready;
    char *text = ready ? write_organisms(&r, generations, ends, err) : NULL;
    if (text != NULL)
        write_checksums(out, text, ends, generations);
    finish_reading(&r);
    free(ends);
    free(text);
    return text != NULL;
}

/* ---- a run ---- */

/* Writes the name of a parameter. Those of other engines may need quotes. */
static void write_name(FILE *out, const struct run_summary *s, int i)
{
    if (space_is_foreign(&s->space))
        yaml_write_text(out, s->space.params[i].name);
    else
        fputs(s->space.params[i].name, out);
}

/* Writes the best organism: its place, objective values and parameter values. */
static void write_outcome(FILE *out, const struct run_summary *s)
{
    const struct generation_row *row = &s->rows[s->best_generation];
    fprintf(out,
            "    outcome: {generation: %d, organism: %d, measure: %" PRId64 ", held_out: %" PRId64
            "}\n    values:\n",
            s->best_generation, s->best_index, row->measure, row->held_out);
    for (int i = 0; i < s->space.count; i++) {
        fputs("      ", out);
        write_name(out, s, i);
        fprintf(out, ": %" PRId32 "\n", s->best[i]);
    }
}

static bool write_run(FILE *out, const char *name, const char *path, const struct run_summary *s,
                      struct error *err)
{
    if (!s->complete)
        return error_set(err,
                         "%s is not finished (generation %d of %d); evidence is of a finished run",
                         path, s->generation, s->recipe.generations);
    fprintf(out, "  %s:\n", name);
    write_outcome(out, s);
    return write_all_organisms(out, path, s, err);
}

static void write_recipe(FILE *out, const char *text)
{
    night_recipe_write_block(out, 0, text);
    fputs("runs:\n", out);
}

/* Writes a run without stages. */
static bool write_single(FILE *out, const char *path, const char *directory, struct error *err)
{
    struct run_summary s;
    struct path_view view = {path_relative, directory};
    if (!run_summary_read(path, &s, err))
        return false;
    bool written = recipe_each_file(&s.recipe, recipe_view_path, &view, err);
    char *text = written ? recipe_text(&s.recipe) : NULL;
    if (text != NULL)
        write_recipe(out, text);
    written = written && (text != NULL || error_set(err, "no memory for the recipe")) &&
              write_run(out, "run", path, &s, err);
    free(text);
    run_summary_free(&s);
    return written;
}

/* ---- a night ---- */

/* Writes the results of a match. */
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
    bool written = night_recipe_each_file(&night.recipe, recipe_view_path, &view, err);
    char *text = written ? night_recipe_text(&night.recipe) : NULL;
    if (text != NULL)
        write_recipe(out, text);
    else if (written)
        error_set(err, "no memory for the recipe");
    written = text != NULL;
    free(text);
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
