/* The fitness of a pupil: how close an evaluation's scores come to a mentor's (David, Koppel and
 * Netanyahu 2008, the authors' work before david-2014, evolves an evaluation that mimics another
 * program). The mentor is any engine that prints a score; `grayling label` writes its scores into
 * the positions (ce).
 *
 *   1. The score of an organism is that of the position's quiescence tree, or its static
 *      evaluation (fitness.leaf), for the side to move.
 *   2. The distance of a position is the absolute difference, at most `clip` centipawns, so that a
 *      few lost positions do not outweigh all others.
 *   3. The objective value is the sum of distances; fitness is what is left of the worst sum. */
#include "compiled.h"
#include "fitness_kinds.h"
#include "jobs.h"
#include "tuned_evaluation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Positions of a job, and organisms of a batch. */
enum { BLOCK = 64, ORGANISMS = 64 };

/* Positions with the mentor's scores. */
struct lesson {
    struct compiled_set *set; /* NULL: no positions */
    struct jobs *jobs;
    const struct mentor *mentor;
};

struct mentor {
    struct fitness base; /* first member, so that a struct fitness * points to it */
    struct tuned_evaluation evaluation;
    int clip;
    struct lesson train, held_out;
};

/* The input of a batch: rows of values. */
struct block {
    int32_t count;
    int32_t values[];
};

/* ---- distances ---- */

/* The distance of an organism in one position. Positions whose counts do not fit have none. */
static int64_t distance(const struct lesson *l, size_t i, const double *weights)
{
    struct principal_leaf leaf;
    if (!compiled_value(l->set, i, weights, &leaf))
        return 0;
    double off = fabs(leaf.value - compiled_epd(l->set, i)->score);
    return (int64_t)llround(fmin(off, l->mentor->clip));
}

/* Adds up the distances of a block of positions; the result is one sum per organism. */
static bool measure_block(struct job *job, void *result, struct error *err)
{
    const struct lesson *l = job->context;
    const struct block *b = job->block;
    const int genes = l->mentor->evaluation.genes.count;
    const size_t positions = compiled_positions(l->set), first = job->number * BLOCK;
    const size_t end = first + BLOCK < positions ? first + BLOCK : positions;
    int64_t *sums = result;
    double *weights = calloc((size_t)genes + 1, sizeof *weights);
    if (weights == NULL)
        return error_set(err, "no memory for %d weights", genes);
    for (int o = 0; o < b->count; o++) {
        for (int g = 0; g < genes; g++)
            weights[g] = b->values[(size_t)o * (size_t)genes + (size_t)g];
        for (size_t i = first; i < end; i++)
            sums[o] += distance(l, i, weights);
    }
    free(weights);
    return true;
}

static const struct job_kind distance_job = {.result_size = ORGANISMS * sizeof(int64_t),
                                             .work = measure_block};

/* The sums of a batch, and who follows. */
struct tally {
    const struct lesson *lesson;
    const struct fitness_watcher *watcher;
    int64_t *sums;
    int count, first, all; /* organisms: of the batch, before it, in all */
};

static bool add_sums(void *taker, size_t number, void *result)
{
    const struct tally *t = taker;
    const int64_t *sums = result;
    const int64_t positions = (int64_t)compiled_positions(t->lesson->set);
    const int64_t end = ((int64_t)number + 1) * BLOCK, done = end < positions ? end : positions;
    for (int o = 0; o < t->count; o++)
        t->sums[o] += sums[o];
    fitness_tell_worked(t->watcher, (t->first * positions + t->count * done) / t->all, positions);
    return true;
}

/* Measures one batch of organisms. */
static bool measure_some(const struct lesson *l, const int32_t *values, struct tally *t,
                         struct error *err)
{
    const size_t genes = (size_t)l->mentor->evaluation.genes.count;
    const size_t size = sizeof(struct block) + (size_t)t->count * genes * sizeof *values;
    struct block *block = malloc(size);
    if (block == NULL)
        return error_set(err, "no memory for the values of %d organisms", t->count);
    block->count = t->count;
    memcpy(block->values, values, size - sizeof *block);
    const struct jobs_batch batch = {.count = (compiled_positions(l->set) + BLOCK - 1) / BLOCK,
                                     .block = block,
                                     .block_size = size,
                                     .stop = t->watcher->stop,
                                     .taker = t,
                                     .take = add_sums};
    bool done = jobs_run(l->jobs, &batch, err) == JOBS_DONE;
    free(block);
    return done;
}

