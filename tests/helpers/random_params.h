/* Random search parameters for property tests. */
#ifndef GRAYLING_RANDOM_PARAMS_H
#define GRAYLING_RANDOM_PARAMS_H

#include "search_params.h"
#include "stream.h"

/* A value drawn uniformly from a parameter's range. */
static inline int32_t random_value(struct stream *s, const struct param *p)
{
    return p->min + (int32_t)stream_below(s, (uint64_t)(p->max - p->min) + 1);
}

/* Each parameter of the table at random, those that it does not have off. */
static inline struct search_params random_params(struct stream *s, const struct param_table *table)
{
    struct search_params params = search_plain_params();
    for (int i = 0; i < table->count; i++)
        params.value[i] = random_value(s, &table->params[i]);
    return params;
}

#endif
