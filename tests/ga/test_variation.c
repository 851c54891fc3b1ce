/* Crossover and mutation: what they change, and how often. Crossing a chromosome of zeros with one
 * of ones shows from which parent each locus came. The draws come from fixed streams, so that a
 * test passes always or never; the level is 0.1 %. */
#include "operators.h"

#include <criterion/criterion.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

enum { TRIALS = 20000, WORDS = 16, LOCI_MAX = 64 * WORDS };

/* Room for the longest chromosome here; loci beyond the genome stay 0. */
struct chromosome {
    uint64_t words[WORDS];
};

static bool equal(const struct chromosome *a, const struct chromosome *b)
{
    return chromosome_equal(a->words, b->words, WORDS);
}

/* The number of loci that are set. */
static int count_ones(const struct chromosome *c)
{
    int ones = 0;
    for (int w = 0; w < WORDS; w++)
        ones += __builtin_popcountll(c->words[w]);
    return ones;
}

static const double level = 0.001;

/* A genome as the operators see it: so many loci. */
static struct genome loci(int length)
{
    return (struct genome){.length = length, .words = (length + 63) / 64};
}

static struct chromosome ones(int length)
{
    struct chromosome c = {{0}};
    for (int i = 0; i < length; i++)
        chromosome_flip(c.words, i);
    return c;
}

static struct stream *open_stream(struct stream *s, int index)
{
    stream_init(s, 5, STREAM_TEST, 1, (uint64_t)index);
    return s;
}

/* A child of zeros (first parent) and ones (second), always crossed. */
static struct chromosome origins(struct genome g, enum crossover kind, int index)
{
    struct stream s;
    struct chromosome child = {{0}}, second = ones(g.length);
    chromosome_cross(child.words, second.words, &g, kind, probability_fixed(1),
                     open_stream(&s, index));
    return child;
}

/* How many neighbours in the chromosome come from different parents. */
static int changes(const struct chromosome *c, int length)
{
    int n = 0;
    for (int i = 1; i < length; i++)
        n += chromosome_locus(c->words, i) != chromosome_locus(c->words, i - 1);
    return n;
}

static void assert_clean_beyond(const struct chromosome *c, int length)
{
    for (int i = length; i < LOCI_MAX; i++)
        cr_assert_eq(chromosome_locus(c->words, i), 0, "locus %d of %d", i, length);
}

/* The probability of counts at least this far from `each` in every cell. */
static double even_p(const int *seen, int cells, double each)
{
    double chi = 0;
    for (int i = 0; i < cells; i++)
        chi += (seen[i] - each) * (seen[i] - each) / each;
    return gsl_cdf_chisq_Q(chi, cells - 1);
}

/* The probability of counts this far from binomials of `trials` and p, one in each cell. */
static double binomial_p(const int *seen, int cells, double trials, double p)
{
    double chi = 0;
    for (int i = 0; i < cells; i++)
        chi += (seen[i] - trials * p) * (seen[i] - trials * p) / (trials * p * (1 - p));
    return gsl_cdf_chisq_Q(chi, cells);
}

Test(random, sets_half_of_the_loci_and_none_beyond)
{
    const struct genome g = loci(224);
    int seen[224] = {0};
    for (int t = 0; t < TRIALS; t++) {
        struct stream s;
        struct chromosome c = {{0}};
        chromosome_random(c.words, &g, open_stream(&s, t));
        for (int i = 0; i < 224; i++)
            seen[i] += chromosome_locus(c.words, i);
        assert_clean_beyond(&c, 224);
    }
    cr_assert_gt(binomial_p(seen, 224, TRIALS, 0.5), level);
}

Test(crossover, happens_at_its_rate)
{
    const struct genome g = loci(224);
    const struct chromosome second = ones(224);
    const double rates[] = {0.05, 0.5, 0.75, 0.99};
    int seen[4] = {0};
    for (int k = 0; k < 4; k++)
        for (int t = 0; t < TRIALS; t++) {
            struct stream s;
            struct chromosome child = {{0}};
            chromosome_cross(child.words, second.words, &g, CROSSOVER_UNIFORM,
                             probability_fixed(rates[k]), open_stream(&s, t));
            seen[k] += count_ones(&child) > 0;
        }
    for (int k = 0; k < 4; k++)
        cr_assert_gt(binomial_p(&seen[k], 1, TRIALS, rates[k]), level, "rate %g: %d of %d",
                     rates[k], seen[k], TRIALS);
}

