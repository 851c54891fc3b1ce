/* Objectives that measure an evaluation on positions, each of which says what is right there. The weights are those of
 * our evaluation, or of one in another process (tuned_evaluation.h). An organism is measured on all training positions
 * or, with fitness.batch, in each generation on some of them, so that more generations fit in the same time.
 *
 * Moves matched (david-2014, section III): the number of grandmaster moves that 1-ply searches choose. Fitness is its
 * power.
 *
 * The others compare the value of a position, for the side to move: that of its quiescence tree, or its static
 * evaluation (fitness.leaf). The objective value is the sum of losses; fitness is what is left of the worst sum.
 *
 * Mentor: how close scores come to a mentor's (David, Koppel and Netanyahu 2008, the authors' work before david-2014,
 * evolves an evaluation that mimics another program). The mentor is any engine that prints a score; `grayling label`
 * writes its scores into the positions (ce). A loss is the absolute difference, at most `clip` centipawns, so that a
 * few lost positions do not outweigh all others.
 *
 * Results: how well scores predict the results of games, as Texel's method measures it (Österlund 2014, "Texel's Tuning
 * Method", chess programming wiki), for methods that need no gradient. A score expects 1 / (1 + exp(-score / K)) of the
 * point. A loss is the square of the difference from the result, or from a mean of it and of what a search's score (ce)
 * expects (fitness.scores), in millionths. The logistic function is read from a table of integers, so that a run
 * repeats on any machine. */
#include "compiled.h"
#include "epd.h"
#include "fitness.h"
#include "recipe.h"
#include "regression.h"
#include "replay.h"
#include "stream.h"
#include "tuned_evaluation.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MILLION = 1000000,
    STEPS = 256, /* of the table of the logistic function, for a score of K */
    RANGE = 16,  /* largest score in the table, in K; larger ones expect the same */
};

/* What positions say. */
struct label {
    const char *name; /* of the fitness method */
    enum epd_need need;
};

static const struct label labels[] = {
    [MEASURE_MOVE_MATCH] = {"move_match", EPD_NEED_BEST},
    [MEASURE_MENTOR] = {"mentor", EPD_NEED_SCORE},
    [MEASURE_RESULTS] = {"results", EPD_NEED_RESULT},
};

/* Positions with what they say. NULL: none. */
struct lesson {
    struct compiled_set *set;
    struct compiled_matcher *matcher;
};

struct position_fitness {
    struct fitness base; /* first member, so that a struct fitness * points to it */
    struct fitness_method method;
    struct recipe recipe;
    int32_t
        expected[2 * RANGE * STEPS + 1]; /* millionths of a point, from -RANGE to RANGE times K */
    struct tuned_evaluation evaluation;
    struct lesson train, held_out;
};

/* The millionths of a point that a score expects, so many of which expect 73 %. */
static int64_t expected(const struct position_fitness *f, double score, double k)
{
    const double step = fmin(fmax(score * STEPS / k, -RANGE * STEPS), RANGE * STEPS);
    return f->expected[(int)lround(step) + RANGE * STEPS];
}

/* The loss of a value, of losses. */
static int64_t loss(const void *fitness, const struct epd *epd, double value)
{
    const struct position_fitness *f = fitness;
    if (f->recipe.measure == MEASURE_MENTOR)
        return (int64_t)llround(fmin(fabs(value - epd->score), f->recipe.clip));
    const int share = epd->has_score ? f->recipe.scores : 0;
    int64_t target = (int64_t)(MILLION * epd_points(epd));
    if (share > 0)
        target += share * (expected(f, epd->score, EPD_SCORE_K) - target) / 100;
    const int64_t off = expected(f, value, f->recipe.k) - target;
    return off * off / MILLION;
}

/* ---- the method ---- */

static void tell(void *watcher, int64_t done, int64_t total)
{
    fitness_tell_worked(watcher, done, total);
}

static bool measure_all(struct position_fitness *f, const struct lesson *l, const int32_t *genes,
                        int count, const struct fitness_watcher *watcher, int64_t *values)
{
    struct fitness_watcher told = watcher != NULL ? *watcher : (struct fitness_watcher){0};
    const struct compiled_watcher watch = {.context = &told, .done = tell, .stop = told.stop};
    memset(values, 0, (size_t)count * sizeof *values);
    return compiled_matcher_run(l->matcher, NULL, genes, count, values, &watch, &f->base.failed);
}

static bool measure_batch(struct fitness *f, const int32_t *genes, int count,
                          const struct fitness_watcher *watcher, int64_t *values)
{
    struct position_fitness *p = (struct position_fitness *)f;
    return measure_all(p, &p->train, genes, count, watcher, values);
}

/* Measures a generation on the positions after those of the last, and again from the first. */
static bool measure_generation(struct fitness *f, const struct competition *c, int64_t *values)
{
    struct position_fitness *p = (struct position_fitness *)f;
    const struct compiled_watcher watch = {.stop = c->stop};
    const size_t total = p->train.set->count, batch = (size_t)p->recipe.batch;
    const size_t first = (size_t)c->generation * batch % total, left = total - first;
    const struct compiled_part parts[] = {{first, batch < left ? batch : left},
                                          {0, batch < left ? 0 : batch - left}};
    bool good = true;
    memset(values, 0, (size_t)c->count * sizeof *values);
    for (int i = 0; good && i < 2; i++)
        good =
            parts[i].count == 0 || compiled_matcher_run(p->train.matcher, &parts[i], c->organisms,
                                                        c->count, values, &watch, &f->failed);
    return good;
}

