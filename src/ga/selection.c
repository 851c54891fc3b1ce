/* Selection of parents, and the weights of organisms. */
#include "operators.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const selection_names[] = {
    [SELECTION_PROPORTIONAL] = "proportional",
    [SELECTION_RANK] = "rank",
    [SELECTION_TOURNAMENT] = "tournament",
};

enum { SELECTION_COUNT = sizeof selection_names / sizeof selection_names[0] };

const char *selection_name(enum selection s)
{
    return selection_names[s];
}

int selection_from_name(const char *name)
{
    for (int i = 0; i < SELECTION_COUNT; i++)
        if (strcmp(selection_names[i], name) == 0)
            return i;
    return -1;
}

/* For qsort: higher fitness first, then lower index. No two entries compare equal, so the order
 * does not depend on the sort. */
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

/* Returns the shift that reduces the highest fitness below 2^bits. The rounding error is less than
 * 2^(1 - bits) of the highest fitness. */
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

/* The deviations of a population from its mean, times n, so that they are integers. They are scaled
 * so that the largest is from 2^24 to 2^25: no square is lost, and 2^12 squares fit 64 bits. */
struct deviations {
    const struct organism *organisms;
    int count, fitness_shift;
    int64_t sum;
    int64_t times, over; /* what scales them: powers of two, of which one is 1 */
};

/* n times the deviation of organism i from the mean: at most 2^62. */
static int64_t deviation_exact(const struct deviations *d, int i)
{
    return (d->organisms[i].fitness >> d->fitness_shift) * d->count - d->sum;
}

/* The same, scaled, and rounded toward 0. */
static int64_t deviation(const struct deviations *d, int i)
{
    return deviation_exact(d, i) * d->times / d->over;
}

/* Sums the population and sets the scale. False if all organisms are equal. */
static bool deviations_init(struct deviations *d, const struct organism *organisms, int count)
{
    int64_t largest = 0;
    *d = (struct deviations){.organisms = organisms, .count = count, .times = 1, .over = 1};
    d->fitness_shift = fitness_shift(organisms, count, 50);
    for (int i = 0; i < count; i++)
        d->sum += organisms[i].fitness >> d->fitness_shift;
    for (int i = 0; i < count; i++) {
        int64_t exact = deviation_exact(d, i), size = exact < 0 ? -exact : exact;
        largest = size > largest ? size : largest;
    }
    while (largest > 0 && largest * d->times < (int64_t)1 << 24)
        d->times *= 2;
    while (largest / d->over >= (int64_t)1 << 25)
        d->over *= 2;
    return largest > 0;
}

/* The standard deviation, rounded down, by Newton's method from above. */
static int64_t deviations_sigma(const struct deviations *d)
{
    int64_t squares = 0, root = (int64_t)1 << 25;
    for (int i = 0; i < d->count; i++)
        squares += deviation(d, i) * deviation(d, i);
    int64_t variance = squares / d->count;
    for (int64_t next = (root + variance / root) / 2; next < root;
         next = (root + variance / root) / 2)
        root = next;
    return root;
}

/* Forrest 1985; Goldberg 1989: sigma truncation. */
void wheel_truncated(uint64_t *cumulative, const struct organism *organisms, int count,
                     double deviations)
{
    struct deviations d;
    int64_t kept = 0;
    uint64_t total = 0;
    bool differ = deviations_init(&d, organisms, count);
    if (differ)
        kept = deviations_sigma(&d) * (int64_t)(deviations * 65536) >> 16;
    for (int i = 0; i < count; i++) {
        int64_t weight = differ ? deviation(&d, i) + kept : 1;
        total += weight > 0 ? (uint64_t)weight : 0;
        cumulative[i] = total;
    }
}

/* Baker 1985. Place p of n, from 0 for the best, has the weight pressure (n - 1) - 2 (pressure - 1)
 * p. The unit is 2^-32 / (n - 1). The weight is linear in p, so the mean over the tied places
 * `first` to `last` is also an integer, which this function returns. */
static uint64_t rank_weight(uint64_t excess32, int count, int first, int last)
{
    uint64_t best = (((uint64_t)1 << 32) + excess32) * (uint64_t)(count - 1);
    return best - excess32 * (uint64_t)(first + last);
}

/* Returns the last place with the same fitness as place `first`. */
static int last_equal(const struct rank *ranking, int count, int first)
{
    int last = first;
    while (last + 1 < count && ranking[last + 1].fitness == ranking[first].fitness)
        last++;
    return last;
}

void wheel_rank(uint64_t *cumulative, const struct rank *ranking, int count, double pressure)
{
    assert(count >= 2);
    uint64_t excess32 = probability_fixed(pressure - 1);
    for (int first = 0, last; first < count; first = last + 1) {
        last = last_equal(ranking, count, first);
        uint64_t weight = rank_weight(excess32, count, first, last);
        for (int place = first; place <= last; place++)
            cumulative[ranking[place].index] = weight;
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
