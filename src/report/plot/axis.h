/* The axis of a run's objective values (objective_value.h), in plots and reports. */
#ifndef GRAYLING_AXIS_H
#define GRAYLING_AXIS_H

#include "run_summary.h"

/* An objective value over `size` positions, in the unit of the axis. */
double axis_value(const struct run_summary *s, double measure, int64_t size);

/* The axis label, with its unit. */
const char *axis_label(const struct run_summary *s, char label[OBJECTIVE_LABEL]);

/* The name of the curve on held-out data. */
const char *axis_held_out(const struct run_summary *s, char label[OBJECTIVE_LABEL]);

#endif
