/* Whether two samples differ, by ranks alone: nothing is assumed of how they are distributed. For
 * reports; never steers a run. */
#ifndef GRAYLING_RANK_SUM_H
#define GRAYLING_RANK_SUM_H

#include <stdint.h>

enum { RANK_SUM_MAX = 64 }; /* numbers in a sample, at most */

/* The probability that m + n numbers, dealt out to two samples at random, differ as much in their
 * sums of ranks as these two (Wilcoxon 1945; Mann and Whitney 1947), two-sided and exact; equal
 * numbers share the mean of their ranks. 1 for an empty sample, or without memory. */
double rank_sum_test(const int64_t *a, int m, const int64_t *b, int n);

/* The places of `count` numbers in ascending order, from 1; equal ones share the mean. */
void rank_numbers(const int64_t *numbers, int count, double *ranks);

/* Turns the probabilities of `count` tests into those of finding any so small among them all
 * (Holm 1979): each times the number of those that are no smaller, at least its forerunner, at most
 * 1. */
void holm_adjust(double *p, int count);

#endif
