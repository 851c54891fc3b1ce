/* Simultaneous perturbation stochastic approximation (Spall 1992), with the gains of Spall 1998.
 *
 * The estimate starts at the best organism of generation 0. Generation g > 0 measures pairs of
 * organisms, estimate + c D and estimate - c D. Each pair has its own random signs D. In
 * populations of three or more the pairs are followed by the estimate itself, which is the result
 * of the method. If the population is even, the last organism is the estimate moved once more by
 * its last move. These two organisms do not influence the method. If fitness ranks one generation only
 * (`relative`), the estimate is the champion too; else the fittest organism is, as the best of all
 * generations is looked for.
 *
 *   1  The slope of each coordinate is the mean over the pairs of
 *      (difference of fitness) / (2 c D).
 *   2  The estimate moves along the slopes. If a slope is as steep as the first slopes were on
 *      average, the move is a = step ((A + 1) / (A + g))^0.602. No coordinate moves by more than
 *      `step`.
 *   3  The next perturbation is c = perturbation / g^0.101, or the gene's own c (param.h) in place of that
 *      start, but at least a little more than half a cell, so that the two of a pair differ in every gene. The
 *      estimate stays at least c away from the bounds.
 *
 * The scale of fitness does not matter: steepness is relative to the first generation with a
 * nonzero slope.
 *
 * Where the two of a pair play each other (`mates`), the difference of their games is the slope itself, in
 * games, and its noise is known. Steps 1 and 2 are then those of the tuners of engine testing (fishtest,
 * OpenBench): the estimate moves towards the winner, by R times half the distance between the two for each
 * game that it won more, where R = rate / sqrt(1 + games / 125) is the gain a / c^2 of their rule. It falls
 * with the games so far and not with a planned number, so that a run can be prolonged. It never comes to
 * rest; so the result, the last organism, is an average of the path that gives its last part most weight
 * (polynomial-decay averaging, Shamir and Zhang 2013, with eta = 3). The perturbation does not shrink:
 * what a game tells of a gene grows with c^2. The estimate may reach the middle of the outer cells, where one
 * of a pair is perturbed less: perturbations are large, and good values are often near a bound. */
#include "methods.h"

#include "box.h"
#include "optimiser.h"

#include <math.h>
#include <stdlib.h>

/* How steps and perturbations shrink (Spall 1998). */
#define ALPHA 0.602
#define GAMMA 0.101

/* How fast the average forgets (Shamir and Zhang 2013, section 3). */
#define ETA 3.0

/* The smallest perturbation, in cells. With half a cell rounding, or the upper bound, could leave both of a
 * pair in one cell. */
#define LEAST_CELLS 0.51

struct estimate {
    struct box box;
    double *point, *slopes, *moved; /* the estimate, its slopes, and its last move */
    double *average;                /* of the path, where the two of a pair play each other */
    double *perturbed, *other;      /* scratch */
    signed char *signs; /* of the current generation: a row of +1 and -1 for each pair */
    double steepness;   /* of the first nonzero slopes; 0 before */
};

static bool create(struct optimiser *o, struct error *err)
{
    struct estimate *e = calloc(1, sizeof *e);
    o->state = e;
    if (e == NULL)
        return error_set(err, "no memory for SPSA");
    if (!box_create(&e->box, o->genome, err))
        return false;
    size_t n = (size_t)e->box.count + 1;
    e->point = calloc(n, sizeof *e->point);
    e->slopes = calloc(n, sizeof *e->slopes);
    e->moved = calloc(n, sizeof *e->moved);
    e->average = calloc(n, sizeof *e->average);
    e->perturbed = calloc(n, sizeof *e->perturbed);
    e->other = calloc(n, sizeof *e->other);
    e->signs = calloc(n * (size_t)o->population, sizeof *e->signs);
    return (e->point != NULL && e->slopes != NULL && e->moved != NULL && e->average != NULL &&
            e->perturbed != NULL && e->other != NULL && e->signs != NULL) ||
           error_set(err, "no memory for SPSA");
}

static void destroy(struct optimiser *o)
{
    struct estimate *e = o->state;
    box_destroy(&e->box);
    free(e->point);
    free(e->slopes);
    free(e->moved);
    free(e->average);
    free(e->perturbed);
    free(e->other);
    free(e->signs);
    free(e);
}

static signed char *signs_of(const struct estimate *e, int pair)
{
    return e->signs + (size_t)pair * (size_t)e->box.count;
}

/* Returns the perturbation of a coordinate in generation g. */
static double perturbation(const struct optimiser *o, const struct estimate *e, int g, int i)
{
    const double own = e->box.sides[i].c, first = own > 0 ? own : o->settings.spsa.perturbation;
    const double c = o->mates ? first : first / pow(g, GAMMA);
    return fmin(0.5, fmax(c, LEAST_CELLS * box_cell(&e->box, i)));
}

/* Returns the fitness of the first organism of a pair minus that of the second. */
static double difference(const struct optimiser *o, int pair)
{
    return (double)o->organisms[2 * pair].fitness - (double)o->organisms[2 * pair + 1].fitness;
}

int mates_pairs(const struct optimiser *o)
{
    return o->population > 2 ? (o->population - 1) / 2 : 1;
}

