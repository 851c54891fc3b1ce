#include "sparse_growth.h"

#include "evaluator.h"
#include "fixed_weights.h"
#include "kept_counts.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

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
    struct fixed_weights fixed;
    struct error failed; /* why a leaf could not be taken */
    size_t growing;      /* the position that grows now */
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

void *sparse_growth_begin(const void *compiling, struct error *err)
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
    if (good && kept_counts_init(&w->kept, &c->set->places) &&
        fixed_weights_init(&w->fixed, &c->set->table, &c->set->places))
        return w;
    if (good)
        error_set(err, "no memory to compile positions");
    sparse_growth_finish(w);
    return NULL;
}

void sparse_growth_finish(void *worker)
{
    struct worker *w = worker;
    if (w->evaluator != NULL)
        w->evaluator->method->destroy(w->evaluator);
    free(w->positions);
    free(w->pending);
    kept_counts_free(&w->kept);
    fixed_weights_free(&w->fixed);
    free(w);
}

/* ---- the trees ---- */

/* The value of a constant leaf, as sparse leaves have it. */
static int32_t scaled_constant(int32_t value)
{
    if (value == 0)
        return 0;
    return value > 0 ? value - MATE + SPARSE_MATE : value + MATE - SPARSE_MATE;
}

/* Adds a leaf to those that wait for their counts. */
static bool wait_for_counts(struct worker *w, const struct growth_leaf *leaf, size_t row)
{
    struct position *positions =
        with_room(w->positions, &w->position_room, w->count + 1, sizeof *positions);
    w->positions = positions != NULL ? positions : w->positions;
    struct pending *pending =
        with_room(w->pending, &w->pending_room, w->count + 1, sizeof *pending);
    w->pending = pending != NULL ? pending : w->pending;
    if (positions == NULL || pending == NULL)
        return false;
    positions[w->count] = *leaf->position;
    pending[w->count++] = (struct pending){w->growing, row, leaf->ply};
    return true;
}

/* Appends a row; the terms of a static leaf follow later. */
static bool take_leaf(void *context, const struct growth_leaf *leaf)
{
    struct worker *w = context;
    struct grown_trees *g = compiling_trees(w->compiling, w->growing);
    struct sparse_leaf *rows = with_room(g->rows, &g->row_room, g->row_count + 1, sizeof *rows);
    if (rows == NULL)
        return false;
    g->rows = rows;
    rows[g->row_count] = (struct sparse_leaf){.bias = scaled_constant(leaf->constant),
                                              .sign = leaf->viewer == WHITE ? 0 : -1,
                                              .opens = (uint8_t)leaf->opens};
    g->row_count++;
    return leaf->position == NULL || wait_for_counts(w, leaf, g->row_count - 1);
}

static void take_close(void *context)
{
    const struct worker *w = context;
    const struct grown_trees *g = compiling_trees(w->compiling, w->growing);
    struct sparse_leaf *rows = g->rows;
    rows[g->row_count - 1].closes++;
}

/* ---- the terms ---- */

/* The slot for leaves of a ply. */
static int slot_of(int ply)
{
    return ply < SPARSE_SLOTS - 1 ? ply + 1 : SPARSE_SLOTS - 1;
}

/* Appends the terms that were found. */
static bool append_terms(struct grown_trees *g, const struct kept_counts *k)
{
    const size_t count = (size_t)k->count;
    if (count == 0)
        return true;
    struct sparse_term *terms =
        with_room(g->terms, &g->term_room, g->term_count + count, sizeof *terms);
    if (terms == NULL)
        return false;
    g->terms = terms;
    memcpy(terms + g->term_count, k->terms, count * sizeof *terms);
    g->term_count += count;
    return true;
}

/* ---- the counts ---- */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The largest |scale * score| that a leaf can have with weights in their ranges, and at least that of
 * its scaled bias alone. */
static int64_t largest_value(const struct param_table *table, const struct leaf_counts *leaf,
                             int64_t bias)
{
    int64_t most = bias, least = bias;
    for (int i = 0; i < leaf->count; i++) {
        const struct weight_count *c = &leaf->items[i];
        const struct param *p = &table->params[c->weight];
        assert(c->weight < table->count && (i == 0 || c->weight > c[-1].weight));
        const int64_t low = (int64_t)p->min * c->count, high = (int64_t)p->max * c->count;
        most += larger(low, high);
        least -= larger(-low, -high);
    }
    return larger(larger(most, -least), larger(bias, -bias));
}

/* Checks that the values of a leaf fit the replay's integers. */
static bool check_values(struct worker *w, const struct pending *at, const struct leaf_counts *leaf,
                         int64_t bias)
{
    char root[FEN_MAX], leaf_fen[FEN_MAX];
    int64_t value = largest_value(&w->compiling->set->table, leaf, bias);
    if (value <= SPARSE_LIMIT)
        return true;
    position_to_fen(&w->compiling->positions[at->position].position, root);
    position_to_fen(&w->positions[w->answered], leaf_fen);
    return error_set(&w->failed,
                     "position %s: with weights within their ranges, score x scale may reach "
                     "%" PRId64 " in %s; at most %d is possible; use smaller ranges",
                     root, value, leaf_fen, SPARSE_LIMIT);
}

/* Takes the counts of a leaf. */
static bool take_counts(void *context, size_t index, const struct leaf_counts *leaf)
{
    struct worker *w = context;
    const struct pending *at = &w->pending[index];
    struct grown_trees *g = compiling_trees(w->compiling, at->position);
    struct sparse_leaf *row = (struct sparse_leaf *)g->rows + at->row;
    struct leaf_counts rest;
    const int64_t bias =
        (int64_t)w->evaluator->scale * leaf->bias + fixed_weights_fold(&w->fixed, leaf, &rest);
    assert(index == w->answered);
    if (!check_values(w, at, &rest, bias))
        return false;
    if (at->position != w->latest || w->answered == 0)
        kept_counts_begin(&w->kept);
    w->latest = at->position;
    row->to = (uint8_t)slot_of(at->ply);
    row->from = (uint8_t)kept_counts_add(&w->kept, &rest, row->to);
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

bool sparse_growth_grow(void *worker, const struct compiling *c, size_t first, size_t end,
                        struct error *err)
{
    struct worker *w = worker;
    const struct growth_taker taker = {w, take_leaf, take_close};
    w->count = 0;
    for (w->growing = first; w->growing < end; w->growing++)
        if (!compiling_grow(c, w->growing, &compiling_trees(c, w->growing)->growth, &taker))
            return error_set(err, "no memory for the leaves of a position");
    return w->count == 0 || ask(w, err);
}
