/* How the trees of a 1-ply search with quiescence grow, leaf by leaf.
 *
 * Quiescence never reads a weight, so the tree under each legal move of a position is the same for
 * every organism. A tree is a list of leaves in the order in which the search visits them. Each leaf
 * has a fold: the number of nodes that open before it and close after it. Folding keeps one running
 * maximum per open node; a node that closes passes its negated value to its parent (negamax).
 *
 * Static leaves wait for their counts, which an evaluator is asked for once for several positions. */
#include "compiled_set.h"
#include "evaluator.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- kept counts ---- */

/* The counts of the latest leaves, from which the next leaf differs least: how leaves get their terms (replay.h).
 *
 * A row holds the counts of one leaf: a word for each column, a pair of 16-bit counts. */
struct kept_counts {
    size_t columns;               /* those of the places, and some to compare STRIDE at once */
    uint32_t *memory;             /* of all rows; owned */
    uint32_t *rows[REPLAY_SLOTS]; /* of the latest leaf in each slot; rows[0] has no counts */
    uint32_t *next;               /* of the leaf that is added */
    bool used[REPLAY_SLOTS];      /* since the position began */
};

/* Columns that are compared at once while terms are written. */
enum { STRIDE = 8 };

/* False if memory is short. */
static bool kept_counts_init(struct kept_counts *k, size_t columns)
{
    k->columns = (columns / STRIDE + 1) * STRIDE;
    k->memory = calloc((REPLAY_SLOTS + 1) * k->columns, sizeof *k->memory);
    for (size_t s = 0; s < REPLAY_SLOTS && k->memory != NULL; s++)
        k->rows[s] = k->memory + s * k->columns;
    k->next = k->memory == NULL ? NULL : k->memory + REPLAY_SLOTS * k->columns;
    k->used[0] = true;
    return k->memory != NULL;
}

static int count_differing(const uint32_t *a, const uint32_t *b, size_t columns)
{
    int count = 0;
    for (size_t c = 0; c < columns; c++)
        count += a[c] != b[c];
    return count;
}

/* Whether two rows are the same in the next columns. */
static bool same_stride(const uint32_t *a, const uint32_t *b)
{
    uint32_t different = 0;
    for (int c = 0; c < STRIDE; c++)
        different |= a[c] ^ b[c];
    return different == 0;
}

/* Writes the terms by which the next row differs from another one; there is room for one a column. Returns their
 * number; -1 if a difference does not fit 16 bits. */
static int write_terms(const struct kept_counts *k, const uint32_t *from, struct replay_term *terms)
{
    int count = 0;
    bool wide = false;
    for (size_t first = 0; first < k->columns; first += STRIDE) {
        if (same_stride(from + first, k->next + first))
            continue;
        for (size_t c = first; c < first + STRIDE; c++) { /* no branch to predict */
            int16_t before[2], after[2];
            memcpy(before, &from[c], sizeof before);
            memcpy(after, &k->next[c], sizeof after);
            const int low = after[0] - before[0], high = after[1] - before[1];
            terms[count] = (struct replay_term){(uint16_t)c, {(int16_t)low, (int16_t)high}};
            wide |= (low != (int16_t)low) | (high != (int16_t)high);
            count += from[c] != k->next[c];
        }
    }
    return wide ? -1 : count;
}

/* The slot nearest to the next row, of `used` columns that are not 0: `to`, the one before, or nothing. */
static int nearest(const struct kept_counts *k, int to, int used)
{
    int best = 0, fewest = used;
    for (int slot = to; slot > 0 && slot >= to - 1 && fewest > used / 4; slot--) {
        if (!k->used[slot])
            continue;
        int count = count_differing(k->rows[slot], k->next, k->columns);
        if (count < fewest) {
            fewest = count;
            best = slot;
        }
    }
    return best;
}

