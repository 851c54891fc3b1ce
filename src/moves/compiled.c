#include "compiled.h"

#include "jobs.h"
#include "replay.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* One position of the set. */
struct compiled_position {
    size_t first_row, first_move;
    uint32_t rows;
    uint16_t moves;
    bool wide; /* a count does not fit a byte; the engine searches this position */
};

struct compiled_set {
    size_t count, row_count, move_count;
    enum leaf leaf;
    struct compiled_position *positions;
    struct epd *epds;
    struct leaf_row *rows; /* of all positions, in order */
    uint32_t *leaves;      /* number of rows of each root move */
    Move *moves;           /* root moves in canonical order */
    uint8_t *right;        /* true if the root move is a bm */
};

/* ---- building ---- */

/* The tree under one position, being built. */
struct tree_builder {
    enum leaf leaf;
    struct leaf_row *rows;
    size_t count, capacity;
    int opens; /* nodes waiting for their first leaf */
    bool wide, no_memory;
    struct move_list moves;
    uint32_t leaves[MAX_MOVES];
};

/* Appends a row; NULL if memory is short. */
static struct leaf_row *new_row(struct tree_builder *g)
{
    if (g->count == g->capacity) {
        size_t capacity = g->capacity == 0 ? 256 : 2 * g->capacity;
        struct leaf_row *rows = realloc(g->rows, capacity * sizeof *rows);
        if (rows == NULL) {
            g->no_memory = true;
            return NULL;
        }
        g->rows = rows;
        g->capacity = capacity;
    }
    struct leaf_row *row = &g->rows[g->count++];
    *row = (struct leaf_row){.opens = (uint8_t)g->opens};
    g->opens = 0;
    return row;
}

static void grow_constant(struct tree_builder *g, int32_t value)
{
    struct leaf_row *row = new_row(g);
    if (row != NULL)
        row->bias = value;
}

/* Adds a static leaf, seen from `viewer`. */
static void add_static_leaf(struct tree_builder *g, const struct position *p, enum color viewer)
{
    struct eval_trace trace;
    evaluate_trace(p, &trace);
    struct leaf_row *row = new_row(g);
    if (row == NULL)
        return;
    int high = 0;
    for (int t = 0; t < EVAL_TERMS; t++) {
        int count = viewer == WHITE ? trace.count[t] : -trace.count[t];
        if (count < INT8_MIN || count > INT8_MAX)
            g->wide = true;
        row->low[t] = (int8_t)count;
        if (eval_table.params[t].max > 127)
            row->high[high++] = (int8_t)count;
    }
}

/* The rule of quiesce.h, or its static variant. */
static enum quiesce_status ask(const struct tree_builder *g, const struct position *p, int ply,
                               int target, struct move_list *list)
{
    if (g->leaf == LEAF_QUIESCENCE)
        return quiesce_moves(p, ply, target, list);
    list->count = 0;
    return leaf_status(p);
}

/* Builds the tree under `p`, whose value is folded by the side that moved there. A node without
 * moves to search is a leaf of its parent. */
static void build_node(struct tree_builder *g, struct position *p, int ply, int target)
{
    struct move_list list;
    enum quiesce_status status = ask(g, p, ply, target, &list);
    if (status == QUIESCE_MATED || status == QUIESCE_DRAWN) {
        grow_constant(g, -leaf_constant(status, ply));
        return;
    }
    if (list.count == 0) {
        add_static_leaf(g, p, color_other((enum color)p->side));
        return;
    }
    g->opens++;
    if (status == QUIESCE_STAND_PAT)
        add_static_leaf(g, p, (enum color)p->side);
    for (int i = 0; i < list.count && !g->no_memory; i++) {
        struct undo undo;
        position_make(p, list.moves[i], &undo);
        build_node(g, p, ply + 1, move_to(list.moves[i]));
        position_unmake(p, list.moves[i], &undo);
    }
    if (!g->no_memory)
        g->rows[g->count - 1].closes++;
}

