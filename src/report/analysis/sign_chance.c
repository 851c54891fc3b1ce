#include "sign_chance.h"

#include "operators.h"

#include <math.h>
#include <stdlib.h>

enum { SPARE_LOCI = 512 };

int carrier_loci(const struct genome *genome)
{
    return SPARE_LOCI + (genome->length > SPARE_LOCI ? genome->length : SPARE_LOCI);
}

/* Draws seeds as the initial population draws its random organisms, so that they change nothing where the
 * other organisms are random too. */
static bool seed_riders(struct optimiser *riders, int count, struct error *err)
{
    const struct genome *g = riders->genome;
    uint64_t *seeds = malloc(genome_bytes(g, (size_t)count));
    if (seeds == NULL)
        return error_set(err, "no memory for %d neutral seeds", count);
    for (int i = 0; i < count; i++) {
        struct stream s;
        stream_init(&s, riders->seed, STREAM_INITIAL, 0, (uint64_t)i);
        chromosome_random(genome_row(g, seeds, i), g, &s);
    }
    optimiser_seed(riders, seeds, count);
    free(seeds);
    return true;
}

bool riders_create(struct optimiser *riders, const struct genome *carrier,
                   const struct optimiser_settings *settings, uint64_t seed, int seed_count,
                   struct error *err)
{
    return optimiser_create(riders, carrier, settings, seed, err) &&
           (seed_count == 0 || seed_riders(riders, seed_count, err));
}

void sign_scores(const struct organism *population, int count, double *scores)
{
    double mean = 0, squares = 0;
    for (int i = 0; i < count; i++)
        mean += (double)population[i].fitness / count;
    for (int i = 0; i < count; i++) {
        scores[i] = (double)population[i].fitness - mean;
        squares += scores[i] * scores[i];
    }
    double deviation = sqrt(squares / count);
    for (int i = 0; i < count; i++)
        scores[i] = deviation > 0 ? scores[i] / deviation : 0;
}

double sign_strength(double sum, double variance)
{
    return variance > 0 ? fabs(sum) / sqrt(variance) : 0;
}

double sign_chance(const double *neutral, int count, double strength)
{
    int beyond = 0;
    double squares = 0;
    for (int i = 0; i < count; i++) {
        beyond += neutral[i] >= strength;
        squares += neutral[i] * neutral[i];
    }
    if (beyond > 0 || squares == 0)
        return (beyond + 1.0) / (count + 1.0);
    return fmin(1.0 / (count + 1.0), erfc(strength / sqrt(2 * squares / count)));
}
