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
 * A gene with few values, as a switch, hardly ever leaves the value of the mean by such a step. With `margin` each
 * gene has another value in at least this share of the organisms (Hamano, Saito, Nomura, Shirakawa 2022, "CMA-ES
 * with margin", section 4; here for a Gaussian without covariances). What a switch of the seeds leaves without
 * effect begins in the middle of its range; with `open`, so does a number off as at first: logarithms end at 0.
 *
 * The step length is constant, because shorter steps would disappear in the noise. Factors are normal in the
 * logarithm of a gene's distance from its minimum, plus one. A gene with values of both signs has no such logarithm:
 * its own steps are added, in halves of its range, and common factors multiply its value. */
#include "methods.h"

#include "operators.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

struct strategy {
    int half;              /* organisms in the better half, and in the worse half */
    double *weights;       /* by distance from either end of the ranking; they sum to 1/2 */
    double *mean, *spread; /* by coordinate */
    double *average;       /* of the path of the mean, where mates play each other */
    double *own;           /* the spreads of a generation: with a margin, no less than it takes */
    double *points;        /* the organisms as numbers, a row each */
    struct scale *scales;  /* by coordinate */
    int32_t *values;       /* by gene */
    struct rank *ranking;
};

/* How a coordinate is written as a number. */
struct scale {
    const struct param *gene;
    int first;   /* the first coordinate that has the same common factor */
    bool both;   /* values of both signs: */
    double zero; /* the place of 0, in cells */
    double half; /* half of the range, in cells */
};

static bool check(const struct optimiser_settings *s, struct error *err)
{
    const struct evolution_strategy_settings *own = &s->evolution_strategy;
    return own->sigma > 0 || own->common > 0 ||
           error_set(err, "sigma and common are both 0: no gene would change");
}

/* ---- the state ---- */

static void create(struct optimiser *o)
{
    struct strategy *t = o->state;
    const size_t n = (size_t)o->box.count, population = (size_t)o->population;
    t->half = o->population / 2;
    t->weights = optimiser_array(o, population / 2, sizeof *t->weights);
    t->mean = optimiser_array(o, n, sizeof *t->mean);
    t->spread = optimiser_array(o, n, sizeof *t->spread);
    t->average = optimiser_array(o, n, sizeof *t->average);
    t->own = optimiser_array(o, n, sizeof *t->own);
    t->points = optimiser_array(o, population * n, sizeof *t->points);
    t->scales = optimiser_array(o, n, sizeof *t->scales);
    t->values = optimiser_array(o, (size_t)o->genome->count, sizeof *t->values);
    t->ranking = optimiser_array(o, population, sizeof *t->ranking);
}

/* True if two genes share a common factor: with `groups` those of a group, else as in step 2. */
static bool share_factor(const struct optimiser *o, const struct param *a, const struct param *b)
{
    const bool same_group = param_same_group(a, b);
    if (o->settings.evolution_strategy.groups)
        return same_group;
    return param_steps(a) == param_steps(b) &&
           (!o->genome->mixed || a == b || (same_group && a->group != NULL && a->group[0] != '\0'));
}

/* Describes the coordinates: those that share a common factor, and where 0 is. */
static void find_scales(struct strategy *t, const struct optimiser *o)
{
    struct scale *s = t->scales;
    const struct param *end = o->genome->genes + o->genome->count;
    for (const struct param *gene = o->genome->genes; gene < end; gene++) {
        if (gene->bits == 0)
            continue;
        s->gene = gene;
        while (!share_factor(o, t->scales[s->first].gene, gene))
            s->first++;
        s->both = gene->min < 0 && gene->max > 0;
        s->zero = -(double)gene->min / param_step(gene);
        s->half = (param_steps(gene) + 1.0) / 2;
        s++;
    }
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

static double *row(const struct optimiser *o, int index)
{
    const struct strategy *t = o->state;
    return box_row(&o->box, t->points, index);
}

/* Writes the numbers of an organism's genes to its row, which it returns. */
static double *take_numbers(const struct optimiser *o, int index)
{
    const struct strategy *t = o->state;
    double *numbers = row(o, index);
    box_decode(&o->box, o->organisms[index].chromosome, numbers);
    for (int i = 0; i < o->box.count; i++)
        numbers[i] = number_of(&t->scales[i], numbers[i] * o->box.sides[i].cells - 0.5);
    return numbers;
}

static void point_of(const struct optimiser *o, const double *numbers, double *point)
{
    const struct strategy *t = o->state;
    for (int i = 0; i < o->box.count; i++)
        point[i] = (cell_of(&t->scales[i], numbers[i]) + 0.5) / o->box.sides[i].cells;
}

/* The number of a coordinate, moved into its range. */
static double in_range(const struct optimiser *o, int i, double number)
{
    const struct strategy *t = o->state;
    const struct scale *s = &t->scales[i];
    return clamp(number, number_of(s, 0), number_of(s, o->box.sides[i].cells - 1));
}

/* ---- 1: the initial mean ---- */

/* Adds to the mean that of the better half of the first `count` organisms. */
static void begin_between(const struct optimiser *o, struct strategy *t, int count)
{
    const int better = (count + 1) / 2;
    for (int place = 0, taken = 0; taken < better; place++) {
        const int index = t->ranking[place].index;
        if (index >= count)
            continue;
        taken++;
        for (int i = 0; i < o->box.count; i++)
            t->mean[i] += row(o, index)[i] / better;
    }
}

/* Returns the variance of a coordinate in the first `count` organisms, 2 or more. */
static double variance(const struct optimiser *o, int count, int i)
{
    double mean = 0, sum = 0;
    for (int k = 0; k < count; k++)
        mean += row(o, k)[i] / count;
    for (int k = 0; k < count; k++)
        sum += pow(row(o, k)[i] - mean, 2);
    return sum / (count - 1);
}

/* Sets the spreads to `sigma`. If there are several seeds, spreads are proportional to the standard
 * deviations of the seeds, and their quadratic mean is `sigma`. None is less than half of `sigma`,
 * because seeds also agree where a bound limits them. */
static void set_spreads(const struct optimiser *o, struct strategy *t)
{
    double mean = 0;
    for (int i = 0; i < o->box.count && o->seed_count > 1; i++)
        mean += variance(o, o->seed_count, i) / o->box.count;
    for (int i = 0; i < o->box.count; i++) {
        double share = mean > 0 ? variance(o, o->seed_count, i) / mean : 1;
        t->spread[i] = o->settings.evolution_strategy.sigma * sqrt(fmax(0.25, share));
    }
}

/* Moves what has no effect in the mean, or is to be opened, to the middle of its range, by organism 0, drawn next. */
static void open_closed(struct optimiser *o, struct strategy *t)
{
    const struct param_table genes = {.params = o->genome->genes, .count = o->genome->count};
    point_of(o, t->mean, o->point);
    box_encode(&o->box, o->point, o->organisms[0].chromosome);
    genome_decode(o->genome, o->organisms[0].chromosome, t->values);
    for (int i = 0; i < o->box.count; i++) {
        const struct param *gene = t->scales[i].gene;
        const int32_t at = (int)(gene - o->genome->genes), value = t->values[at];
        const bool off = gene->bits > 1 && value == gene->min && value == gene->initial;
        if ((off && o->settings.evolution_strategy.open) || inactive_by(&genes, t->values, at) >= 0)
            t->mean[i] = number_of(&t->scales[i], (o->box.sides[i].cells - 1) / 2);
    }
}

static void begin(struct optimiser *o, struct strategy *t)
{
    const int seeds = o->seed_count > 0 ? o->seed_count : o->population;
    recombination_weights(t->weights, t->half, o->population);
    for (int k = 0; k < t->half; k++) /* each half of the organisms has half of the total */
        t->weights[k] /= 2;
    find_scales(t, o);
    for (int i = 0; i < o->population; i++)
        take_numbers(o, i);
    begin_between(o, t, o->mates ? 1 : seeds);
    set_spreads(o, t);
    if (o->settings.evolution_strategy.margin > 0 || o->settings.evolution_strategy.open)
        open_closed(o, t);
}

/* ---- 2: a generation ---- */

/* Returns the distance from the mean to the nearest number of another value of the gene. */
static double way_out(const struct optimiser *o, int i)
{
    const struct strategy *t = o->state;
    const struct scale *s = &t->scales[i];
    double last = o->box.sides[i].cells - 1, cell = clamp(round(cell_of(s, t->mean[i])), 0, last);
    double below = t->mean[i] - number_of(s, cell - 0.5),
           above = number_of(s, cell + 0.5) - t->mean[i];
    return fmax(0, cell == 0 ? above : cell == last ? below : fmin(below, above));
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

/* Draws an organism. The mates of a pair have the random numbers of the first. */
static void place(struct optimiser *o, int index, double *point)
{
    struct stream s;
    const struct strategy *t = o->state;
    const bool groups = o->settings.evolution_strategy.groups;
    const int drawn = o->mates ? index / 2 * 2 : index, side = index == drawn ? 1 : -1;
    const double *result = o->mates ? t->average : t->mean;
    const bool is_result = index == (o->mates ? o->population - 1 : 0);
    double *numbers = row(o, index), all = groups ? common_of(o, 0, drawn) : 0;
    proposal_stream(o, &s, drawn);
    for (int i = 0; i < o->box.count; i++) {
        double own = side * t->own[i] * gsl_ran_ugaussian(&s.rng);
        double common = side * (all + common_of(o, t->scales[i].first + groups, drawn));
        double changed =
            t->scales[i].both ? t->mean[i] * exp(common) + own : t->mean[i] + own + common;
        numbers[i] = in_range(o, i, is_result ? result[i] : changed);
    }
    point_of(o, numbers, point);
}

/* ---- 3: the move of the mean ---- */

static void move_mean(const struct optimiser *o, struct strategy *t)
{
    for (int k = 0; k < t->half; k++) {
        const double *better = row(o, t->ranking[k].index);
        const double *worse = row(o, t->ranking[o->population - 1 - k].index);
        for (int i = 0; i < o->box.count; i++)
            t->mean[i] += t->weights[k] * (better[i] - worse[i]);
    }
    for (int i = 0; i < o->box.count; i++)
        t->mean[i] = in_range(o, i, t->mean[i]);
}

/* The same where the two of a pair play each other: with the distance between them as they played. */
static void follow_winners(const struct optimiser *o, struct strategy *t)
{
    for (int p = 0; p < mates_pairs(o); p++) {
        const double pull = mates_pull(o, p);
        const double *first = take_numbers(o, 2 * p), *second = take_numbers(o, 2 * p + 1);
        for (int i = 0; i < o->box.count; i++)
            t->mean[i] = in_range(o, i, t->mean[i] + pull * (first[i] - second[i]));
    }
}

static void learn(struct optimiser *o)
{
    struct strategy *t = o->state;
    const double margin = o->settings.evolution_strategy.margin;
    ranking_sort(t->ranking, o->organisms, o->population);
    if (o->generation == 0)
        begin(o, t);
    else
        (o->mates ? follow_winners : move_mean)(o, t);
    mates_average(o, t->mean, t->average);
    for (int i = 0; i < o->box.count; i++) {
        t->own[i] = t->spread[i];
        if (margin > 0)
            t->own[i] = fmax(t->own[i], way_out(o, i) / gsl_cdf_ugaussian_Qinv(margin));
    }
}

/* Returns the mean. Generation 0 has none yet: there it is the best of the seeds, from which the first mean is
 * made, or the best organism of all if there are no seeds. A random one may win a few games by chance. */
static int champion(const struct optimiser *o, int best)
{
    if (o->generation > 0)
        return o->mates ? o->population - 1 : 0;
    if (o->seed_count == 0)
        return best;
    return population_best(o->organisms, o->seed_count);
}

const struct optimiser_method evolution_strategy_method = {.name = "evolution-strategy",
                                                           .converges = true,
                                                           .mates = true,
                                                           .draws_parents = true,
                                                           .state = sizeof(struct strategy),
                                                           .check = check,
                                                           .create = create,
                                                           .learn = learn,
                                                           .place = place,
                                                           .champion = champion};
