#include "compiled_set.h"

#include "jobs.h"

#include <math.h>
#include <string.h>

/* ---- building ---- */

/* Frees the trees of a job, if it has any. */
static void grown_free(struct grown_trees *grown)
{
    for (size_t i = 0; grown != NULL && i < GROWN; i++) {
        free(grown[i].rows);
        free(grown[i].terms);
    }
    free(grown);
}

/* Returns an array with items added, moved if it had no room for them. NULL if memory is short; the array is then
 * unchanged. */
static void *with_items(void *items, size_t count, size_t *room, const void *added, size_t more,
                        size_t size)
{
    char *moved = with_room(items, room, count + more + 1, size);
    if (moved != NULL && more > 0)
        memcpy(moved + count * size, added, more * size);
    return moved;
}

/* Appends the trees of one position to the set. False if memory is short. */
static bool append(struct compiled_set *s, const struct epd *epd, const struct grown_trees *g)
{
    const struct compiled_position at = {.epd = *epd,
                                         .first_row = s->row_count,
                                         .first_term = s->term_count,
                                         .first_root = s->root_count,
                                         .rows = (uint32_t)g->row_count,
                                         .terms = (uint32_t)g->term_count,
                                         .moves = (uint16_t)g->moves.count};
    struct replay_root roots[MAX_MOVES];
    for (int m = 0; m < g->moves.count; m++)
        roots[m] = (struct replay_root){g->leaves[m], g->moves.moves[m],
                                        epd_has_best(epd, g->moves.moves[m])};
#define ADD(array, count, room, items, more)                                                       \
    ((moved = with_items(s->array, s->count, &s->room, items, more, sizeof *s->array)) != NULL &&  \
     (s->array = moved, s->count += (more), true))
    void *moved;
    return ADD(rows, row_count, row_room, g->rows, g->row_count) &&
           ADD(terms, term_count, term_room, g->terms, g->term_count) &&
           ADD(roots, root_count, root_room, roots, at.moves) &&
           ADD(positions, count, room, &at, 1);
#undef ADD
}

/* The positions of a job. */
static size_t positions_of(const struct compiling *c, size_t job)
{
    const size_t left = c->count - job * GROWN;
    return left < GROWN ? left : GROWN;
}

/* Grows the trees of a job's positions. */
static bool grow_positions(struct job *job, void *result, struct error *err)
{
    const struct compiling *c = job->context;
    const size_t first = job->number * GROWN;
    (void)result;
    c->grown[job->number] = calloc(GROWN, sizeof **c->grown);
    if (c->grown[job->number] == NULL)
        return error_set(err, "no memory for the trees of a position");
    return growth_grow(job->worker, first, first + positions_of(c, job->number), err);
}

/* Tells the watcher how much is done, of all rounds over the positions. */
static void tell(const struct compiling *c, int64_t done)
{
    if (c->watcher != NULL && c->watcher->done != NULL)
        c->watcher->done(c->watcher->context, done, c->before + (int64_t)c->count);
}

/* Moves the trees of a job to the set. */
static bool take_grown(void *taker, size_t number, void *result)
{
    struct compiling *c = taker;
    struct grown_trees *grown = c->grown[number];
    (void)result;
    for (size_t i = 0; !c->is_short && i < positions_of(c, number); i++)
        c->is_short = !append(c->set, &c->positions[number * GROWN + i], &grown[i]);
    grown_free(grown);
    c->grown[number] = NULL;
    tell(c, c->before + (int64_t)c->set->count);
    return !c->is_short;
}

/* Grows the trees of all positions, and collects them in a set. */
static struct compiled_set *create(struct compiling *c, enum leaf leaf, int threads,
                                   struct error *err)
{
    const struct job_kind kind = {.result_size = 1, /* the trees are in c->grown */
                                  .begin = growth_begin,
                                  .finish = growth_finish,
                                  .work = grow_positions};
    const size_t jobs = (c->count + GROWN - 1) / GROWN;
    const struct jobs_batch batch = {
        .count = jobs, .stop = compiled_stop(c->watcher), .taker = c, .take = take_grown};
    bool good = false;
    c->grown = calloc(jobs + 1, sizeof *c->grown);
    c->set = calloc(1, sizeof *c->set);
    c->is_short = c->grown == NULL || c->set == NULL;
    if (!c->is_short) {
        c->set->leaf = leaf;
        if (c->source == NULL)
            c->source = &paper_evaluator_source;
        if ((size_t)threads > jobs)
            threads = jobs > 0 ? (int)jobs : 1;
        good = jobs_run_once(&kind, c, threads, &batch, err) == JOBS_DONE;
    }
    for (size_t j = 0; c->grown != NULL && j < jobs; j++)
        grown_free(c->grown[j]);
    free(c->grown);
    if (c->is_short)
        error_set(err, "no memory for the compiled set of %zu positions", c->count);
    if (good)
        return c->set;
    compiled_destroy(c->set);
    return NULL;
}

struct compiled_set *compiled_create(const struct epd *positions, size_t count, enum leaf leaf,
                                     const struct evaluator_source *source, int threads,
                                     const struct compiled_watcher *watcher, struct error *err)
{
    struct compiling c = {
        .positions = positions, .count = count, .source = source, .watcher = watcher};
    return create(&c, leaf, threads, err);
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

struct compiled_set *compiled_create_likely(const struct epd *positions, size_t count,
                                            enum leaf leaf, const struct evaluator_source *source,
                                            const double *weights, double margin, int threads,
                                            const struct compiled_watcher *watcher,
                                            struct error *err)
{
    struct move_mask *masks = calloc(count + 1, sizeof *masks);
    struct compiling c = {.positions = positions,
                          .count = count,
                          .source = source,
                          .masks = masks,
                          .watcher = watcher,
                          .before = (int64_t)count};
    const struct compiled_watcher stop_only = {.stop = compiled_stop(watcher)};
    bool good = masks != NULL || error_set(err, "no memory for the moves of %zu positions", count);
    for (size_t first = 0; good && first < count; first += LOOKED_AT) {
        const size_t some = count - first < LOOKED_AT ? count - first : LOOKED_AT;
        struct compiled_set *set =
            compiled_create(positions + first, some, leaf, source, threads, &stop_only, err);
        for (size_t i = 0; set != NULL && i < some; i++)
            mark_likely(set, i, weights, margin, &masks[first + i]);
        good = set != NULL;
        compiled_destroy(set);
        tell(&c, (int64_t)(first + some));
    }
    struct compiled_set *set = good ? create(&c, leaf, threads, err) : NULL;
    free(masks);
    return set;
}

/* ---- values ---- */

struct compiled_set *compiled_create_values(const struct epd *positions, size_t count,
                                            enum leaf leaf, const struct evaluator_source *source,
                                            int threads, const struct compiled_watcher *watcher,
                                            struct error *err)
{
    struct compiling c = {.positions = positions,
                          .count = count,
                          .values = true,
                          .source = source,
                          .watcher = watcher};
    return create(&c, leaf, threads, err);
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

/* ---- queries ---- */

const struct param_table *compiled_table(const struct compiled_set *set)
{
    return &set->table;
}

size_t compiled_positions(const struct compiled_set *set)
{
    return set->count;
}

const struct epd *compiled_epd(const struct compiled_set *set, size_t i)
{
    return &set->positions[i].epd;
}

size_t compiled_leaves(const struct compiled_set *set)
{
    return set->row_count;
}
