/* The axis of a run's measures, in plots and in reports (objective_value.h), at the run's sizes. */
#ifndef GRAYLING_AXIS_H
#define GRAYLING_AXIS_H

#include "run_summary.h"

/* A measure over `size` positions as the axis has it. */
double axis_value(const struct run_summary *s, double measure, int64_t size);

/* The axis label, with its unit. */
const char *axis_label(const struct run_summary *s, char label[OBJECTIVE_LABEL]);

/* The name of the curve on held-out data. */
const char *axis_held_out(const struct run_summary *s, char label[OBJECTIVE_LABEL]);

#endif