Test(crossover, never_and_always)
{
    const struct genome g = loci(224);
    const struct chromosome second = ones(224), zeros = {{0}};
    for (int t = 0; t < 1000; t++) {
        struct stream s;
        struct chromosome child = zeros;
        chromosome_cross(child.words, second.words, &g, CROSSOVER_UNIFORM, probability_fixed(0),
                         open_stream(&s, t));
        cr_assert(equal(&child, &zeros));
        child = origins(g, CROSSOVER_UNIFORM, t);
        cr_assert_not(equal(&child, &zeros));
    }
}

Test(crossover, takes_every_locus_from_one_of_the_parents)
{
    const struct genome g = loci(150);
    for (int kind = CROSSOVER_UNIFORM; kind <= CROSSOVER_TWO_POINT; kind++)
        for (int t = 0; t < 200; t++) {
            struct stream s;
            struct chromosome a = {{0}}, b = {{0}}, child;
            chromosome_random(a.words, &g, open_stream(&s, t));
            chromosome_random(b.words, &g, &s);
            child = a;
            chromosome_cross(child.words, b.words, &g, (enum crossover)kind, probability_fixed(1),
                             &s);
            for (int w = 0; w < WORDS; w++)
                cr_assert_eq((child.words[w] ^ a.words[w]) & (child.words[w] ^ b.words[w]), 0u);
        }
}

/* Returns a chromosome in memory that ends with it. */
static uint64_t *exact(const struct genome *g, uint64_t word)
{
    uint64_t *c = malloc((size_t)g->words * sizeof *c);
    cr_assert_not_null(c);
    for (int w = 0; w < g->words; w++)
        c[w] = word;
    return c;
}

/* The sanitizers see what lies beyond a chromosome; without them only the loci are compared. */
Test(crossover, reads_and_writes_the_words_of_its_genome_alone)
{
    const struct genome g = loci(128);
    for (int kind = CROSSOVER_UNIFORM; kind <= CROSSOVER_TWO_POINT; kind++) {
        struct stream s;
        uint64_t *child = exact(&g, 0), *second = exact(&g, UINT64_MAX);
        chromosome_cross(child, second, &g, (enum crossover)kind, probability_fixed(1),
                         open_stream(&s, kind));
        cr_assert(child[0] != 0 || child[1] != 0);
        chromosome_mutate(child, &g, probability_fixed(0.5), &s);
        chromosome_random(second, &g, &s);
        free(child);
        free(second);
    }
}

Test(uniform, each_locus_comes_from_either_parent_with_even_chances)
{
    const struct genome g = loci(224);
    int seen[224] = {0};
    for (int t = 0; t < TRIALS; t++) {
        struct chromosome c = origins(g, CROSSOVER_UNIFORM, t);
        for (int i = 0; i < 224; i++)
            seen[i] += chromosome_locus(c.words, i);
        assert_clean_beyond(&c, 224);
    }
    cr_assert_gt(binomial_p(seen, 224, TRIALS, 0.5), level);
}

/* Neighbours are independent: 223 places where the parent changes or not, with even chances. */
Test(uniform, neighbours_are_independent)
{
    const struct genome g = loci(224);
    int seen[223] = {0};
    for (int t = 0; t < TRIALS; t++) {
        struct chromosome c = origins(g, CROSSOVER_UNIFORM, t);
        for (int i = 0; i < 223; i++)
            seen[i] += chromosome_locus(c.words, i) != chromosome_locus(c.words, i + 1);
    }
    cr_assert_gt(binomial_p(seen, 223, TRIALS, 0.5), level);
}

Test(one_point, gives_the_first_parent_up_to_a_cut_and_the_second_after)
{
    const int lengths[] = {2, 63, 64, 65, 224, 1024};
    for (int k = 0; k < 6; k++)
        for (int t = 0; t < 300; t++) {
            struct chromosome c = origins(loci(lengths[k]), CROSSOVER_ONE_POINT, t);
            cr_assert_eq(changes(&c, lengths[k]), 1);
            cr_assert_eq(chromosome_locus(c.words, 0), 0);
            cr_assert_eq(chromosome_locus(c.words, lengths[k] - 1), 1);
            assert_clean_beyond(&c, lengths[k]);
        }
}

