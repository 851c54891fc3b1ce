/* The store of a run: what it keeps when it begins, and what is compared when it goes on. */
#include "run_work.h"

#include "checksum.h"
#include "data_kept.h"
#include "fitness.h"
#include "paths.h"
#include "version.h"

#include <stdlib.h>
#include <string.h>

/* ---- the genes ---- */

static int32_t first_of_group(const struct param_table *space, int i)
{
    int first = 0;
    while (!param_same_group(&space->params[first], &space->params[i]))
        first++;
    return first;
}

/* The perturbation of gene `i`, in millionths of its range; 0: it has none of its own. */
static int32_t millionths(const struct param_table *space, int i)
{
    const double range = (double)space->params[i].max - space->params[i].min;
    return range > 0 ? (int32_t)(space->params[i].c / range * 1e6) : 0;
}

/* What an optimiser takes from the space besides the genes, as numbers of which a run keeps the checksum. */
static const struct gene_note {
    const char *key, *words; /* the property, and what differs */
    int32_t (*of)(const struct param_table *space, int i);
} notes[] = {{"groups", "groups of genes", first_of_group},
             {"perturbations", "perturbations (c)", millionths}};

enum { GROUPS, SCALES, NOTES };

/* The checksum of a note; "" if all perturbations are 0: none is given. */
static bool sum_note(int note, const struct param_table *space, char text[CHECKSUM_MAX],
                     struct error *err)
{
    bool given = note == GROUPS;
    int32_t *numbers = malloc((size_t)space->count * sizeof *numbers);
    if (numbers == NULL)
        return error_set(err, "no memory for the %s of %d genes", notes[note].words, space->count);
    for (int i = 0; i < space->count; i++) {
        numbers[i] = notes[note].of(space, i);
        given = given || numbers[i] > 0;
    }
    text[0] = '\0';
    if (given)
        checksum_numbers(numbers, (size_t)space->count, text);
    free(numbers);
    return true;
}

static bool takes(int note, const struct recipe *recipe, const struct param_table *space)
{
    const struct optimiser_settings *o = &recipe->optimiser;
    return note == SCALES ? o->kind == OPTIMISER_SPSA
                          : o->kind == OPTIMISER_EVOLUTION_STRATEGY &&
                                (o->evolution_strategy.groups || space->mixed);
}

/* Keeps the genes, and what the optimiser takes besides. Within a transaction. */
static bool put_genes(struct store *s, const struct recipe *recipe, const struct param_table *space,
                      struct error *err)
{
    char sum[CHECKSUM_MAX];
    bool put = store_put_genes(s, space, err);
    for (int n = 0; put && n < NOTES; n++)
        put = !takes(n, recipe, space) ||
              (sum_note(n, space, sum, err) && store_put(s, notes[n].key, sum, err));
    return put;
}

/* Refuses a note that is not that of the run, if it kept one. */
static bool same_note(struct store *s, int note, const struct param_table *now, struct error *err)
{
    char sum[CHECKSUM_MAX];
    char *kept = store_get(s, notes[note].key);
    bool same =
        kept == NULL || (sum_note(note, now, sum, err) &&
                         (strcmp(kept, sum) == 0 ||
                          error_set(err,
                                    "the space has other %s than the run began with; put the old "
                                    "space file back",
                                    notes[note].words)));
    free(kept);
    return same;
}

static bool same_gene(const struct param *a, const struct param *b)
{
    return strcmp(a->name, b->name) == 0 && a->bits == b->bits && a->min == b->min &&
           a->max == b->max && a->initial == b->initial && param_step(a) == param_step(b) &&
           a->type == b->type && a->decimals == b->decimals &&
           strcmp(a->choices == NULL ? "" : a->choices, b->choices == NULL ? "" : b->choices) == 0;
}

