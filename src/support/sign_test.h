/* The exact sign test, which is also McNemar's exact test of two methods on the same positions. For
 * reports; it never influences a run. */
#ifndef GRAYLING_SIGN_TEST_H
#define GRAYLING_SIGN_TEST_H

#include <stdint.h>

/* Returns the two-sided p-value of `a` successes against `b`, if each is as likely as the other: twice
 * the smaller tail of the binomial distribution, at most 1. McNemar (1947): of two methods, `a`
 * positions are solved by the first alone and `b` by the second alone. Returns 1 if both are 0. */
double sign_test(int64_t a, int64_t b);

/* Returns how many positions McNemar's test needs to detect a difference (Connor 1987): two methods
 * disagree on the share `discordant` of positions, and one solves the share `difference` more. The
 * level is 5 %, two-sided, the power 80 %. 0 < difference <= discordant <= 1. */
double sign_test_positions(double discordant, double difference);

#endif
