/* Objectives that compare the value of a position with its label: a mentor's score, or the
 * result of its game. The objective value of an organism is the sum of its losses
 * over the positions; fitness is what is left of the worst sum.
 *
 * Values come from the compiled set, so any linear evaluation can learn, ours or one in another
 * process. A kind of such an objective says what a loss is. */
#include "competition.h"
#include "compiled.h"
#include "epd.h"
#include "fitness_kinds.h"
#include "jobs.h"
#include "recipe.h"
#include "replay.h"
#include "training.h"
#include "tuned_evaluation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value_kind {
    const char *name; /* of the fitness method */
    const struct objective_value *value;
    const struct objective_value *batch_value; /* in batches of positions; NULL: there are none */
    enum epd_need need;                        /* the label */
    /* Prepares what the others read, which is freed with free(). NULL with the reason. */
    void *(*prepare)(const struct recipe *recipe, struct error *err);
    /* The loss of a value, which is for the side to move and in the unit of the weights: from 0 to
     * the worst. */
    int64_t (*loss)(const void *prepared, const struct epd *epd, double value);
    int64_t (*worst)(const void *prepared);
    /* Writes what the loss depends on: "clipped at 1000 centipawns". */
    void (*describe)(const void *prepared, char *text, size_t size);
};

/* Positions of a job, and organisms of a batch of jobs. */
enum { BLOCK = 256, ORGANISMS = 8 * VALUE_GROUP };

/* Labelled positions. */
struct lesson {
    struct compiled_set *set; /* NULL: no positions */
    struct jobs *jobs;
    const struct value_fitness *fitness;
};

struct value_fitness {
    struct fitness base; /* first member, so that a struct fitness * points to it */
    struct fitness_method method;
    const struct value_kind *kind;
    void *prepared;
    struct tuned_evaluation evaluation;
    size_t batch; /* positions that a generation is measured on; 0: all */
    struct lesson train, held_out;
};

/* The input of a batch of jobs: rows of weights. Job n adds up the losses of all organisms on block n
 * of the positions `first` to `end` - 1. */
struct block {
    int64_t count;
    uint64_t first, end;
    int32_t weights[];
};

/* ---- losses ---- */

/* Adds the losses of a group of organisms on some positions. */
static void add_group(const struct lesson *l, struct compiled_part part, struct value_group *group,
                      int count, int64_t *sums)
{
    const struct value_fitness *f = l->fitness;
    double values[VALUE_GROUP];
    for (size_t i = part.first; i < part.first + part.count; i++) {
        value_group_read(group, i, values);
        for (int o = 0; o < count; o++)
            sums[o] += f->kind->loss(f->prepared, compiled_epd(l->set, i), values[o]);
    }
}

/* The positions of a job. */
static struct compiled_part positions_of(const struct block *b, size_t job)
{
    const size_t first = b->first + job * BLOCK, left = b->end - first;
    return (struct compiled_part){first, left < BLOCK ? left : BLOCK};
}

/* Adds up the losses of a block of positions; the result is one sum per organism. The worker is a
 * group. */
static bool measure_block(struct job *job, void *result, struct error *err)
{
    const struct lesson *l = job->context;
    const struct block *b = job->block;
    const int genes = compiled_table(l->set)->count;
    int64_t *sums = result;
    (void)err;
    for (int first = 0; first < b->count; first += VALUE_GROUP) {
        int count = (int)b->count - first < VALUE_GROUP ? (int)b->count - first : VALUE_GROUP;
        value_group_set(job->worker, b->weights + (size_t)first * (size_t)genes, count);
        add_group(l, positions_of(b, job->number), job->worker, count, sums + first);
    }
    return true;
}

static void *begin_group(const void *lesson, struct error *err)
{
    const struct lesson *l = lesson;
    return value_group_create(l->set, NULL, err);
}

static void finish_group(void *group)
{
    value_group_destroy(group);
}

static const struct job_kind loss_job = {.result_size = ORGANISMS * sizeof(int64_t),
                                         .begin = begin_group,
                                         .finish = finish_group,
                                         .work = measure_block};

/* The sums of some organisms, and who follows. */
struct tally {
    const struct fitness_watcher *watcher; /* may be NULL */
    struct compiled_part part;
    int64_t *sums;
    int count, first, all; /* organisms: of the batch, before it, in all */
};

