/* The fitness of phase 1 (david-2014, section III): the number of grandmaster moves matched by
 * 1-ply searches, raised to a power. The weights are those of our evaluation, or of one in another
 * process (tuned_evaluation.h). */
#include "competition.h"
#include "compiled.h"
#include "fitness_kinds.h"
#include "replay.h"
#include "training.h"
#include "tuned_evaluation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct move_match {
    struct fitness base; /* first member, so that a struct fitness * points to it */
    int power;
    struct compiled_set *train, *held_out; /* held_out may be NULL */
    struct compiled_matcher *train_matcher, *held_out_matcher;
    size_t batch; /* positions that a generation is measured on; 0: all */
    struct tuned_evaluation evaluation;
};

/* Organisms that are measured some at a time. */
struct part {
    const struct fitness_watcher *watcher;
    int first, count, all; /* organisms: before this part, in it, in all */
};

/* Tells the watcher how many positions are done, as if all organisms were in step. */
static void tell_matched(void *context, int64_t done, int64_t total)
{
    const struct part *p = context;
    fitness_tell_worked(p->watcher, (p->first * total + p->count * done) / p->all, total);
}

/* Follows the work on a part, and passes the stop on. */
static struct compiled_watcher follow(struct part *part)
{
    return (struct compiled_watcher){
        .context = part,
        .done = tell_matched,
        .stop = part->watcher != NULL ? part->watcher->stop : NULL,
    };
}

/* Adds to values[count] the moves matched on some positions. Measures a few groups at a time, so that the
 * scratch memory stays on the stack. */
static bool add_matches(struct fitness *f, const struct compiled_part *positions,
                        const int32_t *genes, int count, const struct fitness_watcher *watcher,
                        int64_t *values)
{
    enum { SOME = 256 };
    const struct move_match *m = (const struct move_match *)f;
    struct part part = {.watcher = watcher, .all = count};
    const struct compiled_watcher watch = follow(&part);
    for (int first = 0; first < count; first += SOME) {
        int32_t matched[SOME];
        int n = count - first < SOME ? count - first : SOME;
        const int32_t *rows = genes + (size_t)first * (size_t)f->space.count;
        part.first = first;
        part.count = n;
        if (!compiled_matcher_run_part(m->train_matcher, positions, rows, n, matched, &watch,
                                       &f->failed))
            return false;
        for (int o = 0; o < n; o++)
            values[first + o] += matched[o];
    }
    return true;
}

static bool measure_all(struct fitness *f, const int32_t *genes, int count,
                        const struct fitness_watcher *watcher, int64_t *values)
{
    const struct move_match *m = (const struct move_match *)f;
    const struct compiled_part all = {0, compiled_positions(m->train)};
    memset(values, 0, (size_t)count * sizeof *values);
    return add_matches(f, &all, genes, count, watcher, values);
}

/* Measures a generation on its batch. */
static bool measure_generation(struct fitness *f, const struct competition *c, int64_t *values)
{
    const struct move_match *m = (const struct move_match *)f;
    const struct training_batch batch =
        training_batch_of(c->generation, m->batch, compiled_positions(m->train));
    memset(values, 0, (size_t)c->count * sizeof *values);
    const struct fitness_watcher watcher = {.stop = c->stop};
    for (int i = 0; i < 2; i++)
        if (batch.parts[i].count > 0 &&
            !add_matches(f, &batch.parts[i], c->organisms, c->count, &watcher, values))
            return false;
    return c->stop == NULL || *c->stop == 0;
}

/* Writes 1 for each position of a set whose move an organism matches, and 0 for the others. */
static bool write_outcomes(const struct compiled_set *set, const int32_t *genes, int64_t *outcomes,
                           struct error *err)
{
    const size_t count = compiled_positions(set);
    Move *choices = calloc(count, sizeof *choices);
    const bool chosen = choices != NULL ? compiled_choices(set, genes, NULL, choices, err)
                                        : error_set(err, "no memory for %zu moves", count);
    for (size_t i = 0; chosen && i < count; i++)
        outcomes[i] = epd_has_best(compiled_epd(set, i), choices[i]);
    free(choices);
    return chosen;
}

