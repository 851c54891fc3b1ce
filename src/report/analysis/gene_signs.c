#include "convergence.h"

#include "operators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEWEST_GENERATIONS = 2,
    SPARE_LOCI = 512,
    ENOUGH = 200, /* neutral genes, where evolutions with other random seeds provide them */
    RIDES_FEWEST = 40,
    RIDES_MOST = 320,
};

/* The signs, of bits and of genes. */
enum { PUSH = 0, MIDDLE = 0, ADVANTAGE = 1, SIGNS = 2 };

/* The fate of a bit or a gene so far: of each sign its sum over the generations, and the variance of
 * the sum for bits or values dealt out at random. */
struct fate {
    double share; /* of ones, of a bit in the generation added last */
    double sum[SIGNS], variance[SIGNS];
};

/* What is followed are bits, or genes: the loci or the genes of the run's genome and of the carrier. */
struct gene_signs {
    const struct genome *genome; /* borrowed */
    bool by_bits;
    int first_sign;  /* signs before it do not count */
    int generations; /* added so far */
    /* The other evolutions, and the genome of their organisms: from the gene `first` on it is neutral. That
     * of bits has genes of one bit. */
    struct optimiser *shadows;
    int shadow_count, first;
    struct genome carrier;
    struct param *params; /* of the carrier */
    struct fate *fates;   /* all of them: */
    struct fate *own;     /* of the run's bits or genes */
    struct fate *neutral; /* of the carrier's, a row of `row` for each shadow */
    size_t row;
    double *scores;    /* scratch: a population's fitness, standardised */
    double *strengths; /* scratch: of all neutral bits or genes */
    int32_t *values;   /* scratch: a row of bits or genes for each organism */
};

/* ---- the carrier ---- */

/* The loci of the carrier: 1,024 for genomes of up to 512 loci, else 512 more than the genome. */
static int carrier_loci(const struct genome *genome)
{
    return SPARE_LOCI + (genome->length > SPARE_LOCI ? genome->length : SPARE_LOCI);
}

/* Lists the run's own genes, then copies of those that evolve as long as they fit the carrier's loci, but
 * at least RIDES_FEWEST. Returns their number. */
static int list_riders(const struct genome *g, struct param *params)
{
    int count = g->count, fewest = g->count + RIDES_FEWEST, loci = g->length;
    memcpy(params, g->genes, (size_t)g->count * sizeof *params);
    if (g->length == 0)
        return count;
    for (int i = 0; count < g->count + RIDES_MOST; i = (i + 1) % g->count) {
        if (loci + g->genes[i].bits > carrier_loci(g) && count >= fewest)
            break;
        if (g->genes[i].bits > 0)
            params[count++] = g->genes[i];
        loci += g->genes[i].bits;
    }
    return count;
}

/* Decides how many shadows there are, and what they carry: behind the run's own loci or genes where
 * parents are drawn, else genes like the run's. */
static bool describe_carrier(struct gene_signs *s, bool parents, struct error *err)
{
    const struct genome *g = s->genome;
    int evolving = 0;
    for (int i = 0; i < g->count; i++)
        evolving += g->genes[i].bits > 0;
    s->params =
        calloc((size_t)(s->by_bits ? carrier_loci(g) : g->count + RIDES_MOST), sizeof *s->params);
    if (s->params == NULL)
        return error_set(err, "no memory for neutral genes");
    struct param_table table = {"neutral", s->params, carrier_loci(g)};
    for (int i = 0; s->by_bits && i < table.count; i++)
        s->params[i] = (struct param){.name = "", .bits = 1, .max = 1, .sign = 1};
    if (!s->by_bits)
        table.count = list_riders(g, s->params);
    if (!parents)
        table.count = g->count;
    s->first = !parents ? 0 : s->by_bits ? g->length : g->count;
    s->shadow_count = parents || evolving == 0 ? 1 : (ENOUGH + evolving - 1) / evolving;
    return genome_init(&s->carrier, &table, err);
}

/* ---- the shadows ---- */

/* Draws seeds as the initial population draws its random organisms, so that they change nothing where the other
 * organisms are random too. Organisms that descend from few seeds are as closely related as those of the run. */
static bool seed_shadow(struct optimiser *shadow, int count, struct error *err)
{
    const struct genome *g = shadow->genome;
    uint64_t *seeds = malloc(genome_bytes(g, (size_t)count));
    if (seeds == NULL)
        return error_set(err, "no memory for %d neutral seeds", count);
    for (int i = 0; i < count; i++) {
        struct stream s;
        stream_init(&s, shadow->seed, STREAM_INITIAL, 0, (uint64_t)i);
        chromosome_random(genome_row(g, seeds, i), g, &s);
    }
    optimiser_seed(shadow, seeds, count);
    free(seeds);
    return true;
}

