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
#include "fitness_kinds.h"
#include "value_fitness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What is prepared is the clip alone. */
static void *prepare(const struct recipe *recipe, struct error *err)
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

static int64_t worst(const void *prepared)
{
    const int *clip = prepared;
    return *clip;
}

static void describe(const void *prepared, char *text, size_t size)
{
    const int *clip = prepared;
    snprintf(text, size, "clipped at %d centipawns", *clip);
}

static const struct value_kind kind = {
    .name = "mentor",
    .value = &objective_distance,
    .need = EPD_NEED_SCORE,
    .prepare = prepare,
    .loss = distance,
    .worst = worst,
    .describe = describe,
};

struct fitness *mentor_create(const struct recipe *recipe, int threads, struct error *err)
{
    return value_fitness_create(&kind, recipe, threads, err);
}
