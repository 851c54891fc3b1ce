/* The replay, written once for all kernels. The including file defines
 *
 *     LANES            organisms in a vector
 *     VECTORS          vectors folded together, which share the cost of folding
 *     CHAINS           sums of a leaf's terms side by side, where one alone would wait for each result
 *     vec              LANES 32-bit integers, a GCC vector
 *     vec_max(a, b)    the larger in each lane
 *     dot_pair(sum, weights, counts)    adds to `sum` the products of two 16-bit counts, given in one
 *                                       integer, with the pairs of LANES weights at `weights`,
 *                                       modulo 2^32 */
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

typedef uint32_t uvec __attribute__((vector_size(4 * LANES))); /* wraps around */

/* Adds a term with 16-bit weights. */
static inline void add_narrow(struct values *sum, const struct replay_term *term,
                              const struct replay_weights *w, int first)
{
    const int16_t(*weights)[2] = w->narrow[term->column] + first;
    int32_t counts;
    memcpy(&counts, term->count, sizeof counts);
    for (int v = 0; v < VECTORS; v++)
        sum->v[v] = dot_pair(sum->v[v], weights[v * LANES], counts);
}

/* Adds a term with 32-bit weights. */
static inline void add_wide(struct values *sum, const struct replay_term *term,
                            const struct replay_weights *w, int first)
{
    for (int half = 0; half < 2; half++)
        for (int v = 0; v < VECTORS; v++) {
            uvec weights;
            memcpy(&weights, w->wide[term->column][half] + first + v * LANES, sizeof weights);
            sum->v[v] = (vec)((uvec)sum->v[v] + weights * (uint32_t)term->count[half]);
        }
}

/* Adds a term. */
static inline void add_term(struct values *sum, const struct replay_term *term,
                            const struct replay_weights *w, int first, bool wide)
{
    if (wide)
        add_wide(sum, term, w, first);
    else
        add_narrow(sum, term, w, first);
}

/* Computes the sum of a leaf from a kept one and its terms, keeps it, and returns the leaf's value. */
static inline struct values value_of(const struct replay_leaf *row, const struct replay_term *term,
                                     const struct replay_weights *w, int first, bool wide,
                                     struct values kept[REPLAY_SLOTS])
{
    struct values sum[CHAINS] = {kept[row->from]}, value;
    const vec sign = vec_all(row->sign);
    int i = 0;
    for (; i + CHAINS <= row->terms; i += CHAINS)
        for (int c = 0; c < CHAINS; c++)
            add_term(&sum[c], &term[i + c], w, first, wide);
    for (; i < row->terms; i++)
        add_term(&sum[0], &term[i], w, first, wide);
    for (int v = 0; v < VECTORS; v++) {
        for (int c = 1; c < CHAINS; c++)
            sum[0].v[v] = (vec)((uvec)sum[0].v[v] + (uvec)sum[c].v[v]);
        value.v[v] = ((sum[0].v[v] ^ sign) - sign) + row->bias;
    }
    kept[row->to] = sum[0];
    return value;
}

/* Runs the 1-ply search of LANES * VECTORS organisms. */
static inline void choose_lanes(const struct replay_tree *tree, const struct replay_weights *w,
                                int first, bool wide, struct replayed *played)
{
    struct values stack[REPLAY_DEPTH], kept[REPLAY_SLOTS] = {{{{0}}}};
    struct choices choices;
    const struct replay_leaf *row = tree->rows;
    const struct replay_term *term = tree->terms;
    no_choices(&choices);
    for (int m = 0; m < tree->moves; m++) {
        lowest(&stack[0]);
        int depth = 0;
        for (const struct replay_leaf *end = row + tree->leaves[m]; row < end; row++) {
            const struct values value = value_of(row, term, w, first, wide, kept);
            term += row->terms;
            depth = fold(stack, depth, row->opens, row->closes, &value);
        }
        consider(&choices, &stack[0], m);
    }
    write_choices(&choices, first, played);
}

/* Runs all lanes of a group. */
static void choose(const struct replay_tree *tree, const struct replay_weights *w,
                   struct replayed *played)
{
    for (int first = 0; first < REPLAY_LANES; first += LANES * VECTORS)
        if (w->narrow != NULL)
            choose_lanes(tree, w, first, false, played);
        else
            choose_lanes(tree, w, first, true, played);
}

#endif
