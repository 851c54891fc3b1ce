#include "night_random.h"

#include "genome.h"
#include "operators.h"
#include "run_summary.h"
#include "stream.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

/* The first stage before the match with runs that evolve this half; NULL if there is none. */
static const struct night_stage *first_stage(const struct night_recipe *recipe,
                                             const struct night_stage *match, bool evaluation)
{
    for (const struct night_stage *s = recipe->stages; s != match; s++)
        if (!s->is_match && s->evolves_evaluation == evaluation)
            return s;
    return NULL;
}

/* Draws organism 0 of generation 0 of a run with this space and seed. */
static bool draw(const struct param_table *space, uint64_t seed, int32_t *values, struct error *err)
{
    struct genome genome;
    struct stream s;
    if (!genome_init(&genome, space, err))
        return false;
    uint64_t *chromosome = malloc(genome_bytes(&genome, 1));
    if (chromosome == NULL)
        return error_set(err, "no memory for a chromosome");
    stream_init(&s, seed, STREAM_INITIAL, 0, 0);
    chromosome_random(chromosome, &genome, &s);
    genome_decode(&genome, chromosome, values);
    free(chromosome);
    return true;
}

/* True if a run's space has the genes of a table, perhaps without those that were added later; these
 * get their initial values. */
static bool complete(const struct param_table *table, int count, int32_t values[VALUES_MAX])
{
    if (count > table->count || (count < table->count && !param_is_added(table, count)))
        return false;
    for (int i = count; i < table->count; i++)
        values[i] = table->params[i].initial;
    return true;
}

/* Draws in the space of a stage's run. Returns the table of the space. */
static const struct param_table *draw_of_stage(const char *night_path,
                                               const struct night_stage *stage, uint64_t seed,
                                               int32_t values[VALUES_MAX], struct error *err)
{
    char path[NIGHT_PATH];
    struct run_summary run;
    if (!night_best_run(night_path, stage, path, err) || !run_summary_read(path, &run, err))
        return NULL;
    const struct param_table *table = stage->evolves_evaluation
                                          ? evaluation_table_of_kind(run.space.kind)
                                          : search_table_of_kind(run.space.kind);
    if (table == NULL || !complete(table, run.space.count, values)) {
        error_set(err, "%s: kind %s is not of our engine", path, run.space.kind);
        table = NULL;
    } else if (!draw(&run.space, seed, values, err))
        table = NULL;
    run_summary_free(&run);
    return table;
}

/* Draws a half, in the space of the stages before the match, or else in `usual`. Returns the table of
 * the values. */
static const struct param_table *draw_half(const char *night_path,
                                           const struct night_recipe *recipe,
                                           const struct night_stage *match, bool evaluation,
                                           const struct param_table *usual,
                                           int32_t values[VALUES_MAX], struct error *err)
{
    const struct night_stage *stage = first_stage(recipe, match, evaluation);
    if (stage != NULL)
        return draw_of_stage(night_path, stage, recipe->seed, values, err);
    return draw(usual, recipe->seed, values, err) ? usual : NULL;
}

bool night_random_evaluation(const char *night_path, const struct night_recipe *recipe,
                             const struct night_stage *match, struct evaluation *e,
                             struct error *err)
{
    int32_t values[VALUES_MAX];
    const struct param_table *table =
        draw_half(night_path, recipe, match, true, &eval_table, values, err);
    if (table != NULL)
        *e = evaluation_from(table, values);
    return table != NULL;
}

bool night_random_search(const char *night_path, const struct night_recipe *recipe,
                         const struct night_stage *match, struct search_params *p,
                         struct error *err)
{
    int32_t values[VALUES_MAX];
    const struct param_table *table =
        draw_half(night_path, recipe, match, false, &search_table, values, err);
    if (table != NULL)
        *p = search_params_from(table, values);
    return table != NULL;
}
