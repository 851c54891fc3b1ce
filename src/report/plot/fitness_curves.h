/* The curves of a run's fitness by generation: which are shown, and their values in the unit of the
 * axis (axis.h). Plots and pages draw the same ones.
 *
 * Values that compare across generations: the best, the mean with one standard deviation as a band,
 * and the best on held-out data. Values of games do not: the organisms of a generation always score
 * half of the points together. There the best organism's score against the fixed opponent leads,
 * with its 95 % interval as the band. Where the estimate plays the start, its gain in Elo is all that there
 * is to see. */
#ifndef GRAYLING_FITNESS_CURVES_H
#define GRAYLING_FITNESS_CURVES_H

#include "run_summary.h"

enum fitness_curve {
    FITNESS_BEST, /* the best organism of the generation */
    FITNESS_MEAN, /* of the population, and one standard deviation below and above */
    FITNESS_MEAN_LOW,
    FITNESS_MEAN_HIGH,
    FITNESS_HELD_OUT, /* the best organism on held-out data, or against the opponent */
    FITNESS_HELD_OUT_LOW,
    FITNESS_HELD_OUT_HIGH, /* the ends of its 95 % interval */
    FITNESS_GAIN,          /* Elo over the start, by the later half of the generations so far */
    FITNESS_GAIN_LOW,
    FITNESS_GAIN_HIGH, /* the ends of its 95 % interval */
};

/* The value of a curve at a generation; NaN if there is none. */
double fitness_curve(const struct run_summary *s, enum fitness_curve curve, int generation);

/* How a curve looks: the one to look at first, one to compare it with, and the background. */
enum fitness_role { FITNESS_LEADS, FITNESS_COMPARES, FITNESS_BEHIND };

struct fitness_line {
    enum fitness_curve curve;
    enum fitness_role role;
    const char *name; /* for a legend */
};

/* What a picture shows. The names are borrowed from it or are constants, so it cannot be copied. */
struct fitness_picture {
    struct fitness_line lines[3]; /* the first is on top */
    int count;
    const char *band_name; /* NULL: no band */
    enum fitness_curve band_low, band_high;
    enum fitness_role band_role;
    double low, high; /* the range of all values */
    double from, to; /* the range without the first tenth of the generations: a run's start is often
                       * far from all that follows (broken_scale.h) */
    char held_out_name[OBJECTIVE_LABEL];
    char axis[OBJECTIVE_LABEL]; /* the name of the axis of values */
};

/* Describes the picture of a run that has a generation. */
void fitness_picture_describe(struct fitness_picture *p, const struct run_summary *s);

#endif
