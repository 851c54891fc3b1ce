#include "run_work.h"

#include "checksum.h"
#include "search_params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the summary ---- */

/* The decoded values of the run's best organism. */
static bool read_best(struct store *s, const char *path, struct run_summary *summary,
                      struct error *err)
{
    struct chromosome best;
    struct genome genome;
    bool found =
        summary->recipe.measure == MEASURE_GAMES
            ? store_get_last_best(s, &summary->best_generation, &summary->best_index, &best, err)
            : store_get_best(s, &summary->best_generation, &summary->best_index, &best, err);
    if (!found)
        return false;
    if (summary->best_generation < 0 || summary->best_generation > summary->generation)
        return error_set(
            err, "%s is damaged (organisms of generation %d, which is none); go back to a copy",
            path, summary->best_generation);
    if (!genome_init(&genome, &summary->space, err))
        return error_prefix(err, "%s is damaged: ", path);
    summary->best = calloc((size_t)genome.count + 1, sizeof *summary->best);
    if (summary->best == NULL)
        return error_set(err, "no memory for the best organism");
    genome_decode(&genome, &best, summary->best);
    return true;
}

/* Gives the genes the conditions under which they are active, which the store does not keep. */
static void add_conditions(struct param *genes, int count)
{
    const struct param_table *table = &search_all_table;
    for (int i = 0; i < count; i++) {
        int index = param_find(table, genes[i].name);
        genes[i].active_if = index >= 0 ? table->params[index].active_if : NULL;
    }
}

/* Everything of the summary, from an opened store. */
static bool read_summary(struct store *s, const char *path, struct run_summary *summary,
                         struct error *err)
{
    int count;
    if (!run_load_recipe(s, path, &summary->recipe, err))
        return false;
    summary->rows = store_get_rows(s, &count, err);
    if (summary->rows == NULL)
        return false;
    summary->generation = count - 1;
    summary->complete = summary->generation >= summary->recipe.generations;
    summary->running = store_running(s);
    char *measure = store_get(s, "measure");
    snprintf(summary->measure, sizeof summary->measure, "%s", measure == NULL ? "" : measure);
    free(measure);
    summary->unit = fitness_unit(&summary->recipe);
    summary->train_size = store_get_number(s, "train_size", 0);
    summary->held_out_size = store_get_number(s, "held_out_size", 0);
    summary->genomes = store_count_genomes(s);
    summary->space_memory = store_get_genes(s, &summary->space, err);
    if (summary->space_memory == NULL)
        return false;
    add_conditions(summary->space_memory, summary->space.count);
    return count == 0 || read_best(s, path, summary, err);
}

bool run_summary_read(const char *store_path, struct run_summary *summary, struct error *err)
{
    *summary = (struct run_summary){.generation = -1};
    struct store *s = store_open(store_path, STORE_READ, err);
    bool read = s != NULL && read_summary(s, store_path, summary, err);
    store_close(s);
    if (!read)
        run_summary_free(summary);
    return read;
}

void run_summary_free(struct run_summary *summary)
{
    free(summary->rows);
    free(summary->best);
    free(summary->space_memory);
    *summary = (struct run_summary){.generation = -1};
}

/* ---- what a run wrote ---- */

/* The key under which the checksum of an outcome stands: the file's name, since runs get moved. */
static void written_key(const char *path, char *key, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(key, size, "wrote %s", slash == NULL ? path : slash + 1);
}

/* Whether a note, "CHECKSUM" or "CHECKSUM CHECKSUM", has this one. */
static bool notes(const char *note, const char *sha256)
{
    return note != NULL && strstr(note, sha256) != NULL;
}

bool run_wrote(const char *store_path, const char *path)
{
    char key[RECIPE_PATH], found[CHECKSUM_MAX];
    struct store *s = store_open(store_path, STORE_READ, NULL);
    if (s == NULL)
        return false;
    written_key(path, key, sizeof key);
    char *note = store_get(s, key);
    store_close(s);
    bool wrote = checksum_file(path, found, NULL) && notes(note, found);
    free(note);
    return wrote;
}

bool run_note_written(const char *store_path, const char *path, const char *content,
                      struct error *err)
{
    char key[RECIPE_PATH], sha256[CHECKSUM_MAX], note[2 * CHECKSUM_MAX];
    if (!checksum_file(content, sha256, err))
        return false;
    struct store *s = store_open(store_path, STORE_WRITE, err);
    if (s == NULL)
        return false;
    written_key(path, key, sizeof key);
    char *before = store_get(s, key);
    snprintf(note, sizeof note, "%s%s%.64s", sha256, before != NULL ? " " : "",
             before != NULL ? before : "");
    free(before);
    bool noted = store_begin(s, err) && store_put(s, key, note, err) && store_commit(s, err);
    store_close(s);
    return noted;
}