/* Builds the trees under all root moves of a position. */
static void build_position(struct tree_builder *g, struct position p)
{
    movegen_legal(&p, &g->moves);
    movegen_sort(&g->moves);
    for (int m = 0; m < g->moves.count && !g->no_memory; m++) {
        size_t before = g->count;
        struct undo undo;
        position_make(&p, g->moves.moves[m], &undo);
        build_node(g, &p, 0, NO_SQUARE);
        position_unmake(&p, g->moves.moves[m], &undo);
        g->leaves[m] = (uint32_t)(g->count - before);
    }
}

/* Builds the tree of the position itself, as if a root move had led to it. */
static void build_value(struct tree_builder *g, struct position p)
{
    g->moves.moves[0] = NO_MOVE;
    g->moves.count = 1;
    build_node(g, &p, 0, NO_SQUARE);
    g->leaves[0] = (uint32_t)g->count;
}

/* ---- the set ---- */

static void builders_free(struct tree_builder *builders, size_t count)
{
    for (size_t i = 0; builders != NULL && i < count; i++)
        free(builders[i].rows);
    free(builders);
}

/* Allocates the set's arrays for the trees built. */
static bool reserve(struct compiled_set *set, const struct tree_builder *builders, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        set->row_count += builders[i].count;
        set->move_count += (size_t)builders[i].moves.count;
    }
    set->positions = calloc(count + 1, sizeof *set->positions);
    set->epds = calloc(count + 1, sizeof *set->epds);
    set->rows = malloc((set->row_count + 1) * sizeof *set->rows);
    set->leaves = malloc((set->move_count + 1) * sizeof *set->leaves);
    set->moves = malloc((set->move_count + 1) * sizeof *set->moves);
    set->right = calloc(set->move_count + 1, sizeof *set->right);
    return set->positions != NULL && set->epds != NULL && set->rows != NULL &&
           set->leaves != NULL && set->moves != NULL && set->right != NULL;
}

static bool is_best(const struct epd *epd, Move m)
{
    for (int i = 0; i < epd->best_count; i++)
        if (epd->best[i] == m)
            return true;
    return false;
}

/* Appends one tree to the set. */
static void append(struct compiled_set *set, const struct epd *epd, const struct tree_builder *g)
{
    struct compiled_position *at = &set->positions[set->count];
    if (set->count > 0) {
        const struct compiled_position *last = at - 1;
        at->first_row = last->first_row + last->rows;
        at->first_move = last->first_move + last->moves;
    }
    at->rows = (uint32_t)g->count;
    at->moves = (uint16_t)g->moves.count;
    at->wide = g->wide;
    memcpy(set->rows + at->first_row, g->rows, g->count * sizeof *g->rows);
    for (size_t m = 0; m < at->moves; m++) {
        set->leaves[at->first_move + m] = g->leaves[m];
        set->moves[at->first_move + m] = g->moves.moves[m];
        set->right[at->first_move + m] = is_best(epd, g->moves.moves[m]);
    }
    set->epds[set->count++] = *epd;
}

/* A set being built. */
struct set_builder {
    const struct epd *positions;
    void (*grow)(struct tree_builder *g, struct position p);
    enum leaf leaf;
    struct tree_builder *builders; /* by position */
};

/* Builds the trees of one position. */
static bool build_one(struct job *job, void *result, struct error *err)
{
    const struct set_builder *set_builder = job->context;
    struct tree_builder *g = &set_builder->builders[job->number];
    (void)result;
    (void)err;
    g->leaf = set_builder->leaf;
    set_builder->grow(g, set_builder->positions[job->number].position);
    return !g->no_memory;
}

static const struct job_kind growth_job = {.work = build_one};

