/* The fitness of phase 1 (david-2014, section III): the number of grandmaster moves matched by
 * 1-ply searches, raised to a power. The weights are those of our evaluation, or of one in another
 * process (tuned_evaluation.h). */
#include "compiled.h"
#include "fitness_kinds.h"
#include "replay.h"
#include "tuned_evaluation.h"

#include <stdio.h>
#include <stdlib.h>

struct move_match {
    struct fitness base; /* first member, so that a struct fitness * points to it */
    int power;
    struct compiled_set *train, *held_out; /* held_out may be NULL */
    struct compiled_matcher *train_matcher, *held_out_matcher;
    struct tuned_evaluation evaluation;
};

/* A batch whose organisms are measured some at a time. */
struct part {
    const struct fitness_watcher *watcher;
    int first, count, all; /* organisms: before this part, in it, in the batch */
};

/* Tells the watcher how many positions are done, as if all organisms were in step. */
static void tell_matched(void *context, int64_t done, int64_t total)
{
    const struct part *p = context;
    fitness_tell_worked(p->watcher, (p->first * total + p->count * done) / p->all, total);
}

/* Measures a few groups at a time, so that the scratch memory stays on the stack. */
static bool measure_batch(struct fitness *f, const int32_t *genes, int count,
                          const struct fitness_watcher *watcher, int64_t *values)
{
    enum { BATCH = 256 };
    const struct move_match *m = (const struct move_match *)f;
    struct part part = {.watcher = watcher, .all = count};
    const struct compiled_watcher follow = {.context = &part, .done = tell_matched};
    for (int first = 0; first < count; first += BATCH) {
        int32_t matched[BATCH];
        int n = count - first < BATCH ? count - first : BATCH;
        const int32_t *rows = genes + (size_t)first * (size_t)f->space.count;
        part.first = first;
        part.count = n;
        if (!compiled_matcher_run(m->train_matcher, rows, n, matched, &follow, &f->failed))
            return false;
        for (int o = 0; o < n; o++)
            values[first + o] = matched[o];
    }
    return true;
}

static int64_t measure_held_out(struct fitness *f, const int32_t *genes,
                                const struct fitness_watcher *watcher)
{
    const struct move_match *m = (const struct move_match *)f;
    struct part part = {.watcher = watcher, .count = 1, .all = 1};
    const struct compiled_watcher follow = {.context = &part, .done = tell_matched};
    if (m->held_out == NULL)
        return -1;
    int32_t matched;
    if (!compiled_matcher_run(m->held_out_matcher, genes, 1, &matched, &follow, &f->failed))
        return -1;
    return matched;
}

static int64_t score(const struct fitness *f, int64_t value)
{
    const struct move_match *m = (const struct move_match *)f;
    int64_t fitness = 1;
    for (int i = 0; i < m->power; i++)
        fitness *= value;
    return fitness;
}

static void describe(const struct fitness *f, char *text, size_t size)
{
    const struct move_match *m = (const struct move_match *)f;
    snprintf(text, size, "%.1f million leaves a genome, replay by %s",
             1e-6 * (double)compiled_leaves(m->train), replay_best()->name);
}

static void destroy(struct fitness *f)
{
    if (f == NULL)
        return;
    struct move_match *m = (struct move_match *)f;
    compiled_matcher_destroy(m->train_matcher);
    compiled_matcher_destroy(m->held_out_matcher);
    compiled_destroy(m->train);
    compiled_destroy(m->held_out);
    tuned_evaluation_close(&m->evaluation);
    free(m);
}

static const struct fitness_method method = {
    .name = "move_match",
    .value = &objective_moves_matched,
    .work = "position",
    .measure_batch = measure_batch,
    .measure_held_out = measure_held_out,
    .score = score,
    .describe = describe,
    .destroy = destroy,
};

/* Loads files into one list and compiles it; only the first `first` positions if `first` > 0. */
static bool compile(const char paths[][RECIPE_PATH], int path_count, int first, enum leaf leaf,
                    const struct evaluator_source *source, int threads, struct compiled_set **set,
                    struct compiled_matcher **matcher, struct error *err)
{
    struct dataset data = {0};
    bool loaded = true;
    for (int i = 0; i < path_count && loaded; i++)
        loaded = dataset_load_needed(&data, paths[i], EPD_NEED_BEST, err);
    if (first > 0 && (size_t)first < data.count)
        data.count = (size_t)first;
    if (loaded)
        *set = compiled_create(data.items, data.count, leaf, source, threads, err);
    dataset_free(&data);
    if (*set != NULL)
        *matcher = compiled_matcher_create(*set, NULL, threads, err);
    return loaded && *matcher != NULL;
}

/* Loads and compiles the positions. */
static bool load_positions(struct move_match *m, const struct recipe *r, struct error *err)
{
    const int threads = m->base.threads;
    const struct evaluator_source *source = tuned_evaluation_source(&m->evaluation);
    if (!compile(r->train, r->train_count, r->first, r->leaf, source, threads, &m->train,
                 &m->train_matcher, err))
        return false;
    m->base.train_size = (int64_t)compiled_positions(m->train);
    if (r->held_out_count == 0)
        return true;
    if (!compile(r->held_out, r->held_out_count, 0, r->leaf, source, threads, &m->held_out,
                 &m->held_out_matcher, err))
        return false;
    m->base.held_out_size = (int64_t)compiled_positions(m->held_out);
    return true;
}

struct fitness *move_match_create(const struct recipe *recipe, int threads, struct error *err)
{
    struct move_match *m = calloc(1, sizeof *m);
    if (m == NULL) {
        error_set(err, "no memory for the fitness");
        return NULL;
    }
    m->power = recipe->power;
    m->base = (struct fitness){.method = &method, .threads = threads};
    if (tuned_evaluation_open(&m->evaluation, recipe->space, err) &&
        load_positions(m, recipe, err)) {
        m->base.space = m->evaluation.genes;
        return &m->base;
    }
    destroy(&m->base);
    return NULL;
}
