/* Objectives that measure an evaluation on positions, each of which says what is right there. The weights
 * are those of our evaluation, or of one in another process (tuned_evaluation.h). An organism is measured on
 * all training positions or, with fitness.batch, in each generation on some of them, so that more
 * generations fit in the same time.
 *
 * Moves matched (david-2014, section III): the number of grandmaster moves that 1-ply searches choose.
 * Fitness is its power.
 *
 * The others compare the value of a position, for the side to move: that of its quiescence tree, or its
 * static evaluation (fitness.leaf). The objective value is the sum of losses; fitness is what is left of the
 * worst sum.
 *
 * Mentor: how close scores come to a mentor's (David, Koppel and Netanyahu 2008, the authors' work before
 * david-2014, evolves an evaluation that mimics another program). The mentor is any engine that prints a
 * score; `grayling label` writes its scores into the positions (ce). A loss is the absolute difference, at
 * most `clip` centipawns, so that a few lost positions do not outweigh all others.
 *
 * Results: how well scores predict the results of games, as Texel's method measures it (Österlund 2014,
 * "Texel's Tuning Method", chess programming wiki), for methods that need no gradient. A score expects
 * 1 / (1 + exp(-score / K)) of the point. A loss is the square of the difference from the result, in
 * millionths. The logistic function is read from a table of integers, so that a run repeats on any machine. */
#include "compiled.h"
#include "epd.h"
#include "fitness_kinds.h"
#include "jobs.h"
#include "recipe.h"
#include "replay.h"
#include "stream.h"
#include "tuned_evaluation.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Positions of a job, and organisms that are measured at a time: so that what a job writes stays small. */
enum { BLOCK = 256, ORGANISMS = 8 * VALUE_GROUP };

enum {
    MILLION = 1000000,
    STEPS = 256, /* of the table of the logistic function, for a score of K */
    RANGE = 16,  /* largest score in the table, in K; larger ones expect the same */
};

/* What positions say. */
struct label {
    const char *name; /* of the fitness method */
    const struct objective_value *value;
    const struct objective_value *batch_value; /* in batches of positions; NULL: there are none */
    enum epd_need need;
};

static const struct label labels[] = {
    [MEASURE_MOVE_MATCH] = {"move_match", &objective_moves_matched, &objective_moves_in_batch,
                            EPD_NEED_BEST},
    [MEASURE_MENTOR] = {"mentor", &objective_distance, NULL, EPD_NEED_SCORE},
    [MEASURE_RESULTS] = {"results", &objective_results, &objective_results_in_batch,
                         EPD_NEED_RESULT},
};

/* Positions with what they say. */
struct lesson {
    struct compiled_set *set;         /* NULL: no positions */
    struct compiled_matcher *matcher; /* of moves; NULL: losses */
    struct jobs *jobs;                /* of losses */
    const struct position_fitness *fitness;
};

struct position_fitness {
    struct fitness base; /* first member, so that a struct fitness * points to it */
    struct fitness_method method;
    struct recipe recipe;
    double steps_per_unit; /* of a weight */
    int32_t
        expected[2 * RANGE * STEPS + 1]; /* millionths of a point, from -RANGE to RANGE times K */
    struct tuned_evaluation evaluation;
    struct lesson train, held_out;
};

/* Organisms that are measured at a time. */
struct tally {
    const struct fitness_watcher *watcher; /* may be NULL */
    struct compiled_part part;
    int64_t *sums;         /* what is measured is added here */
    int count, first, all; /* organisms: of these, before them, in all */
};

/* Tells the watcher how many positions are done, as if all organisms were in step. */
static void tell(void *context, int64_t done, int64_t total)
{
    const struct tally *t = context;
    fitness_tell_worked(t->watcher, (t->first * total + t->count * done) / t->all, total);
}

/* ---- moves matched ---- */

static bool add_matches(const struct lesson *l, const int32_t *genes, struct tally *t,
                        const volatile sig_atomic_t *stop, struct error *err)
{
    int32_t matched[ORGANISMS];
    const struct compiled_watcher watch = {.context = t, .done = tell, .stop = stop};
    if (!compiled_matcher_run(l->matcher, &t->part, genes, t->count, matched, &watch, err))
        return false;
    for (int o = 0; o < t->count; o++)
        t->sums[o] += matched[o];
    return true;
}

/* ---- losses ---- */

/* The input of a batch of jobs: rows of weights. Job n adds up the losses of all organisms on block n of
 * the positions `first` to `end` - 1. */
