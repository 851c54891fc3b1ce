#include "statistics.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Returns the interval of the share p observed in n trials. */
static struct interval wilson(double p, double n, double confidence)
{
    double z = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2);
    double shrink = 1 + z * z / n;
    double centre = (p + z * z / (2 * n)) / shrink;
    double half = z / shrink * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return (struct interval){p, p <= 0 ? 0 : centre - half, p >= 1 ? 1 : centre + half};
}

struct interval interval_wilson(int64_t hits, int64_t total, double confidence)
{
    assert(0 <= hits && hits <= total && confidence > 0 && confidence < 1);
    if (total == 0)
        return (struct interval){0, 0, 1};
    return wilson((double)hits / (double)total, (double)total, confidence);
}

struct interval interval_points(int64_t half_points, int64_t games, double confidence)
{
    assert(0 <= half_points && half_points <= 2 * games && confidence > 0 && confidence < 1);
    if (games == 0)
        return (struct interval){0, 0, 1};
    return wilson((double)half_points / (2 * (double)games), (double)games, confidence);
}

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

void rank_numbers(const int64_t *numbers, int count, double *ranks)
{
    for (int i = 0; i < count; i++) {
        int less = 0, equal = 0;
        for (int j = 0; j < count; j++) {
            less += numbers[j] < numbers[i];
            equal += numbers[j] == numbers[i];
        }
        ranks[i] = less + (equal + 1) / 2.0;
    }
}

/* Writes the probability of each sum of m of the `count` doubled ranks to chances[0..total]. Adds
 * one rank at a time: ways[k * width + s] is the number of ways to choose k ranks with the sum
 * s. */
static bool distribute(const int *doubled, int count, int m, int total, double *chances)
{
    size_t width = (size_t)total + 1;
    double *ways = calloc(((size_t)m + 1) * width, sizeof *ways), all = 0;
    if (ways == NULL)
        return false;
    ways[0] = 1;
    for (int i = 0; i < count; i++)
        for (int k = i + 1 < m ? i + 1 : m; k > 0; k--)
            for (int s = total; s >= doubled[i]; s--)
                ways[(size_t)k * width + (size_t)s] +=
                    ways[((size_t)k - 1) * width + (size_t)(s - doubled[i])];
    for (int s = 0; s <= total; s++)
        all += ways[(size_t)m * width + (size_t)s];
    for (int s = 0; s <= total; s++)
        chances[s] = ways[(size_t)m * width + (size_t)s] / all;
    free(ways);
    return true;
}

double rank_sum_test(const int64_t *a, int m, const int64_t *b, int n)
{
    assert(0 <= m && m <= RANK_SUM_MAX && 0 <= n && n <= RANK_SUM_MAX);
    int64_t numbers[2 * RANK_SUM_MAX] = {0};
    double ranks[2 * RANK_SUM_MAX];
    int doubled[2 * RANK_SUM_MAX], count = m + n, total = count * (count + 1), sum = 0;
    for (int i = 0; i < count; i++)
        numbers[i] = i < m ? a[i] : b[i - m];
    rank_numbers(numbers, count, ranks);
    for (int i = 0; i < count; i++) {
        doubled[i] = (int)(2 * ranks[i]);
        sum += i < m ? doubled[i] : 0;
    }
    double *chances = calloc((size_t)total + 1, sizeof *chances), p = 0;
    int expected = m * (count + 1), deviation = abs(sum - expected);
    if (m == 0 || n == 0 || chances == NULL || !distribute(doubled, count, m, total, chances))
        p = 1;
    for (int s = 0; chances != NULL && p < 1 && s <= total; s++)
        if (abs(s - expected) >= deviation)
            p += chances[s];
    free(chances);
    return fmin(p, 1);
}

void holm_adjust(double *p, int count)
{
    bool *done = calloc((size_t)count + 1, sizeof *done);
    double previous = 0;
    for (int left = count; left > 0; left--) {
        int least = -1;
        for (int i = 0; i < count; i++)
            if (done == NULL || (!done[i] && (least < 0 || p[i] < p[least])))
                least = i;
        if (done == NULL) {
            p[left - 1] = 1;
            continue;
        }
        done[least] = true;
        previous = p[least] = fmin(1, fmax(previous, p[least] * left));
    }
    free(done);
}
