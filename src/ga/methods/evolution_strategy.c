/* Evolution strategy for noisy fitness, (mu/mu_w, lambda), with multiplicative steps (Rechenberg
 * 1973) and weights of both signs (Arnold 2006, "Weighted multirecombination evolution
 * strategies").
 *
 * Fitness from games is noisy, and the fittest organism is often only the luckiest. The strategy
 * therefore puts all results of a generation into one point, the mean, in which errors cancel out.
 * The mean is organism 0 of each generation, and its champion.
 *
 *   1. Generation 0 gives the initial mean: that of the better half of its seeds, or of all
 *      organisms if there are no seeds. If there are several seeds, their variance sets the spread
 *      of each gene.
 *   2. An organism is the mean with each gene multiplied by a random factor. Genes with the same
 *      range are weights in the same unit. They also share a common factor, so a set of weights
 *      that is wrong only in scale can change as a whole.
 *   3. The mean moves toward the better half and away from the worse half. The best and the worst
 *      have the largest weights. Both halves are equally informative, so the step has half the
 *      variance of one from the better half alone.
 *
 * The step length is constant, because shorter steps would disappear in the noise. Factors are
 * normal in the logarithm of a gene's distance from its minimum, plus one. */
#include "methods.h"

#include "box.h"
#include "operators.h"
#include "optimiser.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

struct strategy {
    struct box box;
    int half;              /* organisms in the better half, and in the worse half */
    double *weights;       /* by distance from either end of the ranking; they sum to 1/2 */
    double *mean, *spread; /* by coordinate, in logarithms */
    double *points;        /* the organisms, a row each, in logarithms */
    double *scratch;       /* a vector */
    double *memory;        /* the block that holds all of these */
    int *first;            /* by coordinate: the first one with the same range */
    struct rank *ranking;
};

/* ---- settings ---- */

/* Standard deviations of the logarithms: that of a gene's own factor is 0.001 to 1, that of the
 * common factor 0 to 1. */
static void set_defaults(struct optimiser_settings *s)
{
    s->evolution_strategy = (struct evolution_strategy_settings){.sigma = 0.3, .common = 0.2};
}

static bool check(const struct optimiser_settings *s, struct error *err)
{
    return settings_real("sigma", s->evolution_strategy.sigma, 0.001, 1, err) &&
           settings_real("common", s->evolution_strategy.common, 0, 1, err);
}

/* ---- life cycle ---- */

/* Sets the weights. Each half of the organisms has half of the total weight. */
static void set_weights(struct strategy *t, int population)
{
    recombination_weights(t->weights, t->half, population);
    for (int k = 0; k < t->half; k++)
        t->weights[k] /= 2;
}

/* Finds the first coordinate with the same range as each. */
static void find_ranges(struct strategy *t)
{
    for (int i = 0; i < t->box.count; i++) {
        t->first[i] = 0;
        while (t->box.sides[t->first[i]].cells != t->box.sides[i].cells)
            t->first[i]++;
    }
}

static bool create(struct optimiser *o, struct error *err)
{
    struct strategy *t = calloc(1, sizeof *t);
    o->state = t;
    if (t == NULL)
        return error_set(err, "no memory for an evolution strategy");
    if (!box_create(&t->box, o->genome, err))
        return false;
    size_t n = (size_t)t->box.count, population = (size_t)o->population;
    t->half = o->population / 2;
    t->ranking = calloc(population, sizeof *t->ranking);
    t->memory = calloc((size_t)t->half + (population + 3) * n, sizeof *t->memory);
    t->first = calloc(n + 1, sizeof *t->first);
    if (t->ranking == NULL || t->memory == NULL || t->first == NULL)
        return error_set(err, "no memory for an evolution strategy of %d genes", t->box.count);
    t->weights = t->memory;
    t->mean = t->weights + t->half;
    t->spread = t->mean + n;
    t->scratch = t->spread + n;
    t->points = t->scratch + n;
    set_weights(t, o->population);
    find_ranges(t);
    return true;
}

static void destroy(struct optimiser *o)
{
    struct strategy *t = o->state;
    box_destroy(&t->box);
    free(t->memory);
    free(t->first);
    free(t->ranking);
    free(t);
}

/* ---- logarithms ---- */

/* Writes the logarithms of an organism's genes. */
static void take_logarithms(struct strategy *t, const struct organism *organism, double *point)
{
    box_decode(&t->box, organism->chromosome, point);
    for (int i = 0; i < t->box.count; i++)
        point[i] = log(point[i] * t->box.sides[i].cells + 0.5);
}

/* Writes the organism of a point. */
static void write_organism(struct strategy *t, const double *point, struct organism *organism)
{
    for (int i = 0; i < t->box.count; i++)
        t->scratch[i] = (exp(point[i]) - 0.5) / t->box.sides[i].cells;
    box_encode(&t->box, t->scratch, organism->chromosome);
}