Test(one_point, every_inner_cut_is_as_likely)
{
    int seen[223] = {0};
    for (int t = 0; t < TRIALS; t++) {
        struct chromosome c = origins(loci(224), CROSSOVER_ONE_POINT, t);
        int from_second = count_ones(&c);
        seen[from_second - 1]++;
    }
    cr_assert_gt(even_p(seen, 223, TRIALS / 223.0), level);
}

/* On the ring the parent changes exactly twice. */
Test(two_point, gives_one_arc_of_the_ring_to_each_parent)
{
    const int lengths[] = {2, 63, 64, 65, 224, 1024};
    for (int k = 0; k < 6; k++)
        for (int t = 0; t < 300; t++) {
            int last = lengths[k] - 1;
            struct chromosome c = origins(loci(lengths[k]), CROSSOVER_TWO_POINT, t);
            int closing = chromosome_locus(c.words, last) != chromosome_locus(c.words, 0);
            cr_assert_eq(changes(&c, lengths[k]) + closing, 2);
            assert_clean_beyond(&c, lengths[k]);
        }
}

/* Each of the n (n - 1) ordered pairs of cuts is as likely: by where the second parent's arc
 * begins and how long it is. */
Test(two_point, every_pair_of_cuts_is_as_likely)
{
    enum { N = 12 };
    int seen[N * (N - 1)] = {0};
    for (int t = 0; t < TRIALS; t++) {
        struct chromosome c = origins(loci(N), CROSSOVER_TWO_POINT, t);
        int begin = 0;
        while (!(chromosome_locus(c.words, begin) == 1 &&
                 chromosome_locus(c.words, (begin + N - 1) % N) == 0))
            begin++;
        int arc = count_ones(&c);
        seen[begin * (N - 1) + arc - 1]++;
    }
    cr_assert_gt(even_p(seen, N * (N - 1), (double)TRIALS / (N * (N - 1))), level);
}

/* Genes of some sizes, one of them across the border of two words, and a constant. */
static const struct param genes[] = {
    {.name = "A", .max = 1023, .bits = 10},      {.name = "B", .max = 7, .bits = 0, .initial = 5},
    {.name = "C", .max = 15, .bits = 4},         {.name = "D", .max = INT32_MAX, .bits = 31},
    {.name = "E", .max = INT32_MAX, .bits = 31}, /* loci 45 to 75 */
};

enum { GENES = sizeof genes / sizeof *genes };

static struct genome genes_of_numbers(void)
{
    static const struct param_table table = {.kind = "test", .params = genes, .count = GENES};
    struct genome g;
    cr_assert(genome_init(&g, &table, NULL));
    return g;
}

/* A child of two parents of given values, always crossed. */
static void cross_values(const struct genome *g, enum crossover kind, int index,
                         const int32_t first[GENES], const int32_t second[GENES],
                         int32_t child[GENES])
{
    struct stream s;
    struct chromosome a = {{0}}, b = {{0}};
    genome_encode(g, first, a.words);
    genome_encode(g, second, b.words);
    chromosome_cross(a.words, b.words, g, kind, probability_fixed(1), open_stream(&s, index));
    assert_clean_beyond(&a, g->length);
    genome_decode(g, a.words, child);
}

static const int32_t one_parent[GENES] = {10, 5, 3, 1 << 30, 7},
                     other_parent[GENES] = {1000, 5, 5, 3, 7};

Test(discrete, each_gene_comes_whole_from_either_parent_with_even_chances)
{
    const struct genome g = genes_of_numbers();
    int from_other[GENES] = {0}, both = 0;
    for (int t = 0; t < TRIALS; t++) {
        int32_t child[GENES];
        cross_values(&g, CROSSOVER_DISCRETE, t, one_parent, other_parent, child);
        for (int i = 0; i < GENES; i++) {
            cr_assert(child[i] == one_parent[i] || child[i] == other_parent[i]);
            from_other[i] += child[i] != one_parent[i];
        }
        both += child[0] != one_parent[0] && child[3] != one_parent[3];
    }
    const int seen[4] = {from_other[0], TRIALS - from_other[0], from_other[3],
                         TRIALS - from_other[3]};
    cr_assert_gt(even_p(seen, 4, TRIALS / 2.0), level);
    cr_assert_float_eq(both, TRIALS / 4.0, 4 * sqrt(TRIALS * 3 / 16.0));
}

