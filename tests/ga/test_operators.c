/* Selection, crossover and mutation: who becomes a parent, what changes, and how often, against what theory
 * says. The draws come from fixed streams, so that a test passes always or never; the level is 0.1 %. */
#include "operators.h"

#include <criterion/criterion.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

static const double level = 0.001;

/* The probability of counts at least this far from what is expected; where 0 is expected, 0 must
 * have been seen. */
static double chi_square_p(const int *seen, const double *expected, int cells)
{
    double chi = 0;
    int degrees = -1;
    for (int i = 0; i < cells; i++) {
        if (expected[i] == 0) {
            cr_assert_eq(seen[i], 0, "cell %d is impossible, but was seen %d times", i, seen[i]);
            continue;
        }
        chi += pow(seen[i] - expected[i], 2) / expected[i];
        degrees++;
    }
    return degrees > 0 ? gsl_cdf_chisq_Q(chi, degrees) : 1;
}

/* The same where each cell has its share of what was seen in all. */
static double even_p(const int *seen, int cells)
{
    double chi = 0, all = 0;
    for (int i = 0; i < cells; i++)
        all += seen[i];
    for (int i = 0; i < cells; i++)
        chi += pow(seen[i] - all / cells, 2) / (all / cells);
    return gsl_cdf_chisq_Q(chi, cells - 1);
}

/* The probability of counts this far from binomials of `trials` and p, one in each cell. */
static double binomial_p(const int *seen, int cells, double trials, double p)
{
    double chi = 0;
    for (int i = 0; i < cells; i++) {
        if (p == 0 || p == 1)
            cr_assert_eq(seen[i], trials * p);
        else
            chi += pow(seen[i] - trials * p, 2) / (trials * p * (1 - p));
    }
    return gsl_cdf_chisq_Q(chi, cells);
}

/* ---- selection ---- */

enum { COUNT = 8, DRAWS = 200000 };

enum wheel { PROPORTIONAL, TRUNCATED, RANK, TOURNAMENT };

/* The share of each organism by real numbers: of fitness; of fitness above the mean less some standard deviations;
 * of Baker's line from `pressure` for the best to 2 - pressure for the worst, in which equals have the mean of
 * their places; or that it is the best of so many draws. */
static void shares_of(enum wheel kind, double parameter, const int64_t *fitness, double *share)
{
    double mean = 0, variance = 0, sum = 0;
    for (int i = 0; i < COUNT; i++)
        mean += (double)fitness[i] / COUNT;
    for (int i = 0; i < COUNT; i++)
        variance += pow((double)fitness[i] - mean, 2) / COUNT;
    for (int i = 0; i < COUNT; i++) {
        double above = 0, equal = 0, f = (double)fitness[i];
        for (int k = 0; k < COUNT; k++) {
            above += fitness[k] > fitness[i];
            equal += fitness[k] == fitness[i];
        }
        const double below = COUNT - above - equal, place = above + (equal - 1) / 2;
        share[i] = kind == PROPORTIONAL ? f
                   : kind == TRUNCATED  ? fmax(0, f - mean + parameter * sqrt(variance))
                   : kind == RANK       ? parameter - 2 * (parameter - 1) * place / (COUNT - 1)
                                  : (pow(below + equal, parameter) - pow(below, parameter)) / equal;
        sum += share[i];
    }
    for (int i = 0; i < COUNT; i++)
        share[i] = sum > 0 ? share[i] / sum : 1.0 / COUNT;
}

static void make_wheel(enum wheel kind, double parameter, const struct organism *organisms,
                       uint64_t *wheel, int count)
{
    static struct rank ranking[POPULATION_MAX];
    ranking_sort(ranking, organisms, count);
    if (kind == PROPORTIONAL)
        wheel_proportional(wheel, organisms, count);
    else if (kind == TRUNCATED)
        wheel_truncated(wheel, organisms, count, parameter);
    else
        wheel_rank(wheel, ranking, count, parameter);
}

