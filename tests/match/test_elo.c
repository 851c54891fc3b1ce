/* Match statistics: against closed forms and published results, at the ends where variances vanish,
 * and against simulated matches. */
#include "elo.h"

#include "simulated_match.h"
#include "text_stream.h"
#include "thorough.h"

#include <criterion/criterion.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct sprt usual = {0, 3, 0.05, 0.10};

static struct match_counts counts(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e)
{
    return (struct match_counts){.pairs = {a, b, c, d, e}};
}

static struct elo_estimate estimate(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e)
{
    struct match_counts n = counts(a, b, c, d, e);
    return elo_estimate(&n);
}

static double llr(const struct sprt *s, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e)
{
    struct match_counts n = counts(a, b, c, d, e);
    return sprt_llr(s, &n);
}

static void near(double x, double y, double tolerance, const char *what)
{
    cr_assert(fabs(x - y) <= tolerance, "%s: %.12g, expected %.12g", what, x, y);
}

/* The difference that predicts a score. */
static double elo_of(double score)
{
    return 400 * log10(score / (1 - score));
}

/* What fastchess printed of real matches: its intervals are normal ones, and that of nElo leaves
 * out how sure the deviation is. */
Test(elo, agrees_with_match_runners_where_counts_are_large)
{
    static const struct {
        int64_t pairs[5];
        double elo, margin, nelo, nelo_margin, los, draws;
    } known[] = {
        {{790, 1759, 3256, 1780, 807}, 1.14, 4.04, 1.48, 5.26, 70.95, 38.80},
        {{235, 1384, 2521, 1341, 239}, -1.06, 4.05, -1.67, 6.37, 30.33, 44.07},
        {{352, 579, 1264, 743, 464}, 19.83, 6.77, 24.25, 8.26, 100.00, 37.15},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const int64_t *n = known[i].pairs;
        struct elo_estimate e = estimate(n[0], n[1], n[2], n[3], n[4]);
        near(e.elo, known[i].elo, 0.005, "Elo");
        near(e.elo_margin, known[i].margin, 0.01, "its margin");
        near(e.nelo, known[i].nelo, 0.005, "nElo");
        near(e.nelo_margin, known[i].nelo_margin, 0.006 * known[i].nelo_margin, "its margin");
        near(100 * e.los, known[i].los, 0.01, "LOS");
        near(100 * e.draw_ratio, known[i].draws, 0.005, "draws");
    }
}

Test(elo, of_no_pair_is_unknown)
{
    struct elo_estimate e = estimate(0, 0, 0, 0, 0);
    cr_assert(e.score == 0.5 && e.elo == 0 && e.nelo == 0 && e.los == 0.5 && e.draw_ratio == 0);
    cr_assert(e.elo_low == -INFINITY && e.elo_high == INFINITY && e.elo_margin == INFINITY &&
              e.nelo_margin == INFINITY);
}

Test(elo, counts_are_added)
{
    struct match_counts sum = {{1, 2, 3, 4, 5}, 6, 7, 8};
    const struct match_counts more = {{10, 20, 30, 40, 50}, 60, 70, 80};
    const struct match_counts both = {{11, 22, 33, 44, 55}, 66, 77, 88};
    match_counts_add(&sum, &more);
    cr_assert_arr_eq(&sum, &both, sizeof sum);
}

/* The best distribution of mean m > 1/2 gives 1-1 as much as it can, 2 (1 - m), the rest to 2-0. */
Test(elo, of_nothing_but_even_pairs)
{
    for (int64_t n = 1; n < 1000000; n *= 10) {
        struct elo_estimate e = estimate(0, 0, n, 0, 0);
        double high = 1 - exp(-3.841458820694 / (double)(2 * n)) / 2;
        cr_assert(e.score == 0.5 && e.elo == 0 && e.nelo == 0 && e.draw_ratio == 1);
        near(e.los, 0.5, 1e-12, "LOS");
        near(e.elo_high, elo_of(high), 1e-6 * e.elo_high, "high");
        near(e.elo_low, -e.elo_high, 1e-6 * e.elo_high, "low");
        near(e.elo_margin, e.elo_high, 1e-6 * e.elo_high, "margin");
        near(e.nelo_margin, 1.959964 * 347.43558 / sqrt(2 * (double)n), 1e-3, "nElo's margin");
    }
}