Test(intermediate, each_number_between_the_parents_is_as_likely)
{
    const struct genome g = genes_of_numbers();
    int seen[3] = {0}, upper = 0;
    for (int t = 0; t < TRIALS; t++) {
        int32_t child[GENES];
        cross_values(&g, CROSSOVER_INTERMEDIATE, t, one_parent, other_parent, child);
        cr_assert(child[0] >= 10 && child[0] <= 1000);
        cr_assert(child[2] >= 3 && child[2] <= 5);
        cr_assert(child[3] >= 3 && child[3] <= 1 << 30);
        cr_assert(child[1] == 5 && child[4] == 7, "where parents agree the child does");
        seen[child[2] - 3]++;
        upper += child[0] > 505;
    }
    cr_assert_gt(even_p(seen, 3, TRIALS / 3.0), level);
    cr_assert_float_eq(upper, TRIALS / 2.0, 4 * sqrt(TRIALS / 4.0));
}

/* How far on the way from the one parent to the other a gene of the child is. */
static double way(const int32_t child[GENES], int gene)
{
    return ((double)child[gene] - one_parent[gene]) /
           ((double)other_parent[gene] - one_parent[gene]);
}

Test(line, all_numbers_lie_the_same_part_of_the_way_between_the_parents_or_beyond)
{
    const struct genome g = genes_of_numbers();
    int inside = 0, before = 0;
    for (int t = 0; t < TRIALS; t++) {
        int32_t child[GENES];
        cross_values(&g, CROSSOVER_LINE, t, one_parent, other_parent, child);
        double part = way(child, 3);
        cr_assert(part >= -0.376 && part <= 1.376);
        cr_assert(child[1] == 5 && child[4] == 7, "where parents agree the child does");
        if (part > 0 && part < 1) {
            cr_assert_float_eq(way(child, 0), part, 0.001);
            cr_assert_float_eq(way(child, 2), part, 0.26, "the nearest of whole numbers");
        }
        inside += part > 0 && part < 1;
        before += part <= 0;
    }
    cr_assert_float_eq(inside, TRIALS * 255 / 449.0, 4 * sqrt(TRIALS / 4.0));
    cr_assert_float_eq(before, TRIALS * 97 / 449.0, 4 * sqrt(TRIALS / 4.0));
}

/* The wide gene tells which of the parts from -96/256 to 352/256 was drawn. */
Test(line, every_part_of_the_way_is_as_likely_and_halves_are_rounded_away_from_the_parent)
{
    const struct genome g = genes_of_numbers();
    const int32_t first[GENES] = {500, 5, 8, 3 << 28, 1000},
                  second[GENES] = {499, 5, 9, 5 << 28, 1003};
    enum { LEAST = -96, PARTS = 352 - LEAST + 1 };
    int seen[PARTS] = {0};
    for (int t = 0; t < TRIALS; t++) {
        int32_t child[GENES];
        cross_values(&g, CROSSOVER_LINE, t, first, second, child);
        int part = (child[3] - first[3]) / (1 << 21);
        cr_assert(part >= LEAST && part < LEAST + PARTS, "%d", part);
        seen[part - LEAST]++;
        for (int i = 0; i < GENES; i++)
            cr_assert_eq(child[i], first[i] + lround((second[i] - first[i]) * (part / 256.0)));
    }
    cr_assert(seen[0] > 0 && seen[PARTS - 1] > 0, "the ends are drawn too");
    cr_assert_gt(even_p(seen, PARTS, (double)TRIALS / PARTS), level);
}

Test(line, stays_within_what_a_gene_can_say)
{
    const struct genome g = genes_of_numbers();
    const int32_t low[GENES] = {0, 5, 0, 0, INT32_MAX}, high[GENES] = {1023, 5, 15, INT32_MAX, 0};
    int at_bound = 0;
    for (int t = 0; t < TRIALS; t++) {
        int32_t child[GENES];
        cross_values(&g, CROSSOVER_LINE, t, low, high, child);
        for (int i = 0; i < GENES; i++)
            cr_assert(child[i] >= 0 && child[i] <= genes[i].max);
        at_bound += child[0] == 0 || child[0] == 1023;
    }
    cr_assert_gt(at_bound, TRIALS / 4);
}

