/* A fitness without chess, for tests of the run: how many bits of a chromosome are set. */
#ifndef GRAYLING_TESTS_ONE_MAX_H
#define GRAYLING_TESTS_ONE_MAX_H

#include "default_settings.h"
#include "fitness.h"
#include "genome.h"
#include "jobs.h"
#include "recipe.h"

enum { ONE_MAX_GENES = 7, ONE_MAX_BITS = 72 };

static const struct param one_max_params[ONE_MAX_GENES] = {
    {"CONSTANT", 0, 100, 100, 100, +1, NULL, "not evolved"},
    {"A", 12, 0, 4095, 0, +1, NULL, "twelve bits"},
    {"B", 12, 0, 4095, 0, +1, NULL, "twelve bits"},
    {"C", 12, 0, 4095, 0, -1, NULL, "twelve bits"},
    {"D", 12, 0, 4095, 0, +1, NULL, "twelve bits"},
    {"E", 12, 0, 4095, 0, +1, NULL, "twelve bits"},
    {"F", 12, 0, 4095, 0, -1, NULL, "twelve bits"},
};

struct one_max {
    struct fitness base;               /* first, so that a struct fitness * is one */
    int64_t calls, measured, held_out; /* what it was asked for */
    int64_t give_up;                   /* after so many organisms; 0: never */
    int64_t bias;                      /* added to every measure */
    bool tells;                        /* of each organism, measured one after the other */
    /* The flags of the last measurements: */
    const volatile sig_atomic_t *batch_stop, *held_out_stop;
};

static inline int64_t one_max_ones(const int32_t *values, int first, int last)
{
    int64_t ones = 0;
    for (int g = first; g <= last; g++)
        ones += __builtin_popcount(gray_encode((uint32_t)values[g]));
    return ones;
}

static inline bool one_max_job(struct job *job, void *result, struct error *err)
{
    const struct one_max *m = job->context;
    const int32_t *values = job->block;
    int64_t *measure = result;
    (void)err;
    *measure = one_max_ones(values + job->number * ONE_MAX_GENES, 1, 6) + m->bias;
    return true;
}

static inline bool one_max_take(void *taker, size_t number, void *result)
{
    int64_t *measures = taker;
    measures[number] = *(const int64_t *)result;
    return true;
}

static inline bool one_max_batch(struct fitness *f, const int32_t *values, int count,
                                 const struct fitness_watcher *watcher, int64_t *measures)
{
    struct one_max *m = (struct one_max *)f;
    m->calls++;
    m->batch_stop = watcher->stop;
    for (int o = 0; o < count && m->tells; o++) {
        if (++m->measured > m->give_up && m->give_up > 0)
            return false;
        measures[o] = one_max_ones(values + o * ONE_MAX_GENES, 1, 6) + m->bias;
        if (watcher->measured != NULL && !watcher->measured(watcher->context, o, measures[o]))
            return false;
    }
    if (m->tells)
        return true;
    m->measured += count;
    if (m->give_up > 0 && m->measured > m->give_up)
        return false;
    static const struct job_kind kind = {.result_size = sizeof(int64_t), .work = one_max_job};
    const struct jobs_batch batch = {.count = (size_t)count,
                                     .block = values,
                                     .block_size = (size_t)(count * ONE_MAX_GENES) * sizeof *values,
                                     .taker = measures,
                                     .take = one_max_take};
    return jobs_run_once(&kind, m, f->threads, &batch, &f->failed) == JOBS_DONE;
}

static inline int64_t one_max_held_out(struct fitness *f, const int32_t *values,
                                       const struct fitness_watcher *watcher)
{
    struct one_max *m = (struct one_max *)f;
    m->held_out++;
    m->held_out_stop = watcher->stop;
    for (int i = 0; watcher->outcomes != NULL && i < ONE_MAX_BITS / 2; i++)
        watcher->outcomes[i] = gray_encode((uint32_t)values[4 + i / 12]) >> i % 12 & 1;
    return one_max_ones(values, 4, 6);
}

static inline int64_t one_max_score(const struct fitness *f, int64_t measure)
{
    (void)f;
    return measure * measure;
}

/* Nothing here writes a value, so that it needs no format. */
static const struct objective_value one_max_value = {
    .name = "ones",
    .across_generations = true,
    .over_positions = true,
    .words = &objective_position_words,
};

static const struct fitness_method one_max_method = {
    .name = "one_max",
    .value = &one_max_value,
    .measure_batch = one_max_batch,
    .measure_held_out = one_max_held_out,
    .score = one_max_score,
};

static inline struct one_max one_max_make(int threads, bool tells)
{
    return (struct one_max){.base = {.method = &one_max_method,
                                     .space = {"ones", one_max_params, ONE_MAX_GENES},
                                     .train_size = ONE_MAX_BITS,
                                     .held_out_size = ONE_MAX_BITS / 2,
                                     .threads = threads},
                            .tells = tells};
}

static inline struct recipe one_max_recipe(int population, int generations)
{
    struct recipe recipe = {.name = "ones", .seed = 7, .power = 2, .generations = generations};
    recipe.optimiser = optimiser_default_settings(OPTIMISER_GENETIC);
    recipe.optimiser.population = population;
    return recipe;
}

#endif
