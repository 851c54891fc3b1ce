/* The rank-sum test for two samples. It assumes nothing about their distribution. For reports; it
 * never influences a run. */
#ifndef GRAYLING_RANK_SUM_H
#define GRAYLING_RANK_SUM_H

#include <stdint.h>

enum { RANK_SUM_MAX = 64 }; /* numbers in a sample, at most */

/* Returns the exact two-sided p-value of the rank-sum test (Wilcoxon 1945; Mann and Whitney 1947)
 * for samples of m and n numbers. Ties get the mean of their ranks. Returns 1 if a sample is empty
 * or there is no memory. */
double rank_sum_test(const int64_t *a, int m, const int64_t *b, int n);

/* Ranks `count` numbers in ascending order, from 1. Ties get the mean of their ranks. */
void rank_numbers(const int64_t *numbers, int count, double *ranks);

/* Adjusts the p-values of `count` tests for multiple comparisons (Holm 1979). Each p-value is
 * multiplied by the number of p-values that are no smaller, then raised to the preceding adjusted
 * one if that is larger, and capped at 1. */
void holm_adjust(double *p, int count);

#endif