struct block {
    int64_t count;
    uint64_t first, end;
    int32_t weights[];
};

/* The loss of a value in the unit of the weights. */
static int64_t loss(const struct position_fitness *f, const struct epd *epd, double value)
{
    if (f->recipe.measure == MEASURE_MENTOR)
        return (int64_t)llround(fmin(fabs(value - epd->score), f->recipe.clip));
    const double step = fmin(fmax(value * f->steps_per_unit, -RANGE * STEPS), RANGE * STEPS);
    const int64_t off =
        f->expected[(int)lround(step) + RANGE * STEPS] - (int64_t)(MILLION * epd_points(epd));
    return off * off / MILLION;
}

/* Adds the losses of a group of organisms on some positions. */
static void add_group(const struct lesson *l, struct compiled_part part, struct value_group *group,
                      int count, int64_t *sums)
{
    double values[VALUE_GROUP];
    for (size_t i = part.first; i < part.first + part.count; i++) {
        value_group_read(group, i, values);
        for (int o = 0; o < count; o++)
            sums[o] += loss(l->fitness, compiled_epd(l->set, i), values[o]);
    }
}

/* Adds up the losses of a block of positions; the result is one sum per organism. The worker is a
 * group. */
static bool measure_block(struct job *job, void *result, struct error *err)
{
    const struct lesson *l = job->context;
    const struct block *b = job->block;
    const size_t genes = (size_t)compiled_table(l->set)->count;
    const size_t from = b->first + job->number * BLOCK, left = b->end - from;
    const struct compiled_part part = {from, left < BLOCK ? left : BLOCK};
    int64_t *sums = result;
    (void)err;
    for (int first = 0; first < b->count; first += VALUE_GROUP) {
        int count = (int)b->count - first < VALUE_GROUP ? (int)b->count - first : VALUE_GROUP;
        value_group_set(job->worker, b->weights + (size_t)first * genes, count);
        add_group(l, part, job->worker, count, sums + first);
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

static bool take_block(void *taker, size_t number, void *result)
{
    struct tally *t = taker;
    const int64_t *sums = result;
    const size_t end = (number + 1) * BLOCK, done = end < t->part.count ? end : t->part.count;
    for (int o = 0; o < t->count; o++)
        t->sums[o] += sums[o];
    tell(t, (int64_t)done, (int64_t)t->part.count);
    return true;
}

static bool add_losses(const struct lesson *l, const int32_t *genes, struct tally *t,
                       const volatile sig_atomic_t *stop, struct error *err)
{
    const size_t row = (size_t)compiled_table(l->set)->count * sizeof *genes;
    const size_t size = sizeof(struct block) + (size_t)t->count * row;
    struct block *block = malloc(size);
    if (block == NULL)
        return error_set(err, "no memory for the values of %d organisms", t->count);
    *block = (struct block){t->count, t->part.first, t->part.first + t->part.count};
    memcpy(block->weights, genes, (size_t)t->count * row);
    const struct jobs_batch batch = {.count = (t->part.count + BLOCK - 1) / BLOCK,
                                     .block = block,
                                     .block_size = size,
                                     .stop = stop,
                                     .taker = t,
                                     .take = take_block};
    bool done = jobs_run(l->jobs, &batch, err) == JOBS_DONE;
    free(block);
    return done;
}

/* ---- the method ---- */

/* Adds to sums[count] what organisms have on some positions of a lesson. */
static bool add(struct position_fitness *f, const struct lesson *l, struct compiled_part part,
                const int32_t *genes, int count, const struct fitness_watcher *watcher,
                int64_t *sums)
{
    const volatile sig_atomic_t *stop = watcher == NULL ? NULL : watcher->stop;
    for (int first = 0; first < count; first += ORGANISMS) {
        const int32_t *rows = genes + (size_t)first * (size_t)f->base.space.count;
        int n = count - first < ORGANISMS ? count - first : ORGANISMS;
        struct tally t = {watcher, part, sums + first, n, first, count};
        if (!(l->matcher != NULL ? add_matches : add_losses)(l, rows, &t, stop, &f->base.failed))
            return false;
    }
    return true;
}

static bool measure_all(struct position_fitness *f, const struct lesson *l, const int32_t *genes,
                        int count, const struct fitness_watcher *watcher, int64_t *values)
{
    const struct compiled_part all = {0, compiled_positions(l->set)};
    memset(values, 0, (size_t)count * sizeof *values);
    return add(f, l, all, genes, count, watcher, values);
}

static bool measure_batch(struct fitness *f, const int32_t *genes, int count,
                          const struct fitness_watcher *watcher, int64_t *values)
{
    struct position_fitness *p = (struct position_fitness *)f;
    return measure_all(p, &p->train, genes, count, watcher, values);
}

/* Measures a generation on the positions after those of the generation before, and again from the first of
 * all after the last. */
static bool measure_generation(struct fitness *f, const struct competition *c, int64_t *values)
{
    struct position_fitness *p = (struct position_fitness *)f;
    const struct fitness_watcher watcher = {.stop = c->stop};
    const size_t total = compiled_positions(p->train.set), batch = (size_t)p->recipe.batch;
    const size_t first = (size_t)c->generation * batch % total, left = total - first;
    const size_t some = batch < left ? batch : left, rest = batch - some;
    memset(values, 0, (size_t)c->count * sizeof *values);
    return add(p, &p->train, (struct compiled_part){first, some}, c->organisms, c->count, &watcher,
               values) &&
           (rest == 0 || add(p, &p->train, (struct compiled_part){0, rest}, c->organisms, c->count,
                             &watcher, values));
}

/* Writes what an organism has in each position: 1 for a move matched, or its loss. */
static bool write_outcomes(const struct lesson *l, const int32_t *genes, int64_t *outcomes,
                           struct error *err)
{
    const size_t count = compiled_positions(l->set);
    if (l->matcher != NULL) {
        Move *choices = calloc(count, sizeof *choices);
        const bool chosen = choices != NULL ? compiled_choices(l->set, genes, NULL, choices, err)
                                            : error_set(err, "no memory for %zu moves", count);
        for (size_t i = 0; chosen && i < count; i++)
            outcomes[i] = epd_has_best(compiled_epd(l->set, i), choices[i]);
        free(choices);
        return chosen;
    }
    struct value_group *group = value_group_create(l->set, NULL, err);
    if (group == NULL)
        return false;
    value_group_set(group, genes, 1);
    memset(outcomes, 0, count * sizeof *outcomes);
    for (size_t i = 0; i < count; i++)
        add_group(l, (struct compiled_part){i, 1}, group, 1, &outcomes[i]);
    value_group_destroy(group);
    return true;
}

static int64_t measure_held_out(struct fitness *f, const int32_t *genes,
                                const struct fitness_watcher *watcher)
{
    struct position_fitness *p = (struct position_fitness *)f;
    int64_t value;
    if (p->held_out.set == NULL || !measure_all(p, &p->held_out, genes, 1, watcher, &value) ||
        (watcher != NULL && watcher->outcomes != NULL &&
         !write_outcomes(&p->held_out, genes, watcher->outcomes, &f->failed)))
        return -1;
    return value;
}

static int64_t score(const struct fitness *f, int64_t value)
{
    const struct position_fitness *p = (const struct position_fitness *)f;
    int64_t power = 1;
    if (p->recipe.measure != MEASURE_MOVE_MATCH)
        return f->train_size * (p->recipe.measure == MEASURE_MENTOR ? p->recipe.clip : MILLION) -
               value;
    if (value > f->train_size) /* a run's file may say so */
        return -1;
    for (int i = 0; i < p->recipe.power; i++)
        power *= value;
    return power;
}

static void describe(const struct fitness *f, char *text, size_t size)
{
    const struct position_fitness *p = (const struct position_fitness *)f;
    const size_t leaves = compiled_leaves(p->train.set);
    const char *replay = replay_best()->name;
    if (p->recipe.measure == MEASURE_MOVE_MATCH)
        snprintf(text, size, "%.1f million leaves a genome, replay by %s", 1e-6 * (double)leaves,
                 replay);
    else if (p->recipe.measure == MEASURE_MENTOR)
        snprintf(text, size, "clipped at %d centipawns, %zu leaves a genome, replay by %s",
                 p->recipe.clip, leaves, replay);
    else
        snprintf(text, size, "K %d, %zu leaves a genome, replay by %s", p->recipe.k, leaves,
                 replay);
}

static void destroy(struct fitness *f)
{
    struct position_fitness *p = (struct position_fitness *)f;
    struct lesson *const lessons[] = {&p->train, &p->held_out};
    for (int i = 0; i < 2; i++) {
        jobs_destroy(lessons[i]->jobs);
        compiled_matcher_destroy(lessons[i]->matcher);
        compiled_destroy(lessons[i]->set);
    }
    tuned_evaluation_close(&p->evaluation);
    free(p);
}

/* ---- creation ---- */

/* Takes the training positions that the recipe asks for: in a random order by its seed if there are batches
 * (Fisher and Yates). */
static bool choose(struct position_fitness *p, const struct recipe *r, struct dataset *data,
                   struct error *err)
{
    /* the largest number of moves whose power fits 64 bits */
    static const int64_t most[] = {[1] = INT64_MAX, [2] = 3037000499, [3] = 2097151, [4] = 55108};
    struct stream s;
    if (r->first > 0 && (size_t)r->first < data->count)
        data->count = (size_t)r->first;
    if (data->count == 0)
        return error_set(err, "%s: no positions", r->train[0]);
    if ((size_t)r->batch > data->count)
        return error_set(err, "fitness.batch is %d, and there are %zu training positions", r->batch,
                         data->count);
    stream_init(&s, r->seed, STREAM_BATCHES, 0, 0);
    for (size_t i = data->count; r->batch > 0 && i > 1; i--) {
        const size_t other = (size_t)stream_below(&s, i);
        const struct epd held = data->items[i - 1];
        data->items[i - 1] = data->items[other];
        data->items[other] = held;
    }
    p->base.train_size = r->batch > 0 ? r->batch : (int64_t)data->count;
    const int64_t size = p->base.train_size;
    return p->recipe.measure != MEASURE_MOVE_MATCH || size <= most[r->power] ||
           error_set(err,
                     "fitness.power is %d, which takes at most %" PRId64
                     " training positions, and there are %" PRId64
                     "; take a lower power, a smaller fitness.batch, or fewer "
                     "positions (data.train, data.first)",
                     r->power, most[r->power], size);
}

/* Loads positions and compiles them. */
static bool load(struct position_fitness *p, struct lesson *l, const struct recipe *r,
                 struct error *err)
{
    const bool train = l == &p->train, moves = p->recipe.measure == MEASURE_MOVE_MATCH;
    const struct evaluator_source *source = tuned_evaluation_source(&p->evaluation);
    const int threads = p->base.threads;
    struct dataset data = {0};
    bool good = true;
    for (int i = 0; good && i < (train ? r->train_count : r->held_out_count); i++)
        good = dataset_load(&data, train ? r->train[i] : r->held_out[i],
                            labels[p->recipe.measure].need, err);
    l->fitness = p;
    if (good && train)
        good = choose(p, r, &data, err);
    const bool any = good && data.count > 0;
    if (any)
        l->set = (moves ? compiled_create : compiled_create_values)(data.items, data.count, r->leaf,
                                                                    source, threads, NULL, err);
    dataset_free(&data);
    if (l->set != NULL && moves)
        l->matcher = compiled_matcher_create(l->set, NULL, threads, err);
    else if (l->set != NULL)
        l->jobs = jobs_create(&loss_job, l, threads, err);
    return any ? l->matcher != NULL || l->jobs != NULL : good;
}

struct fitness *position_fitness_create(const struct recipe *recipe, int threads, struct error *err)
{
    const struct label *label = &labels[recipe->measure];
    const bool batch = recipe->batch > 0;
    struct position_fitness *p = calloc(1, sizeof *p);
    if (p == NULL) {
        error_set(err, "no memory for the fitness");
        return NULL;
    }
    p->method = (struct fitness_method){.name = label->name,
                                        .value = batch ? label->batch_value : label->value,
                                        .work = "position",
                                        .measure_batch = batch ? NULL : measure_batch,
                                        .compete = batch ? measure_generation : NULL,
                                        .measure_held_out = measure_held_out,
                                        .score = score,
                                        .describe = describe,
                                        .destroy = destroy};
    p->base = (struct fitness){.method = &p->method, .threads = threads};
    p->recipe = *recipe;
    p->steps_per_unit = (double)STEPS / recipe->k;
    for (int i = -RANGE * STEPS; i <= RANGE * STEPS; i++)
        p->expected[i + RANGE * STEPS] = (int32_t)lround(MILLION / (1 + exp(-(double)i / STEPS)));
    if (tuned_evaluation_open(&p->evaluation, recipe->space, err)) {
        p->base.space = p->evaluation.genes;
        if (load(p, &p->train, recipe, err) && load(p, &p->held_out, recipe, err)) {
            p->base.held_out_size =
                p->held_out.set == NULL ? 0 : (int64_t)compiled_positions(p->held_out.set);
            return &p->base;
        }
    }
    destroy(&p->base);
    return NULL;
}
