/* Pictures of a run, of a comparison and of a match, as SVG or PNG. Runs the program gnuplot.
 *
 * A picture is drawn completely before it gets its path (output.h). An existing file is refused
 * unless `force`, and is kept if anything fails. The error says what to install if gnuplot is missing.
 * An SVG file has a title and a description of what it shows. */
#ifndef GRAYLING_PLOT_H
#define GRAYLING_PLOT_H

#include "comparison.h"

#include <stdio.h>

enum {
    PLOT_LEAST_WIDTH = 320, /* pixels */
    PLOT_LEAST_HEIGHT = 200,
    PLOT_MOST = 8000,
    PLOT_SECONDS = 60, /* the time that gnuplot has */
};

/* Where and how a picture is drawn. */
struct plot_file {
    const char *path;  /* .svg or .png */
    FILE *out;         /* where it goes, if not to a file of this path */
    bool force;        /* overwrite it */
    int width, height; /* pixels; 0: the picture's own size */
    bool dark;         /* light text on a dark ground */
    int seconds;       /* the time that gnuplot has; 0: PLOT_SECONDS */
};

/* Fails if the path ends in neither .svg nor .png, or exists and `force` is not set. */
bool plot_available(const char *path, bool force, struct error *err);

/* Fitness by generation: the curves of fitness_curves.h. */
bool plot_fitness(const struct run_summary *summary, const struct plot_file *file,
                  struct error *err);

/* The same of a comparison: the best so far by evaluations, as the mean over the runs of each stage
 * with one standard deviation, each line named at its end. */
bool plot_comparison(const struct comparison *c, const char *name, const struct plot_file *file,
                     struct error *err);

/* Convergence: for each bit and generation the share of the population that has its more frequent
 * value, as a heat map. */
bool plot_convergence(const struct report *report, const struct plot_file *file, struct error *err);

/* Genes: the best organism's values within their ranges, beside the paper's or else the initial
 * ones, with the spread of the last population. */
bool plot_genes(const struct report *report, const struct plot_file *file, struct error *err);

/* Parameters: the course of each value of the best organism by generation. */
bool plot_parameters(const struct report *report, const struct plot_file *file, struct error *err);

/* Pairings of a match that has a game: Elo with 95 % intervals, on the axis of elo_axis.h. */
bool plot_pairings(const struct night_report_stage *match, const char *name,
                   const struct plot_file *file, struct error *err);

#endif
