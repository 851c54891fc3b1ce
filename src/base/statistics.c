#include "statistics.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* Returns the interval of the share hits / n. */
static struct interval wilson(double hits, double n, double confidence)
{
    assert(0 <= hits && hits <= n && confidence > 0 && confidence < 1);
    if (n < 1)
        return (struct interval){0, 0, 1};
    double p = hits / n, z = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2);
    double shrink = 1 + z * z / n;
    double centre = (p + z * z / (2 * n)) / shrink;
    double half = z / shrink * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return (struct interval){p, p <= 0 ? 0 : centre - half, p >= 1 ? 1 : centre + half};
}

struct spread spread_of(const double *values, int count)
{
    struct spread s = {0, 0};
    for (int i = 0; i < count; i++)
        s.mean += values[i] / count;
    for (int i = 0; i < count; i++)
        s.deviation += (values[i] - s.mean) * (values[i] - s.mean);
    s.deviation = count > 1 ? sqrt(s.deviation / (count - 1)) : 0;
    return s;
}

struct interval interval_wilson(int64_t hits, int64_t total, double confidence)
{
    return wilson((double)hits, (double)total, confidence);
}

struct interval interval_points(int64_t half_points, int64_t games, double confidence)
{
    return wilson((double)half_points / 2, (double)games, confidence);
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

double rank_sum_test(const int64_t *a, int m, const int64_t *b, int n)
{
    assert(0 <= m && m <= RANK_SUM_MAX && 0 <= n && n <= RANK_SUM_MAX);
    int64_t numbers[2 * RANK_SUM_MAX] = {0};
    double ranks[2 * RANK_SUM_MAX], all = 0, tail = 0;
    const int count = m + n, total = count * (count + 1), expected = m * (count + 1);
    const size_t width = (size_t)total + 1;
    int sum = 0;
    for (int i = 0; i < count; i++)
        numbers[i] = i < m ? a[i] : b[i - m];
    rank_numbers(numbers, count, ranks);
    for (int i = 0; i < m; i++)
        sum += (int)(2 * ranks[i]);
    /* ways[k * width + s] is the number of ways to choose k of the doubled ranks so far with the sum s */
    double *ways = m == 0 || n == 0 ? NULL : calloc(((size_t)m + 1) * width, sizeof *ways);
    if (ways == NULL)
        return 1;
    ways[0] = 1;
    for (int i = 0; i < count; i++)
        for (int k = i + 1 < m ? i + 1 : m; k > 0; k--)
            for (int s = total, rank = (int)(2 * ranks[i]); s >= rank; s--)
                ways[(size_t)k * width + (size_t)s] +=
                    ways[((size_t)k - 1) * width + (size_t)(s - rank)];
    for (int s = 0; s <= total; s++) {
        const double chosen = ways[(size_t)m * width + (size_t)s];
        all += chosen;
        tail += abs(s - expected) >= abs(sum - expected) ? chosen : 0;
    }
    free(ways);
    return tail / all;
}

void holm_adjust(double *p, int count)
{
    double previous = 0;
    for (int left = count; left > 0; left--) {
        int least = -1; /* what is adjusted has the sign - until the end */
        for (int i = 0; i < count; i++)
            if (!signbit(p[i]) && (least < 0 || p[i] < p[least]))
                least = i;
        previous = fmin(1, fmax(previous, p[least] * left));
        p[least] = -previous;
    }
    for (int i = 0; i < count; i++)
        p[i] = -p[i];
}
