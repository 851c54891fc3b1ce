/* The time that has passed, for progress and budgets; it never steers what a run computes. */
#ifndef GRAYLING_CLOCK_H
#define GRAYLING_CLOCK_H

/* Seconds of the monotonic clock, since some moment before the process began. */
double clock_seconds(void);

#endif