/* A player who always wins has at least the score m with m^n as likely as the interval allows. */
Test(elo, of_nothing_but_wins)
{
    struct elo_estimate e = estimate(0, 0, 0, 0, 12), mirrored = estimate(12, 0, 0, 0, 0);
    near(e.elo_low, elo_of(exp(-3.841458820694 / 24)), 1e-6, "low");
    near(e.los, gsl_cdf_ugaussian_P(sqrt(24 * log(2))), 1e-9, "LOS");
    cr_assert(e.elo == INFINITY && e.elo_high == INFINITY && e.elo_margin == INFINITY);
    cr_assert(e.nelo == INFINITY && e.nelo_margin == INFINITY);
    cr_assert(mirrored.elo == -INFINITY && mirrored.elo_low == -INFINITY &&
              mirrored.nelo == -INFINITY);
    near(mirrored.elo_high, -e.elo_low, 1e-9, "high");
}

/* All pairs alike but neither even nor won: no variance, an infinite nElo, a finite Elo. */
Test(elo, of_pairs_that_are_all_alike)
{
    struct elo_estimate e = estimate(0, 0, 0, 9, 0);
    near(e.elo, elo_of(0.75), 1e-9, "Elo");
    cr_assert(e.nelo == INFINITY && e.elo_low < e.elo && e.elo < e.elo_high);
    cr_assert(isfinite(e.elo_low) && isfinite(e.elo_high));
}

/* With 2-0 and 0-2 only the likelihood is the binomial one. */
Test(elo, of_decided_pairs_is_binomial)
{
    struct elo_estimate e = estimate(30, 0, 0, 0, 70);
    double ends[] = {elo_to_score(e.elo_low), elo_to_score(e.elo_high)};
    for (int i = 0; i < 2; i++)
        near(2 * (70 * log(0.7 / ends[i]) + 30 * log(0.3 / (1 - ends[i]))), 3.841458820694, 1e-6,
             "likelihood ratio");
    double s0 = elo_to_score(0), s1 = elo_to_score(3);
    near(llr(&usual, 30, 0, 0, 0, 70), 70 * log(s1 / s0) + 30 * log((1 - s1) / (1 - s0)), 1e-9,
         "LLR");
}

/* With a share p of 2-0 and q of 0-2 the derivative of nElo by p is 1 / (4 p q) of that at 1/2, where
 * skewness and kurtosis count for nothing. With a share p of 2-0 and the rest 1-1, nElo is sqrt(p / q)
 * units: skewness makes it surer. */
Test(elo, margins_follow_from_the_slope)
{
    const double even = 1.959964 * 347.43558 / sqrt(2 * 100);
    near(estimate(50, 0, 0, 0, 50).nelo_margin, even, 1e-3, "nElo's margin");
    near(estimate(30, 0, 0, 0, 70).nelo_margin, even / (4 * 0.3 * 0.7), 1e-3, "nElo's margin");
    near(estimate(90, 0, 0, 0, 10).nelo_margin, even / (4 * 0.9 * 0.1), 1e-3, "nElo's margin");
    near(estimate(0, 0, 90, 0, 10).nelo_margin, even / (2 * 0.9), 1e-3, "nElo's margin");
    near(estimate(0, 0, 60, 0, 40).nelo_margin, even / (2 * 0.6), 1e-3, "nElo's margin");
}

/* If A and B are equal, 0-2 and 2-0 are best given the same share, half of both. With 1-1 and 2-0 once each
 * the best that can be is 1/4, 0, 1/2, 0, 1/4: 0-2, which has not occurred, has a share. */
