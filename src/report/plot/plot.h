/* Fitness per generation, and stages compared, as pictures, by gnuplot (run as a program of its
 * own). */
#ifndef GRAYLING_PLOT_H
#define GRAYLING_PLOT_H

#include "comparison.h"

/* False, with the reason, when `path` ends in neither .svg nor .png, or exists without `force`. */
bool plot_available(const char *path, bool force, struct error *err);

/* Writes `path` (.svg or .png by its ending): the measure by generation, best, mean with one
 * standard deviation, and the best on held-out data: moves matched in per cent, nodes to solution
 * in millions (held-out ones in proportion to the training positions) or as their geometric mean.
 * An existing file is refused unless `force`, and left alone when the plot fails. Says what to
 * install when gnuplot is missing. */
bool plot_run(const struct run_summary *summary, const char *path, bool force, struct error *err);

/* The same for stages that are compared: the best so far by evaluations, the mean over the runs of
 * each stage with a standard deviation on either side. */
bool plot_comparison(const struct comparison *c, const char *title, const char *path, bool force,
                     struct error *err);

#endif
