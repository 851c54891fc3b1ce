/* The replay, written once for every kernel. The file that includes this one defines
 *
 *     LANES            organisms in a vector
 *     vec              LANES 32-bit integers, a GCC vector
 *     vec_max(a, b)    the larger in each lane
 *     struct lanes     the weights of LANES organisms, in registers as far as they go
 *     lanes_load(w, first)      those of the lanes from `first` on
 *     leaf_value(row, lanes)    the value of a leaf for them */
#ifndef GRAYLING_REPLAY_KERNEL_H
#define GRAYLING_REPLAY_KERNEL_H

#include <string.h>

/* A whole number in every lane. */
static inline vec vec_all(int32_t x)
{
    return x - (vec){0};
}

/* Folds one leaf's value upward: opens nodes, takes the maximum where it stands, closes nodes, each
 * handing its negated value to the one above (negamax). Returns the new depth. */
static inline int fold(vec *stack, int depth, const struct leaf_row *row, vec value)
{
    for (int i = 0; i < row->opens; i++)
        stack[++depth] = vec_all(-INFINITE_SCORE);
    stack[depth] = vec_max(stack[depth], value);
    for (int i = 0; i < row->closes; i++, depth--)
        stack[depth - 1] = vec_max(stack[depth - 1], -stack[depth]);
    return depth;
}

/* Plays the 1-ply search of LANES organisms: the first best root move wins. */
static inline void choose_lanes(const struct leaf_tree *tree, const struct lane_weights *w,
                                int first, int32_t *choice)
{
    const struct lanes lanes = lanes_load(w, first);
    const struct leaf_row *row = tree->rows;
    vec best = vec_all(-INFINITE_SCORE), chosen = vec_all(0);
    for (int m = 0; m < tree->moves; m++) {
        vec stack[REPLAY_DEPTH];
        stack[0] = vec_all(-INFINITE_SCORE);
        int depth = 0;
        for (const struct leaf_row *end = row + tree->leaves[m]; row < end; row++)
            depth = fold(stack, depth, row, leaf_value(row, &lanes));
        vec better = stack[0] > best;
        best = vec_max(best, stack[0]);
        chosen = (chosen & ~better) | (better & m);
    }
    memcpy(choice + first, &chosen, sizeof chosen);
}

/* Plays all lanes of a group. */
static void choose(const struct leaf_tree *tree, const struct lane_weights *w,
                   int32_t choice[REPLAY_LANES])
{
    for (int first = 0; first < REPLAY_LANES; first += LANES)
        choose_lanes(tree, w, first, choice);
}

#endif