Test(elo, los_of_three_outcomes)
{
    double ratio = 5 * log(20.0 / (2 * 5)) + 15 * log(20.0 / (2 * 15));
    near(estimate(5, 0, 80, 0, 15).los, gsl_cdf_ugaussian_P(sqrt(-2 * ratio)), 1e-9, "LOS");
    near(estimate(0, 0, 1, 0, 1).los, gsl_cdf_ugaussian_P(sqrt(2 * log(2))), 1e-9, "LOS");
}

Test(elo, of_the_other_player_is_the_negative)
{
    struct elo_estimate e = estimate(3, 40, 91, 55, 8), f = estimate(8, 55, 91, 40, 3);
    near(e.elo, -f.elo, 1e-9, "Elo");
    near(e.elo_low, -f.elo_high, 1e-6, "interval");
    near(e.nelo, -f.nelo, 1e-9, "nElo");
    near(e.nelo_margin, f.nelo_margin, 1e-9, "nElo's margin");
    near(e.los, 1 - f.los, 1e-9, "LOS");
    const struct sprt there = {-2, 7, 0.05, 0.05}, back = {-7, 2, 0.05, 0.05};
    near(llr(&there, 3, 40, 91, 55, 8), -llr(&back, 8, 55, 91, 40, 3), 1e-9, "LLR");
}

Test(elo, rises_with_better_results_and_is_surer_with_more)
{
    double elo = -INFINITY, nelo = -INFINITY, los = 0, ratio = -INFINITY, width = INFINITY;
    for (int64_t won = 0; won <= 60; won += 5) {
        struct elo_estimate e = estimate(5, 60 - won, 100, won, 5);
        double now = llr(&usual, 5, 60 - won, 100, won, 5);
        cr_assert(e.elo > elo && e.nelo > nelo && e.los > los && now > ratio);
        elo = e.elo, nelo = e.nelo, los = e.los, ratio = now;
    }
    for (int64_t n = 1; n < 100000; n *= 3) {
        struct elo_estimate e = estimate(n, 4 * n, 9 * n, 5 * n, n);
        cr_assert(e.elo_low < e.elo && e.elo < e.elo_high);
        cr_assert_lt(e.elo_high - e.elo_low, width);
        width = e.elo_high - e.elo_low;
    }
}

/* ---- the sequential test ---- */

Test(sprt, bounds_are_walds_and_no_pair_says_nothing)
{
    struct match_counts none = {0};
    near(sprt_lower(&usual), -2.2513, 5e-5, "lower");
    near(sprt_upper(&usual), 2.8904, 5e-5, "upper");
    cr_assert_eq(sprt_llr(&usual, &none), 0);
    cr_assert_eq(sprt_decide(&usual, &none), SPRT_GOES_ON);
}

/* Each pair 1-1: log(2 (1 - s1)) for H1 against 0 for H0, no variance, no correction. */
Test(sprt, ends_when_all_pairs_are_even)
{
    double each = log(2 * (1 - elo_to_score(3)));
    int64_t last = (int64_t)(sprt_lower(&usual) / each);
    near(llr(&usual, 0, 0, 100, 0, 0), 100 * each, 1e-9, "LLR");
    struct match_counts before = counts(0, 0, last, 0, 0), after = counts(0, 0, last + 1, 0, 0);
    cr_assert_eq(sprt_decide(&usual, &before), SPRT_GOES_ON);
    cr_assert_eq(sprt_decide(&usual, &after), SPRT_ACCEPTS_H0);
}

Test(sprt, never_ends_on_even_pairs_between_symmetric_hypotheses)
{
    const struct sprt symmetric = {-3, 3, 0.05, 0.05};
    struct match_counts many = counts(0, 0, 1000000, 0, 0);
    near(sprt_llr(&symmetric, &many), 0, 1e-6, "LLR");
    cr_assert_eq(sprt_decide(&symmetric, &many), SPRT_GOES_ON);
}

