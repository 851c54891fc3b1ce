#include "neutral_genes.h"

#include "sign_chance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENOUGH = 200, /* neutral genes, where evolutions with other seeds provide them */
    RIDES_FEWEST = 40,
    RIDES_MOST = 320,
};

enum sign { ADVANTAGE, MIDDLE, SIGNS };

/* A gene's signs so far: sums over the generations, and their variances for values dealt out at
 * random. */
struct fate {
    double sum[SIGNS], variance[SIGNS];
};

struct neutral_genes {
    const struct genome *genome; /* borrowed */
    int signs;                   /* how many of them count */
    int generations;             /* added so far */
    /* The other evolutions, and the genes of their genome: from `first` on they are neutral. */
    struct optimiser *shadows;
    int shadow_count, first;
    struct genome carrier;
    struct param *params; /* of the carrier */
    struct fate *own;     /* of the run's genes */
    struct fate *neutral; /* of the carrier's genes, a row for each shadow */
    double *scores;       /* scratch: a population's fitness, standardised */
    int32_t *values;      /* scratch: a population's values, a row for each organism */
};

/* ---- life cycle ---- */

/* True if organisms inherit from drawn parents, and the draws do not depend on the number of
 * genes. */
static bool has_parents(enum optimiser_kind kind)
{
    return kind == OPTIMISER_GENETIC || kind == OPTIMISER_DIFFERENTIAL_EVOLUTION ||
           kind == OPTIMISER_PARTICLE_SWARM || kind == OPTIMISER_EVOLUTION_STRATEGY;
}

static int evolving_genes(const struct genome *g)
{
    int count = 0;
    for (int i = 0; i < g->count; i++)
        count += g->genes[i].bits > 0;
    return count;
}

/* Lists the carrier's genes: the run's own, then copies of those that evolve as long as they fit the
 * carrier's loci, but at least RIDES_FEWEST. Returns their number. */
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

/* Decides how many shadows there are, and what genes they carry. */
static bool describe_carrier(struct neutral_genes *n, bool parents, struct error *err)
{
    const struct genome *g = n->genome;
    int evolving = evolving_genes(g);
    n->params = calloc((size_t)g->count + RIDES_MOST, sizeof *n->params);
    if (n->params == NULL)
        return error_set(err, "no memory for neutral genes");
    struct param_table table = {"neutral", n->params, list_riders(g, n->params)};
    n->first = parents ? g->count : 0;
    if (!parents)
        table.count = g->count;
    n->shadow_count = parents || evolving == 0 ? 1 : (ENOUGH + evolving - 1) / evolving;
    return genome_init(&n->carrier, &table, err);
}

/* Creates the shadows. With parents there is one, with the run's seed. */
static bool create_shadows(struct neutral_genes *n, const struct optimiser_settings *settings,
                           uint64_t seed, int seed_count, struct error *err)
{
    bool parents = has_parents(settings->kind);
    n->shadows = calloc((size_t)n->shadow_count, sizeof *n->shadows);
    if (n->shadows == NULL)
        return error_set(err, "no memory for neutral genes");
    for (int i = 0; i < n->shadow_count; i++)
        if (!riders_create(&n->shadows[i], &n->carrier, settings,
                           parents ? seed : seed + 1 + (uint64_t)i, seed_count, err))
            return false;
    return true;
}

static bool allocate(struct neutral_genes *n, int population, struct error *err)
{
    size_t carried = (size_t)n->carrier.count + 1, shadows = (size_t)n->shadow_count;
    n->own = calloc((size_t)n->genome->count + 1, sizeof *n->own);
    n->neutral = calloc(shadows * carried, sizeof *n->neutral);
    n->scores = calloc((size_t)population, sizeof *n->scores);
    n->values = calloc((size_t)population * carried, sizeof *n->values);
    return (n->own != NULL && n->neutral != NULL && n->scores != NULL && n->values != NULL) ||
           error_set(err, "no memory for neutral genes");
}

struct neutral_genes *neutral_genes_create(const struct genome *genome,
                                           const struct optimiser_settings *settings, uint64_t seed,
                                           int seed_count, struct error *err)
{
    struct neutral_genes *n = calloc(1, sizeof *n);
    if (n == NULL) {
        error_set(err, "no memory for neutral genes");
        return NULL;
    }
    n->genome = genome;
    n->signs = settings->kind == OPTIMISER_HILL_CLIMBING ? MIDDLE : SIGNS;
    if (describe_carrier(n, has_parents(settings->kind), err) &&
        create_shadows(n, settings, seed, seed_count, err) &&
        allocate(n, settings->population, err))
        return n;
    neutral_genes_destroy(n);
    return NULL;
}