/* Measures organisms on a lesson. */
static bool measure_all(struct mentor *m, const struct lesson *l, const int32_t *genes, int count,
                        const struct fitness_watcher *watcher, int64_t *sums)
{
    const size_t row = (size_t)m->evaluation.genes.count;
    memset(sums, 0, (size_t)count * sizeof *sums);
    for (int first = 0; first < count; first += ORGANISMS) {
        int n = count - first < ORGANISMS ? count - first : ORGANISMS;
        struct tally t = {l, watcher, sums + first, n, first, count};
        if (!measure_some(l, genes + (size_t)first * row, &t, &m->base.failed))
            return false;
    }
    return true;
}

/* ---- the method ---- */

static bool measure_batch(struct fitness *f, const int32_t *genes, int count,
                          const struct fitness_watcher *watcher, int64_t *values)
{
    struct mentor *m = (struct mentor *)f;
    return measure_all(m, &m->train, genes, count, watcher, values);
}

static int64_t measure_held_out(struct fitness *f, const int32_t *genes,
                                const struct fitness_watcher *watcher)
{
    struct mentor *m = (struct mentor *)f;
    int64_t value;
    if (m->held_out.set == NULL || !measure_all(m, &m->held_out, genes, 1, watcher, &value))
        return -1;
    return value;
}

static int64_t score(const struct fitness *f, int64_t value)
{
    return f->train_size * ((const struct mentor *)f)->clip - value;
}

static void describe(const struct fitness *f, char *text, size_t size)
{
    const struct mentor *m = (const struct mentor *)f;
    snprintf(text, size, "clipped at %d centipawns, %zu leaves a genome", m->clip,
             compiled_leaves(m->train.set));
}

static void finish(struct lesson *l)
{
    jobs_destroy(l->jobs);
    compiled_destroy(l->set);
}

static void destroy(struct fitness *f)
{
    if (f == NULL)
        return;
    struct mentor *m = (struct mentor *)f;
    finish(&m->train);
    finish(&m->held_out);
    tuned_evaluation_close(&m->evaluation);
    free(m);
}

static const struct fitness_method method = {
    .name = "mentor",
    .value = &objective_distance,
    .work = "position",
    .measure_batch = measure_batch,
    .measure_held_out = measure_held_out,
    .score = score,
    .describe = describe,
    .destroy = destroy,
};

/* ---- creation ---- */

/* Loads positions with scores and compiles them. */
static bool load_lesson(struct mentor *m, struct lesson *l, const char paths[][RECIPE_PATH],
                        int count, int first, enum leaf leaf, struct error *err)
{
    struct dataset data = {0};
    bool good = true;
    for (int i = 0; good && i < count; i++)
        good = dataset_load_needed(&data, paths[i], EPD_NEED_SCORE, err);
    if (first > 0 && (size_t)first < data.count)
        data.count = (size_t)first;
    l->mentor = m;
    if (good && data.count > 0) {
        l->set =
            compiled_create_values(data.items, data.count, leaf,
                                   tuned_evaluation_source(&m->evaluation), m->base.threads, err);
        l->jobs = l->set == NULL ? NULL : jobs_create(&distance_job, l, m->base.threads, err);
        good = l->jobs != NULL;
    }
    dataset_free(&data);
    return good;
}

static bool prepare(struct mentor *m, const struct recipe *r, struct error *err)
{
    if (!tuned_evaluation_open(&m->evaluation, r->space, err))
        return false;
    m->base.space = m->evaluation.genes;
    return load_lesson(m, &m->train, r->train, r->train_count, r->first, r->leaf, err) &&
           load_lesson(m, &m->held_out, r->held_out, r->held_out_count, 0, r->leaf, err) &&
           (m->train.set != NULL || error_set(err, "%s: no positions", r->train[0]));
}

struct fitness *mentor_create(const struct recipe *recipe, int threads, struct error *err)
{
    struct mentor *m = calloc(1, sizeof *m);
    if (m == NULL) {
        error_set(err, "no memory for the fitness");
        return NULL;
    }
    m->base = (struct fitness){.method = &method, .threads = threads};
    m->clip = recipe->clip;
    if (!prepare(m, recipe, err)) {
        destroy(&m->base);
        return NULL;
    }
    m->base.train_size = (int64_t)compiled_positions(m->train.set);
    m->base.held_out_size =
        m->held_out.set == NULL ? 0 : (int64_t)compiled_positions(m->held_out.set);
    return &m->base;
}