static bool add_sums(void *taker, size_t number, void *result)
{
    const struct tally *t = taker;
    const int64_t *sums = result;
    const int64_t positions = (int64_t)t->part.count;
    const int64_t end = ((int64_t)number + 1) * BLOCK, done = end < positions ? end : positions;
    for (int o = 0; o < t->count; o++)
        t->sums[o] += sums[o];
    fitness_tell_worked(t->watcher, (t->first * positions + t->count * done) / t->all, positions);
    return true;
}

/* Measures one batch of organisms. */
static bool measure_some(const struct lesson *l, const int32_t *weights, struct tally *t,
                         const volatile sig_atomic_t *stop, struct error *err)
{
    const size_t genes = (size_t)compiled_table(l->set)->count;
    const size_t size = sizeof(struct block) + (size_t)t->count * genes * sizeof *weights;
    struct block *block = malloc(size);
    if (block == NULL)
        return error_set(err, "no memory for the values of %d organisms", t->count);
    *block = (struct block){t->count, t->part.first, t->part.first + t->part.count};
    memcpy(block->weights, weights, size - sizeof *block);
    const struct jobs_batch batch = {.count = (t->part.count + BLOCK - 1) / BLOCK,
                                     .block = block,
                                     .block_size = size,
                                     .stop = stop,
                                     .taker = t,
                                     .take = add_sums};
    bool done = jobs_run(l->jobs, &batch, err) == JOBS_DONE;
    free(block);
    return done;
}

/* Adds the losses of `count` organisms on some positions of a lesson to sums[count]. */
static bool add_losses(struct value_fitness *f, const struct lesson *l, struct compiled_part part,
                       const int32_t *weights, int count, const struct fitness_watcher *watcher,
                       const volatile sig_atomic_t *stop, int64_t *sums)
{
    const size_t row = (size_t)f->evaluation.genes.count;
    for (int first = 0; first < count; first += ORGANISMS) {
        int n = count - first < ORGANISMS ? count - first : ORGANISMS;
        struct tally t = {watcher, part, sums + first, n, first, count};
        if (!measure_some(l, weights + (size_t)first * row, &t, stop, &f->base.failed))
            return false;
    }
    return true;
}

/* Measures organisms on a whole lesson. */
static bool measure_all(struct value_fitness *f, const struct lesson *l, const int32_t *genes,
                        int count, const struct fitness_watcher *watcher, int64_t *sums)
{
    const struct compiled_part all = {0, compiled_positions(l->set)};
    memset(sums, 0, (size_t)count * sizeof *sums);
    return add_losses(f, l, all, genes, count, watcher, watcher == NULL ? NULL : watcher->stop,
                      sums);
}

/* ---- the methods ---- */

static bool measure_batch(struct fitness *f, const int32_t *genes, int count,
                          const struct fitness_watcher *watcher, int64_t *values)
{
    struct value_fitness *v = (struct value_fitness *)f;
    return measure_all(v, &v->train, genes, count, watcher, values);
}

static bool measure_generation(struct fitness *f, const struct competition *c, int64_t *values)
{
    struct value_fitness *v = (struct value_fitness *)f;
    const struct training_batch batch =
        training_batch_of(c->generation, v->batch, compiled_positions(v->train.set));
    memset(values, 0, (size_t)c->count * sizeof *values);
    for (int i = 0; i < 2; i++)
        if (batch.parts[i].count > 0 && !add_losses(v, &v->train, batch.parts[i], c->organisms,
                                                    c->count, NULL, c->stop, values))
            return false;
    return true;
}

static const struct competition_method batches = {.compete = measure_generation};

/* Writes the loss of an organism in each position. */
static bool write_outcomes(const struct lesson *l, const int32_t *genes, int64_t *outcomes,
                           struct error *err)
{
    struct value_group *group = value_group_create(l->set, NULL, err);
    if (group == NULL)
        return false;
    value_group_set(group, genes, 1);
    for (size_t i = 0; i < compiled_positions(l->set); i++) {
        outcomes[i] = 0;
        add_group(l, (struct compiled_part){i, 1}, group, 1, &outcomes[i]);
    }
    value_group_destroy(group);
    return true;
}

