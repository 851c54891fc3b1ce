/* Selection of parents, and the weights of organisms. */
#include "operators.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* For qsort: higher fitness first, then lower index, so that no two are equal. */
static int compare_ranks(const void *left, const void *right)
{
    const struct rank *a = left, *b = right;
    if (a->fitness != b->fitness)
        return a->fitness > b->fitness ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

void ranking_sort(struct rank *ranking, const struct organism *organisms, int count)
{
    for (int i = 0; i < count; i++)
        ranking[i] = (struct rank){.fitness = organisms[i].fitness, .index = i};
    qsort(ranking, (size_t)count, sizeof *ranking, compare_ranks);
}

/* The shift that reduces the highest fitness below 2^bits, with an error below 2^(1 - bits) of it. */
static int fitness_shift(const struct organism *organisms, int count, int bits)
{
    static_assert(POPULATION_MAX <= 1 << 12, "sums of weights must fit 64 bits");
    int64_t highest = 0;
    for (int i = 0; i < count; i++)
        if (organisms[i].fitness > highest)
            highest = organisms[i].fitness;
    int shift = 0;
    while (highest >> shift >= (int64_t)1 << bits)
        shift++;
    return shift;
}

/* Holland 1975. Goldberg 1989 describes it as a roulette wheel with unequal slots. */
void wheel_proportional(uint64_t *cumulative, const struct organism *organisms, int count)
{
    int shift = fitness_shift(organisms, count, 52); /* 2^12 of them sum to less than 2^64 */
    uint64_t total = 0;
    for (int i = 0; i < count; i++) {
        assert(organisms[i].fitness >= 0);
        total += (uint64_t)organisms[i].fitness >> shift;
        cumulative[i] = total;
    }
    for (int i = 0; total == 0 && i < count; i++)
        cumulative[i] = (uint64_t)i + 1;
}

/* Forrest 1985; Goldberg 1989: sigma truncation. Deviations from the mean are taken times n, so that
 * they are integers, of at most 2^62, and scaled so that the largest is from 2^24 to 2^25: no square is
 * lost, and 2^12 squares fit 64 bits. */
void wheel_truncated(uint64_t *cumulative, const struct organism *organisms, int count,
                     double deviations)
{
    int64_t away[POPULATION_MAX], sum = 0, largest = 0, times = 1, over = 1, squares = 0;
    const int shift = fitness_shift(organisms, count, 50);
    for (int i = 0; i < count; i++)
        sum += organisms[i].fitness >> shift;
    for (int i = 0; i < count; i++) {
        away[i] = (organisms[i].fitness >> shift) * count - sum;
        largest = llabs(away[i]) > largest ? llabs(away[i]) : largest;
    }
    while (largest > 0 && largest * times < (int64_t)1 << 24)
        times *= 2;
    while (largest / over >= (int64_t)1 << 25)
        over *= 2;
    for (int i = 0; i < count; i++) {
        away[i] = away[i] * times / over;
        squares += away[i] * away[i];
    }

    /* the standard deviation, rounded down, by Newton's method from above */
    int64_t variance = squares / count, sigma = (int64_t)1 << 25;
    for (int64_t next; largest > 0 && (next = (sigma + variance / sigma) / 2) < sigma;)
        sigma = next;

    const int64_t kept = largest > 0 ? sigma * (int64_t)(deviations * 65536) >> 16 : 1;
    uint64_t total = 0;
    for (int i = 0; i < count; i++) {
        total += away[i] + kept > 0 ? (uint64_t)(away[i] + kept) : 0;
        cumulative[i] = total;
    }
}

/* Baker 1985. Place p of n, from 0 for the best, has the weight pressure (n - 1) - 2 (pressure - 1) p. The unit is
 * 2^-32 / (n - 1). The weight is linear in p, so the mean over tied places is also an integer. */
void wheel_rank(uint64_t *cumulative, const struct rank *ranking, int count, double pressure)
{
    assert(count >= 2);
    const uint64_t excess32 = probability_fixed(pressure - 1);
    const uint64_t best = (((uint64_t)1 << 32) + excess32) * (uint64_t)(count - 1);
    for (int first = 0, last; first < count; first = last + 1) {
        last = first;
        while (last + 1 < count && ranking[last + 1].fitness == ranking[first].fitness)
            last++;
        for (int place = first; place <= last; place++)
            cumulative[ranking[place].index] = best - excess32 * (uint64_t)(first + last);
    }
    for (int i = 1; i < count; i++)
        cumulative[i] += cumulative[i - 1];
}

int wheel_draw(const uint64_t *cumulative, int count, struct stream *s)
{
    uint64_t number = stream_below(s, cumulative[count - 1]);
    int low = 0, high = count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (cumulative[middle] > number)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Brindle 1981; Goldberg and Deb 1991. */
int tournament_draw(const struct organism *organisms, int count, int size, struct stream *s)
{
    int winner = (int)stream_below(s, (uint64_t)count);
    for (int i = 1; i < size; i++) {
        int rival = (int)stream_below(s, (uint64_t)count);
        if (organisms[rival].fitness > organisms[winner].fitness)
            winner = rival;
    }
    return winner;
}

void recombination_weights(double *weights, int count, int population)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        weights[i] = log((population + 1) / 2.0) - log(i + 1);
        sum += weights[i];
    }
    for (int i = 0; i < count; i++)
        weights[i] /= sum;
}
