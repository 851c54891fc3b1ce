#include "run_genes.h"

#include "checksum.h"
#include "command_line.h"
#include "paths.h"

#include <stdlib.h>
#include <string.h>

static const char groups_key[] = "groups", scales_key[] = "perturbations";

/* The first gene of the group of gene `i`. */
static int32_t first_of_group(const struct param_table *space, int i)
{
    int first = 0;
    while (!param_same_group(&space->params[first], &space->params[i]))
        first++;
    return first;
}

/* The checksum of which genes are a group, whatever it is called. */
static bool sum_groups(const struct param_table *space, char text[CHECKSUM_MAX], struct error *err)
{
    int32_t *first = malloc((size_t)space->count * sizeof *first);
    if (first == NULL)
        return error_set(err, "no memory for the groups of %d genes", space->count);
    for (int i = 0; i < space->count; i++)
        first[i] = first_of_group(space, i);
    checksum_numbers(first, (size_t)space->count, text);
    free(first);
    return true;
}

/* The checksum of the perturbations of the genes; "" if none has one of its own. False without memory. */
static bool sum_scales(const struct param_table *space, char text[CHECKSUM_MAX], struct error *err)
{
    bool given = false;
    int32_t *millionths = malloc((size_t)space->count * sizeof *millionths);
    if (millionths == NULL)
        return error_set(err, "no memory for the perturbations of %d genes", space->count);
    for (int i = 0; i < space->count; i++) {
        const double range = (double)space->params[i].max - space->params[i].min;
        millionths[i] = range > 0 ? (int32_t)(space->params[i].c / range * 1e6) : 0;
        given = given || millionths[i] > 0;
    }
    text[0] = '\0';
    if (given)
        checksum_numbers(millionths, (size_t)space->count, text);
    free(millionths);
    return true;
}

/* True if the optimiser looks at groups. */
static bool takes_groups(const struct recipe *recipe, const struct param_table *space)
{
    return recipe->optimiser.kind == OPTIMISER_EVOLUTION_STRATEGY &&
           (recipe->optimiser.evolution_strategy.groups || space->mixed);
}

bool run_genes_put(struct store *s, const struct recipe *recipe, const struct param_table *space,
                   struct error *err)
{
    char sum[CHECKSUM_MAX];
    return store_put_genes(s, space, err) &&
           (!takes_groups(recipe, space) ||
            (sum_groups(space, sum, err) && store_put(s, groups_key, sum, err))) &&
           (recipe->optimiser.kind != OPTIMISER_SPSA ||
            (sum_scales(space, sum, err) && store_put(s, scales_key, sum, err)));
}

/* Refuses other groups than those of the run, if it kept any. */
static bool same_groups(struct store *s, const struct param_table *now, struct error *err)
{
    char sum[CHECKSUM_MAX];
    char *kept = store_get(s, groups_key);
    bool same = kept == NULL ||
                (sum_groups(now, sum, err) &&
                 (strcmp(kept, sum) == 0 ||
                  error_set(err, "the space has other groups of genes than the run began with; put "
                                 "the old space file back")));
    free(kept);
    return same;
}

/* Refuses other perturbations than those of the run, if it kept them. */
static bool same_scales(struct store *s, const struct param_table *now, struct error *err)
{
    char sum[CHECKSUM_MAX];
    char *kept = store_get(s, scales_key);
    bool same =
        kept == NULL ||
        (sum_scales(now, sum, err) &&
         (strcmp(kept, sum) == 0 ||
          error_set(err, "the space has other perturbations (c) than the run began with; put "
                         "the old space file back")));
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

/* Refuses a space that is not that of the run. */
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

/* True if two commands start a program of the same name with the same arguments, in whatever folder. */
static bool same_program(const char *a, const char *b)
{
    struct error ignored;
    const char *rest_a, *rest_b;
    char *program_a = command_first_word(a, &rest_a, &ignored);
    char *program_b = command_first_word(b, &rest_b, &ignored);
    bool same = program_a != NULL && program_b != NULL &&
                strcmp(path_name(program_a), path_name(program_b)) == 0 &&
                strcmp(rest_a, rest_b) == 0;
    free(program_a);
    free(program_b);
    return same;
}

/* True if a kept command starts the engine of the space. Runs of older versions keep absolute paths of
 * programs that moved with the space file since, perhaps. */
static bool same_engine(const char *then, const char *now, bool moves)
{
    return strcmp(then, now) == 0 || (moves && then[0] == '/' && same_program(then, now));
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
        same = same_engine(then, kept, now->command_moves) ||
               error_set(err,
                         "the run began with the engine %.200s, and the space has %.200s now; put "
                         "the old space file back",
                         then, kept);
    free(then);
    free(kept);
    return same;
}

bool run_genes_check(struct store *s, const struct param_table *now, struct error *err)
{
    struct param_table then;
    void *memory = store_get_genes(s, &then, err);
    bool same = memory != NULL && same_genes(&then, now, err) && same_command(s, now, err) &&
                same_groups(s, now, err) && same_scales(s, now, err) && store_whole(s, err);
    free(memory);
    return same;
}