static int64_t measure_held_out(struct fitness *f, const int32_t *genes,
                                const struct fitness_watcher *watcher)
{
    struct value_fitness *v = (struct value_fitness *)f;
    int64_t value;
    if (v->held_out.set == NULL || !measure_all(v, &v->held_out, genes, 1, watcher, &value) ||
        (watcher != NULL && watcher->outcomes != NULL &&
         !write_outcomes(&v->held_out, genes, watcher->outcomes, &f->failed)))
        return -1;
    return value;
}

static int64_t score(const struct fitness *f, int64_t value)
{
    const struct value_fitness *v = (const struct value_fitness *)f;
    return f->train_size * v->kind->worst(v->prepared) - value;
}

static void describe(const struct fitness *f, char *text, size_t size)
{
    const struct value_fitness *v = (const struct value_fitness *)f;
    char kind[80];
    v->kind->describe(v->prepared, kind, sizeof kind);
    snprintf(text, size, "%s, %zu leaves a genome, replay by %s", kind,
             compiled_leaves(v->train.set), replay_best()->name);
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
    struct value_fitness *v = (struct value_fitness *)f;
    finish(&v->train);
    finish(&v->held_out);
    tuned_evaluation_close(&v->evaluation);
    free(v->prepared);
    free(v);
}

/* ---- creation ---- */

/* The method of a kind: on all positions, or on batches of them. */
static struct fitness_method method_of(const struct value_kind *kind, bool in_batches)
{
    return (struct fitness_method){
        .name = kind->name,
        .value = in_batches ? kind->batch_value : kind->value,
        .work = "position",
        .competition = in_batches ? &batches : NULL,
        .measure_batch = in_batches ? NULL : measure_batch,
        .measure_held_out = measure_held_out,
        .score = score,
        .describe = describe,
        .destroy = destroy,
    };
}

/* Loads labelled positions and compiles them. */
static bool load_lesson(struct value_fitness *f, struct lesson *l, const struct recipe *r,
                        bool (*load)(const struct recipe *r, enum epd_need need,
                                     struct dataset *data, struct error *err),
                        struct error *err)
{
    struct dataset data = {0};
    bool good = load(r, f->kind->need, &data, err);
    l->fitness = f;
    if (good && data.count > 0) {
        l->set = compiled_create_values(data.items, data.count, r->leaf,
                                        tuned_evaluation_source(&f->evaluation), f->base.threads,
                                        NULL, err);
        l->jobs = l->set == NULL ? NULL : jobs_create(&loss_job, l, f->base.threads, err);
        good = l->jobs != NULL;
    }
    dataset_free(&data);
    return good;
}

static bool prepare(struct value_fitness *f, const struct recipe *r, struct error *err)
{
    f->prepared = f->kind->prepare(r, err);
    if (f->prepared == NULL || !tuned_evaluation_open(&f->evaluation, r->space, err))
        return false;
    f->base.space = f->evaluation.genes;
    return load_lesson(f, &f->train, r, training_load, err) &&
           load_lesson(f, &f->held_out, r, held_out_load, err);
}

/* Creates such a fitness and loads its positions. NULL with the reason. */
static struct fitness *value_fitness_create(const struct value_kind *kind,
                                            const struct recipe *recipe, int threads,
                                            struct error *err)
{
    struct value_fitness *f = calloc(1, sizeof *f);
    if (f == NULL) {
        error_set(err, "no memory for the fitness");
        return NULL;
    }
    f->method = method_of(kind, recipe->batch > 0);
    f->base = (struct fitness){.method = &f->method, .threads = threads};
    f->kind = kind;
    f->batch = (size_t)recipe->batch;
    if (!prepare(f, recipe, err)) {
        destroy(&f->base);
        return NULL;
    }
    f->base.train_size =
        recipe->batch > 0 ? recipe->batch : (int64_t)compiled_positions(f->train.set);
    f->base.held_out_size =
        f->held_out.set == NULL ? 0 : (int64_t)compiled_positions(f->held_out.set);
    return &f->base;
}

/* ---- a mentor ---- */

/* The fitness of a pupil: how close an evaluation's scores come to a mentor's (David, Koppel and
 * Netanyahu 2008, the authors' work before david-2014, evolves an evaluation that mimics another
 * program). The mentor is any engine that prints a score; `grayling label` writes its scores into
 * the positions (ce).
 *
 *   1. The score of an organism is that of the position's quiescence tree, or its static
 *      evaluation (fitness.leaf), for the side to move.
 *   2. The distance of a position is the absolute difference, at most `clip` centipawns, so that a
 *      few lost positions do not outweigh all others.
 *   3. The objective value is the sum of distances. */

