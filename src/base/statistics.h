/* Confidence intervals and significance tests, for reports. They never influence a run. */
#ifndef GRAYLING_STATISTICS_H
#define GRAYLING_STATISTICS_H

#include <stdint.h>

/* Mean and standard deviation of a few numbers; the sample's: 0 for a single one. */
struct spread {
    double mean, deviation;
};

struct spread spread_of(const double *values, int count);

/* -- intervals of a share */

/* A share in [0, 1] with its confidence interval. */
struct interval {
    double share, low, high;
};

/* Wilson's score interval (1927) of 0 <= hits <= total, accurate near both ends too; [0, 1] if
 * `total` is 0. `confidence` is in (0, 1), usually 0.95. */
struct interval interval_wilson(int64_t hits, int64_t total, double confidence);

/* Returns the interval of `half_points` scored in `games` games. 0 <= half_points <= 2 * games. It
 * assumes no draws, which gives the widest interval. */
struct interval interval_points(int64_t half_points, int64_t games, double confidence);

/* -- the exact sign test, which is also McNemar's exact test of two methods on the same positions */

/* The two-sided p-value of `a` successes against `b`, each as likely as the other; 1 if both are 0.
 * McNemar (1947): so many positions are solved by one of two methods alone. */
double sign_test(int64_t a, int64_t b);

/* Returns how many positions McNemar's test needs to detect a difference (Connor 1987): two methods
 * disagree on the share `discordant` of positions, and one solves the share `difference` more. The
 * level is 5 %, two-sided, the power 80 %. 0 < difference <= discordant <= 1. */
double sign_test_positions(double discordant, double difference);

/* -- the rank-sum test for two samples, which assumes nothing about their distribution */

enum { RANK_SUM_MAX = 64 }; /* numbers in a sample, at most */

/* The exact two-sided p-value of the rank-sum test (Wilcoxon 1945; Mann and Whitney 1947) for
 * samples of m and n numbers, ties at their mean rank. 1 for an empty sample, or without memory. */
double rank_sum_test(const int64_t *a, int m, const int64_t *b, int n);

/* Ranks `count` numbers in ascending order, from 1. Ties get the mean of their ranks. */
void rank_numbers(const int64_t *numbers, int count, double *ranks);

/* Adjusts p-values for multiple comparisons (Holm 1979): each times the number of those that are no
 * smaller, raised to the preceding adjusted one if that is larger, at most 1. */
void holm_adjust(double *p, int count);

#endif