/* Writes the terms of the next row, kept in slot `to`, as the difference from slot `*from`, 0 if empty. */
static int kept_counts_add(struct kept_counts *k, int used, int to, int *from,
                           struct replay_term *terms)
{
    *from = nearest(k, to, used);
    int count = write_terms(k, k->rows[*from], terms);
    if (count < 0) {
        *from = 0; /* a count fits where a difference does not */
        count = write_terms(k, k->rows[0], terms);
    }
    uint32_t *row = k->rows[to];
    k->rows[to] = k->next;
    k->next = row;
    k->used[to] = true;
    return count;
}

/* ---- growing ---- */

/* A static leaf that waits for its counts. */
struct pending {
    size_t position; /* of the job */
    size_t row;      /* among those of the job */
    int ply;
};

/* A thread's worker: its evaluator, and the leaves of the positions that it grows. */
struct worker {
    struct evaluator *evaluator;
    const struct compiling *compiling;
    struct position *positions; /* of the leaves that wait */
    struct pending *pending;
    size_t count, position_room, pending_room; /* of both arrays */
    size_t answered;
    size_t latest;              /* position of the last answer */
    struct kept_counts kept;    /* of that position */
    struct error failed;        /* why a leaf could not be taken */
    struct compiled_set *grown; /* the job's trees so far */
    int opens;                  /* nodes waiting for their first leaf */
    bool no_memory;
};

/* ---- the table ---- */

static bool may_change(const struct param_table *table, int weight)
{
    return weight < table->count && table->params[weight].min < table->params[weight].max;
}

/* Places the weights that may change. A first one whose neighbour may change too begins a column. */
static bool place_weights(struct weight_places *p, const struct param_table *table)
{
    assert(table->count >= 1);
    const size_t count = (size_t)table->count;
    size_t next = 0;
    p->of = calloc(count, sizeof *p->of);
    p->weight_at = calloc(2 * count + 2, sizeof *p->weight_at);
    for (int i = 0; i < table->count && p->of != NULL && p->weight_at != NULL; i++) {
        p->of[i] = NO_PLACE;
        if (!may_change(table, i))
            continue;
        next += i % 2 == 0 && may_change(table, i + 1) && next % 2 == 1;
        p->of[i] = (uint16_t)next;
        p->weight_at[next++] = (uint16_t)i;
    }
    p->columns = (next + 1) / 2;
    return p->of != NULL && p->weight_at != NULL;
}

/* Copies the kind, names and numbers of a table, which the evaluator owns. */
static bool copy_rows(struct compiled_set *set, const struct param_table *table)
{
    size_t size = strlen(table->kind) + 1;
    for (int i = 0; i < table->count; i++)
        size += strlen(table->params[i].name) + 1;
    struct param *rows = calloc((size_t)table->count, sizeof *rows);
    char *at = set->names = malloc(size);
    set->table = (struct param_table){at, rows, table->count};
    if (rows == NULL || at == NULL)
        return false;
    at = stpcpy(at, table->kind) + 1;
    for (int i = 0; i < table->count; i++) {
        rows[i] = table->params[i];
        rows[i].name = at;
        rows[i].active_if = rows[i].meaning = "";
        rows[i].choices = rows[i].group = NULL;
        at = stpcpy(at, table->params[i].name) + 1;
    }
    return true;
}

/* Sets the set's table, with its ranges, and scale, unless another thread did: all are the same. */
static bool set_table(const struct compiling *c, const struct evaluator *e, struct error *err)
{
    struct compiled_set *set = c->set;
    const struct param_table *table = c->source->ranges != NULL ? c->source->ranges : e->table;
    const int count = table->count;
    if (set->table.params != NULL)
        return true;
    assert(e->scale >= 1 && count == e->table->count);
    if (count < 1 || count > EVALUATOR_WEIGHTS_MAX)
        return error_set(err, "the evaluation has %d weights; 1 to %d are possible", count,
                         EVALUATOR_WEIGHTS_MAX);
    if (!copy_rows(set, table) || !place_weights(&set->places, table))
        return error_set(err, "no memory for %d weights", count);
    set->scale = e->scale;
    for (int i = 0; i < count; i++) {
        const int64_t least = table->params[i].min, most = table->params[i].max;
        const int64_t largest = llabs(least) > llabs(most) ? llabs(least) : llabs(most);
        set->largest_weight = largest > set->largest_weight ? largest : set->largest_weight;
    }
    return true;
}

