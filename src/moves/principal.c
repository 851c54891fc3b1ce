/* Principal leaves: which leaf decides a move's value, and what its derivatives are. */
#include "compiled_set.h"

#include <math.h>

/* Folds a leaf into the stack as the replay kernels do, and keeps track of the leaf. */
static int fold_principal(struct principal_leaf *stack, int depth, int opens, int closes,
                          const struct principal_leaf *leaf)
{
    for (int i = 0; i < opens; i++)
        stack[++depth].value = REPLAY_LOWEST;
    if (leaf->value > stack[depth].value) {
        stack[depth] = *leaf;
        stack[depth].view = depth % 2 == 0 ? 1 : -1;
    }
    for (int i = 0; i < closes; i++, depth--) {
        if (-stack[depth].value > stack[depth - 1].value) {
            stack[depth - 1] = stack[depth];
            stack[depth - 1].value = -stack[depth].value;
        }
    }
    return depth;
}

double compiled_score(const struct compiled_set *set, double value)
{
    if (fabs(value) <= REPLAY_LIMIT)
        return value / set->scale;
    return copysign(fabs(value) - REPLAY_MATE + MATE, value);
}

int compiled_principal(const struct compiled_set *set, size_t i, const double *weights,
                       struct principal_leaf leaves[MAX_MOVES])
{
    const struct replay_tree tree = compiled_tree(set, i);
    const uint16_t *weight_at = set->places.weight_at;
    const struct replay_term *term = tree.terms;
    double kept[REPLAY_SLOTS] = {0};
    uint32_t row = 0;
    for (int m = 0; m < tree.moves; m++) {
        struct principal_leaf stack[REPLAY_DEPTH];
        stack[0].value = REPLAY_LOWEST;
        int depth = 0;
        for (const uint32_t end = row + tree.roots[m].leaves; row < end; row++) {
            const struct replay_leaf *at = &tree.rows[row];
            double white = 0;
            for (const struct replay_term *last = term + at->terms; term < last; term++) {
                const uint16_t *pair = weight_at + 2 * term->column;
                white += weights[pair[0]] * term->count[0] + weights[pair[1]] * term->count[1];
            }
            white = kept[at->to] = kept[at->from] + white;
            const struct principal_leaf leaf = {
                .value = at->bias + (at->sign == 0 ? white : -white), .leaf = row};
            depth = fold_principal(stack, depth, at->opens, at->closes, &leaf);
        }
        leaves[m] = stack[0];
        leaves[m].value = compiled_score(set, stack[0].value);
        leaves[m].right = tree.roots[m].right;
    }
    return tree.moves;
}

void compiled_value(const struct compiled_set *set, size_t i, const double *weights,
                    struct principal_leaf *leaf)
{
    compiled_principal(set, i, weights, leaf);
    leaf->value = -leaf->value;
    leaf->view = -leaf->view;
}

/* Walks back: the derivative by a leaf's sum goes to its terms, and to the sum it began with. */
void compiled_add_gradient(const struct compiled_set *set, size_t i,
                           const struct principal_leaf *leaves, const double *by_value, int count,
                           double *by_weight)
{
    const struct compiled_position *at = &set->positions[i];
    const struct replay_tree tree = compiled_tree(set, i);
    const struct replay_term *term = tree.terms + at->terms;
    double by_kept[REPLAY_SLOTS] = {0};
    for (uint32_t row = at->rows; row-- > 0;) {
        const struct replay_leaf *leaf = &tree.rows[row];
        double factor = by_kept[leaf->to];
        by_kept[leaf->to] = 0;
        term -= leaf->terms;
        if (count > 0 && leaves[count - 1].leaf == row) {
            count--;
            factor +=
                by_value[count] * leaves[count].view * (leaf->sign == 0 ? 1 : -1) / set->scale;
        }
        for (int t = 0; factor != 0 && t < leaf->terms; t++) {
            const uint16_t *pair = set->places.weight_at + 2 * term[t].column;
            by_weight[pair[0]] += factor * term[t].count[0];
            by_weight[pair[1]] += factor * term[t].count[1];
        }
        by_kept[leaf->from] += factor;
    }
}
