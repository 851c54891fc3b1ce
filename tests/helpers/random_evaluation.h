/* Random evaluations for property tests. */
#ifndef GRAYLING_RANDOM_EVALUATION_H
#define GRAYLING_RANDOM_EVALUATION_H

#include "evaluation.h"
#include "stream.h"

#include <string.h>

/* Values drawn uniformly from the ranges of a table. */
static inline void random_values_of(struct stream *s, const struct param_table *table,
                                    int32_t *values)
{
    for (int i = 0; i < table->count; i++) {
        const struct param *p = &table->params[i];
        values[i] = p->min + (int32_t)stream_below(s, (uint64_t)(p->max - p->min) + 1);
    }
}

static inline struct evaluation random_evaluation(struct stream *s, enum evaluation_kind kind)
{
    int32_t values[EVALUATION_WEIGHTS];
    random_values_of(s, evaluation_tables[kind], values);
    return evaluation_from(evaluation_tables[kind], values);
}

/* Pieces alone. */
static inline struct evaluation material_evaluation(void)
{
    const struct eval_weights w = eval_material_weights();
    return evaluation_of_weights(&w);
}

/* The same of the modern evaluation. */
static inline struct evaluation modern_material_evaluation(void)
{
    int32_t values[EVALUATION_WEIGHTS] = {0};
    for (int i = 0; i < modern_eval_table.count; i++)
        if (strncmp(modern_eval_table.params[i].name, "MATERIAL", 8) == 0)
            values[i] = modern_eval_table.params[i].initial;
    return evaluation_from(&modern_eval_table, values);
}

#endif