/* How likely draws are that are so far from these shares. */
static double draws_p(enum wheel kind, double parameter, const int64_t *fitness,
                      const double *share)
{
    struct organism organisms[COUNT];
    uint64_t wheel[COUNT];
    int seen[COUNT] = {0};
    double expected[COUNT];
    struct stream s;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < COUNT; i++) {
        organisms[i] = (struct organism){.fitness = fitness[i]};
        expected[i] = DRAWS * share[i];
    }
    if (kind != TOURNAMENT)
        make_wheel(kind, parameter, organisms, wheel, COUNT);
    for (int i = 0; i < DRAWS; i++)
        seen[kind == TOURNAMENT ? tournament_draw(organisms, COUNT, (int)parameter, &s)
                                : wheel_draw(wheel, COUNT, &s)]++;
    return chi_square_p(seen, expected, COUNT);
}

#define HIGH ((int64_t)1 << 62)

Test(selection, draws_organisms_by_their_shares)
{
    static const struct {
        enum wheel kind;
        double parameter;
        int64_t fitness[COUNT];
    } cases[] = {
        {PROPORTIONAL, 0, {0, 1, 2, 3, 10, 0, 20, 64}},
        {PROPORTIONAL, 0, {0}},
        {PROPORTIONAL, 0, {HIGH, HIGH / 2, HIGH / 4, 0, HIGH, 0, HIGH / 4, HIGH}},
        {TRUNCATED, 1, {2, 4, 4, 4, 5, 5, 7, 9}},
        {TRUNCATED, 0.5, {70, 1000000, 3, 400, 60, 600000, 50, 5}},
        {TRUNCATED, 3, {70, 1000000, 3, 400, 60, 600000, 50, 5}},
        {TRUNCATED, 2, {HIGH, HIGH, HIGH, HIGH, HIGH, HIGH, HIGH, HIGH}},
        {TRUNCATED, 2, {0}},
        {RANK, 1, {70, 1000000, 3, 4, 60, 6, 50, 5}},
        {RANK, 1.5, {70, 1000000, 3, 4, 60, 6, 50, 5}},
        {RANK, 2, {70, 1000000, 3, 4, 60, 6, 50, 5}},
        {RANK, 2, {5, 9, 5, 5, 1, 1, 5, 0}},
        {TOURNAMENT, 1, {70, 1000000, 3, 4, 60, 6, 50, 5}},
        {TOURNAMENT, 2, {70, 1000000, 3, 4, 60, 6, 50, 5}},
        {TOURNAMENT, 5, {5, 9, 5, 5, 1, 1, 5, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double share[COUNT];
        shares_of(cases[i].kind, cases[i].parameter, cases[i].fitness, share);
        cr_expect_gt(draws_p(cases[i].kind, cases[i].parameter, cases[i].fitness, share), level,
                     "case %zu", i);
    }
    const double wrong[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.205, 0.195};
    const int64_t fitness[] = {10, 10, 10, 10, 10, 10, 20, 20};
    cr_assert_lt(draws_p(PROPORTIONAL, 0, fitness, wrong), level, "the test would notice");
}

Test(selection, ranks_the_best_first_and_of_equals_the_lower_index)
{
    const int64_t fitness[COUNT] = {5, 9, 0, 9, 5, INT64_MAX, 0, 9};
    const int order[COUNT] = {5, 1, 3, 7, 0, 4, 2, 6};
    struct organism organisms[COUNT];
    struct rank ranking[COUNT];
    for (int i = 0; i < COUNT; i++)
        organisms[i] = (struct organism){.fitness = fitness[i]};
    ranking_sort(ranking, organisms, COUNT);
    for (int i = 0; i < COUNT; i++)
        cr_assert(ranking[i].index == order[i] && ranking[i].fitness == fitness[order[i]]);
}

/* Ordinary fitness is not rounded, nor the least difference: two that differ by 1 lie half of it, one deviation,
 * from the mean; with one and a half deviations the weights are as 1 to 5, whatever all have in common. */
Test(selection, tells_small_differences_apart)
{
    const int64_t common[] = {6, 1000, (int64_t)1 << 40};
    uint64_t wheel[3];
    make_wheel(PROPORTIONAL, 0,
               (struct organism[]){{.fitness = ((int64_t)1 << 52) - 1}, {.fitness = 1}, {0}}, wheel,
               3);
    cr_assert_eq(wheel[0], ((uint64_t)1 << 52) - 1);
    cr_assert_eq(wheel[1], (uint64_t)1 << 52);
    cr_assert_eq(wheel[2], (uint64_t)1 << 52);
    for (int i = 0; i < 3; i++) {
        const struct organism two[] = {{.fitness = common[i]}, {.fitness = common[i] + 1}};
        make_wheel(TRUNCATED, 1.5, two, wheel, 2);
        cr_assert_float_eq((double)wheel[1] / (double)wheel[0], 6, 1e-5);
    }
}

/* Sums do not overflow where half of the largest population has the highest fitness, and half has none: with c
 * deviations the weights are then as c + 1 to c - 1, and Baker's sum to n (n - 1) 2^32 whatever the ties. */
Test(selection, serves_the_largest_population_of_the_highest_fitness)
{
    static struct organism organisms[POPULATION_MAX];
    static uint64_t wheel[POPULATION_MAX];
    const int n = POPULATION_MAX;
    for (int i = 0; i < n; i++)
        organisms[i].fitness = i % 2 == 0 ? INT64_MAX : 0;
    make_wheel(PROPORTIONAL, 0, organisms, wheel, n);
    for (int i = 1; i < n; i++)
        cr_assert_eq(wheel[i], (uint64_t)(i / 2 + 1) * wheel[0], "organism %d", i);
    for (int c = 2; c <= 10; c++) {
        make_wheel(TRUNCATED, c, organisms, wheel, n);
        double high = (double)wheel[0], low = (double)(wheel[1] - wheel[0]);
        cr_assert_float_eq(high / low, (c + 1.0) / (c - 1.0), 1e-5, "%d", c);
        cr_assert_float_eq((double)wheel[n - 1], n / 2 * (high + low), 1);
    }
    for (double pressure = 1; pressure <= 2; pressure += 0.1) {
        make_wheel(RANK, pressure, organisms, wheel, n);
        cr_assert_eq(wheel[n - 1], (uint64_t)n * (uint64_t)(n - 1) << 32);
    }
}

/* ---- crossover of bits ---- */

enum { TRIALS = 20000, WORDS = 16, LOCI_MAX = 64 * WORDS, LOCI = 224 };

/* A genome as the operators see it: so many loci. */
static struct genome loci(int length)
{
    return (struct genome){.length = length, .words = (length + 63) / 64};
}

static struct stream *open_stream(struct stream *s, int index)
{
    stream_init(s, 5, STREAM_TEST, 1, (uint64_t)index);
    return s;
}

/* Returns the number of loci that are set, and expects none beyond the genome. */
static int count_ones(const uint64_t *c, int length)
{
    int ones = 0;
    for (int i = 0; i < LOCI_MAX; i++) {
        cr_assert(i < length || chromosome_locus(c, i) == 0, "locus %d of %d", i, length);
        ones += chromosome_locus(c, i);
    }
    return ones;
}

/* Crosses zeros, the first parent, with ones, which shows from which parent each locus comes. Returns how many
 * come from the second. */
static int origins(uint64_t child[WORDS], int length, enum crossover kind, double rate, int index)
{
    struct stream s;
    struct genome g = loci(length);
    uint64_t second[WORDS] = {0};
    for (int i = 0; i < length; i++)
        chromosome_flip(second, i);
    memset(child, 0, WORDS * sizeof *child);
    chromosome_cross(child, second, &g, kind, probability_fixed(rate), open_stream(&s, index));
    return count_ones(child, length);
}

Test(crossover, happens_at_its_rate)
{
    const double rates[] = {0, 0.05, 0.5, 0.75, 0.99, 1};
    for (int k = 0; k < 6; k++) {
        int seen = 0;
        uint64_t child[WORDS];
        for (int t = 0; t < TRIALS; t++)
            seen += origins(child, LOCI, CROSSOVER_UNIFORM, rates[k], t) > 0;
        cr_assert_gt(binomial_p(&seen, 1, TRIALS, rates[k]), level, "rate %g: %d", rates[k], seen);
    }
}

/* Of fewer than two loci the child is a copy of the first parent. The sanitizers see what lies beyond the words of
 * a genome. */
Test(crossover, takes_every_locus_from_one_of_the_parents)
{
    for (int kind = CROSSOVER_UNIFORM; kind <= CROSSOVER_TWO_POINT; kind++)
        for (int length = 0; length <= 192; length += length < 3 ? 1 : 63) {
            struct stream s;
            struct genome g = loci(length);
            const size_t size = (size_t)g.words * sizeof(uint64_t);
            uint64_t *a = malloc(size + 1), *b = malloc(size + 1), *child = malloc(size + 1);
            chromosome_random(a, &g, open_stream(&s, kind));
            chromosome_random(b, &g, &s);
            for (int t = 0; t < 200; t++) {
                memcpy(child, a, size);
                chromosome_cross(child, b, &g, (enum crossover)kind, probability_fixed(1), &s);
                for (int w = 0; w < g.words; w++)
                    cr_assert_eq((child[w] ^ a[w]) & (length < 2 ? UINT64_MAX : child[w] ^ b[w]),
                                 0u);
            }
            chromosome_mutate(child, &g, probability_fixed(0.5), &s);
            free(a);
            free(b);
            free(child);
        }
}

/* Each locus comes from either parent with even chances, and so does its neighbour. */
Test(crossover, uniform_has_even_chances_everywhere)
{
    int seen[LOCI] = {0}, apart[LOCI] = {0};
    for (int t = 0; t < TRIALS; t++) {
        uint64_t c[WORDS];
        origins(c, LOCI, CROSSOVER_UNIFORM, 1, t);
        for (int i = 0; i < LOCI; i++) {
            seen[i] += chromosome_locus(c, i);
            apart[i] += chromosome_locus(c, i) != chromosome_locus(c, (i + 1) % LOCI);
        }
    }
    cr_assert_gt(binomial_p(seen, LOCI, TRIALS, 0.5), level);
    cr_assert_gt(binomial_p(apart, LOCI, TRIALS, 0.5), level);
}

/* Where the second parent's arc begins on the ring of loci; the parent changes there and at the arc's end. */
static int begin_of_arc(const uint64_t *c, int length)
{
    int begin = -1, begins = 0;
    for (int i = 0; i < length; i++)
        if (chromosome_locus(c, i) == 1 && chromosome_locus(c, (i + length - 1) % length) == 0) {
            begin = i;
            begins++;
        }
    cr_assert_eq(begins, 1);
    return begin;
}

/* One point gives the second parent what follows an inner cut, two points an arc of the ring: each of the n - 1 cuts,
 * or of the n (n - 1) ordered pairs of cuts, is as likely. */
Test(crossover, by_cuts_gives_one_arc_and_makes_each_cut_as_likely)
{
    const int lengths[] = {2, 12, 63, 64, 65, 224, 1024};
    for (int k = 0; k < 7; k++) {
        const int n = lengths[k];
        int one[LOCI_MAX] = {0}, two[12 * 11] = {0};
        for (int t = 0; t < (n == 12 || n == LOCI ? TRIALS : 300); t++) {
            uint64_t c[WORDS];
            int ones = origins(c, n, CROSSOVER_ONE_POINT, 1, t);
            cr_assert_eq(begin_of_arc(c, n), n - ones);
            one[ones - 1]++;
            ones = origins(c, n, CROSSOVER_TWO_POINT, 1, t);
            const int begin = begin_of_arc(c, n);
            if (n == 12)
                two[begin * 11 + ones - 1]++;
        }
        if (n == 12 || n == LOCI)
            cr_assert_gt(even_p(one, n - 1), level);
        if (n == 12)
            cr_assert_gt(even_p(two, 12 * 11), level);
    }
}

/* ---- crossover of genes ---- */

/* Genes of some sizes, one of them across the border of two words, and a constant. */
static const struct param genes[] = {
    {.name = "A", .max = 1023, .bits = 10},      {.name = "B", .max = 7, .bits = 0, .initial = 5},
    {.name = "C", .max = 15, .bits = 4},         {.name = "D", .max = INT32_MAX, .bits = 31},
    {.name = "E", .max = INT32_MAX, .bits = 31}, /* loci 45 to 75 */
};

enum { GENES = sizeof genes / sizeof *genes };

/* A child of two parents of given values, always crossed. Where they agree, it does. */
static void cross_values(enum crossover kind, int index, const int32_t first[GENES],
                         const int32_t second[GENES], int32_t child[GENES])
{
    static const struct param_table table = {.kind = "test", .params = genes, .count = GENES};
    struct genome g;
    struct stream s;
    uint64_t a[WORDS] = {0}, b[WORDS] = {0};
    cr_assert(genome_init(&g, &table, NULL));
    genome_encode(&g, first, a);
    genome_encode(&g, second, b);
    chromosome_cross(a, b, &g, kind, probability_fixed(1), open_stream(&s, index));
    count_ones(a, g.length);
    genome_decode(&g, a, child);
    for (int i = 0; i < GENES; i++)
        cr_assert(first[i] != second[i] || child[i] == first[i]);
}

static const int32_t one_parent[GENES] = {10, 5, 3, 1 << 30, 7},
                     other_parent[GENES] = {1000, 5, 5, 3, 7};

Test(discrete, takes_each_gene_whole_from_either_parent_with_even_chances)
{
    int from[4] = {0};
    for (int t = 0; t < TRIALS; t++) {
        int32_t child[GENES];
        cross_values(CROSSOVER_DISCRETE, t, one_parent, other_parent, child);
        for (int i = 0; i < GENES; i++)
            cr_assert(child[i] == one_parent[i] || child[i] == other_parent[i]);
        from[2 * (child[0] == one_parent[0]) + (child[3] == one_parent[3])]++;
    }
    cr_assert_gt(even_p(from, 4), level);
}

Test(intermediate, makes_each_number_between_the_parents_as_likely)
{
    int seen[3] = {0}, halves[2] = {0};
    for (int t = 0; t < TRIALS; t++) {
        int32_t child[GENES];
        cross_values(CROSSOVER_INTERMEDIATE, t, one_parent, other_parent, child);
        cr_assert(child[0] >= 10 && child[0] <= 1000);
        cr_assert(child[2] >= 3 && child[2] <= 5);
        cr_assert(child[3] >= 3 && child[3] <= 1 << 30);
        seen[child[2] - 3]++;
        halves[child[0] > 505]++;
    }
    cr_assert_gt(even_p(seen, 3), level);
    cr_assert_gt(even_p(halves, 2), level);
}

/* The wide gene tells which of the parts from -96/256 to 352/256 was drawn. */
Test(line, goes_a_part_of_the_way_in_all_genes_and_rounds_halves_away_from_the_parent)
{
    const int32_t first[GENES] = {500, 5, 8, 3 << 28, 1000},
                  second[GENES] = {499, 5, 9, 5 << 28, 1003};
    enum { LEAST = -96, PARTS = 352 - LEAST + 1 };
    int seen[PARTS] = {0};
    for (int t = 0; t < TRIALS; t++) {
        int32_t child[GENES];
        cross_values(CROSSOVER_LINE, t, first, second, child);
        int part = (child[3] - first[3]) / (1 << 21);
        cr_assert(part >= LEAST && part < LEAST + PARTS, "%d", part);
        seen[part - LEAST]++;
        for (int i = 0; i < GENES; i++)
            cr_assert_eq(child[i], first[i] + lround((second[i] - first[i]) * (part / 256.0)));
    }
    cr_assert_gt(even_p(seen, PARTS), level);
}

Test(line, stays_within_what_a_gene_can_say)
{
    const int32_t low[GENES] = {0, 5, 0, 0, INT32_MAX}, high[GENES] = {1023, 5, 15, INT32_MAX, 0};
    int at_bound = 0;
    for (int t = 0; t < TRIALS; t++) {
        int32_t child[GENES];
        cross_values(CROSSOVER_LINE, t, low, high, child);
        for (int i = 0; i < GENES; i++)
            cr_assert(child[i] >= 0 && child[i] <= genes[i].max);
        at_bound += child[0] == 0 || child[0] == 1023;
    }
    cr_assert_gt(at_bound, TRIALS / 4);
}

/* On the line 225 of the 449 parts of the way are nearer to the second parent, or half of it. */
Test(crossover, of_whole_genes_crosses_genes_of_one_bit)
{
    static const struct param bits[] = {{.name = "A", .max = 1, .bits = 1},
                                        {.name = "B", .max = 1, .bits = 1}};
    const struct param_table table = {.kind = "test", .params = bits, .count = 2};
    struct genome g;
    cr_assert(genome_init(&g, &table, NULL));
    for (int kind = CROSSOVER_DISCRETE; kind <= CROSSOVER_LINE; kind++) {
        int ones[2] = {0};
        for (int t = 0; t < TRIALS; t++) {
            struct stream s;
            uint64_t child = 0, second = 3;
            chromosome_cross(&child, &second, &g, (enum crossover)kind, probability_fixed(1),
                             open_stream(&s, t));
            ones[0] += child & 1;
            ones[1] += child >> 1 & 1;
        }
        for (int i = 0; i < 2; i++)
            cr_expect_gt(binomial_p(&ones[i], 1, TRIALS, kind == CROSSOVER_LINE ? 225 / 449. : 0.5),
                         level, "%d: %d", kind, ones[i]);
    }
}

/* ---- mutation ---- */

/* Random chromosomes have half of their loci, before mutation and after it; flips are so many in each locus, and
 * none is beyond. */
Test(mutation, flips_each_locus_at_its_rate)
{
    const struct genome g = loci(LOCI);
    const double rates[] = {0, 0.005, 0.05, 0.5, 1};
    for (int k = 0; k < 5; k++) {
        int drawn[LOCI] = {0}, flipped[LOCI] = {0};
        for (int t = 0; t < TRIALS; t++) {
            struct stream s;
            uint64_t before[WORDS] = {0}, after[WORDS];
            chromosome_random(before, &g, open_stream(&s, t));
            memcpy(after, before, sizeof after);
            chromosome_mutate(after, &g, probability_fixed(rates[k]), &s);
            count_ones(after, LOCI);
            for (int i = 0; i < LOCI; i++) {
                drawn[i] += chromosome_locus(before, i);
                flipped[i] += chromosome_locus(after, i) != chromosome_locus(before, i);
            }
        }
        cr_assert_gt(binomial_p(drawn, LOCI, TRIALS, 0.5), level);
        cr_assert_gt(binomial_p(flipped, LOCI, TRIALS, rates[k]), level, "rate %g", rates[k]);
    }
}

/* The flips of one chromosome are independent: their number is binomial, here close to Poisson
 * with mean 224 x 0.005; cells 0 to 4, and 5 and more. */
Test(mutation, has_independent_flips)
{
    const struct genome g = loci(LOCI);
    int seen[6] = {0};
    double expected[6], rest = TRIALS, each = TRIALS * pow(0.995, LOCI);
    for (int t = 0; t < TRIALS; t++) {
        struct stream s;
        uint64_t c[WORDS] = {0};
        chromosome_mutate(c, &g, probability_fixed(0.005), open_stream(&s, t));
        int flips = count_ones(c, LOCI);
        seen[flips < 5 ? flips : 5]++;
    }
    for (int k = 0; k < 6; k++) {
        expected[k] = k < 5 ? each : rest;
        rest -= each;
        each *= ((double)LOCI - k) / (k + 1) * 0.005 / 0.995;
    }
    cr_assert_gt(chi_square_p(seen, expected, 6), level);
}
