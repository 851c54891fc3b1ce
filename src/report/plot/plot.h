/* Plots of a run and of a comparison. Runs the program gnuplot. */
#ifndef GRAYLING_PLOT_H
#define GRAYLING_PLOT_H

#include "comparison.h"

/* Fails if `path` ends in neither .svg nor .png, or exists and `force` is not set. */
bool plot_available(const char *path, bool force, struct error *err);

/* Plots a run to `path` (.svg or .png by its extension). Curves by generation: the best, the mean
 * with one standard deviation, and the best on held-out data. Units: moves matched in per cent;
 * nodes to solution in millions (held-out ones in proportion to the training positions) or as their
 * geometric mean. Refuses an existing file unless `force`, and keeps it if the plot fails. The
 * error says what to install if gnuplot is missing. */
bool plot_run(const struct run_summary *summary, const char *path, bool force, struct error *err);

/* Plots a comparison likewise: the best so far by evaluations, as the mean over the runs of each
 * stage with one standard deviation. */
bool plot_comparison(const struct comparison *c, const char *title, const char *path, bool force,
                     struct error *err);

#endif
