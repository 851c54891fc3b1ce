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

/* ---- places of weights ---- */

static bool may_change(const struct param_table *table, int weight)
{
    return weight < table->count && table->params[weight].min < table->params[weight].max;
}

/* Whether a weight is a first one whose neighbour may change too. */
static bool begins_pair(const struct param_table *table, int weight)
{
    return weight % 2 == 0 && may_change(table, weight + 1);
}

/* False if memory is short. */
static bool weight_places_init(struct weight_places *p, const struct param_table *table)
{
    const size_t count = (size_t)table->count;
    size_t next = 0;
    p->of = calloc(count, sizeof *p->of);
    p->weight_at = calloc(2 * count + 2, sizeof *p->weight_at);
    if (p->of == NULL || p->weight_at == NULL)
        return false;
    for (int i = 0; i < table->count; i++) {
        p->of[i] = NO_PLACE;
        if (!may_change(table, i))
            continue;
        next += begins_pair(table, i) && next % 2 == 1;
        p->of[i] = (uint16_t)next;
        p->weight_at[next++] = (uint16_t)i;
    }
    p->columns = (next + 1) / 2;
    return true;
}

/* ---- kept counts ---- */

/* The counts of the latest leaves, from which the next leaf differs least: how leaves get their terms
 * (replay.h).
 *
 * A row holds the counts of one leaf: a word for each column, a pair of 16-bit counts. Owned by its
 * worker between init and free. All zero is empty. */
struct kept_counts {
    const struct param_table *table;    /* borrowed */
    const struct weight_places *places; /* borrowed */
    size_t columns;               /* those of the places, and some to compare STRIDE at once */
    uint32_t *rows[REPLAY_SLOTS]; /* of the latest leaf in each slot; rows[0] has no counts */
    bool used[REPLAY_SLOTS];      /* since the position began */
    uint32_t *next;               /* of the leaf that is added */
    int next_columns;             /* those of `next` that are not 0 */
    uint32_t *memory;             /* of all rows */
    struct replay_term *terms;    /* of the last leaf: `count` of them */
    int count;
};

/* Columns that are compared at once while terms are written. */
enum { STRIDE = 8 };

static bool kept_counts_init(struct kept_counts *k, const struct param_table *table,
                             const struct weight_places *places)
{
    const size_t columns = (places->columns / STRIDE + 1) * STRIDE;
    *k = (struct kept_counts){.table = table, .places = places, .columns = columns};
    k->memory = calloc((REPLAY_SLOTS + 1) * columns, sizeof *k->memory);
    k->terms = calloc(columns, sizeof *k->terms);
    for (size_t s = 0; s < REPLAY_SLOTS && k->memory != NULL; s++)
        k->rows[s] = k->memory + s * columns;
    k->next = k->memory == NULL ? NULL : k->memory + REPLAY_SLOTS * columns;
    k->used[0] = true;
    return k->memory != NULL && k->terms != NULL;
}

static void kept_counts_free(struct kept_counts *k)
{
    free(k->memory);
    free(k->terms);
    *k = (struct kept_counts){.columns = 0};
}

