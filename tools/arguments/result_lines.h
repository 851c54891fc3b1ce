/* The objective values of a run's best organism, as lines for people. */
#ifndef GRAYLING_RESULT_LINES_H
#define GRAYLING_RESULT_LINES_H

#include "run_summary.h"

#include <stdio.h>

/* Prints "  train       1,622 of 5,000   32.44 %  (31.15 to 33.75)" and the held-out value, and below
 * them those of another engine's defaults, if the run has measured them. Of a run whose estimates play
 * the start, prints what it has gained instead; of one by games, which parameters are at their bounds. Values begin `width`
 * characters after the two blanks. A generation must be complete. */
void result_lines(FILE *out, const struct run_summary *s, int width);

#endif
