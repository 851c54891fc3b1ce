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
 *      number of values are taken for weights in the same unit. They also share a common factor, so a
 *      set of weights that is wrong only in scale can change as a whole. Of options of another engine
 *      (`mixed`) only those are taken so that share a group besides. With `groups`, the genes of a
 *      group of terms (param.h) share it instead, and all genes share another one: games tell twenty
 *      scales apart sooner than hundreds of weights.
 *   3. The mean moves toward the better half and away from the worse half. The best and the worst
 *      have the largest weights. Both halves are equally informative, so the step has half the
 *      variance of one from the better half alone.
 *
 * Where the two of a pair play each other (`mates`), organisms 2k and 2k + 1 are mirrored: all steps of the
 * second are those of the first backwards. The mean then follows the winners of pairs, and the result, the last
 * organism, is an average of its path, both as in spsa.c. It begins at organism 0.
 *
 * A gene with few values, as a switch, hardly ever leaves the value of the mean by such a step. With
 * `margin` each gene has another value in at least this share of the organisms (Hamano, Saito, Nomura,
 * Shirakawa 2022, "CMA-ES with margin", section 4; here for a Gaussian without covariances). What a
 * switch of the seeds leaves without effect has no value to begin with: it begins in the middle of its
 * range.
 *
 * The step length is constant, because shorter steps would disappear in the noise. Factors are
 * normal in the logarithm of a gene's distance from its minimum, plus one. A gene with values of both
 * signs has no such logarithm: its own steps are added, in halves of its range, and common factors
 * multiply its value. */
#include "methods.h"

#include "box.h"
#include "operators.h"
#include "optimiser.h"
#include "param.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

struct strategy {
    struct box box;
    int half;              /* organisms in the better half, and in the worse half */
    double *weights;       /* by distance from either end of the ranking; they sum to 1/2 */
    double *mean, *spread; /* by coordinate */
    double *average;       /* of the path of the mean, where mates play each other */
    double *own;           /* the spreads of a generation: with a margin, no less than it takes */
    double *points;        /* the organisms, a row each */
    double *scratch;       /* a vector */
    double *memory;        /* the block that holds all of these */
    struct scale *scales;  /* by coordinate */
    int32_t *values;       /* by gene */
    struct rank *ranking;
};

/* How a coordinate is written as a number. */
struct scale {
    const struct param *gene;
    int index;   /* of the gene in the genome */
    int first;   /* the first coordinate that has the same common factor */
    bool both;   /* values of both signs: */
    double zero; /* the place of 0, in cells */
    double half; /* half of the range, in cells */
};

/* ---- settings ---- */

static bool check(const struct optimiser_settings *s, struct error *err)
{
    const struct evolution_strategy_settings *own = &s->evolution_strategy;
    return own->sigma > 0 || own->common > 0 ||
           error_set(err, "sigma and common are both 0: no gene would change");
}

/* ---- life cycle ---- */

/* Sets the weights. Each half of the organisms has half of the total weight. */
static void set_weights(struct strategy *t, int population)
{
    recombination_weights(t->weights, t->half, population);
    for (int k = 0; k < t->half; k++)
        t->weights[k] /= 2;
}

/* True if two genes are known to have the same unit, if they have as many values. */
static bool same_unit(const struct param *a, const struct param *b, bool mixed)
{
    return !mixed || a == b || (a->group != NULL && a->group[0] != '\0' && param_same_group(a, b));
}

/* True if two genes share a common factor. */
static bool share_factor(const struct optimiser *o, const struct param *a, const struct param *b)
{
    return o->settings.evolution_strategy.groups
               ? param_same_group(a, b)
               : param_steps(a) == param_steps(b) && same_unit(a, b, o->genome->mixed);
}