static bool same_genes(const struct param_table *then, const struct param_table *now,
                       struct error *err)
{
    bool same =
        then->count == now->count ||
        error_set(err, "the run has %d genes, and there are %d now; put the old space file back",
                  then->count, now->count);
    if (same && strcmp(then->kind, now->kind) != 0)
        same = error_set(err,
                         "the run has genes of kind '%s', and there are those of kind '%s' now; "
                         "put the old space file back",
                         then->kind, now->kind);
    for (int i = 0; same && i < now->count; i++)
        if (!same_gene(&then->params[i], &now->params[i]))
            same = error_set(err,
                             "the gene %s had %d bits from %d to %d, and now %s has %d bits from "
                             "%d to %d; put the old space file back",
                             then->params[i].name, then->params[i].bits, then->params[i].min,
                             then->params[i].max, now->params[i].name, now->params[i].bits,
                             now->params[i].min, now->params[i].max);
    return same;
}

/* Refuses another engine than that of the run. The one that only plays with the values may change. */
static bool same_command(struct store *s, const struct param_table *now, struct error *err)
{
    char *then = store_get(s, "command");
    char *kept = then != NULL && now->command != NULL
                     ? store_kept_command(s, now->command, now->command_moves, err)
                     : NULL;
    bool same = then == NULL || now->command == NULL;
    if (kept != NULL)
        same = strcmp(then, kept) == 0 ||
               error_set(err,
                         "the run began with the engine %.200s, and the space has %.200s now; put "
                         "the old space file back",
                         then, kept);
    free(then);
    free(kept);
    return same;
}

static bool check_genes(struct store *s, const struct param_table *now, struct error *err)
{
    struct param_table then;
    if (!store_get_genes(s, &then, err))
        return false;
    bool same = same_genes(&then, now, err) && same_command(s, now, err);
    for (int n = 0; same && n < NOTES; n++)
        same = same_note(s, n, now, err);
    store_free_genes(&then);
    return same && store_whole(s, err);
}

/* ---- the store ---- */

/* Stores the initial population, with the paths of its files relative to the store. */
static bool put_seeds(struct store *s, const char *directory, const struct recipe *recipe,
                      const struct param_table *space, const uint64_t *seeds, struct error *err)
{
    struct genome genome;
    if (!genome_init(&genome, space, err))
        return false;
    for (int i = 0; i < recipe->seed_count + (recipe->fit > 0); i++) {
        char relative[PATH_SIZE] = "(fitted)";
        if ((i < recipe->seed_count &&
             !path_relative(directory, recipe->seeds[i], relative, err)) ||
            !store_put_seed(s, i, relative, seeds + (size_t)i * (size_t)genome.words, genome.words,
                            err))
            return false;
    }
    return true;
}

bool run_create_store(const char *path, bool force, const struct recipe *recipe,
                      const char *recipe_text, const struct fitness *fitness, const uint64_t *seeds,
                      struct error *err)
{
    char directory[PATH_SIZE];
    struct recipe files = *recipe;
    struct store *s = path_directory(path, directory, err) ? store_create(path, force, err) : NULL;
    if (s == NULL)
        return false;
    if (store_put(s, "version", GRAYLING_VERSION, err) && store_put_moment(s, "created", err) &&
        store_put(s, "recipe", recipe_text, err) && store_put(s, "name", recipe->name, err) &&
        store_put_number(s, "seed", (int64_t)recipe->seed, err) &&
        store_put_number(s, "generations", recipe->generations, err) &&
        store_put(s, "fitness", fitness->method->name, err) &&
        store_put(s, "measure", fitness->method->value->name, err) &&
        store_put_number(s, "train_size", fitness->train_size, err) &&
        store_put_number(s, "held_out_size", fitness->held_out_size, err) &&
        recipe_each_file(&files, data_kept_put, &(struct data_kept_view){s, path}, err) &&
        data_kept_begin(s, path, err) && put_genes(s, recipe, &fitness->space, err) &&
        put_seeds(s, directory, recipe, &fitness->space, seeds, err))
        return store_publish(s, err);
    store_close(s);
    return false;
}

struct fitness *run_load_fitness(struct store *s, const char *path, const struct recipe *recipe,
                                 int threads, struct error *err)
{
    struct fitness *fitness = data_kept_check(s, path, "run", "begin a new run", err)
                                  ? fitness_create(recipe, threads, err)
                                  : NULL;
    if (fitness != NULL && check_genes(s, &fitness->space, err))
        return fitness;
    if (fitness != NULL)
        fitness->method->destroy(fitness);
    error_prefix(err, "%s: ", path);
    return NULL;
}
