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
#include "fitness_kinds.h"
#include "value_fitness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

static void *prepare(const struct recipe *recipe, struct error *err)
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

static int64_t worst(const void *prepared)
{
    (void)prepared;
    return MILLION;
}

static void describe(const void *prepared, char *text, size_t size)
{
    const struct expectation *e = prepared;
    snprintf(text, size, "K %d", e->k);
}

static const struct value_kind kind = {
    .name = "results",
    .value = &objective_results,
    .batch_value = &objective_results_in_batch,
    .need = EPD_NEED_RESULT,
    .prepare = prepare,
    .loss = squared_error,
    .worst = worst,
    .describe = describe,
};

struct fitness *game_results_create(const struct recipe *recipe, int threads, struct error *err)
{
    return value_fitness_create(&kind, recipe, threads, err);
}