void neutral_genes_destroy(struct neutral_genes *n)
{
    if (n == NULL)
        return;
    for (int i = 0; n->shadows != NULL && i < n->shadow_count; i++)
        optimiser_destroy(&n->shadows[i]);
    free(n->shadows);
    free(n->params);
    free(n->own);
    free(n->neutral);
    free(n->scores);
    free(n->values);
    free(n);
}

/* ---- adding a generation ---- */

/* Adds one generation to a gene; value i is values[i * stride]. */
static void follow_gene(struct fate *f, const int32_t *values, size_t stride, const double *scores,
                        int count)
{
    double mean = 0, variance = 0, fourth = 0, sums[SIGNS] = {0};
    for (int i = 0; i < count; i++)
        mean += (double)values[(size_t)i * stride] / count;
    for (int i = 0; i < count; i++) {
        double away = values[(size_t)i * stride] - mean, square = away * away;
        variance += square / count;
        fourth += square * square / count;
        sums[ADVANTAGE] += away * scores[i] / count;
        sums[MIDDLE] += square * scores[i] / count;
    }
    f->sum[ADVANTAGE] += sums[ADVANTAGE];
    f->variance[ADVANTAGE] += variance / count;
    f->sum[MIDDLE] += sums[MIDDLE];
    f->variance[MIDDLE] += fmax(0, fourth - variance * variance) / count;
}

/* Adds one generation to all genes of a genome. */
static void follow(struct neutral_genes *n, struct fate *fates, const struct genome *g,
                   const struct organism *population, int count)
{
    for (int i = 0; i < count; i++)
        genome_decode(g, population[i].chromosome, n->values + (size_t)i * (size_t)g->count);
    for (int k = 0; k < g->count; k++)
        if (g->genes[k].bits > 0)
            follow_gene(&fates[k], n->values + k, (size_t)g->count, n->scores, count);
}

void neutral_genes_add(struct neutral_genes *n, const struct organism *population)
{
    int count = n->shadows[0].population;
    bool first = n->generations++ == 0;
    sign_scores(population, count, n->scores);
    follow(n, n->own, n->genome, population, count);
    for (int s = 0; s < n->shadow_count; s++) {
        struct optimiser *shadow = &n->shadows[s];
        if (!first)
            optimiser_step(shadow);
        for (int i = 0; i < count; i++)
            shadow->organisms[i].fitness = population[i].fitness;
        follow(n, n->neutral + (size_t)s * (size_t)n->carrier.count, &n->carrier, shadow->organisms,
               count);
    }
}

/* ---- p-values ---- */

int neutral_genes_count(const struct neutral_genes *n)
{
    int count = 0;
    for (int k = n->first; k < n->carrier.count; k++)
        count += n->carrier.genes[k].bits > 0;
    return count * n->shadow_count;
}

/* Collects the strengths of a sign in all neutral genes. Returns their number. */
static int collect(const struct neutral_genes *n, enum sign sign, double *strengths)
{
    int count = 0;
    for (int s = 0; s < n->shadow_count; s++)
        for (int k = n->first; k < n->carrier.count; k++) {
            const struct fate *f = &n->neutral[(size_t)s * (size_t)n->carrier.count + (size_t)k];
            if (n->carrier.genes[k].bits > 0)
                strengths[count++] = sign_strength(f->sum[sign], f->variance[sign]);
        }
    return count;
}

double neutral_genes_chance(const struct neutral_genes *n, int gene)
{
    double best = 1, *strengths = calloc((size_t)neutral_genes_count(n) + 1, sizeof *strengths);
    const struct fate *f = &n->own[gene];
    for (int sign = 0; strengths != NULL && sign < n->signs; sign++) {
        int count = collect(n, (enum sign)sign, strengths);
        double strongest = sign_strength(f->sum[sign], f->variance[sign]);
        best = fmin(best, sign_chance(strengths, count, strongest));
    }
    free(strengths);
    return n->genome->genes[gene].bits == 0 ? 1 : fmin(1, n->signs * best);
}
