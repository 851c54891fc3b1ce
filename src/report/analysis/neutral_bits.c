#include "neutral_bits.h"

#include "convergence.h"
#include "sign_chance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum sign { PUSH, ADVANTAGE, SIGNS };

/* The fate of a bit so far. */
struct fate {
    double share; /* of ones in the generation added last */
    /* Of each sign: its sum over the generations, and the variance of the sum where bits are dealt
     * out at random. */
    double sum[SIGNS], variance[SIGNS];
};

struct neutral_bits {
    const struct genome *genome; /* borrowed */
    struct genome carrier;       /* a gene of one bit for each locus */
    struct param *params;        /* of the carrier */
    struct optimiser riders;     /* at the run's generation, with the run's parents */
    int generations;             /* added so far */
    struct fate *genes;          /* by locus */
    struct fate *idle;           /* of the riders; those at the genome's own loci are unused */
    double *scores;              /* scratch: a population's fitness, standardised */
    uint16_t *ones;              /* scratch: by locus */
    double *advantage;           /* scratch: by locus */
};

/* ---- life cycle ---- */

/* The carrier: a genome of one-bit genes. */
static bool describe_carrier(struct neutral_bits *b, struct error *err)
{
    struct param_table table = {"idle", NULL, carrier_loci(b->genome)};
    table.params = b->params = calloc((size_t)table.count, sizeof *b->params);
    if (b->params == NULL)
        return error_set(err, "no memory for neutral bits");
    for (int i = 0; i < table.count; i++)
        b->params[i] = (struct param){.name = "", .bits = 1, .max = 1, .sign = 1};
    return genome_init(&b->carrier, &table, err);
}

/* Allocates what has a place for each locus of the carrier. */
static bool allocate(struct neutral_bits *b, int population, struct error *err)
{
    size_t loci = 64 * (size_t)b->carrier.words;
    b->genes = calloc(loci, sizeof *b->genes);
    b->idle = calloc(loci, sizeof *b->idle);
    b->ones = calloc(loci, sizeof *b->ones);
    b->advantage = calloc(loci, sizeof *b->advantage);
    b->scores = calloc((size_t)population, sizeof *b->scores);
    return (b->genes != NULL && b->idle != NULL && b->ones != NULL && b->advantage != NULL &&
            b->scores != NULL) ||
           error_set(err, "no memory for neutral bits");
}

struct neutral_bits *neutral_bits_create(const struct genome *genome,
                                         const struct optimiser_settings *settings, uint64_t seed,
                                         int seed_count, struct error *err)
{
    struct neutral_bits *b = calloc(1, sizeof *b);
    if (b == NULL) {
        error_set(err, "no memory for neutral bits");
        return NULL;
    }
    b->genome = genome;
    if (describe_carrier(b, err) && allocate(b, settings->population, err) &&
        riders_create(&b->riders, &b->carrier, settings, seed, seed_count, err))
        return b;
    neutral_bits_destroy(b);
    return NULL;
}

void neutral_bits_destroy(struct neutral_bits *b)
{
    if (b == NULL)
        return;
    optimiser_destroy(&b->riders);
    free(b->params);
    free(b->genes);
    free(b->idle);
    free(b->scores);
    free(b->ones);
    free(b->advantage);
    free(b);
}

/* ---- adding a generation ---- */

/* The advantage of having a 1, for each locus: the mean over the organisms of bit times score. */
static void advantages(const struct organism *population, const double *scores, int count,
                       int words, double *advantage)
{
    memset(advantage, 0, 64 * (size_t)words * sizeof *advantage);
    for (int i = 0; i < count; i++)
        for (int locus = 0; locus < 64 * words; locus++)
            advantage[locus] +=
                scores[i] / count * chromosome_locus(population[i].chromosome, locus);
}

/* Adds a generation to the bits of a population. */
static void follow(struct neutral_bits *b, struct fate *fates, const struct organism *population,
                   int words, bool first)
{
    const struct optimiser_settings *s = &b->riders.settings;
    double born = (double)(s->population - s->genetic.elitism) / s->population;
    double rate = s->variation.mutation_rate;
    population_ones(population, s->population, words, b->ones);
    advantages(population, b->scores, s->population, words, b->advantage);
    for (int locus = 0; locus < 64 * words; locus++) {
        struct fate *f = &fates[locus];
        double ones = (double)b->ones[locus] / s->population;
        double mixed = f->share * (1 - f->share), mutated = rate * (1 - 2 * f->share);
        if (!first) {
            f->sum[PUSH] += ones - f->share - born * mutated;
            f->variance[PUSH] += (mixed + rate * (1 - rate)) / s->population;
        }
        f->share = ones;
        f->sum[ADVANTAGE] += b->advantage[locus];
        f->variance[ADVANTAGE] += f->share * (1 - f->share) / s->population;
    }
}

void neutral_bits_add(struct neutral_bits *b, const struct organism *population)
{
    const struct optimiser_settings *s = &b->riders.settings;
    bool first = b->generations++ == 0;
    if (!first)
        optimiser_step(&b->riders);
    for (int i = 0; i < s->population; i++)
        b->riders.organisms[i].fitness = population[i].fitness;
    sign_scores(population, s->population, b->scores);
    follow(b, b->genes, population, b->genome->words, first);
    follow(b, b->idle, b->riders.organisms, b->carrier.words, first);
}

/* ---- p-values ---- */

static double strength(const struct fate *f, enum sign sign)
{
    return sign_strength(f->sum[sign], f->variance[sign]);
}

int neutral_bits_count(const struct neutral_bits *b)
{
    return b->carrier.length - b->genome->length;
}

/* The probability that a neutral bit shows a sign as strong. */
static double chance_of(const struct neutral_bits *b, enum sign sign, double strongest)
{
    double *neutral = b->advantage; /* scratch */
    for (int locus = b->genome->length; locus < b->carrier.length; locus++)
        neutral[locus - b->genome->length] = strength(&b->idle[locus], sign);
    return sign_chance(neutral, neutral_bits_count(b), strongest);
}

/* The same for a whole gene: the probability that any of as many bits shows it. */
static double chance_of_gene(const struct neutral_bits *b, enum sign sign, int gene)
{
    int bits = b->genome->genes[gene].bits, first = genome_first_locus(b->genome, gene);
    double strongest = 0;
    for (int locus = first; locus < first + bits; locus++)
        strongest = fmax(strongest, strength(&b->genes[locus], sign));
    return -expm1(bits * log1p(-fmin(chance_of(b, sign, strongest), 1)));
}

double neutral_bits_chance(const struct neutral_bits *b, int gene)
{
    if (b->genome->genes[gene].bits == 0 || b->generations < 2)
        return 1;
    double push = chance_of_gene(b, PUSH, gene), advantage = chance_of_gene(b, ADVANTAGE, gene);
    return fmin(1, 2 * fmin(push, advantage));
}