/* ---- 1: the initial mean ---- */

/* Sets the mean to that of the better half of the first `count` organisms. */
static void begin_between(struct strategy *t, int population, int count)
{
    int better = (count + 1) / 2, taken = 0;
    for (int place = 0; place < population && taken < better; place++) {
        int index = t->ranking[place].index;
        if (index >= count)
            continue;
        taken++;
        for (int i = 0; i < t->box.count; i++)
            t->mean[i] += box_row(&t->box, t->points, index)[i] / better;
    }
}

/* Returns the variance of a coordinate in the first `count` organisms, 2 or more. */
static double variance(const struct strategy *t, int count, int i)
{
    double mean = 0, sum = 0;
    for (int k = 0; k < count; k++)
        mean += box_row(&t->box, t->points, k)[i] / count;
    for (int k = 0; k < count; k++)
        sum += pow(box_row(&t->box, t->points, k)[i] - mean, 2);
    return sum / (count - 1);
}

/* Sets the spreads to `sigma`. If there are several seeds, spreads are proportional to the standard
 * deviations of the seeds, and their quadratic mean is `sigma`. None is less than half of `sigma`,
 * because seeds also agree where a bound limits them. */
static void set_spreads(const struct optimiser *o, struct strategy *t)
{
    double mean = 0;
    for (int i = 0; i < t->box.count && o->seed_count > 1; i++)
        mean += variance(t, o->seed_count, i) / t->box.count;
    for (int i = 0; i < t->box.count; i++) {
        double share = mean > 0 ? variance(t, o->seed_count, i) / mean : 1;
        t->spread[i] = o->settings.evolution_strategy.sigma * sqrt(fmax(0.25, share));
    }
}

static void begin(const struct optimiser *o, struct strategy *t)
{
    for (int i = 0; i < o->population; i++)
        take_logarithms(t, &o->organisms[i], box_row(&t->box, t->points, i));
    begin_between(t, o->population, o->seed_count > 0 ? o->seed_count : o->population);
    set_spreads(o, t);
}

/* ---- 2: a generation ---- */

/* Returns the logarithm of the common factor of the coordinates with the range of coordinate `i`.
 * Its stream is named after the first of them. */
static double common_of(const struct optimiser *o, const struct strategy *t, int i, int index)
{
    struct stream s;
    stream_init(&s, o->seed, STREAM_PROPOSAL, (uint64_t)o->generation + 1,
                (uint64_t)(o->population * (t->first[i] + 1) + index));
    return o->settings.evolution_strategy.common * gsl_ran_ugaussian(&s.rng);
}

static void sample(struct optimiser *o, struct strategy *t, int index)
{
    struct stream s;
    double *point = box_row(&t->box, t->points, index);
    stream_init(&s, o->seed, STREAM_PROPOSAL, (uint64_t)o->generation + 1, (uint64_t)index);
    for (int i = 0; i < t->box.count; i++) {
        double way = t->spread[i] * gsl_ran_ugaussian(&s.rng) + common_of(o, t, i, index);
        double most = log(t->box.sides[i].cells);
        point[i] = clamp(index == 0 ? t->mean[i] : t->mean[i] + way, 0, most);
    }
    write_organism(t, point, &o->organisms[index]);
}

/* ---- 3: the move of the mean ---- */

static void move_mean(const struct optimiser *o, struct strategy *t)
{
    for (int k = 0; k < t->half; k++) {
        const double *better = box_row(&t->box, t->points, t->ranking[k].index);
        const double *worse = box_row(&t->box, t->points, t->ranking[o->population - 1 - k].index);
        for (int i = 0; i < t->box.count; i++)
            t->mean[i] += t->weights[k] * (better[i] - worse[i]);
    }
    for (int i = 0; i < t->box.count; i++)
        t->mean[i] = clamp(t->mean[i], 0, log(t->box.sides[i].cells));
}

static void step(struct optimiser *o)
{
    struct strategy *t = o->state;
    ranking_sort(t->ranking, o->organisms, o->population);
    if (o->generation == 0)
        begin(o, t);
    else
        move_mean(o, t);
    for (int i = 0; i < o->population; i++)
        sample(o, t, i);
}

/* Returns the mean, or the best organism of generation 0, which has no mean yet. */
static int champion(const struct optimiser *o, int best)
{
    return o->generation > 0 ? 0 : best;
}

const struct optimiser_method evolution_strategy_method = {.name = "evolution-strategy",
                                                           .fewest = 2,
                                                           .converges = true,
                                                           .set_defaults = set_defaults,
                                                           .check = check,
                                                           .create = create,
                                                           .step = step,
                                                           .champion = champion,
                                                           .destroy = destroy};