/* Describes the coordinates: those that share a common factor, and where 0 is. */
static void find_scales(struct strategy *t, const struct optimiser *o)
{
    struct scale *s = t->scales;
    for (int i = 0; i < o->genome->count; i++) {
        const struct param *gene = &o->genome->genes[i];
        if (gene->bits == 0)
            continue;
        s->gene = gene;
        s->index = i;
        while (!share_factor(o, t->scales[s->first].gene, gene))
            s->first++;
        s->both = gene->min < 0 && gene->max > 0;
        s->zero = -(double)gene->min / param_step(gene);
        s->half = (param_steps(gene) + 1.0) / 2;
        s++;
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
    t->memory = calloc((size_t)t->half + (population + 5) * n, sizeof *t->memory);
    t->scales = calloc(n + 1, sizeof *t->scales);
    t->values = calloc((size_t)o->genome->count, sizeof *t->values);
    if (t->ranking == NULL || t->memory == NULL || t->scales == NULL || t->values == NULL)
        return error_set(err, "no memory for an evolution strategy of %d genes", t->box.count);
    t->weights = t->memory;
    t->mean = t->weights + t->half;
    t->spread = t->mean + n;
    t->average = t->spread + n;
    t->own = t->average + n;
    t->scratch = t->own + n;
    t->points = t->scratch + n;
    set_weights(t, o->population);
    find_scales(t, o);
    return true;
}

static void destroy(struct optimiser *o)
{
    struct strategy *t = o->state;
    box_destroy(&t->box);
    free(t->memory);
    free(t->scales);
    free(t->values);
    free(t->ranking);
    free(t);
}

/* ---- numbers ---- */

/* The number of a place among a coordinate's cells, which have their centres at 0, 1, 2, ..., and back. */
static double number_of(const struct scale *s, double cell)
{
    return s->both ? (cell - s->zero) / s->half : log(cell + 1);
}

static double cell_of(const struct scale *s, double number)
{
    return s->both ? number * s->half + s->zero : exp(number) - 1;
}

/* Writes the numbers of an organism's genes. */
static void take_numbers(struct strategy *t, const struct organism *organism, double *point)
{
    box_decode(&t->box, organism->chromosome, point);
    for (int i = 0; i < t->box.count; i++)
        point[i] = number_of(&t->scales[i], point[i] * t->box.sides[i].cells - 0.5);
}

/* Writes the organism of a point. */
static void write_organism(struct strategy *t, const double *point, struct organism *organism)
{
    for (int i = 0; i < t->box.count; i++)
        t->scratch[i] = (cell_of(&t->scales[i], point[i]) + 0.5) / t->box.sides[i].cells;
    box_encode(&t->box, t->scratch, organism->chromosome);
}

/* The number of a coordinate, moved into its range. */
static double in_range(const struct strategy *t, int i, double number)
{
    const struct scale *s = &t->scales[i];
    double last = t->box.sides[i].cells - 1;
    return s->both ? clamp(number, -s->zero / s->half, (last - s->zero) / s->half)
                   : clamp(number, 0, log(last + 1));
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

/* Moves genes that have no effect in the mean to the middle of their ranges. Overwrites organism 0,
 * which is drawn next. */
static void open_inactive(struct optimiser *o, struct strategy *t)
{
    const struct param_table genes = {.params = o->genome->genes, .count = o->genome->count};
    write_organism(t, t->mean, &o->organisms[0]);
    genome_decode(o->genome, o->organisms[0].chromosome, t->values);
    for (int i = 0; i < t->box.count; i++)
        if (inactive_by(&genes, t->values, t->scales[i].index) >= 0)
            t->mean[i] = number_of(&t->scales[i], (t->box.sides[i].cells - 1) / 2);
}

static void begin(struct optimiser *o, struct strategy *t)
{
    const int seeds = o->seed_count > 0 ? o->seed_count : o->population;
    for (int i = 0; i < o->population; i++)
        take_numbers(t, &o->organisms[i], box_row(&t->box, t->points, i));
    begin_between(t, o->population, o->mates ? 1 : seeds);
    set_spreads(o, t);
    if (o->settings.evolution_strategy.margin > 0)
        open_inactive(o, t);
}

/* ---- 2: a generation ---- */

/* Returns the distance from the mean to the nearest number of another value of the gene. */
static double way_out(const struct strategy *t, int i)
{
    const struct scale *s = &t->scales[i];
    double last = t->box.sides[i].cells - 1;
    double cell = clamp(round(cell_of(s, t->mean[i])), 0, last);
    double below = t->mean[i] - number_of(s, cell - 0.5),
           above = number_of(s, cell + 0.5) - t->mean[i];
    return fmax(0, cell == 0 ? above : cell == last ? below : fmin(below, above));
}

/* Sets the standard deviations of the genes' own steps. */
static void set_own(const struct optimiser *o, struct strategy *t)
{
    const double margin = o->settings.evolution_strategy.margin;
    for (int i = 0; i < t->box.count; i++) {
        t->own[i] = t->spread[i];
        if (margin > 0)
            t->own[i] = fmax(t->own[i], way_out(t, i) / gsl_cdf_ugaussian_Qinv(margin));
    }
}

/* Returns the logarithm of a common factor of organism `index`. Its stream is named after `place`: that
 * of all genes has place 0, the others that of their first coordinate and 1. */
static double common_of(const struct optimiser *o, int place, int index)
{
    struct stream s;
    stream_init(&s, o->seed, STREAM_PROPOSAL, (uint64_t)o->generation + 1,
                (uint64_t)(o->population * (place + 1) + index));
    return o->settings.evolution_strategy.common * gsl_ran_ugaussian(&s.rng);
}

/* Returns the mean's number of a coordinate after a gene's own step and the common factor. */
static double changed(const struct strategy *t, int i, double own, double common)
{
    return t->scales[i].both ? t->mean[i] * exp(common) + own : t->mean[i] + own + common;
}

/* The organism that represents a generation. */
static int place_of_mean(const struct optimiser *o)
{
    return o->mates ? o->population - 1 : 0;
}

/* Draws an organism. The mates of a pair have the random numbers of the first. */
static void sample(struct optimiser *o, struct strategy *t, int index)
{
    struct stream s;
    const bool groups = o->settings.evolution_strategy.groups;
    const int drawn = o->mates ? index / 2 * 2 : index, side = index == drawn ? 1 : -1;
    const int represents = place_of_mean(o);
    const double *mean = o->mates ? t->average : t->mean;
    double *point = box_row(&t->box, t->points, index);
    double all = groups ? common_of(o, 0, drawn) : 0;
    stream_init(&s, o->seed, STREAM_PROPOSAL, (uint64_t)o->generation + 1, (uint64_t)drawn);
    for (int i = 0; i < t->box.count; i++) {
        double own = side * t->own[i] * gsl_ran_ugaussian(&s.rng);
        double common = side * (all + common_of(o, t->scales[i].first + groups, drawn));
        point[i] = in_range(t, i, index == represents ? mean[i] : changed(t, i, own, common));
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
        t->mean[i] = in_range(t, i, t->mean[i]);
}

/* The same where the two of a pair play each other: with the distance between them as they played. */
static void follow_winners(const struct optimiser *o, struct strategy *t)
{
    for (int p = 0; p < mates_pairs(o); p++) {
        const double pull = mates_pull(o, p);
        double *first = box_row(&t->box, t->points, 2 * p), *second = first + t->box.count;
        take_numbers(t, &o->organisms[2 * p], first);
        take_numbers(t, &o->organisms[2 * p + 1], second);
        for (int i = 0; i < t->box.count; i++)
            t->mean[i] = in_range(t, i, t->mean[i] + pull * (first[i] - second[i]));
    }
}

static void step(struct optimiser *o)
{
    struct strategy *t = o->state;
    ranking_sort(t->ranking, o->organisms, o->population);
    if (o->generation == 0)
        begin(o, t);
    else if (o->mates)
        follow_winners(o, t);
    else
        move_mean(o, t);
    mates_average(o, t->mean, t->average, t->box.count);
    set_own(o, t);
    for (int i = 0; i < o->population; i++)
        sample(o, t, i);
}

/* Returns the mean. Generation 0 has none yet: there it is the best of the seeds, from which the first mean is
 * made, or the best organism of all if there are no seeds. A random one may win a few games by chance. */
static int champion(const struct optimiser *o, int best)
{
    if (o->generation > 0)
        return place_of_mean(o);
    if (o->seed_count == 0)
        return best;
    return population_best(o->organisms, o->seed_count);
}

const struct optimiser_method evolution_strategy_method = {.name = "evolution-strategy",
                                                           .fewest = 2,
                                                           .converges = true,
                                                           .mates = true,
                                                           .draws_parents = true,
                                                           .check = check,
                                                           .create = create,
                                                           .step = step,
                                                           .champion = champion,
                                                           .destroy = destroy};
