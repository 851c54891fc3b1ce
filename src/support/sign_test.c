#include "sign_test.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

double sign_test(int64_t a, int64_t b)
{
    assert(a >= 0 && b >= 0 && a + b < INT32_MAX);
    unsigned int fewer = (unsigned int)(a < b ? a : b), all = (unsigned int)(a + b);
    return fmin(1, 2 * gsl_cdf_binomial_P(fewer, 0.5, all));
}

double sign_test_positions(double discordant, double difference)
{
    assert(0 < difference && difference <= discordant && discordant <= 1);
    double level = gsl_cdf_ugaussian_Qinv(0.025), power = gsl_cdf_ugaussian_Qinv(0.2);
    double root = level * sqrt(discordant) + power * sqrt(discordant - difference * difference);
    return ceil(root * root / (difference * difference));
}
