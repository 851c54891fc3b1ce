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

/* Writes the lines of a generation. */
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

static bool write_all_organisms(FILE *out, const char *path, const struct run_summary *s,
                                struct error *err)
{
    const int generations = s->generation + 1;
    char *text = NULL;
    size_t size;
    long *ends = calloc((size_t)generations, sizeof *ends);
    FILE *lines = text_stream(&text, &size);
    bool written = (ends != NULL && lines != NULL) || error_set(err, "no memory for the organisms");
    written = written && write_organisms(lines, path, s, ends, err);
    if (lines != NULL && fclose(lines) != 0 && written)
        written = error_set(err, "no memory for the organisms");
    if (written)
        write_checksums(out, text, ends, generations);
    free(ends);
    free(text);
    return written;
}

/* ---- a run ---- */

/* Writes the best organism: its place, objective values and parameter values. Names of other engines may need
 * quotes. */
static void write_outcome(FILE *out, const struct run_summary *s)
{
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

/* Writes a run without stages. */
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
