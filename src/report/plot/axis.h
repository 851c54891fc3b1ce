/* How a run's measures are drawn, in plots and in reports: the number on the axis and its name. */
#ifndef GRAYLING_AXIS_H
#define GRAYLING_AXIS_H

#include "run.h"

#include <stddef.h>

/* A measure over `size` positions as the axis has it: a share in per cent (itself where it is out
 * of nothing), millions of nodes over the training positions, or a geometric mean of nodes. */
double axis_value(const struct run_summary *s, double measure, int64_t size);

/* What the axis is called, with its unit; cut to fit `size`. */
void axis_label(const struct run_summary *s, char *label, size_t size);

/* What the curve on held-out data is called: totals over suites of two sizes are compared in
 * proportion, and the name says so. */
void axis_held_out(const struct run_summary *s, char *label, size_t size);

#endif
