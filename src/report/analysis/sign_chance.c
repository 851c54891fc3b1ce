#include "sign_chance.h"

#include <math.h>

enum { SPARE_LOCI = 512 };

int carrier_loci(const struct genome *genome)
{
    return SPARE_LOCI + (genome->length > SPARE_LOCI ? genome->length : SPARE_LOCI);
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