/* Builds the trees of all positions and collects them. */
static struct compiled_set *create(const struct epd *positions, size_t count, enum leaf leaf,
                                   void (*grow)(struct tree_builder *g, struct position p),
                                   int threads, struct error *err)
{
    struct tree_builder *builders = calloc(count + 1, sizeof *builders);
    struct compiled_set *set = calloc(1, sizeof *set);
    bool grown = builders != NULL && set != NULL;
    if (grown) {
        const struct set_builder set_builder = {positions, grow, leaf, builders};
        const struct jobs_batch batch = {.count = count};
        set->leaf = leaf;
        grown = jobs_run_here(&growth_job, &set_builder, threads, &batch, err) == JOBS_DONE;
    }
    if (grown && reserve(set, builders, count)) {
        for (size_t i = 0; i < count; i++)
            append(set, &positions[i], &builders[i]);
    } else {
        error_set(err, "no memory for the compiled set of %zu positions", count);
        compiled_destroy(set);
        set = NULL;
    }
    builders_free(builders, count);
    return set;
}

struct compiled_set *compiled_create(const struct epd *positions, size_t count, enum leaf leaf,
                                     int threads, struct error *err)
{
    return create(positions, count, leaf, build_position, threads, err);
}

struct compiled_set *compiled_create_values(const struct epd *positions, size_t count,
                                            enum leaf leaf, int threads, struct error *err)
{
    return create(positions, count, leaf, build_value, threads, err);
}

void compiled_destroy(struct compiled_set *set)
{
    if (set == NULL)
        return;
    free(set->positions);
    free(set->epds);
    free(set->rows);
    free(set->leaves);
    free(set->moves);
    free(set->right);
    free(set);
}

size_t compiled_positions(const struct compiled_set *set)
{
    return set->count;
}

const struct epd *compiled_epd(const struct compiled_set *set, size_t i)
{
    return &set->epds[i];
}

size_t compiled_leaves(const struct compiled_set *set)
{
    return set->row_count;
}

size_t compiled_bytes(const struct compiled_set *set)
{
    return sizeof *set + set->count * (sizeof *set->positions + sizeof *set->epds) +
           set->row_count * sizeof *set->rows +
           set->move_count * (sizeof *set->leaves + sizeof *set->moves + sizeof *set->right);
}

/* ---- replay ---- */

static struct leaf_tree tree_of(const struct compiled_set *set, size_t i)
{
    const struct compiled_position *at = &set->positions[i];
    return (struct leaf_tree){.rows = set->rows + at->first_row,
                              .leaves = set->leaves + at->first_move,
                              .moves = at->moves};
}

/* The index of the root move that the engine plays. */
static int32_t engine_choice(const struct compiled_set *set, size_t i, const struct eval_weights *w)
{
    const struct compiled_position *at = &set->positions[i];
    struct position p = set->epds[i].position;
    uint64_t nodes = 0;
    Move played = one_ply_search(&p, w, set->leaf, &nodes);
    int32_t m = 0;
    while (m < at->moves - 1 && set->moves[at->first_move + (size_t)m] != played)
        m++;
    return m;
}

/* Computes the moves of a group of organisms in position i. */
static void choose(const struct compiled_set *set, size_t i, const struct replay *replay,
                   const struct eval_weights *weights, int count, const struct lane_weights *packed,
                   int32_t choice[REPLAY_LANES])
{
    if (!set->positions[i].wide) {
        const struct leaf_tree tree = tree_of(set, i);
        replay->choose(&tree, packed, choice);
        return;
    }
    for (int lane = 0; lane < count; lane++)
        choice[lane] = engine_choice(set, i, &weights[lane]);
}

/* Positions in a block. Their leaves stay in the second-level cache while all groups are
 * replayed. */
enum { BLOCK = 64 };

/* Organisms in a batch. */
enum { ORGANISMS = 256 };

/* Counts the matches of one group on one block. */
static void match_group(const struct compiled_set *set, size_t block, const struct replay *replay,
                        const struct eval_weights *weights, int count,
                        const struct lane_weights *packed, int32_t *matched)
{
    size_t end = (block + 1) * BLOCK < set->count ? (block + 1) * BLOCK : set->count;
    for (size_t i = block * BLOCK; i < end; i++) {
        int32_t choice[REPLAY_LANES];
        choose(set, i, replay, weights, count, packed, choice);
        const uint8_t *right = set->right + set->positions[i].first_move;
        for (int lane = 0; lane < count; lane++)
            matched[lane] += right[choice[lane]];
    }
}

