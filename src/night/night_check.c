#include "night_check.h"

#include "run.h"
#include "tuned_evaluation.h"

#include <stdio.h>

/* Makes the recipe of a stage as far as it is known now. Runs stand for the seeds by their names, and
 * initial values for the half that another stage evolves. */
static void foresee(const struct night_recipe *night, const struct night_stage *stage,
                    struct recipe *recipe)
{
    const struct night_stage *seeds = night_stage_find(night, stage->seeds);
    *recipe = *stage->recipe;
    for (int i = 0; seeds != NULL && i < night_stage_runs(seeds); i++) {
        night_run_name(seeds, i, recipe->seeds[i]);
        recipe->seed_count = i + 1;
    }
    if (stage->evaluation[0] != '\0')
        recipe->evaluation[0] = '\0';
    if (stage->search[0] != '\0')
        recipe->search[0] = '\0';
}

/* Checks a stage whose training positions are not known. */
static bool check_learner(const struct recipe *recipe, struct error *err)
{
    struct tuned_evaluation evaluation;
    if (!tuned_evaluation_open(&evaluation, recipe->space, err))
        return false;
    const bool fits = run_check_size(recipe, &evaluation.genes, err);
    tuned_evaluation_close(&evaluation);
    return fits;
}

bool night_check_stages(const struct night_recipe *night, int threads, struct error *err)
{
    for (int i = 0; i < night->stage_count; i++) {
        const struct night_stage *stage = &night->stages[i];
        struct recipe recipe;
        if (stage->is_match)
            continue;
        foresee(night, stage, &recipe);
        if (stage->result_count > 0 ? !check_learner(&recipe, err)
                                    : !run_check(&recipe, threads, err))
            return error_prefix(err, "stage %s: ", stage->name);
    }
    return true;
}
