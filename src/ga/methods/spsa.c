/* Simultaneous perturbation stochastic approximation (Spall 1992), with the gains of Spall 1998.
 *
 * The estimate starts at the best organism of generation 0. Generation g > 0 measures pairs of organisms, estimate +
 * c D and estimate - c D. Each pair has its own random signs D. In populations of three or more the pairs are
 * followed by the estimate itself, which is the result of the method. If the population is even, the last organism
 * is the estimate moved once more by its last move. These two organisms do not influence the method. If fitness
 * ranks one generation only (`relative`), the estimate is the champion too; else the fittest organism is, as the
 * best of all generations is looked for.
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
 * The scale of fitness does not matter: steepness is relative to the first generation with a nonzero slope.
 *
 * Where the two of a pair play each other (`mates`), the difference of their games is the slope itself, in
 * games, and its noise is known. Steps 1 and 2 are then those of the tuners of engine testing (fishtest,
 * OpenBench): the estimate moves towards the winner, by R times half the distance between the two for each
 * game that it won more, where R is the gain a / c^2 of their rule. It falls with the games so far (mates_rate)
 * and not with a planned number, so that a run can be prolonged. It never comes to rest; so the result, the
 * last organism, is an average of the path that gives its last part most weight (polynomial-decay averaging,
 * Shamir and Zhang 2013, with eta = 3). The perturbation does not shrink: what a game tells of a gene grows
 * with c^2. The estimate may reach the middle of the outer cells, where one of a pair is perturbed less:
 * perturbations are large, and good values are often near a bound. */
#include "methods.h"

#include <math.h>

/* How steps and perturbations shrink (Spall 1998). */
#define ALPHA 0.602
#define GAMMA 0.101

/* How fast the average forgets (Shamir and Zhang 2013, section 3). */
#define ETA 3.0

/* The smallest perturbation, in cells: less could leave both of a pair in one. */
#define LEAST_CELLS 0.51

struct estimate {
    double *point, *moved; /* the estimate, and its last move */
    double *average;       /* of the path, where the two of a pair play each other */
    double *other;         /* scratch */
    signed char *signs;    /* of the current generation: a row of +1 and -1 for each pair */
    double steepness;      /* of the first nonzero slopes; 0 before */
};

static void create(struct optimiser *o)
{
    struct estimate *e = o->state;
    const size_t n = (size_t)o->box.count;
    e->point = optimiser_array(o, n, sizeof *e->point);
    e->moved = optimiser_array(o, n, sizeof *e->moved);
    e->average = optimiser_array(o, n, sizeof *e->average);
    e->other = optimiser_array(o, n, sizeof *e->other);
    e->signs = optimiser_array(o, n * (size_t)o->population, sizeof *e->signs);
}

static signed char *signs_of(const struct optimiser *o, int pair)
{
    const struct estimate *e = o->state;
    return e->signs + (size_t)pair * (size_t)o->box.count;
}

static double perturbation(const struct optimiser *o, int g, int i)
{
    const double own = o->box.sides[i].c, first = own > 0 ? own : o->settings.spsa.perturbation;
    const double c = o->mates ? first : first / pow(g, GAMMA);
    return fmin(0.5, fmax(c, LEAST_CELLS * box_cell(&o->box, i)));
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

/* Steps 1 and 2. */
static void climb(const struct optimiser *o, struct estimate *e)
{
    const int pairs = mates_pairs(o);
    const double first = o->settings.spsa.step, stability = o->settings.spsa.stability;
    const double a = first * pow((stability + 1) / (stability + o->generation), ALPHA);
    const double c = o->settings.spsa.perturbation / pow(o->generation, GAMMA);
    double steepness = 0;
    for (int p = 0; p < pairs; p++)
        steepness += fabs(difference(o, p)) / pairs / (2 * c);
    if (e->steepness <= 0)
        e->steepness = steepness;
    for (int i = 0; i < o->box.count; i++) {
        double sum = 0;
        for (int p = 0; p < pairs; p++)
            sum += difference(o, p) * signs_of(o, p)[i];
        const double slope = sum / pairs / (2 * perturbation(o, o->generation, i));
        e->moved[i] = e->steepness > 0 ? clamp(a * slope / e->steepness, -first, first) : 0;
        e->point[i] += e->moved[i];
    }
}

double mates_pull(const struct optimiser *o, int pair)
{
    double points = 0; /* of the games of a generation: two each */
    for (int i = 0; i < 2 * mates_pairs(o); i++)
        points += (double)o->organisms[i].fitness;
    const double before = (o->generation - 1) * (points / 2);
    return mates_rate(&o->settings, before) * difference(o, pair) / 4;
}

void mates_average(const struct optimiser *o, const double *estimate, double *average)
{
    for (int i = 0; i < o->box.count; i++)
        average[i] += (estimate[i] - average[i]) * (ETA + 1) / (o->generation + 1 + ETA);
}

/* Steps 1 and 2 where the two of a pair play each other, with the distance between them as they played. */
static void follow_winners(const struct optimiser *o, struct estimate *e)
{
    for (int p = 0; p < mates_pairs(o); p++) {
        const double pull = mates_pull(o, p);
        box_decode(&o->box, o->organisms[2 * p].chromosome, o->point);
        box_decode(&o->box, o->organisms[2 * p + 1].chromosome, e->other);
        for (int i = 0; i < o->box.count; i++)
            e->point[i] += pull * (o->point[i] - e->other[i]);
    }
}

static void learn(struct optimiser *o)
{
    struct estimate *e = o->state;
    const int best = population_best(o->organisms, o->population);
    if (o->generation == 0)
        box_decode(&o->box, o->organisms[best].chromosome, e->point);
    else
        (o->mates ? follow_winners : climb)(o, e);
    for (int i = 0; i < o->box.count; i++) { /* the bounds of step 3 */
        const double away =
            o->mates ? box_cell(&o->box, i) / 2 : perturbation(o, o->generation + 1, i);
        e->point[i] = clamp(e->point[i], away, 1 - away);
    }
    mates_average(o, e->point, e->average);
}

/* Step 3. */
static void place(struct optimiser *o, int index, double *point)
{
    struct estimate *e = o->state;
    struct stream s;
    const int pair = index / 2, beyond = index - 2 * mates_pairs(o);
    signed char *signs = signs_of(o, pair);
    proposal_stream(o, &s, pair);
    for (int i = 0; i < o->box.count; i++) {
        if (beyond < 0 && index % 2 == 0)
            signs[i] = stream_below(&s, 2) == 0 ? -1 : 1;
        if (beyond < 0)
            point[i] = e->point[i] +
                       (index % 2 == 0 ? 1 : -1) * signs[i] * perturbation(o, o->generation + 1, i);
        else
            point[i] = o->mates ? e->average[i] : e->point[i] + beyond * e->moved[i];
    }
}

/* Returns the estimate, if fitness ranks one generation only: the fittest is then the organism of the most
 * luck, usually one that is perturbed in every gene. Generation 0, and a single pair, have no estimate. */
static int champion(const struct optimiser *o, int best)
{
    const bool measured = o->generation > 0 && o->population > 2;
    return o->relative && measured ? 2 * mates_pairs(o) : best;
}

const struct optimiser_method spsa_method = {.name = "spsa",
                                             .mates = true,
                                             .state = sizeof(struct estimate),
                                             .create = create,
                                             .learn = learn,
                                             .place = place,
                                             .champion = champion};
