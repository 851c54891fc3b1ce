#include "run_summary.h"

#include "data_kept.h"
#include "foreign_text.h"
#include "genome.h"

#include <stdlib.h>
#include <string.h>

/* -- what a run is compared with */

static const char measure_key[] = "default_measure", held_out_key[] = "default_held_out",
                  compared_key[] = "default_compared", error_key[] = "default_error";

struct defaults_kept defaults_kept_get(struct store *s)
{
    return (struct defaults_kept){.measure = store_get_number(s, measure_key, NOT_MEASURED),
                                  .held_out = store_get_number(s, held_out_key, NOT_MEASURED),
                                  .compared = store_get_number(s, compared_key, NOT_MEASURED),
                                  .error = store_get_number(s, error_key, NOT_MEASURED)};
}

static bool put(struct store *s, const char *key, int64_t value, struct error *err)
{
    return value == NOT_MEASURED || store_put_number(s, key, value, err);
}

bool defaults_kept_put(struct store *s, const struct defaults_kept *d, struct error *err)
{
    return put(s, measure_key, d->measure, err) && put(s, held_out_key, d->held_out, err) &&
           put(s, compared_key, d->compared, err) && put(s, error_key, d->error, err);
}

/* -- the summary */

static bool read_best(struct store *s, const char *path, struct run_summary *summary,
                      struct error *err)
{
    struct genome genome;
    int *generation = &summary->best_generation, *index = &summary->best_index;
    if (!genome_init(&genome, &summary->space, err))
        return error_prefix(err, "%s is damaged: ", path);
    uint64_t *best = malloc(genome_bytes(&genome, 1));
    summary->best = calloc((size_t)genome.count + 1, sizeof *summary->best);
    bool read = (best != NULL && summary->best != NULL) ||
                error_set(err, "no memory for the best organism");
    read = read && store_get_best(s, !summary->value->across_generations, generation, index, best,
                                  genome.words, err);
    if (read && (*generation < 0 || *generation > summary->generation))
        read = error_set(
            err,
            "%s is damaged (generation %d of its best organism is incomplete); go back to a copy",
            path, *generation);
    if (read)
        genome_decode(&genome, best, summary->best);
    free(best);
    return read;
}

/* Reads the gain of a run by games over its start, and the pairs of each generation. */
static bool read_gain(struct store *s, struct run_summary *summary, struct error *err)
{
    const int last = summary->generation;
    if (!run_gain_read(s, &summary->recipe, last, &summary->gain, err))
        return false;
    if (!run_gain_known(&summary->gain))
        return true;
    summary->start = calloc((size_t)last + 2, sizeof *summary->start);
    if (summary->start == NULL)
        return error_set(err, "no memory for %d generations", last + 1);
    for (int g = 0; g <= last; g++)
        if (!store_count_start_pairs(s, g, g, &summary->start[g], err))
            return false;
    return true;
}

static bool read_summary(struct store *s, const char *path, struct run_summary *summary,
                         struct error *err)
{
    int count;
    if (!run_recipe_load(s, path, &summary->recipe, err))
        return false;
    summary->rows = store_get_rows(s, &count, err);
    if (summary->rows == NULL)
        return false;
    summary->generation = count - 1;
    summary->complete = summary->generation >= summary->recipe.generations;
    summary->running = store_running(s);
    summary->value = objective_value_of(&summary->recipe);
    summary->train_size = store_get_number(s, "train_size", 0);
    summary->held_out_size = store_get_number(s, "held_out_size", 0);
    summary->genomes = store_count_genomes(s);
    summary->defaults = defaults_kept_get(s);
    summary->faults = store_get(s, "faults");
    if (summary->faults != NULL)
        foreign_text_copy(summary->faults, strlen(summary->faults) + 1, summary->faults);
    summary->hosts = store_get(s, "hosts"); /* hosts_kept.h */
    if (!store_get_genes(s, &summary->space, err) || !read_gain(s, summary, err))
        return false;
    return count == 0 || read_best(s, path, summary, err);
}

bool run_summary_read(const char *store_path, struct run_summary *summary, struct error *err)
{
    *summary = (struct run_summary){.generation = -1};
    struct store *s = store_open(store_path, STORE_READ, err);
    bool read = s != NULL && read_summary(s, store_path, summary, err) && store_whole(s, err);
    store_close(s);
    if (!read)
        run_summary_free(summary);
    return read;
}

void run_summary_free(struct run_summary *summary)
{
    free(summary->rows);
    free(summary->best);
    free(summary->start);
    free(summary->faults);
    free(summary->hosts);
    store_free_genes(&summary->space);
    *summary = (struct run_summary){.generation = -1};
}