Test(sprt, ends_when_all_pairs_are_won)
{
    near(llr(&usual, 0, 0, 0, 0, 50), 50 * log(2 * elo_to_score(3)), 1e-9, "LLR");
    struct match_counts won = counts(0, 0, 0, 0, 500), lost = counts(500, 0, 0, 0, 0);
    cr_assert_eq(sprt_decide(&usual, &won), SPRT_ACCEPTS_H1);
    cr_assert_eq(sprt_decide(&usual, &lost), SPRT_ACCEPTS_H0);
}

/* What a test decides after so many 2-0 and 0-2, in closed form: 0.5826 standard deviations of a step
 * before Wald's bounds, but not before half way. */
static enum sprt_decision decision(const struct sprt *s, int64_t won, int64_t lost)
{
    double win = log(elo_to_score(s->elo1) / elo_to_score(s->elo0));
    double loss = log(elo_to_score(-s->elo1) / elo_to_score(-s->elo0));
    double n = (double)(won + lost), ratio = (double)won * win + (double)lost * loss;
    double early = 0.5826 * (win - loss) * sqrt((double)won * (double)lost) / n;
    if (ratio >= fmax(log((1 - s->beta) / s->alpha) - early, log((1 - s->beta) / s->alpha) / 2))
        return SPRT_ACCEPTS_H1;
    if (ratio <= fmin(log(s->beta / (1 - s->alpha)) + early, log(s->beta / (1 - s->alpha)) / 2))
        return SPRT_ACCEPTS_H0;
    return SPRT_GOES_ON;
}

Test(sprt, stops_part_of_a_step_before_its_bounds_but_not_before_half_way)
{
    const struct sprt tests[] = {
        {0, 60, 0.05, 0.10}, {-100, 350, 0.05, 0.10}, {-600, 400, 0.2, 0.1}};
    for (size_t t = 0; t < 3; t++)
        for (int64_t won = 0; won < 60; won++)
            for (int64_t lost = won == 0; lost < 60; lost++) {
                struct match_counts c = counts(lost, 0, 0, 0, won);
                cr_assert_eq(sprt_decide(&tests[t], &c), decision(&tests[t], won, lost),
                             "test %zu, %lld won, %lld lost", t, (long long)won, (long long)lost);
            }
}

/* Near the normal approximation, N (s1 - s0) (2 mean - s0 - s1) / (2 variance). */
Test(sprt, agrees_with_the_normal_approximation)
{
    double s0 = elo_to_score(0), s1 = elo_to_score(3), mean = 0.5, variance = 0;
    static const int64_t n[] = {500, 2600, 4800, 2700, 520};
    for (int i = 0; i < 5; i++)
        mean += (0.25 * i - 0.5) * (double)n[i] / 11120;
    for (int i = 0; i < 5; i++)
        variance += (0.25 * i - mean) * (0.25 * i - mean) * (double)n[i] / 11120;
    double normal = 11120 * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
    near(llr(&usual, n[0], n[1], n[2], n[3], n[4]), normal, 0.001, "LLR");
}

/* Every way to share up to four pairs of each sort, and the same a hundred million times. */
Test(sprt, and_estimates_are_numbers_whatever_the_counts)
{
    const struct sprt tests[] = {usual, {-1000, 1000, 0.01, 0.2}, {300, 301, 0.05, 0.05}};
    for (int i = 1; i < 3125; i += thorough(7, 1))
        for (int64_t scale = 1; scale <= 100000000; scale *= 100000000) {
            struct match_counts c = counts(i % 5 * scale, i / 5 % 5 * scale, i / 25 % 5 * scale,
                                           i / 125 % 5 * scale, i / 625 * scale);
            struct elo_estimate e = elo_estimate(&c);
            cr_assert(e.elo_low <= e.elo && e.elo <= e.elo_high && 0 <= e.los && e.los <= 1 &&
                          !isnan(e.elo_margin) && !isnan(e.nelo) && e.nelo_margin >= 0,
                      "counts %d", i);
            for (int t = 0; t < 3; t++)
                cr_assert(isfinite(sprt_llr(&tests[t], &c)), "counts %d, test %d", i, t);
        }
}

/* ---- the lines ---- */