/* Creates the shadows, and room for the fates of all bits or genes. With parents there is one shadow, with the run's
 * random seed. */
static bool create_shadows(struct gene_signs *s, const struct optimiser_settings *settings,
                           bool parents, uint64_t seed, int seed_count, struct error *err)
{
    const size_t population = (size_t)settings->population, shadows = (size_t)s->shadow_count;
    const size_t own = (size_t)(s->by_bits ? s->genome->length : s->genome->count);
    s->row = (size_t)s->carrier.count;
    s->shadows = calloc(shadows, sizeof *s->shadows);
    s->fates = calloc(own + shadows * s->row + 1, sizeof *s->fates);
    s->own = s->fates;
    s->neutral = s->fates + own;
    s->scores = calloc(population, sizeof *s->scores);
    s->strengths = calloc(shadows * s->row + 1, sizeof *s->strengths);
    s->values = calloc(population * (s->row + 1), sizeof *s->values);
    if (s->shadows == NULL || s->fates == NULL || s->scores == NULL || s->strengths == NULL ||
        s->values == NULL)
        return error_set(err, "no memory for neutral genes");
    for (int i = 0; i < s->shadow_count; i++)
        if (!optimiser_create(&s->shadows[i], &s->carrier, settings,
                              parents ? seed : seed + 1 + (uint64_t)i, err) ||
            (seed_count > 0 && !seed_shadow(&s->shadows[i], seed_count, err)))
            return false;
    return true;
}

/* ---- life cycle ---- */

struct gene_signs *gene_signs_create(const struct genome *genome,
                                     const struct optimiser_settings *settings, uint64_t seed,
                                     int seed_count, struct error *err)
{
    const struct optimiser_method *method = optimiser_method_of(settings->kind);
    const enum crossover crossover = settings->variation.crossover;
    struct gene_signs *s = calloc(1, sizeof *s);
    if (s == NULL)
        return error_null(err, "no memory for the signs of genes");
    s->genome = genome;
    /* A neutral bit is inherited as a bit of any gene is, unless a crossover averages two parents: that pulls a gene's
     * number to the middle of its range, which drives single bits of it; a bit alone has no middle. */
    s->by_bits = settings->kind == OPTIMISER_GENETIC && crossover != CROSSOVER_INTERMEDIATE &&
                 crossover != CROSSOVER_LINE;
    s->first_sign = method->one_bit ? ADVANTAGE : 0;
    if (describe_carrier(s, method->draws_parents, err) &&
        create_shadows(s, settings, method->draws_parents, seed, seed_count, err))
        return s;
    gene_signs_destroy(s);
    return NULL;
}

void gene_signs_destroy(struct gene_signs *s)
{
    if (s == NULL)
        return;
    for (int i = 0; s->shadows != NULL && i < s->shadow_count; i++)
        optimiser_destroy(&s->shadows[i]);
    free(s->shadows);
    free(s->params);
    free(s->fates);
    free(s->scores);
    free(s->strengths);
    free(s->values);
    free(s);
}

/* ---- adding a generation ---- */

/* Adds a generation to a bit; that of organism i is values[i * stride]. */
static void follow_bit(const struct gene_signs *s, struct fate *f, const int32_t *values,
                       size_t stride)
{
    const struct optimiser_settings *o = &s->shadows[0].settings;
    const int count = o->population;
    const double born = (double)(count - o->genetic.elitism) / count;
    const double rate = o->variation.mutation_rate;
    const double mixed = f->share * (1 - f->share), mutated = rate * (1 - 2 * f->share);
    double advantage = 0;
    int ones = 0;
    for (int i = 0; i < count; i++) {
        const int32_t bit = values[(size_t)i * stride];
        ones += bit;
        advantage += s->scores[i] / count * bit;
    }
    const double share = (double)ones / count;
    if (s->generations > 1) {
        f->sum[PUSH] += share - f->share - born * mutated;
        f->variance[PUSH] += (mixed + rate * (1 - rate)) / count;
    }
    f->share = share;
    f->sum[ADVANTAGE] += advantage;
    f->variance[ADVANTAGE] += share * (1 - share) / count;
}

/* The same of a gene. */
static void follow_gene(const struct gene_signs *s, struct fate *f, const int32_t *values,
                        size_t stride)
{
    const int count = s->shadows[0].population;
    double mean = 0, variance = 0, fourth = 0, sums[SIGNS] = {0};
    for (int i = 0; i < count; i++)
        mean += (double)values[(size_t)i * stride] / count;
    for (int i = 0; i < count; i++) {
        double away = values[(size_t)i * stride] - mean, square = away * away;
        variance += square / count;
        fourth += square * square / count;
        sums[ADVANTAGE] += away * s->scores[i] / count;
        sums[MIDDLE] += square * s->scores[i] / count;
    }
    f->sum[ADVANTAGE] += sums[ADVANTAGE];
    f->variance[ADVANTAGE] += variance / count;
    f->sum[MIDDLE] += sums[MIDDLE];
    f->variance[MIDDLE] += fmax(0, fourth - variance * variance) / count;
}