/* Step 1. */
static void estimate_slopes(const struct optimiser *o, struct estimate *e)
{
    int pairs = mates_pairs(o);
    double steepness = 0, c = o->settings.spsa.perturbation / pow(o->generation, GAMMA);
    for (int i = 0; i < e->box.count; i++) {
        double sum = 0;
        for (int p = 0; p < pairs; p++)
            sum += difference(o, p) * signs_of(e, p)[i];
        e->slopes[i] = sum / pairs / (2 * perturbation(o, e, o->generation, i));
    }
    for (int p = 0; p < pairs; p++)
        steepness += fabs(difference(o, p)) / pairs / (2 * c);
    if (e->steepness <= 0)
        e->steepness = steepness;
}

/* Step 2. */
static void climb(const struct optimiser *o, struct estimate *e)
{
    double first = o->settings.spsa.step, stability = o->settings.spsa.stability;
    double a = first * pow((stability + 1) / (stability + o->generation), ALPHA);
    for (int i = 0; i < e->box.count; i++) {
        double by = e->steepness > 0 ? a * e->slopes[i] / e->steepness : 0;
        e->moved[i] = clamp(by, -first, first);
        e->point[i] += e->moved[i];
    }
}

/* Returns how many games the pairs of a generation play. A game is two half points of fitness, for the two
 * together. */
static double games_of_mates(const struct optimiser *o)
{
    double points = 0;
    for (int i = 0; i < 2 * mates_pairs(o); i++)
        points += (double)o->organisms[i].fitness;
    return points / 2;
}

double mates_pull(const struct optimiser *o, int pair)
{
    const double before = (o->generation - 1) * games_of_mates(o);
    return mates_rate(&o->settings, before) * difference(o, pair) / 4;
}

void mates_average(const struct optimiser *o, const double *estimate, double *average, int n)
{
    for (int i = 0; i < n; i++)
        average[i] += (estimate[i] - average[i]) * (ETA + 1) / (o->generation + 1 + ETA);
}

/* Steps 1 and 2 where the two of a pair play each other. Genes are rounded to their values, so the distance
 * that was tried is that between the two as they played. Twice the difference of games won is the difference
 * of fitness. */
static void follow_winners(const struct optimiser *o, struct estimate *e)
{
    for (int p = 0; p < mates_pairs(o); p++) {
        const double pull = mates_pull(o, p);
        box_decode(&e->box, o->organisms[2 * p].chromosome, e->perturbed);
        box_decode(&e->box, o->organisms[2 * p + 1].chromosome, e->other);
        for (int i = 0; i < e->box.count; i++)
            e->point[i] += pull * (e->perturbed[i] - e->other[i]);
    }
}

/* Writes the two organisms of a pair. */
static void place_pair(struct optimiser *o, struct estimate *e, int pair)
{
    const signed char *signs = signs_of(e, pair);
    for (int k = 0; k < 2; k++) {
        int side = k == 0 ? 1 : -1;
        for (int i = 0; i < e->box.count; i++)
            e->perturbed[i] =
                e->point[i] + side * signs[i] * perturbation(o, e, o->generation + 1, i);
        box_encode(&e->box, e->perturbed, o->organisms[2 * pair + k].chromosome);
    }
}

/* Writes the organisms after the pairs. */
static void place_estimate(struct optimiser *o, struct estimate *e)
{
    if (o->mates) {
        mates_average(o, e->point, e->average, e->box.count);
        box_encode(&e->box, e->average, o->organisms[o->population - 1].chromosome);
        return;
    }
    for (int k = 2 * mates_pairs(o), times = 0; k < o->population; k++, times++) {
        for (int i = 0; i < e->box.count; i++)
            e->perturbed[i] = e->point[i] + times * e->moved[i];
        box_encode(&e->box, e->perturbed, o->organisms[k].chromosome);
    }
}

/* Step 3. */
static void perturb(struct optimiser *o, struct estimate *e)
{
    for (int i = 0; i < e->box.count; i++) {
        const double away =
            o->mates ? box_cell(&e->box, i) / 2 : perturbation(o, e, o->generation + 1, i);
        e->point[i] = clamp(e->point[i], away, 1 - away);
    }
    for (int p = 0; p < mates_pairs(o); p++) {
        struct stream s;
        stream_init(&s, o->seed, STREAM_PROPOSAL, (uint64_t)o->generation + 1, (uint64_t)p);
        for (int i = 0; i < e->box.count; i++)
            signs_of(e, p)[i] = stream_below(&s, 2) == 0 ? -1 : 1;
        place_pair(o, e, p);
    }
    place_estimate(o, e);
}

static void step(struct optimiser *o)
{
    struct estimate *e = o->state;
    if (o->generation == 0) {
        int best = population_best(o->organisms, o->population);
        box_decode(&e->box, o->organisms[best].chromosome, e->point);
    } else if (o->mates) {
        follow_winners(o, e);
    } else {
        estimate_slopes(o, e);
        climb(o, e);
    }
    perturb(o, e);
}

/* Returns the estimate, if fitness ranks one generation only: the fittest is then the organism of the most
 * luck, usually one that is perturbed in every gene. Generation 0, and a single pair, have no estimate. */
static int champion(const struct optimiser *o, int best)
{
    const bool measured = o->generation > 0 && o->population > 2;
    return o->relative && measured ? 2 * mates_pairs(o) : best;
}

const struct optimiser_method spsa_method = {.name = "spsa",
                                             .fewest = 2,
                                             .mates = true,
                                             .create = create,
                                             .step = step,
                                             .champion = champion,
                                             .destroy = destroy};