static void expect_report(const struct match_counts *c, const struct sprt *s, const char *expected)
{
    char *text;
    size_t size;
    FILE *out = text_stream(&text, &size);
    elo_report(out, "new", "old", c, s);
    fclose(out);
    cr_expect_str_eq(text, expected);
    free(text);
}

/* The percentage is how far the ratio is to the bound on its side. */
Test(report, is_as_match_runners_print_it)
{
    const struct match_counts c = {{790, 1759, 3256, 1780, 807}, 5739, 5684, 5361},
                              ahead = {{400, 900, 1600, 975, 400}, 1, 0, 0},
                              even = {{0, 0, 100, 0, 0}, 70, 70, 60}, none = {0};
    expect_report(&c, &usual,
                  "Score of new vs old: 5739 - 5684 - 5361  [0.502] 16784\n"
                  "Elo: 1.14 +/- 4.04, nElo: 1.48 +/- 5.26\n"
                  "LOS: 70.95 %, DrawRatio: 38.80 %\n"
                  "Ptnml(0-2): [790, 1759, 3256, 1780, 807]\n"
                  "LLR: -0.25 (-11.3%) (-2.25, 2.89) [0.00, 3.00]\n");
    expect_report(&ahead, &usual,
                  "Score of new vs old: 1 - 0 - 0  [1.000] 1\n"
                  "Elo: 3.05 +/- 5.68, nElo: 3.96 +/- 7.37\n"
                  "LOS: 85.38 %, DrawRatio: 37.43 %\n"
                  "Ptnml(0-2): [400, 900, 1600, 975, 400]\n"
                  "LLR: 0.55 (19.2%) (-2.25, 2.89) [0.00, 3.00]\n");
    expect_report(&even, NULL,
                  "Score of new vs old: 70 - 70 - 60  [0.500] 200\n"
                  "Elo: 0.00 +/- 6.61, nElo: 0.00 +/- 48.15\n"
                  "LOS: 50.00 %, DrawRatio: 100.00 %\n"
                  "Ptnml(0-2): [0, 0, 100, 0, 0]\n");
    expect_report(&none, &usual,
                  "Score of new vs old: 0 - 0 - 0  [0.500] 0\n"
                  "Elo: 0.00 +/- inf, nElo: 0.00 +/- inf\n"
                  "LOS: 50.00 %, DrawRatio: 0.00 %\n"
                  "Ptnml(0-2): [0, 0, 0, 0, 0]\n"
                  "LLR: 0.00 (0.0%) (-2.25, 2.89) [0.00, 3.00]\n");
}

/* ---- samples of what experiments/match_statistics.c measures ---- */

enum { MATCHES = 2000 };

/* Within three binomial standard errors. */
static void expect_rate(int hits, double expected)
{
    double rate = (double)hits / MATCHES;
    near(rate, expected, 3 * sqrt(expected * (1 - expected) / MATCHES), "rate");
}

Test(simulation, interval_holds_the_truth)
{
    static const struct simulated_players players[] = {{0, 0.5, 0.1}, {80, 0.3, 0.2}};
    for (int p = 0; p < 2; p++) {
        int hits = 0;
        for (uint64_t match = 0; match < MATCHES; match++)
            hits += simulated_coverage(&players[p], 200, (uint64_t)p, match);
        expect_rate(hits, 0.95);
    }
}

Test(simulation, sequential_test_errs_as_often_as_set)
{
    const struct sprt test = {-5, 25, 0.1, 0.05};
    const struct simulated_players equal = {-5, 0.4, 0.1}, better = {25, 0.4, 0.1};
    int wrong[2] = {0};
    int64_t pairs;
    for (uint64_t match = 0; match < MATCHES; match++) {
        wrong[0] += simulated_sprt(&equal, &test, 2, match, &pairs) == SPRT_ACCEPTS_H1;
        wrong[1] += simulated_sprt(&better, &test, 3, match, &pairs) == SPRT_ACCEPTS_H0;
    }
    expect_rate(wrong[0], test.alpha);
    expect_rate(wrong[1], test.beta);
}
