#include "compiled_set.h"

#include <math.h>
#include <string.h>

/* ---- building ---- */

/* The array, perhaps moved, with items added. NULL, and unchanged, if memory is short. */
static void *with_items(void *items, size_t count, size_t *room, const void *added, size_t more,
                        size_t size)
{
    char *moved = with_room(items, room, count + more + 1, size);
    if (moved != NULL && more > 0)
        memcpy(moved + count * size, added, more * size);
    return moved;
}

/* Appends the trees of a job to the set. False if memory is short. */
static bool append(struct compiled_set *s, const struct compiled_set *grown)
{
    const struct compiled_set before = *s;
    void *moved;
#define ADD(array, count, room)                                                                    \
    ((moved = with_items(s->array, s->count, &s->room, grown->array, grown->count,                 \
                         sizeof *s->array)) != NULL &&                                             \
     (s->array = moved, s->count += grown->count, true))
    if (!ADD(rows, row_count, row_room) || !ADD(terms, term_count, term_room) ||
        !ADD(roots, root_count, root_room) || !ADD(positions, count, room))
        return false;
#undef ADD
    for (size_t i = before.count; i < s->count; i++) {
        s->positions[i].first_row += before.row_count;
        s->positions[i].first_term += before.term_count;
        s->positions[i].first_root += before.root_count;
    }
    return true;
}

/* Tells the watcher how much is done, of all rounds over the positions. */
static void tell(const struct compiling *c, int64_t done)
{
    const struct compiled_watcher *w = c->settings->watcher;
    if (w != NULL && w->done != NULL)
        w->done(w->context, done, c->before + (int64_t)c->count);
}

static bool take_grown(void *taker, size_t number, void *result)
{
    struct compiling *c = taker;
    (void)result;
    c->is_short = !append(c->set, c->grown[number]);
    compiled_destroy(c->grown[number]);
    c->grown[number] = NULL;
    tell(c, c->before + (int64_t)c->set->count);
    return !c->is_short;
}

/* Grows the trees of all positions, and collects them in a set. */
static struct compiled_set *create(struct compiling *c, struct error *err)
{
    const struct job_kind kind = {.result_size = 1, /* the trees are in c->grown */
                                  .begin = growth_begin,
                                  .finish = growth_finish,
                                  .work = growth_work};
    const size_t jobs = (c->count + GROWN - 1) / GROWN;
    const struct jobs_batch batch = {
        .count = jobs, .stop = compiled_stop(c->settings->watcher), .taker = c, .take = take_grown};
    int threads = c->settings->threads;
    bool good = false;
    c->grown = calloc(jobs + 1, sizeof *c->grown);
    c->set = calloc(1, sizeof *c->set);
    c->is_short = c->grown == NULL || c->set == NULL;
    if (!c->is_short) {
        if ((size_t)threads > jobs)
            threads = jobs > 0 ? (int)jobs : 1;
        good = jobs_run_once(&kind, c, threads, &batch, err) == JOBS_DONE;
    }
    for (size_t j = 0; c->grown != NULL && j < jobs; j++)
        compiled_destroy(c->grown[j]);
    free(c->grown);
    if (c->is_short)
        error_set(err, "no memory for the compiled set of %zu positions", c->count);
    if (good)
        return c->set;
    compiled_destroy(c->set);
    return NULL;
}

/* ---- likely moves ---- */

/* Positions that are compiled whole at a time, to look for their likely moves. */
enum { LOOKED_AT = 2048 };

/* Marks the moves of a position that are right, or at most `margin` worse than the best. */
static void mark_likely(const struct compiled_set *set, size_t i, const double *weights,
                        double margin, struct move_mask *mask)
{
    struct principal_leaf leaves[MAX_MOVES];
    int count = compiled_principal(set, i, weights, leaves);
    double best = -INFINITY;
    for (int m = 0; m < count; m++)
        best = fmax(best, leaves[m].value);
    for (int m = 0; m < count; m++)
        if (leaves[m].right || leaves[m].value >= best - margin)
            mask->bits[m / 64] |= UINT64_C(1) << (m % 64);
}

static bool find_likely(const struct compiling *c, struct move_mask *masks, struct error *err)
{
    const struct compiled_watcher stop_only = {.stop = compiled_stop(c->settings->watcher)};
    struct compiled_settings whole = *c->settings;
    whole.likely = NULL;
    whole.watcher = &stop_only;
    for (size_t first = 0; first < c->count; first += LOOKED_AT) {
        const size_t left = c->count - first, some = left < LOOKED_AT ? left : LOOKED_AT;
        struct compiled_set *set = compiled_create(c->positions + first, some, &whole, err);
        if (set == NULL)
            return false;
        for (size_t i = 0; i < some; i++)
            mark_likely(set, i, c->settings->likely, c->settings->margin, &masks[first + i]);
        compiled_destroy(set);
        tell(c, (int64_t)(first + some));
    }
    return true;
}

struct compiled_set *compiled_create(const struct epd *positions, size_t count,
                                     const struct compiled_settings *settings, struct error *err)
{
    struct compiling c = {.positions = positions,
                          .count = count,
                          .settings = settings,
                          .source = settings->source != NULL ? settings->source
                                                             : &paper_evaluator_source};
    if (settings->likely == NULL)
        return create(&c, err);
    struct move_mask *masks = calloc(count + 1, sizeof *masks);
    struct compiled_set *set = NULL;
    c.masks = masks;
    c.before = (int64_t)count;
    if (masks == NULL)
        error_set(err, "no memory for the moves of %zu positions", count);
    else if (find_likely(&c, masks, err))
        set = create(&c, err);
    free(masks);
    return set;
}

void compiled_destroy(struct compiled_set *set)
{
    if (set == NULL)
        return;
    free((void *)(uintptr_t)set->table.params);
    free(set->names);
    free(set->places.of);
    free(set->places.weight_at);
    free(set->positions);
    free(set->rows);
    free(set->terms);
    free(set->roots);
    free(set);
}