/* Adds a generation to all bits or genes of a genome. */
static void follow(struct gene_signs *s, struct fate *fates, const struct genome *g,
                   const struct organism *population)
{
    const int row = s->by_bits ? g->length : g->count;
    for (int i = 0; i < s->shadows[0].population; i++) {
        int32_t *values = s->values + (size_t)i * (size_t)row;
        for (int locus = 0; s->by_bits && locus < row; locus++)
            values[locus] = chromosome_locus(population[i].chromosome, locus);
        if (!s->by_bits)
            genome_decode(g, population[i].chromosome, values);
    }
    for (int k = 0; k < row; k++)
        if (s->by_bits || g->genes[k].bits > 0)
            (s->by_bits ? follow_bit : follow_gene)(s, &fates[k], s->values + k, (size_t)row);
}

void gene_signs_add(struct gene_signs *s, const struct organism *population)
{
    const int count = s->shadows[0].population;
    const bool first = s->generations++ == 0;
    double mean = 0, squares = 0; /* of the fitness, which is standardised; 0 if all are alike */
    for (int i = 0; i < count; i++)
        mean += (double)population[i].fitness / count;
    for (int i = 0; i < count; i++) {
        s->scores[i] = (double)population[i].fitness - mean;
        squares += s->scores[i] * s->scores[i];
    }
    const double deviation = sqrt(squares / count);
    for (int i = 0; i < count; i++)
        s->scores[i] = deviation > 0 ? s->scores[i] / deviation : 0;
    follow(s, s->own, s->genome, population);
    for (int k = 0; k < s->shadow_count; k++) {
        struct optimiser *shadow = &s->shadows[k];
        if (!first)
            optimiser_step(shadow);
        for (int i = 0; i < count; i++)
            shadow->organisms[i].fitness = population[i].fitness;
        follow(s, s->neutral + (size_t)k * s->row, &s->carrier, shadow->organisms);
    }
}

/* ---- p-values ---- */

/* The strength of a sign in either direction: its sum over the run, divided by the standard deviation
 * of the sum. 0 without variance. */
static double strength_of(const struct fate *f, int sign)
{
    return f->variance[sign] > 0 ? fabs(f->sum[sign]) / sqrt(f->variance[sign]) : 0;
}

/* Writes the strengths of a sign in all neutral bits or genes. Returns their number. */
static int collect(const struct gene_signs *s, int sign)
{
    int count = 0;
    for (int i = 0; i < s->shadow_count; i++)
        for (int k = s->first; k < s->carrier.count; k++)
            if (s->carrier.genes[k].bits > 0)
                s->strengths[count++] =
                    strength_of(&s->neutral[(size_t)i * s->row + (size_t)k], sign);
    return count;
}

struct neutral gene_signs_neutral(const struct gene_signs *s)
{
    return (struct neutral){s->generations < FEWEST_GENERATIONS ? 0 : collect(s, ADVANTAGE),
                            s->by_bits, SIGNS - s->first_sign};
}

/* The probability that a neutral sign is as strong: the share of the neutral strengths that are.
 * Beyond them all, the tail of a normal distribution with their spread, if that is less. */
static double chance_of(const struct gene_signs *s, int sign, double strength)
{
    int beyond = 0, count = collect(s, sign);
    double squares = 0;
    for (int i = 0; i < count; i++) {
        beyond += s->strengths[i] >= strength;
        squares += s->strengths[i] * s->strengths[i];
    }
    if (beyond > 0 || squares == 0)
        return (beyond + 1.0) / (count + 1.0);
    return fmin(1.0 / (count + 1.0), erfc(strength / sqrt(2 * squares / count)));
}

double gene_signs_chance(const struct gene_signs *s, int gene)
{
    const int bits = s->genome->genes[gene].bits;
    double best = 1;
    if (bits == 0 || s->generations < FEWEST_GENERATIONS)
        return 1;
    for (int sign = s->first_sign; sign < SIGNS; sign++) {
        double strongest = 0, chance;
        int first = s->by_bits ? genome_first_locus(s->genome, gene) : gene;
        for (int i = first; i < first + (s->by_bits ? bits : 1); i++)
            strongest = fmax(strongest, strength_of(&s->own[i], sign));
        chance = chance_of(s, sign, strongest);
        if (s->by_bits) /* that any of as many bits shows it */
            chance = -expm1(bits * log1p(-fmin(chance, 1)));
        best = fmin(best, chance);
    }
    return fmin(1, (SIGNS - s->first_sign) * best);
}