/* What is prepared is the clip alone. */
static void *mentor_prepare(const struct recipe *recipe, struct error *err)
{
    int *clip = malloc(sizeof *clip);
    if (clip == NULL)
        error_set(err, "no memory for the fitness");
    else
        *clip = recipe->clip;
    return clip;
}

static int64_t distance(const void *prepared, const struct epd *epd, double value)
{
    const int *clip = prepared;
    return (int64_t)llround(fmin(fabs(value - epd->score), *clip));
}

static int64_t mentor_worst(const void *prepared)
{
    const int *clip = prepared;
    return *clip;
}

static void mentor_describe(const void *prepared, char *text, size_t size)
{
    const int *clip = prepared;
    snprintf(text, size, "clipped at %d centipawns", *clip);
}

static const struct value_kind mentor_kind = {
    .name = "mentor",
    .value = &objective_distance,
    .need = EPD_NEED_SCORE,
    .prepare = mentor_prepare,
    .loss = distance,
    .worst = mentor_worst,
    .describe = mentor_describe,
};

struct fitness *mentor_create(const struct recipe *recipe, int threads, struct error *err)
{
    return value_fitness_create(&mentor_kind, recipe, threads, err);
}

/* ---- results of games ---- */

/* The fitness of a judge: how well an evaluation's scores predict the results of games, as Texel's
 * method measures it (Österlund 2014, "Texel's Tuning Method", chess programming wiki). It is the
 * loss that `grayling regress --method texel` descends, for methods that need no gradient.
 *
 *   1. The score of an organism is that of the position's quiescence tree, or its static
 *      evaluation (fitness.leaf), for the side to move.
 *   2. It expects 1 / (1 + exp(-score / K)) of the point. The error of a position is the square of
 *      the difference from the result, in millionths.
 *   3. The objective value is the sum of errors.
 *
 * The logistic function is read from a table of integers, so that a run repeats on any machine. */

enum {
    MILLION = 1000000,
    STEPS = 256, /* of the table, for a score of K */
    RANGE = 16,  /* largest score in the table, in K; larger ones expect the same */
};

/* What a score expects, in millionths of a point, from -RANGE to RANGE times K. */
struct expectation {
    int k;
    double steps_per_unit; /* of a weight */
    int32_t points[2 * RANGE * STEPS + 1];
};

static void *results_prepare(const struct recipe *recipe, struct error *err)
{
    struct expectation *e = malloc(sizeof *e);
    if (e == NULL) {
        error_set(err, "no memory for the fitness");
        return NULL;
    }
    e->k = recipe->k;
    e->steps_per_unit = (double)STEPS / recipe->k;
    for (int i = -RANGE * STEPS; i <= RANGE * STEPS; i++)
        e->points[i + RANGE * STEPS] = (int32_t)lround(MILLION / (1 + exp(-(double)i / STEPS)));
    return e;
}

static int64_t squared_error(const void *prepared, const struct epd *epd, double value)
{
    const struct expectation *e = prepared;
    const double step = fmin(fmax(value * e->steps_per_unit, -RANGE * STEPS), RANGE * STEPS);
    const int64_t expected = e->points[(int)lround(step) + RANGE * STEPS];
    const int64_t off = expected - (int64_t)(MILLION * epd_points(epd));
    return off * off / MILLION;
}

static int64_t results_worst(const void *prepared)
{
    (void)prepared;
    return MILLION;
}

static void results_describe(const void *prepared, char *text, size_t size)
{
    const struct expectation *e = prepared;
    snprintf(text, size, "K %d", e->k);
}

static const struct value_kind results_kind = {
    .name = "results",
    .value = &objective_results,
    .batch_value = &objective_results_in_batch,
    .need = EPD_NEED_RESULT,
    .prepare = results_prepare,
    .loss = squared_error,
    .worst = results_worst,
    .describe = results_describe,
};

struct fitness *game_results_create(const struct recipe *recipe, int threads, struct error *err)
{
    return value_fitness_create(&results_kind, recipe, threads, err);
}
