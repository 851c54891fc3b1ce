/* Pictures of a run, of a comparison and of a match: in a page, or as an SVG or PNG file.
 *
 * A file is drawn completely before it gets its path (output.h). PNG is drawn by librsvg; without it the error says
 * what to install. */
#ifndef GRAYLING_PLOT_H
#define GRAYLING_PLOT_H

#include "comparison.h"

#include <stdio.h>

enum {
    PLOT_LEAST_WIDTH = 320, /* pixels */
    PLOT_LEAST_HEIGHT = 200,
    PLOT_MOST = 8000,
};

/* Where and how a picture is drawn. */
struct plot_file {
    const char
        *path;  /* .svg or .png; NULL: into a page, at two widths of which its style shows one */
    FILE *out;  /* the page, or where the picture goes if not to a file of this path */
    bool force; /* overwrite it */
    int width, height; /* pixels; 0: the picture's own size */
    bool dark;         /* light text on a dark ground; a page has both */
};

/* Fails if the path ends in neither .svg nor .png, or exists and `force` is not set. */
bool plot_available(const char *path, bool force, struct error *err);

/* Fitness by generation (chart.h), and what the defaults measure. */
bool plot_fitness(const struct run_summary *summary, const struct plot_file *file,
                  struct error *err);

/* A comparison: the best so far by evaluations, as the mean over the runs of each stage. One standard deviation is the
 * band of each if they are few, else of the first and of the second. */
bool plot_comparison(const struct comparison *c, const char *name, const struct plot_file *file,
                     struct error *err);

/* These show the genes that are among the `most` which moved most (report.h). */

/* Convergence: for each bit and generation the share of the population that has its more frequent
 * value, as a heat map. */
bool plot_convergence(const struct report *report, int most, const struct plot_file *file,
                      struct error *err);

/* Genes: the best organism's values within their ranges, beside the paper's or else the initial
 * ones, with the spread of the last population. */
bool plot_genes(const struct report *report, int most, const struct plot_file *file,
                struct error *err);

/* Parameters: the course of each value of the best organism by generation; those that moved most
 * first, from the place `first` on. */
bool plot_parameters(const struct report *report, int first, int most, const struct plot_file *file,
                     struct error *err);

/* Pairings of a match that has a pair of games: Elo with 95 % intervals. A match against a random player is won by a
 * thousand Elo and more, which would press all other bars into a few pixels. So the axis ends at 400 Elo, where ten
 * points of eleven are won, and what lies beyond is drawn as an arrow at its end. */
bool plot_pairings(const struct night_report_stage *match, const char *name,
                   const struct plot_file *file, struct error *err);

#endif
