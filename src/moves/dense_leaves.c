/* Dense leaves: our own evaluation, a byte per count. */
#include "compiled_set.h"
#include "quiesce.h"

/* ---- growing ---- */

/* Writes the counts of a position to a row. */
static void set_counts(struct leaf_row *row, const struct growth_leaf *leaf, bool *wide)
{
    struct eval_trace trace;
    int high = 0;
    evaluate_trace(leaf->position, &trace);
    for (int t = 0; t < EVAL_TERMS; t++) {
        int count = leaf->viewer == WHITE ? trace.count[t] : -trace.count[t];
        if (count < INT8_MIN || count > INT8_MAX)
            *wide = true;
        row->low[t] = (int8_t)count;
        if (eval_table.params[t].max > 127)
            row->high[high++] = (int8_t)count;
    }
}

/* Appends a row. */
static bool take_leaf(void *context, const struct growth_leaf *leaf)
{
    struct grown_trees *g = context;
    struct leaf_row *rows = with_room(g->rows, &g->row_room, g->row_count + 1, sizeof *rows);
    if (rows == NULL)
        return false;
    struct leaf_row *row = &rows[g->row_count++];
    g->rows = rows;
    *row = (struct leaf_row){.bias = leaf->constant, .opens = (uint8_t)leaf->opens};
    if (leaf->position != NULL)
        set_counts(row, leaf, &g->wide);
    return true;
}

static void take_close(void *context)
{
    struct grown_trees *g = context;
    struct leaf_row *rows = g->rows;
    rows[g->row_count - 1].closes++;
}

static bool grow(void *worker, const struct compiling *c, size_t first, size_t end,
                 struct error *err)
{
    (void)worker;
    for (size_t i = first; i < end; i++) {
        struct grown_trees *g = compiling_trees(c, i);
        const struct growth_taker taker = {g, take_leaf, take_close};
        if (!compiling_grow(c, i, &g->growth, &taker))
            return error_set(err, "no memory for the leaves of a position");
    }
    return true;
}

/* ---- replay ---- */

static size_t lanes_size(const struct compiled_set *set)
{
    (void)set;
    return sizeof(struct lane_weights);
}

static void pack(const struct compiled_set *set, const int32_t *values, int count, void *lanes)
{
    (void)set;
    replay_pack(values, count, lanes);
}

/* The index of the root move that the engine plays. */
static int32_t engine_choice(const struct compiled_set *set, size_t i, const int32_t *values)
{
    const struct compiled_position *at = &set->positions[i];
    struct position p = set->epds[i].position;
    const struct evaluation e = evaluation_from(&eval_table, values);
    uint64_t nodes = 0;
    Move played = one_ply_search(&p, &e, set->leaf, &nodes);
    int32_t m = 0;
    while (m < at->moves - 1 && set->moves[at->first_move + (size_t)m] != played)
        m++;
    return m;
}

static struct leaf_tree tree_of(const struct compiled_set *set, size_t i)
{
    const struct compiled_position *at = &set->positions[i];
    const struct leaf_row *rows = set->rows;
    return (struct leaf_tree){rows + at->first_row, compiled_tree_leaves(set, i), at->moves};
}

static void choose(const struct compiled_set *set, size_t i, const struct replay *replay,
                   const int32_t *values, int count, void *lanes, struct replayed *played)
{
    if (!set->positions[i].wide) {
        const struct leaf_tree tree = tree_of(set, i);
        replay->choose(&tree, lanes, played);
        return;
    }
    for (int lane = 0; lane < count; lane++)
        played->choice[lane] = engine_choice(set, i, values + lane * EVAL_TERMS);
}

static double score(const struct compiled_set *set, double value)
{
    (void)set;
    return value;
}

/* ---- principal leaves ---- */

static double row_value(const struct leaf_row *row, const double *weights)
{
    double value = row->bias;
    for (int t = 0; t < EVAL_TERMS; t++)
        value += weights[t] * row->low[t];
    return value;
}

static int principal(const struct compiled_set *set, size_t i, const double *weights,
                     struct principal_leaf *leaves)
{
    const struct leaf_tree tree = tree_of(set, i);
    uint32_t row = 0;
    if (set->positions[i].wide)
        return 0;
    for (int m = 0; m < tree.moves; m++) {
        struct principal_leaf stack[REPLAY_DEPTH];
        stack[0].value = REPLAY_LOWEST;
        int depth = 0;
        for (const uint32_t end = row + tree.leaves[m]; row < end; row++) {
            const struct leaf_row *at = &tree.rows[row];
            const struct principal_leaf leaf = {.value = row_value(at, weights), .leaf = row};
            depth = fold_principal(stack, depth, at->opens, at->closes, &leaf);
        }
        leaves[m] = stack[0];
    }
    return tree.moves;
}

static void add_gradient(const struct compiled_set *set, size_t i,
                         const struct principal_leaf *leaves, const double *by_value, int count,
                         double *by_weight)
{
    const struct leaf_tree tree = tree_of(set, i);
    for (int m = 0; m < count; m++) {
        const double factor = by_value[m] * leaves[m].view;
        if (factor == 0)
            continue;
        for (int t = 0; t < EVAL_TERMS; t++)
            by_weight[t] += factor * tree.rows[leaves[m].leaf].low[t];
    }
}

const struct leaf_method dense_leaves = {
    .row_size = sizeof(struct leaf_row),
    .grow = grow,
    .lanes_size = lanes_size,
    .pack = pack,
    .choose = choose,
    .score = score,
    .principal = principal,
    .add_gradient = add_gradient,
};
