/* Random search parameters for property tests. */
#ifndef GRAYLING_RANDOM_PARAMS_H
#define GRAYLING_RANDOM_PARAMS_H

#include "random_chess.h"
#include "search_params.h"

/* Each parameter of the table at random, those that it does not have off. */
static inline struct search_params random_params(struct stream *s, const struct param_table *table)
{
    struct search_params params = search_plain_params();
    random_values_of(s, table, params.value);
    return params;
}

#endif