/* ---- the worker ---- */

void *growth_begin(const void *compiling, struct error *err)
{
    const struct compiling *c = compiling;
    struct worker *w = calloc(1, sizeof *w);
    if (w == NULL)
        return error_null(err, "no memory to compile positions");
    w->compiling = c;
    w->evaluator = c->source->create(c->source->context, err);
    bool good = w->evaluator != NULL && set_table(c, w->evaluator, err);
    if (good && kept_counts_init(&w->kept, c->set->places.columns))
        return w;
    if (good)
        error_set(err, "no memory to compile positions");
    growth_finish(w);
    return NULL;
}

void growth_finish(void *worker)
{
    struct worker *w = worker;
    if (w->evaluator != NULL)
        w->evaluator->destroy(w->evaluator);
    free(w->positions);
    free(w->pending);
    free(w->kept.memory);
    free(w);
}

/* ---- the trees ---- */

/* Adds a leaf of the position that grows to those that wait for their counts. */
static bool wait_for_counts(struct worker *w, const struct position *p, size_t row, int ply)
{
    struct position *positions =
        with_room(w->positions, &w->position_room, w->count + 1, sizeof *positions);
    w->positions = positions != NULL ? positions : w->positions;
    struct pending *pending =
        with_room(w->pending, &w->pending_room, w->count + 1, sizeof *pending);
    w->pending = pending != NULL ? pending : w->pending;
    if (positions == NULL || pending == NULL)
        return false;
    positions[w->count] = *p;
    pending[w->count++] = (struct pending){w->grown->count, row, ply};
    return true;
}

/* Appends a leaf: static, or where `p` is NULL the constant for the viewer, who chooses there. */
static void add_leaf(struct worker *w, const struct position *p, int32_t constant,
                     enum color viewer, int ply)
{
    struct compiled_set *g = w->grown;
    struct replay_leaf *rows =
        w->no_memory ? NULL : with_room(g->rows, &g->row_room, g->row_count + 1, sizeof *rows);
    w->no_memory = rows == NULL;
    if (rows == NULL)
        return;
    g->rows = rows;
    const int32_t beyond = REPLAY_MATE - MATE; /* what a mate is more for the replay */
    rows[g->row_count++] =
        (struct replay_leaf){.bias = constant + (constant > 0) * beyond - (constant < 0) * beyond,
                             .sign = viewer == WHITE ? 0 : -1,
                             .opens = (uint8_t)w->opens};
    w->opens = 0;
    w->no_memory = p != NULL && !wait_for_counts(w, p, g->row_count - 1, ply);
}

/* Grows the tree under `p`. A node without moves to search is a leaf of its parent. */
static void grow_node(struct worker *w, struct position *p, int ply, int target)
{
    const enum color side = (enum color)p->side, other = color_other(side);
    struct move_list list = {.count = 0};
    const enum quiesce_status status = w->compiling->settings->leaf == LEAF_QUIESCENCE
                                           ? quiesce_moves(p, ply, target, &list)
                                           : leaf_status(p);
    if (status == QUIESCE_MATED || status == QUIESCE_DRAWN) {
        add_leaf(w, NULL, -leaf_constant(status, ply), other, ply);
        return;
    }
    if (list.count == 0) {
        add_leaf(w, p, 0, other, ply);
        return;
    }
    w->opens++;
    if (status == QUIESCE_STAND_PAT)
        add_leaf(w, p, 0, side, ply);
    for (int i = 0; i < list.count && !w->no_memory; i++) {
        struct undo undo;
        position_make(p, list.moves[i], &undo);
        grow_node(w, p, ply + 1, move_to(list.moves[i]));
        position_unmake(p, list.moves[i], &undo);
    }
    if (!w->no_memory)
        w->grown->rows[w->grown->row_count - 1].closes++;
}

