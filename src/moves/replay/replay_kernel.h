/* The replay, written once for all kernels: what dense and sparse leaves share, and the dense replay.
 * The including file defines
 *
 *     LANES            organisms in a vector
 *     VECTORS          vectors folded together, which share the cost of folding
 *     vec              LANES 32-bit integers, a GCC vector
 *     vec_max(a, b)    the larger in each lane
 *     struct lanes     the weights of LANES organisms, in registers as far as possible
 *     lanes_load(w, first)      the weights of the lanes from `first` on
 *     leaf_value(row, lanes)    the value of a leaf for these lanes */
#ifndef GRAYLING_REPLAY_KERNEL_H
#define GRAYLING_REPLAY_KERNEL_H

#include <string.h>

/* The same integer in every lane. */
static inline vec vec_all(int32_t x)
{
    return x - (vec){0};
}

/* The values of one node for all organisms folded together. */
struct values {
    vec v[VECTORS];
};

/* Raises `at` to the larger of the two, lane by lane. */
static inline void raise(struct values *at, const struct values *value)
{
    for (int i = 0; i < VECTORS; i++)
        at->v[i] = vec_max(at->v[i], value->v[i]);
}

static inline void lowest(struct values *at)
{
    for (int i = 0; i < VECTORS; i++)
        at->v[i] = vec_all(REPLAY_LOWEST);
}

/* Folds the values of one leaf upward: opens nodes, takes the maximum at the current node, and
 * closes nodes; each passes its negated values to its parent (negamax). Returns the new depth. */
static inline int fold(struct values *stack, int depth, int opens, int closes,
                       const struct values *value)
{
    for (int i = 0; i < opens; i++)
        lowest(&stack[++depth]);
    raise(&stack[depth], value);
    for (int i = 0; i < closes; i++, depth--)
        for (int v = 0; v < VECTORS; v++)
            stack[depth - 1].v[v] = vec_max(stack[depth - 1].v[v], -stack[depth].v[v]);
    return depth;
}

/* The best root moves so far. */
struct choices {
    struct values best, chosen;
};

static inline void no_choices(struct choices *c)
{
    lowest(&c->best);
    for (int v = 0; v < VECTORS; v++)
        c->chosen.v[v] = vec_all(0);
}

/* Chooses root move `m` where its value is larger: the first of equal moves wins. */
static inline void consider(struct choices *c, const struct values *value, int m)
{
    for (int v = 0; v < VECTORS; v++) {
        vec better = value->v[v] > c->best.v[v];
        c->chosen.v[v] = (c->chosen.v[v] & ~better) | (better & m);
    }
    raise(&c->best, value);
}

/* Writes the choices of the lanes from `first` on. */
static inline void write_choices(const struct choices *c, int first, struct replayed *played)
{
    memcpy(played->choice + first, &c->chosen, sizeof c->chosen);
    memcpy(played->value + first, &c->best, sizeof c->best);
}

/* Runs the 1-ply search of LANES * VECTORS organisms. */
static inline void choose_lanes(const struct leaf_tree *tree, const struct lane_weights *w,
                                int first, struct replayed *played)
{
    struct lanes lanes[VECTORS];
    struct values stack[REPLAY_DEPTH];
    struct choices choices;
    const struct leaf_row *row = tree->rows;
    no_choices(&choices);
    for (int v = 0; v < VECTORS; v++)
        lanes[v] = lanes_load(w, first + v * LANES);
    for (int m = 0; m < tree->moves; m++) {
        lowest(&stack[0]);
        int depth = 0;
        for (const struct leaf_row *end = row + tree->leaves[m]; row < end; row++) {
            struct values value;
            for (int v = 0; v < VECTORS; v++)
                value.v[v] = leaf_value(row, &lanes[v]);
            depth = fold(stack, depth, row->opens, row->closes, &value);
        }
        consider(&choices, &stack[0], m);
    }
    write_choices(&choices, first, played);
}

/* Runs all lanes of a group. */
static void choose(const struct leaf_tree *tree, const struct lane_weights *w,
                   struct replayed *played)
{
    for (int first = 0; first < REPLAY_LANES; first += LANES * VECTORS)
        choose_lanes(tree, w, first, played);
}

#endif
