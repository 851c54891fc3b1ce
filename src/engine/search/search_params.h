/* The search parameters: of the paper (18), of the modern search, of the null-move family. */
#ifndef GRAYLING_SEARCH_PARAMS_H
#define GRAYLING_SEARCH_PARAMS_H

#include "param.h"

#include <stddef.h>

enum search_param {
#define PARAM(name, bits, min, max, initial, sign, active_if, meaning) name,
#include "search_params.def"
    PAPER_SEARCH_PARAMS,
    before_modern = PAPER_SEARCH_PARAMS - 1,
#include "modern_params.def"
    MODERN_SEARCH_PARAMS,
    before_nullmove = MODERN_SEARCH_PARAMS - 1,
#include "nullmove_params.def"
    FIRST_ADDED_PARAM,
    before_added = FIRST_ADDED_PARAM - 1,
#include "added_params.def"
    FIRST_NULLMOVE_ADDED_PARAM,
    before_nullmove_added = FIRST_NULLMOVE_ADDED_PARAM - 1,
#include "nullmove_added_params.def"
#undef PARAM
    SEARCH_PARAMS
};

/* One value for each parameter, within the range of its table. */
struct search_params {
    int32_t value[SEARCH_PARAMS];
};

/* One ply in units of depth: an extension may be a fraction of a ply (david-2014, section IV). */
enum { PLY = 4 };

/* The 18 parameters of david-2014, Table I: kind "search". The other tables start with them. */
extern const struct param_table search_table;
/* The 18, those of the modern search, and the added ones: kind "search-modern". */
extern const struct param_table modern_table;
/* The 18, and those of the null-move family: kind "search-nullmove". */
extern const struct param_table nullmove_table;
/* All of them, in the order of `enum search_param`: kind "search-all". */
extern const struct param_table search_all_table;

/* The four tables, terminated by NULL. */
extern const struct param_table *const search_tables[];

/* The table of this kind, or NULL. */
const struct param_table *search_table_of_kind(const char *kind);

/* The initial value of each parameter: the paper's Table II, everything else off. */
struct search_params search_initial_params(void);

/* All selective methods off: plain alpha-beta, which coevolution plays with. */
struct search_params search_plain_params(void);

/* Parameters from the values of one table, in its order; parameters that the table lacks are off. The table may be
 * that of an older run, without the last of the added parameters: these are `initial`, which turns no method on. */
struct search_params search_params_from(const struct param_table *table, const int32_t *values);

/* The number of leading values that identify a search: all, or all but the added ones, or all but those added to the
 * null-move family, where each method left out is off. So keys made from the values outlive new methods. */
size_t search_params_length(const struct search_params *p);

#endif