/* Lists the root moves of position i: those of its mask, or NO_MOVE for its own value. */
static void list_roots(const struct compiling *c, size_t i, struct move_list *moves)
{
    int kept = 0;
    if (c->settings->values) {
        *moves = (struct move_list){.count = 1, .moves = {NO_MOVE}};
        return;
    }
    movegen_legal(&c->positions[i].position, moves);
    movegen_sort(moves);
    if (c->masks == NULL)
        return;
    for (int m = 0; m < moves->count; m++)
        if ((c->masks[i].bits[m / 64] >> (m % 64) & 1) != 0)
            moves->moves[kept++] = moves->moves[m];
    moves->count = kept;
}

/* Grows the trees under the root moves of position i. */
static void grow_position(struct worker *w, size_t i)
{
    const struct compiling *c = w->compiling;
    const struct epd *epd = &c->positions[i];
    struct compiled_set *g = w->grown;
    struct compiled_position *at = &g->positions[g->count];
    struct position p = epd->position;
    struct move_list moves;
    list_roots(c, i, &moves);
    struct replay_root *root =
        with_room(g->roots, &g->root_room, g->root_count + (size_t)moves.count + 1, sizeof *root);
    w->no_memory = root == NULL;
    if (root == NULL)
        return;
    g->roots = root;
    *at = (struct compiled_position){.epd = *epd,
                                     .first_row = g->row_count,
                                     .first_root = g->root_count,
                                     .moves = (uint16_t)moves.count};
    for (int m = 0; m < moves.count && !w->no_memory; m++) {
        const Move move = moves.moves[m];
        const size_t before = g->row_count;
        struct undo undo;
        if (move != NO_MOVE)
            position_make(&p, move, &undo);
        grow_node(w, &p, 0, NO_SQUARE);
        if (move != NO_MOVE)
            position_unmake(&p, move, &undo);
        g->roots[g->root_count++] =
            (struct replay_root){(uint32_t)(g->row_count - before), move, epd_has_best(epd, move)};
    }
    at->rows = (uint32_t)(g->row_count - at->first_row);
    g->count++;
}

/* ---- the counts ---- */

/* The largest |scale * score| that a leaf, or its bias, can have. */
static int64_t largest_value(const struct compiled_set *set, const struct leaf_counts *leaf,
                             int64_t bias)
{
    int64_t lowest = bias, highest = bias;
    for (int i = 0; i < leaf->count; i++) {
        const struct weight_count *c = &leaf->items[i];
        const struct param *p = &set->table.params[c->weight];
        const int64_t low = (int64_t)p->min * c->count, high = (int64_t)p->max * c->count;
        if (set->places.of[c->weight] == NO_PLACE)
            continue;
        lowest += low < high ? low : high;
        highest += low < high ? high : low;
    }
    const int64_t end = llabs(lowest) > llabs(highest) ? llabs(lowest) : llabs(highest);
    return end > llabs(bias) ? end : llabs(bias);
}

/* Writes a leaf's counts of weights that may change to the next row; those of constant weights become part of the
 * bias, which is scale * score. Sets `*largest` to a bound of the largest |scale * score| that the leaf or its bias
 * can have, and to that itself if the bound is too large. Returns the number of columns that are not 0. */
