/* A run's measures in the words and figures of its report, whatever they are numbers of. Each
 * writes into the caller's text and returns it. */
#ifndef GRAYLING_MEASURE_WORDS_H
#define GRAYLING_MEASURE_WORDS_H

#include "format.h"
#include "interval.h"
#include "run.h"

/* A measure over `size` positions (or half points) as a figure without its unit: "30.90 %",
 * "7,793,174", a geometric mean "15,321". */
const char *measure_figure(const struct run_summary *s, double measure, int64_t size,
                           char text[FORMAT_MAX]);

/* What the figure counts: "1,545 of 5,000", "nodes, 17,712 a position", "21.5 of 36 points". */
const char *measure_parts(const struct run_summary *s, int64_t measure, int64_t size,
                          char text[FORMAT_MAX]);

/* The 95 % interval of a share; false where the measure is none. */
bool measure_interval(const struct run_summary *s, int64_t measure, int64_t size,
                      struct interval *interval);

/* Where the two measures of an organism come from, as they end a clause ("in training", "held out")
 * and head a column. */
struct measure_places {
    const char *train, *held_out;           /* in a sentence */
    const char *train_name, *held_out_name; /* above a figure */
};

struct measure_places measure_places(const struct run_summary *s);

#endif
