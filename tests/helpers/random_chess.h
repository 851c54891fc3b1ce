/* Random games and evaluations for property tests. */
#ifndef GRAYLING_RANDOM_CHESS_H
#define GRAYLING_RANDOM_CHESS_H

#include "evaluation.h"
#include "movegen.h"
#include "stream.h"

#include <string.h>

/* Random numbers of a test. */
static inline struct stream seeded(uint64_t seed)
{
    struct stream s;
    stream_init(&s, seed, STREAM_TEST, 0, 0);
    return s;
}

/* The position after at most `plies` random legal moves from the start; it always has a legal
 * move. */
static inline struct position random_position(struct stream *s, int plies)
{
    struct position p;
    position_from_fen(&p, FEN_START, NULL, NULL);
    for (int i = 0; i < plies; i++) {
        struct move_list list;
        struct undo undo;
        struct position before = p;
        movegen_legal(&p, &list);
        position_make(&p, list.moves[stream_below(s, (uint64_t)list.count)], &undo);
        if (!movegen_any(&p))
            return before;
    }
    return p;
}

/* A value drawn uniformly from a parameter's range. */
static inline int32_t random_value(struct stream *s, const struct param *p)
{
    return p->min + (int32_t)stream_below(s, (uint64_t)(p->max - p->min) + 1);
}

/* Values drawn uniformly from the ranges of a table. */
static inline void random_values_of(struct stream *s, const struct param_table *table,
                                    int32_t *values)
{
    for (int i = 0; i < table->count; i++)
        values[i] = random_value(s, &table->params[i]);
}

static inline struct eval_weights random_weights(struct stream *s)
{
    struct eval_weights w;
    random_values_of(s, &eval_table, w.value);
    return w;
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
