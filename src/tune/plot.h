/* Fitness per generation as a picture, by gnuplot (run as a program, fed through a pipe). */
#ifndef GRAYLING_PLOT_H
#define GRAYLING_PLOT_H

#include "run.h"

/* Writes `path` (.svg or .png by its ending): share matched by generation, best, mean with one
 * standard deviation, held-out score of the best. Says what to install when gnuplot is missing. */
bool plot_run(const struct run_summary *summary, const char *path, struct error *err);

#endif