/* Writes what an organism has in each position: 1 for a move matched, or its loss. */
static bool write_outcomes(struct position_fitness *p, const int32_t *genes, int64_t *outcomes)
{
    const struct compiled_set *set = p->held_out.set;
    const size_t count = set->count;
    Move *choices = calloc(count, sizeof *choices);
    double *scores = calloc(count, sizeof *scores);
    const bool read = choices != NULL && scores != NULL
                          ? compiled_choices(set, genes, NULL, choices, scores, &p->base.failed)
                          : error_set(&p->base.failed, "no memory for %zu moves", count);
    for (size_t i = 0; read && i < count; i++)
        outcomes[i] = p->recipe.measure == MEASURE_MOVE_MATCH
                          ? epd_has_best(&set->positions[i].epd, choices[i])
                          : loss(p, &set->positions[i].epd, scores[i]);
    free(choices);
    free(scores);
    return read;
}

static int64_t measure_held_out(struct fitness *f, const int32_t *genes,
                                const struct fitness_watcher *watcher)
{
    struct position_fitness *p = (struct position_fitness *)f;
    int64_t value;
    if (p->held_out.set == NULL || !measure_all(p, &p->held_out, genes, 1, watcher, &value) ||
        (watcher != NULL && watcher->outcomes != NULL &&
         !write_outcomes(p, genes, watcher->outcomes)))
        return -1;
    return value;
}

/* Texel's method, with a prior wide enough for all that positions count. */
static bool fit(struct fitness *f, int steps, const volatile sig_atomic_t *stop, int32_t *genes)
{
    const struct position_fitness *p = (const struct position_fitness *)f;
    struct regression_method method = texel_method;
    struct regression_fit found;
    method.score_share = p->recipe.scores / 100.0;
    method.score_scale = EPD_SCORE_K;
    const struct regression_settings settings = {.method = &method,
                                                 .start = genes,
                                                 .scale = p->recipe.k,
                                                 .prior = 3 * p->recipe.k,
                                                 .steps = steps,
                                                 .batch = 8192,
                                                 .seed = p->recipe.seed,
                                                 .threads = f->threads};
    const struct regression_watcher watcher = {.stop = stop};
    return regression_run(p->train.set, &settings, &watcher, genes, &found, &f->failed) &&
           !found.stopped;
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
    const size_t leaves = p->train.set->row_count;
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
        compiled_matcher_destroy(lessons[i]->matcher);
        compiled_destroy(lessons[i]->set);
    }
    tuned_evaluation_close(&p->evaluation);
    free(p);
}

/* ---- creation ---- */

/* Takes the training positions, with batches in a random order by the seed (Fisher and Yates). */
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

static bool load(struct position_fitness *p, struct lesson *l, const struct recipe *r,
                 struct error *err)
{
    const bool train = l == &p->train, moves = p->recipe.measure == MEASURE_MOVE_MATCH;
    const struct compiled_settings settings = {.leaf = r->leaf,
                                               .values = !moves,
                                               .source = tuned_evaluation_source(&p->evaluation),
                                               .threads = p->base.threads};
    struct dataset data = {0};
    bool good = true;
    for (int i = 0; good && i < (train ? r->train_count : r->held_out_count); i++)
        good = dataset_load(&data, train ? r->train[i] : r->held_out[i],
                            labels[p->recipe.measure].need, err);
    if (good && train)
        good = choose(p, r, &data, err);
    const bool any = good && data.count > 0;
    if (any)
        l->set = compiled_create(data.items, data.count, &settings, err);
    dataset_free(&data);
    if (l->set != NULL)
        l->matcher =
            compiled_matcher_create(l->set, NULL, moves ? NULL : loss, p, settings.threads, err);
    return any ? l->matcher != NULL : good;
}

struct fitness *position_fitness_create(const struct recipe *recipe, int threads, struct error *err)
{
    const bool batch = recipe->batch > 0;
    struct position_fitness *p = calloc(1, sizeof *p);
    if (p == NULL)
        return error_null(err, "no memory for the fitness");
    p->method = (struct fitness_method){.name = labels[recipe->measure].name,
                                        .value = objective_value_of(recipe),
                                        .work = "position",
                                        .measure_batch = batch ? NULL : measure_batch,
                                        .compete = batch ? measure_generation : NULL,
                                        .measure_held_out = measure_held_out,
                                        .fit = recipe->measure == MEASURE_RESULTS ? fit : NULL,
                                        .score = score,
                                        .describe = describe,
                                        .destroy = destroy};
    p->base = (struct fitness){.method = &p->method, .threads = threads};
    p->recipe = *recipe;
    for (int i = -RANGE * STEPS; i <= RANGE * STEPS; i++)
        p->expected[i + RANGE * STEPS] = (int32_t)lround(MILLION / (1 + exp(-(double)i / STEPS)));
    if (tuned_evaluation_open(&p->evaluation, recipe->space, err)) {
        p->base.space = p->evaluation.genes;
        if (load(p, &p->train, recipe, err) && load(p, &p->held_out, recipe, err)) {
            p->base.held_out_size = p->held_out.set == NULL ? 0 : (int64_t)p->held_out.set->count;
            return &p->base;
        }
    }
    destroy(&p->base);
    return NULL;
}