/* The input of a batch. Job n counts the matches of all its organisms on block n of positions. */
struct match_block {
    int32_t count;
    struct eval_weights weights[ORGANISMS];
};

struct compiled_matcher {
    const struct compiled_set *set;
    const struct replay *replay;
    struct jobs *jobs;
    struct match_block block;
};

/* Counts the matches on a block of positions; the result is one int32_t per organism. */
static bool match_positions(struct job *job, void *result, struct error *err)
{
    const struct compiled_matcher *m = job->context;
    const struct match_block *b = job->block;
    int32_t *matched = result;
    (void)err;
    for (int first = 0; first < b->count; first += REPLAY_LANES) {
        int count = b->count - first < REPLAY_LANES ? b->count - first : REPLAY_LANES;
        const struct eval_weights *weights = b->weights + first;
        struct lane_weights packed;
        replay_pack(weights, count, &packed);
        match_group(m->set, job->number, m->replay, weights, count, &packed, matched + first);
    }
    return true;
}

static const struct job_kind match_job = {.result_size = ORGANISMS * sizeof(int32_t),
                                          .work = match_positions};

struct compiled_matcher *compiled_matcher_create(const struct compiled_set *set,
                                                 const struct replay *replay, int threads,
                                                 struct error *err)
{
    struct compiled_matcher *m = malloc(sizeof *m);
    if (m == NULL) {
        error_set(err, "no memory to match moves");
        return NULL;
    }
    m->set = set;
    m->replay = replay != NULL ? replay : replay_best();
    m->jobs = jobs_create(&match_job, m, threads, err);
    if (m->jobs != NULL)
        return m;
    free(m);
    return NULL;
}

void compiled_matcher_destroy(struct compiled_matcher *m)
{
    if (m == NULL)
        return;
    jobs_destroy(m->jobs);
    free(m);
}

/* Sums of a batch's matches, and who follows: `done` positions of `total` before this batch. */
struct tally {
    int count;
    int32_t *matched;
    const struct compiled_watcher *watcher; /* may be NULL */
    int64_t done, total, positions;
};

static bool add_matches(void *taker, size_t number, void *result)
{
    const struct tally *t = taker;
    const int32_t *matched = result;
    int64_t end = ((int64_t)number + 1) * BLOCK;
    for (int o = 0; o < t->count; o++)
        t->matched[o] += matched[o];
    if (t->watcher != NULL)
        t->watcher->matched(t->watcher->context,
                            t->done + (end < t->positions ? end : t->positions), t->total);
    return true;
}

/* Matches one batch of organisms; the tally says where the sums go. */
static bool match_batch(struct compiled_matcher *m, const struct eval_weights *weights,
                        struct tally *tally, struct error *err)
{
    const int count = tally->count;
    const struct jobs_batch batch = {
        .count = (m->set->count + BLOCK - 1) / BLOCK,
        .block = &m->block,
        .block_size = offsetof(struct match_block, weights) + (size_t)count * sizeof *weights,
        .taker = tally,
        .take = add_matches,
    };
    m->block.count = count;
    memcpy(m->block.weights, weights, (size_t)count * sizeof *weights);
    memset(tally->matched, 0, (size_t)count * sizeof *tally->matched);
    return jobs_run(m->jobs, &batch, err) == JOBS_DONE;
}

bool compiled_matcher_run(struct compiled_matcher *m, const struct eval_weights *weights,
                          int organisms, int32_t *matched, const struct compiled_watcher *watcher,
                          struct error *err)
{
    const int64_t positions = (int64_t)m->set->count;
    struct tally tally = {.watcher = watcher,
                          .positions = positions,
                          .total = positions * ((organisms + ORGANISMS - 1) / ORGANISMS)};
    for (int first = 0; first < organisms; first += ORGANISMS, tally.done += positions) {
        tally.count = organisms - first < ORGANISMS ? organisms - first : ORGANISMS;
        tally.matched = matched + first;
        if (!match_batch(m, weights + first, &tally, err))
            return false;
    }
    return true;
}

