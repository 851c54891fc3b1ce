/* Random players of a night: what its evolution began with. */
#ifndef GRAYLING_NIGHT_RANDOM_H
#define GRAYLING_NIGHT_RANDOM_H

#include "evaluation.h"
#include "night_stages.h"
#include "search_params.h"

/* The random chromosome by the night's seed of the space in which the first stage before the match
 * evolved that has runs of this half (evaluation or search); if there is none, of the paper's table.
 * `match` is a stage of the recipe. The runs must be complete enough to have a best organism. False,
 * with the reason, if a run cannot be read or memory is short. */
bool night_random_evaluation(const char *night_path, const struct night_recipe *recipe,
                             const struct night_stage *match, struct evaluation *e,
                             struct error *err);
bool night_random_search(const char *night_path, const struct night_recipe *recipe,
                         const struct night_stage *match, struct search_params *p,
                         struct error *err);

#endif
