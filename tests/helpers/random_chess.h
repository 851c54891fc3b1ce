/* Random games and random weights for property tests. */
#ifndef GRAYLING_RANDOM_CHESS_H
#define GRAYLING_RANDOM_CHESS_H

#include "evaluate.h"
#include "movegen.h"
#include "stream.h"

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

/* Weights drawn uniformly from the ranges of the table. */
static inline struct eval_weights random_weights(struct stream *s)
{
    struct eval_weights w;
    for (int t = 0; t < EVAL_TERMS; t++) {
        const struct param *p = &eval_table.params[t];
        w.value[t] = p->min + (int32_t)stream_below(s, (uint64_t)(p->max - p->min) + 1);
    }
    return w;
}

#endif
