/* The engine's default parameters: params/default-eval.yaml and params/default-search.yaml,
 * compiled in. */
#ifndef GRAYLING_DEFAULT_PARAMS_H
#define GRAYLING_DEFAULT_PARAMS_H

#include "evaluate.h"
#include "search_params.h"

extern const struct eval_weights default_weights;
extern const struct search_params default_search;

#endif
