/* Sparse leaves: any linear evaluation. */
#include "compiled_set.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- replay ---- */

static size_t lanes_size(const struct compiled_set *set)
{
    return set->places.columns * 2 * REPLAY_LANES *
           (set->wide_weights ? sizeof(int32_t) : sizeof(int16_t));
}

static struct sparse_weights weights_of(const struct compiled_set *set, void *lanes)
{
    if (set->wide_weights)
        return (struct sparse_weights){.wide = lanes};
    return (struct sparse_weights){.narrow = lanes};
}

/* Packs the weights of one organism as 16-bit pairs. */
static void pack_narrow(const struct weight_places *p, const int32_t *values, int lane,
                        int16_t (*lanes)[REPLAY_LANES][2])
{
    for (size_t i = 0; i < 2 * p->columns; i++)
        lanes[i / 2][lane][i % 2] = (int16_t)values[p->weight_at[i]];
}

static void pack_wide(const struct weight_places *p, const int32_t *values, int lane,
                      int32_t (*lanes)[2][REPLAY_LANES])
{
    for (size_t i = 0; i < 2 * p->columns; i++)
        lanes[i / 2][i % 2][lane] = values[p->weight_at[i]];
}

static void pack(const struct compiled_set *set, const int32_t *values, int count, void *lanes)
{
    const int weights = set->table.count;
    memset(lanes, 0, lanes_size(set));
    for (int lane = 0; lane < count; lane++, values += weights) {
        for (int i = 0; i < weights; i++)
            assert(values[i] >= set->table.params[i].min && values[i] <= set->table.params[i].max);
        if (set->wide_weights)
            pack_wide(&set->places, values, lane, lanes);
        else
            pack_narrow(&set->places, values, lane, lanes);
    }
}

static struct sparse_tree tree_of(const struct compiled_set *set, size_t i)
{
    const struct compiled_position *at = &set->positions[i];
    const struct sparse_leaf *rows = set->rows;
    return (struct sparse_tree){rows + at->first_row, set->terms + at->first_term,
                                compiled_tree_leaves(set, i), at->moves};
}

static void choose(const struct compiled_set *set, size_t i, const struct replay *replay,
                   const int32_t *values, int count, void *lanes, struct replayed *played)
{
    const struct sparse_tree tree = tree_of(set, i);
    const struct sparse_weights weights = weights_of(set, lanes);
    (void)values;
    (void)count;
    replay->choose_sparse(&tree, &weights, played);
}

/* ---- principal leaves ---- */

/* The product of a leaf's terms with the weights. */
static double sum_of(const struct sparse_term *terms, int count, const double *weights,
                     const uint16_t *weight_at)
{
    double sum = 0;
    for (const struct sparse_term *t = terms; t < terms + count; t++) {
        const uint16_t *pair = weight_at + 2 * t->column;
        sum += weights[pair[0]] * t->count[0] + weights[pair[1]] * t->count[1];
    }
    return sum;
}

/* A walk over the leaves of a position, with the sums that are kept. */
struct walk {
    const struct sparse_term *term;
    double kept[SPARSE_SLOTS];
};

/* The value of the next leaf, times the scale. */
static double next_value(struct walk *walk, const struct sparse_leaf *row, const double *weights,
                         const uint16_t *weight_at)
{
    double white = walk->kept[row->from] + sum_of(walk->term, row->terms, weights, weight_at);
    walk->kept[row->to] = white;
    walk->term += row->terms;
    return row->bias + (row->sign == 0 ? white : -white);
}

/* A mate, or the value without its scale. */
static double score(const struct compiled_set *set, double value)
{
    if (fabs(value) <= SPARSE_LIMIT)
        return value / set->scale;
    return copysign(fabs(value) - SPARSE_MATE + MATE, value);
}

static int principal(const struct compiled_set *set, size_t i, const double *weights,
                     struct principal_leaf *leaves)
{
    const struct sparse_tree tree = tree_of(set, i);
    struct walk walk = {.term = tree.terms};
    uint32_t row = 0;
    for (int m = 0; m < tree.moves; m++) {
        struct principal_leaf stack[REPLAY_DEPTH];
        stack[0].value = REPLAY_LOWEST;
        int depth = 0;
        for (const uint32_t end = row + tree.leaves[m]; row < end; row++) {
            const struct sparse_leaf *at = &tree.rows[row];
            const struct principal_leaf leaf = {
                .value = next_value(&walk, at, weights, set->places.weight_at), .leaf = row};
            depth = fold_principal(stack, depth, at->opens, at->closes, &leaf);
        }
        leaves[m] = stack[0];
        leaves[m].value = score(set, stack[0].value);
    }
    return tree.moves;
}

/* Adds the derivatives by the weights of one leaf's terms. */
static void add_terms(const struct sparse_term *terms, int count, double factor,
                      const uint16_t *weight_at, double *by_weight)
{
    for (const struct sparse_term *t = terms; t < terms + count; t++) {
        const uint16_t *pair = weight_at + 2 * t->column;
        by_weight[pair[0]] += factor * t->count[0];
        by_weight[pair[1]] += factor * t->count[1];
    }
}

/* Walks back over the leaves: the derivative by a leaf's sum goes to its terms, and to the kept sum
 * that it began with. */
static void add_gradient(const struct compiled_set *set, size_t i,
                         const struct principal_leaf *leaves, const double *by_value, int count,
                         double *by_weight)
{
    const struct compiled_position *at = &set->positions[i];
    const struct sparse_tree tree = tree_of(set, i);
    const struct sparse_term *term = tree.terms + at->terms;
    double by_kept[SPARSE_SLOTS] = {0};
    for (uint32_t row = at->rows; row-- > 0;) {
        const struct sparse_leaf *leaf = &tree.rows[row];
        double factor = by_kept[leaf->to];
        by_kept[leaf->to] = 0;
        term -= leaf->terms;
        if (count > 0 && leaves[count - 1].leaf == row) {
            count--;
            factor +=
                by_value[count] * leaves[count].view * (leaf->sign == 0 ? 1 : -1) / set->scale;
        }
        if (factor != 0)
            add_terms(term, leaf->terms, factor, set->places.weight_at, by_weight);
        by_kept[leaf->from] += factor;
    }
}

const struct leaf_method sparse_leaves = {
    .row_size = sizeof(struct sparse_leaf),
    .begin = sparse_growth_begin,
    .finish = sparse_growth_finish,
    .grow = sparse_growth_grow,
    .lanes_size = lanes_size,
    .pack = pack,
    .choose = choose,
    .score = score,
    .principal = principal,
    .add_gradient = add_gradient,
};