/* Forgets the leaves of the position before. */
static void kept_counts_begin(struct kept_counts *k)
{
    for (int s = 1; s < REPLAY_SLOTS; s++)
        k->used[s] = false;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Writes a leaf's counts to the next row; those of constant weights are added to `*bias`, scale * score,
 * so that a set has only the weights that may change. Weights rise, and so do their places. Returns the
 * largest |scale * score| that the leaf can have with weights in their ranges, and at least that of its
 * bias alone. */
static int64_t write_row(struct kept_counts *k, const struct leaf_counts *leaf, int64_t *bias)
{
    int64_t most = 0, least = 0;
    int last = -1;
    k->next_columns = 0;
    memset(k->next, 0, k->columns * sizeof *k->next);
    for (int i = 0; i < leaf->count; i++) {
        const struct weight_count *c = &leaf->items[i];
        const struct param *p = &k->table->params[c->weight];
        const int place = k->places->of[c->weight], column = place / 2;
        const int64_t low = (int64_t)p->min * c->count, high = (int64_t)p->max * c->count;
        assert(c->weight < k->table->count && (i == 0 || c->weight > c[-1].weight));
        if (place == NO_PLACE) {
            *bias += low;
            continue;
        }
        most += larger(low, high);
        least -= larger(-low, -high);
        memcpy((char *)&k->next[column] + place % 2 * sizeof(int16_t), &c->count, sizeof(int16_t));
        k->next_columns += column != last;
        last = column;
    }
    return larger(larger(*bias + most, -(*bias + least)), larger(*bias, -*bias));
}

/* The number of columns in which two rows differ. */
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

/* Appends the term of a column. False if a difference does not fit 16 bits. */
static bool add_term(struct kept_counts *k, size_t column, uint32_t from, uint32_t to)
{
    int16_t before[2], after[2];
    struct replay_term *term = &k->terms[k->count++];
    memcpy(before, &from, sizeof before);
    memcpy(after, &to, sizeof after);
    term->column = (uint16_t)column;
    for (int half = 0; half < 2; half++) {
        const int difference = after[half] - before[half];
        if (difference < INT16_MIN || difference > INT16_MAX)
            return false;
        term->count[half] = (int16_t)difference;
    }
    return true;
}

/* Writes the terms by which the next row differs from another one. False if one does not fit. */
static bool write_terms(struct kept_counts *k, const uint32_t *from)
{
    k->count = 0;
    for (size_t first = 0; first < k->columns; first += STRIDE) {
        if (same_stride(from + first, k->next + first))
            continue;
        for (size_t c = first; c < first + STRIDE; c++)
            if (from[c] != k->next[c] && !add_term(k, c, from[c], k->next[c]))
                return false;
    }
    return true;
}

/* The slot that the next row is nearest to: of `to`, the slot before it, and nothing (the empty leaf). The
 * first that differs in at most a quarter of the row's columns will do. */
static int nearest(const struct kept_counts *k, int to)
{
    int best = 0, fewest = k->next_columns;
    for (int slot = to; slot > 0 && slot >= to - 1 && fewest > k->next_columns / 4; slot--) {
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

/* Keeps the next row in slot `to`, and writes its terms: the difference from the nearest kept leaf, whose slot
 * is returned. */
static int keep_row(struct kept_counts *k, int to)
{
    int from = nearest(k, to);
    if (!write_terms(k, k->rows[from])) {
        from = 0; /* a count fits where a difference does not */
        write_terms(k, k->rows[0]);
    }
    uint32_t *row = k->rows[to];
    k->rows[to] = k->next;
    k->next = row;
    k->used[to] = true;
    return from;
}

/* ---- growing ---- */

/* A static leaf that waits for its counts. */
struct pending {
    size_t position; /* in the set */
    size_t row;      /* among those of the position */
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
    size_t latest;           /* position of the last answer */
    struct kept_counts kept; /* of that position */
    struct error failed;     /* why a leaf could not be taken */
    size_t growing;          /* the position that grows now */
    int opens;               /* nodes waiting for their first leaf */
    bool no_memory;
};

/* ---- the table ---- */

static bool fits_16_bits(const struct param *p)
{
    return p->min >= INT16_MIN && p->max <= INT16_MAX;
}

/* Copies a text to `*at`, which moves behind it. Returns the copy. */
static const char *copy_text(char **at, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = memcpy(*at, text, size);
    *at += size;
    return copy;
}

/* Copies a table: its kind, and the names and numbers of its rows. The evaluator keeps its other texts, and
 * may be gone before the set. */
static bool copy_rows(struct compiled_set *set, const struct param_table *table)
{
    size_t size = strlen(table->kind) + 1;
    for (int i = 0; i < table->count; i++)
        size += strlen(table->params[i].name) + 1;
    struct param *rows = calloc((size_t)table->count, sizeof *rows);
    char *at = set->names = malloc(size);
    set->table = (struct param_table){NULL, rows, table->count};
    if (rows == NULL || at == NULL)
        return false;
    set->table.kind = copy_text(&at, table->kind);
    for (int i = 0; i < table->count; i++) {
        rows[i] = table->params[i];
        rows[i].name = copy_text(&at, table->params[i].name);
        rows[i].active_if = rows[i].meaning = "";
        rows[i].choices = rows[i].group = NULL;
    }
    return true;
}

/* Copies a table with the evaluator's weights, and its scale, to the set. */
static bool copy_table(struct compiled_set *set, const struct evaluator *e,
                       const struct param_table *table, struct error *err)
{
    const int count = table->count;
    assert(e->scale >= 1 && count == e->table->count);
    if (count < 1 || count > EVALUATOR_WEIGHTS_MAX)
        return error_set(err, "the evaluation has %d weights; 1 to %d are possible", count,
                         EVALUATOR_WEIGHTS_MAX);
    if (!copy_rows(set, table) || !weight_places_init(&set->places, &set->table))
        return error_set(err, "no memory for %d weights", count);
    set->scale = e->scale;
    for (int i = 0; i < count; i++)
        set->wide_weights |= !fits_16_bits(&set->table.params[i]);
    return true;
}

/* True if a weight of the set is that of an evaluator. If the set has a range of its own, the evaluator's
 * may be wider. */
static bool same_weight(const struct param *a, const struct param *b, bool own_range)
{
    bool same_range =
        own_range ? a->min >= b->min && a->max <= b->max : a->min == b->min && a->max == b->max;
    return same_range && strcmp(a->name, b->name) == 0;
}

/* Checks that another thread's evaluator has the same weights. */
static bool check_table(const struct compiled_set *set, const struct evaluator *e, bool own_ranges,
                        struct error *err)
{
    bool same = set->table.count == e->table->count && set->scale == e->scale;
    for (int i = 0; same && i < set->table.count; i++)
        same = same_weight(&set->table.params[i], &e->table->params[i], own_ranges);
    return same || error_set(err, "the evaluation has other weights when it is started again");
}

/* ---- the worker ---- */

/* Copies the table to the set, or compares it with that of another thread's evaluator. */
static bool set_table(const struct compiling *c, const struct evaluator *e, struct error *err)
{
    const struct param_table *ranges = c->source->ranges;
    return c->set->table.params == NULL
               ? copy_table(c->set, e, ranges != NULL ? ranges : e->table, err)
               : check_table(c->set, e, ranges != NULL, err);
}

void *growth_begin(const void *compiling, struct error *err)
{
    const struct compiling *c = compiling;
    struct worker *w = calloc(1, sizeof *w);
    if (w == NULL) {
        error_set(err, "no memory to compile positions");
        return NULL;
    }
    w->compiling = c;
    w->evaluator = c->source->create(c->source->context, err);
    bool good = w->evaluator != NULL && set_table(c, w->evaluator, err);
    if (good && kept_counts_init(&w->kept, &c->set->table, &c->set->places))
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
        w->evaluator->method->destroy(w->evaluator);
    free(w->positions);
    free(w->pending);
    kept_counts_free(&w->kept);
    free(w);
}

/* ---- the trees ---- */

/* The value of a constant leaf, as the replay has it. */
static int32_t scaled_constant(int32_t value)
{
    if (value == 0)
        return 0;
    return value > 0 ? value - MATE + REPLAY_MATE : value + MATE - REPLAY_MATE;
}

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
    pending[w->count++] = (struct pending){w->growing, row, ply};
    return true;
}

/* Appends a leaf: static, whose terms follow later, or where `p` is NULL the constant for the viewer, the
 * side that chooses there. */
static void add_leaf(struct worker *w, const struct position *p, int32_t constant,
                     enum color viewer, int ply)
{
    struct grown_trees *g = compiling_trees(w->compiling, w->growing);
    struct replay_leaf *rows =
        w->no_memory ? NULL : with_room(g->rows, &g->row_room, g->row_count + 1, sizeof *rows);
    w->no_memory = rows == NULL;
    if (rows == NULL)
        return;
    g->rows = rows;
    rows[g->row_count++] = (struct replay_leaf){.bias = scaled_constant(constant),
                                                .sign = viewer == WHITE ? 0 : -1,
                                                .opens = (uint8_t)w->opens};
    w->opens = 0;
    w->no_memory = p != NULL && !wait_for_counts(w, p, g->row_count - 1, ply);
}

/* Grows the tree under `p`, whose value is folded by the side that moved there. A node without moves
 * to search is a leaf of its parent. */
static void grow_node(struct worker *w, struct position *p, int ply, int target)
{
    const enum color side = (enum color)p->side, other = color_other(side);
    struct move_list list = {.count = 0};
    const enum quiesce_status status = w->compiling->set->leaf == LEAF_QUIESCENCE
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
    if (!w->no_memory) {
        const struct grown_trees *g = compiling_trees(w->compiling, w->growing);
        g->rows[g->row_count - 1].closes++;
    }
}

/* Lists the root moves of position i: those of its mask, or for its own value NO_MOVE, as if it had led
 * there. */
static void list_roots(const struct compiling *c, size_t i, struct move_list *moves)
{
    int kept = 0;
    if (c->values) {
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

/* Grows the trees under the root moves of the position that grows. */
static void grow_position(struct worker *w)
{
    const struct compiling *c = w->compiling;
    struct grown_trees *g = compiling_trees(c, w->growing);
    struct position p = c->positions[w->growing].position;
    list_roots(c, w->growing, &g->moves);
    for (int m = 0; m < g->moves.count && !w->no_memory; m++) {
        const size_t before = g->row_count;
        struct undo undo;
        if (!c->values)
            position_make(&p, g->moves.moves[m], &undo);
        grow_node(w, &p, 0, NO_SQUARE);
        if (!c->values)
            position_unmake(&p, g->moves.moves[m], &undo);
        g->leaves[m] = (uint32_t)(g->row_count - before);
    }
}

/* ---- the terms ---- */

/* The slot for leaves of a ply. */
static int slot_of(int ply)
{
    return ply < REPLAY_SLOTS - 1 ? ply + 1 : REPLAY_SLOTS - 1;
}

/* Appends the terms that were found. */
static bool append_terms(struct grown_trees *g, const struct kept_counts *k)
{
    const size_t count = (size_t)k->count;
    if (count == 0)
        return true;
    struct replay_term *terms =
        with_room(g->terms, &g->term_room, g->term_count + count, sizeof *terms);
    if (terms == NULL)
        return false;
    g->terms = terms;
    memcpy(terms + g->term_count, k->terms, count * sizeof *terms);
    g->term_count += count;
    return true;
}

/* ---- the counts ---- */

/* Takes the counts of a leaf, if its values fit the replay's integers. */
static bool take_counts(void *context, size_t index, const struct leaf_counts *leaf)
{
    struct worker *w = context;
    const struct pending *at = &w->pending[index];
    struct grown_trees *g = compiling_trees(w->compiling, at->position);
    struct replay_leaf *row = &g->rows[at->row];
    int64_t bias = (int64_t)w->evaluator->scale * leaf->bias;
    const int64_t largest = write_row(&w->kept, leaf, &bias);
    assert(index == w->answered);
    if (largest > REPLAY_LIMIT) {
        char root[FEN_MAX], leaf_fen[FEN_MAX];
        position_to_fen(&w->compiling->positions[at->position].position, root);
        position_to_fen(&w->positions[index], leaf_fen);
        return error_set(&w->failed,
                         "position %s: with weights within their ranges, score x scale may reach "
                         "%" PRId64 " in %s; at most %d is possible; use smaller ranges",
                         root, largest, leaf_fen, REPLAY_LIMIT);
    }
    if (at->position != w->latest || index == 0)
        kept_counts_begin(&w->kept);
    w->latest = at->position;
    row->to = (uint8_t)slot_of(at->ply);
    row->from = (uint8_t)keep_row(&w->kept, row->to);
    row->terms = (uint16_t)w->kept.count;
    row->bias = (int32_t)(row->sign == 0 ? bias : -bias);
    w->answered++;
    return append_terms(g, &w->kept) ||
           error_set(&w->failed, "no memory for the leaves of a position");
}

/* Asks for the counts of all leaves that wait. */
static bool ask(struct worker *w, struct error *err)
{
    struct evaluator *e = w->evaluator;
    w->failed.text[0] = '\0';
    w->answered = 0;
    bool traced = e->method->trace(e, w->positions, w->count, take_counts, w, err);
    if (w->failed.text[0] != '\0')
        return error_set(err, "%s", w->failed.text);
    assert(!traced || w->answered == w->count);
    return traced;
}

bool growth_grow(void *worker, size_t first, size_t end, struct error *err)
{
    struct worker *w = worker;
    w->count = 0;
    w->no_memory = false;
    w->opens = 0;
    for (w->growing = first; w->growing < end && !w->no_memory; w->growing++)
        grow_position(w);
    if (w->no_memory)
        return error_set(err, "no memory for the leaves of a position");
    return w->count == 0 || ask(w, err);
}