static int64_t measure_held_out(struct fitness *f, const int32_t *genes,
                                const struct fitness_watcher *watcher)
{
    const struct move_match *m = (const struct move_match *)f;
    struct part part = {.watcher = watcher, .count = 1, .all = 1};
    const struct compiled_watcher watch = follow(&part);
    if (m->held_out == NULL)
        return -1;
    int32_t matched;
    if (!compiled_matcher_run(m->held_out_matcher, genes, 1, &matched, &watch, &f->failed) ||
        (watcher != NULL && watcher->outcomes != NULL &&
         !write_outcomes(m->held_out, genes, watcher->outcomes, &f->failed)))
        return -1;
    return matched;
}

static int64_t score(const struct fitness *f, int64_t value)
{
    const struct move_match *m = (const struct move_match *)f;
    int64_t fitness = 1;
    if (value > f->train_size) /* a run's file may say so */
        return -1;
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
    .measure_batch = measure_all,
    .measure_held_out = measure_held_out,
    .score = score,
    .describe = describe,
    .destroy = destroy,
};

static const struct competition_method batches = {.compete = measure_generation};

/* The same, each generation on a batch of the positions. */
static const struct fitness_method batch_method = {
    .name = "move_match",
    .value = &objective_moves_in_batch,
    .work = "position",
    .competition = &batches,
    .measure_held_out = measure_held_out,
    .score = score,
    .describe = describe,
    .destroy = destroy,
};

/* ---- positions ---- */

/* Compiles positions, which it frees. */
static bool compile(const struct move_match *m, const struct recipe *r, struct dataset *data,
                    struct compiled_set **set, struct compiled_matcher **matcher, struct error *err)
{
    const int threads = m->base.threads;
    *set = compiled_create(data->items, data->count, r->leaf,
                           tuned_evaluation_source(&m->evaluation), threads, NULL, err);
    dataset_free(data);
    if (*set != NULL)
        *matcher = compiled_matcher_create(*set, NULL, threads, err);
    return *matcher != NULL;
}

/* The largest number whose power fits 64 bits. */
static int64_t most_matches(int power)
{
    static const int64_t most[] = {[1] = INT64_MAX, [2] = 3037000499, [3] = 2097151, [4] = 55108};
    return most[power];
}

/* Checks that the fitness of an organism that matches every move is a number. */
static bool check_power(const struct move_match *m, struct error *err)
{
    const int64_t most = most_matches(m->power), size = m->base.train_size;
    return size <= most || error_set(err,
                                     "fitness.power is %d, which takes at most %" PRId64
                                     " training positions, and there are %" PRId64
                                     "; take a lower power, a smaller fitness.batch, or fewer "
                                     "positions (data.train, data.first)",
                                     m->power, most, size);
}

/* Loads and compiles the training positions. */
static bool load_training(struct move_match *m, const struct recipe *r, struct error *err)
{
    struct dataset train = {0};
    bool loaded = training_load(r, EPD_NEED_BEST, &train, err);
    m->base.train_size = r->batch > 0 ? r->batch : (int64_t)train.count;
    loaded =
        loaded && check_power(m, err) && compile(m, r, &train, &m->train, &m->train_matcher, err);
    dataset_free(&train);
    return loaded;
}

/* Loads and compiles all positions. */
static bool load_positions(struct move_match *m, const struct recipe *r, struct error *err)
{
    struct dataset held_out = {0};
    if (!load_training(m, r, err))
        return false;
    if (r->held_out_count == 0)
        return true;
    if (!held_out_load(r, EPD_NEED_BEST, &held_out, err) ||
        !compile(m, r, &held_out, &m->held_out, &m->held_out_matcher, err)) {
        dataset_free(&held_out);
        return false;
    }
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
    m->batch = (size_t)recipe->batch;
    m->base =
        (struct fitness){.method = recipe->batch > 0 ? &batch_method : &method, .threads = threads};
    if (tuned_evaluation_open(&m->evaluation, recipe->space, err) &&
        load_positions(m, recipe, err)) {
        m->base.space = m->evaluation.genes;
        return &m->base;
    }
    destroy(&m->base);
    return NULL;
}