/* Of a child of 0 and 1, how often each of two genes with one bit is 1. */
static void count_single_bits(enum crossover kind, int ones[2])
{
    static const struct param bits[] = {{.name = "A", .max = 1, .bits = 1},
                                        {.name = "B", .max = 1, .bits = 1}};
    const struct param_table table = {.kind = "test", .params = bits, .count = 2};
    struct genome g;
    cr_assert(genome_init(&g, &table, NULL));
    for (int t = 0; t < TRIALS; t++) {
        struct stream s;
        uint64_t child = 0, second = 3;
        chromosome_cross(&child, &second, &g, kind, probability_fixed(1), open_stream(&s, t));
        ones[0] += child & 1;
        ones[1] += child >> 1 & 1;
    }
}

/* On the line 225 of the 449 parts of the way are nearer to the second parent, or half of it. */
Test(crossover, of_whole_genes_crosses_genes_of_one_bit)
{
    const enum crossover kinds[] = {CROSSOVER_DISCRETE, CROSSOVER_INTERMEDIATE, CROSSOVER_LINE};
    const double share[] = {1 / 2., 1 / 2., 225 / 449.};
    for (int k = 0; k < 3; k++) {
        int ones[2] = {0};
        count_single_bits(kinds[k], ones);
        for (int i = 0; i < 2; i++)
            cr_expect_float_eq(ones[i], TRIALS * share[k], 4 * sqrt(TRIALS / 4.0), "%d: %d", k,
                               ones[i]);
    }
}

Test(crossover, of_fewer_than_two_loci_copies_the_first_parent)
{
    for (int kind = CROSSOVER_UNIFORM; kind <= CROSSOVER_TWO_POINT; kind++)
        for (int length = 0; length < 2; length++)
            for (int t = 0; t < 20; t++) {
                struct chromosome c = origins(loci(length), (enum crossover)kind, t);
                cr_assert(count_ones(&c) == 0);
            }
}

Test(mutation, flips_each_locus_at_its_rate_and_none_beyond)
{
    const struct genome g = loci(224);
    const double rates[] = {0.005, 0.05, 0.5};
    for (int k = 0; k < 3; k++) {
        int seen[224] = {0};
        for (int t = 0; t < TRIALS; t++) {
            struct stream s;
            struct chromosome before = {{0}}, after;
            chromosome_random(before.words, &g, open_stream(&s, t));
            after = before;
            chromosome_mutate(after.words, &g, probability_fixed(rates[k]), &s);
            for (int i = 0; i < 224; i++)
                seen[i] += chromosome_locus(after.words, i) != chromosome_locus(before.words, i);
            assert_clean_beyond(&after, 224);
        }
        cr_assert_gt(binomial_p(seen, 224, TRIALS, rates[k]), level, "rate %g", rates[k]);
    }
}

/* The flips of one chromosome are independent: their number is binomial, here close to Poisson
 * with mean 224 x 0.005; cells 0 to 4, and 5 and more. */
Test(mutation, flips_of_one_chromosome_are_independent)
{
    const struct genome g = loci(224);
    int seen[6] = {0};
    for (int t = 0; t < TRIALS; t++) {
        struct stream s;
        struct chromosome c = {{0}};
        chromosome_mutate(c.words, &g, probability_fixed(0.005), open_stream(&s, t));
        int flips = count_ones(&c);
        seen[flips < 5 ? flips : 5]++;
    }
    double chi = 0, rest = 1, p = 1;
    for (int i = 0; i < 224; i++)
        p *= 1 - 0.005;
    for (int k = 0; k < 6; k++) {
        double expected = TRIALS * (k < 5 ? p : rest);
        chi += (seen[k] - expected) * (seen[k] - expected) / expected;
        rest -= p;
        p *= (224.0 - k) / (k + 1) * 0.005 / 0.995;
    }
    cr_assert_gt(gsl_cdf_chisq_Q(chi, 5), level);
}

Test(mutation, never_and_always)
{
    const struct genome g = loci(100);
    struct stream s;
    struct chromosome c = {{0}};
    chromosome_mutate(c.words, &g, probability_fixed(0), open_stream(&s, 1));
    cr_assert(count_ones(&c) == 0);
    chromosome_mutate(c.words, &g, probability_fixed(1), &s);
    struct chromosome all = ones(100);
    cr_assert(equal(&c, &all));
}