bool compiled_match(const struct compiled_set *set, const struct eval_weights *weights,
                    int organisms, int threads, const struct replay *replay, int32_t *matched,
                    struct error *err)
{
    struct compiled_matcher *m = compiled_matcher_create(set, replay, threads, err);
    bool good = m != NULL && compiled_matcher_run(m, weights, organisms, matched, NULL, err);
    compiled_matcher_destroy(m);
    return good;
}

bool compiled_match_all(const struct epd *positions, size_t count, enum leaf leaf,
                        const struct eval_weights *weights, int organisms, int threads,
                        int64_t *matched, struct error *err)
{
    enum { CHUNK = 10000 };
    int32_t *part = malloc((size_t)organisms * sizeof *part);
    bool good = part != NULL || error_set(err, "no memory for %d sets of weights", organisms);
    memset(matched, 0, (size_t)organisms * sizeof *matched);
    for (size_t first = 0; good && first < count; first += CHUNK) {
        size_t n = count - first < CHUNK ? count - first : CHUNK;
        struct compiled_set *set = compiled_create(positions + first, n, leaf, threads, err);
        good = set != NULL && compiled_match(set, weights, organisms, threads, NULL, part, err);
        for (int o = 0; good && o < organisms; o++)
            matched[o] += part[o];
        compiled_destroy(set);
    }
    free(part);
    return good;
}

void compiled_choices(const struct compiled_set *set, const struct eval_weights *weights,
                      const struct replay *replay, Move *choices)
{
    struct lane_weights packed;
    if (replay == NULL)
        replay = replay_best();
    replay_pack(weights, 1, &packed);
    for (size_t i = 0; i < set->count; i++) {
        int32_t choice[REPLAY_LANES];
        choose(set, i, replay, weights, 1, &packed, choice);
        choices[i] = set->moves[set->positions[i].first_move + (size_t)choice[0]];
    }
}

/* ---- principal leaves ---- */

static double row_value(const struct leaf_row *row, const double weights[EVAL_TERMS])
{
    double value = row->bias;
    for (int t = 0; t < EVAL_TERMS; t++)
        value += weights[t] * row->low[t];
    return value;
}

/* Folds a leaf into the stack as the replay kernels do, and keeps track of the leaf. */
static int fold_principal(struct principal_leaf *stack, int depth, const struct leaf_row *row,
                          double value)
{
    for (int i = 0; i < row->opens; i++)
        stack[++depth].value = -INFINITE_SCORE;
    if (value > stack[depth].value)
        stack[depth] = (struct principal_leaf){value, row, depth % 2 == 0 ? 1 : -1, false};
    for (int i = 0; i < row->closes; i++, depth--) {
        if (-stack[depth].value > stack[depth - 1].value) {
            stack[depth - 1] = stack[depth];
            stack[depth - 1].value = -stack[depth].value;
        }
    }
    return depth;
}

int compiled_principal(const struct compiled_set *set, size_t i, const double weights[EVAL_TERMS],
                       struct principal_leaf leaves[MAX_MOVES])
{
    const struct leaf_tree tree = tree_of(set, i);
    const struct leaf_row *row = tree.rows;
    if (set->positions[i].wide)
        return 0;
    for (int m = 0; m < tree.moves; m++) {
        struct principal_leaf stack[REPLAY_DEPTH];
        stack[0].value = -INFINITE_SCORE;
        int depth = 0;
        for (const struct leaf_row *end = row + tree.leaves[m]; row < end; row++)
            depth = fold_principal(stack, depth, row, row_value(row, weights));
        leaves[m] = stack[0];
        leaves[m].right = set->right[set->positions[i].first_move + (size_t)m] != 0;
    }
    return tree.moves;
}

bool compiled_value(const struct compiled_set *set, size_t i, const double weights[EVAL_TERMS],
                    struct principal_leaf *leaf)
{
    struct principal_leaf leaves[MAX_MOVES];
    if (compiled_principal(set, i, weights, leaves) == 0)
        return false;
    *leaf = leaves[0];
    leaf->value = -leaf->value;
    leaf->view = -leaf->view;
    return true;
}
