/* Elapsed time in seconds, for progress reports and time budgets. No result of a run depends on it. */
#ifndef GRAYLING_CLOCK_H
#define GRAYLING_CLOCK_H

/* The monotonic clock, counted from an arbitrary point before the process started. */
double clock_seconds(void);

/* The same for limits that people give in hours: time in which the machine is suspended counts. */
double clock_elapsed(void);

/* The processor time of this thread. */
double clock_of_thread(void);

#endif