static int write_row(const struct worker *w, const struct leaf_counts *leaf, int64_t *bias,
                     int64_t *largest)
{
    const struct compiled_set *set = w->compiling->set;
    const struct kept_counts *k = &w->kept;
    int64_t fixed = (int64_t)set->scale * leaf->bias, sum = 0;
    int used = 0, last = -1;
    memset(k->next, 0, k->columns * sizeof *k->next);
    for (int i = 0; i < leaf->count; i++) {
        const struct weight_count *c = &leaf->items[i];
        const int place = set->places.of[c->weight], column = place / 2;
        assert(c->weight < set->table.count && (i == 0 || c->weight > c[-1].weight));
        if (place == NO_PLACE) {
            fixed += (int64_t)set->table.params[c->weight].min * c->count;
            continue;
        }
        sum += abs(c->count);
        memcpy((char *)&k->next[column] + place % 2 * sizeof(int16_t), &c->count, sizeof(int16_t));
        used += column != last;
        last = column;
    }
    *bias = fixed;
    *largest = llabs(fixed) + sum * set->largest_weight;
    if (*largest > REPLAY_LIMIT)
        *largest = largest_value(set, leaf, fixed);
    return used;
}

/* Takes the counts of a leaf, whose values must fit the replay's integers. */
static bool take_counts(void *context, size_t index, const struct leaf_counts *leaf)
{
    struct worker *w = context;
    const struct pending *at = &w->pending[index];
    struct compiled_set *g = w->grown;
    struct compiled_position *position = &g->positions[at->position];
    struct replay_leaf *row = &g->rows[at->row];
    struct kept_counts *k = &w->kept;
    char root[FEN_MAX], leaf_fen[FEN_MAX];
    int64_t bias, largest;
    int from;
    assert(index == w->answered);
    struct replay_term *terms =
        with_room(g->terms, &g->term_room, g->term_count + k->columns, sizeof *terms);
    if (terms == NULL)
        return error_set(&w->failed, "no memory for the leaves of a position");
    g->terms = terms;
    for (int s = 1; s < REPLAY_SLOTS && (at->position != w->latest || index == 0); s++)
        k->used[s] = false;
    const int used = write_row(w, leaf, &bias, &largest);
    if (largest > REPLAY_LIMIT) {
        position_to_fen(&position->epd.position, root);
        position_to_fen(&w->positions[index], leaf_fen);
        return error_set(&w->failed,
                         "position %s: with weights within their ranges, score x scale may reach "
                         "%" PRId64 " in %s; at most %d is possible; use smaller ranges",
                         root, largest, leaf_fen, REPLAY_LIMIT);
    }
    if (position->terms == 0)
        position->first_term = g->term_count;
    w->latest = at->position;
    row->to = (uint8_t)(at->ply < REPLAY_SLOTS - 1 ? at->ply + 1 : REPLAY_SLOTS - 1);
    row->terms = (uint16_t)kept_counts_add(k, used, row->to, &from, terms + g->term_count);
    row->from = (uint8_t)from;
    row->bias = (int32_t)(row->sign == 0 ? bias : -bias);
    position->terms += row->terms;
    g->term_count += row->terms;
    w->answered++;
    return true;
}

static bool ask(struct worker *w, struct error *err)
{
    struct evaluator *e = w->evaluator;
    w->failed.text[0] = '\0';
    w->answered = 0;
    bool traced = e->trace(e, w->positions, w->count, take_counts, w, err);
    if (w->failed.text[0] != '\0')
        return error_set(err, "%s", w->failed.text);
    assert(!traced || w->answered == w->count);
    return traced;
}

bool growth_work(struct job *job, void *result, struct error *err)
{
    struct worker *w = job->worker;
    const struct compiling *c = job->context;
    const size_t first = job->number * GROWN;
    struct compiled_set *grown = w->grown = c->grown[job->number] = calloc(1, sizeof *grown);
    (void)result;
    if (grown != NULL)
        grown->positions = calloc(GROWN, sizeof *grown->positions);
    w->no_memory = grown == NULL || grown->positions == NULL;
    w->count = 0;
    w->opens = 0;
    for (size_t i = first; i < c->count && i < first + GROWN && !w->no_memory; i++)
        grow_position(w, i);
    if (w->no_memory)
        return error_set(err, "no memory for the leaves of a position");
    return w->count == 0 || ask(w, err);
}
