/* The parameters of the search: the paper's 18, and after them those of the modern search. */
#ifndef GRAYLING_SEARCH_PARAMS_H
#define GRAYLING_SEARCH_PARAMS_H

#include "param.h"

enum search_param {
#define PARAM(name, bits, min, max, initial, sign, meaning) name,
#include "search_params.def"
    PAPER_SEARCH_PARAMS,
    before_modern = PAPER_SEARCH_PARAMS - 1,
#include "modern_params.def"
#undef PARAM
    SEARCH_PARAMS
};

/* A value for each parameter, within the ranges of its table. */
struct search_params {
    int32_t value[SEARCH_PARAMS];
};

/* A ply in the units of depth, so that an extension may be a part of one (david-2014, section IV).
 */
enum { PLY = 4 };

/* The 18 parameters of david-2014, Table I: kind "search". They are the first of the next. */
extern const struct param_table search_table;
/* All parameters, the modern search's too: kind "search-modern". */
extern const struct param_table modern_table;

/* The initial value of each parameter: the paper's Table II, the modern search off. */
struct search_params search_initial_params(void);

/* All selective methods off: plain alpha-beta, as coevolution plays it. */
struct search_params search_plain_params(void);

/* The parameters of a table of the two, its values in its order; those that it does not have (the
 * modern ones) are off. */
struct search_params search_params_from(const struct param_table *table, const int32_t *values);

#endif
