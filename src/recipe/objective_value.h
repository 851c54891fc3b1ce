/* Objective values: what they count, which direction is better, how they are drawn and written. A kind of fitness, a
 * recipe and so a stored run refer to one of these descriptors; no other code distinguishes the kinds.
 *
 *     recipe ──────── objective_value_of ──┐
 *     run_summary.value ───────────────────┼──> const struct objective_value
 *     fitness->method->value ──────────────┘
 *
 * A value is an integer over data of a certain size: moves matched out of `size` positions, nodes
 * over `size` positions, or half points out of `size` half points. Size 0 means that the value has
 * no total. Functions that write text fill the caller's buffer and return it. */
#ifndef GRAYLING_OBJECTIVE_VALUE_H
#define GRAYLING_OBJECTIVE_VALUE_H

#include "statistics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OBJECTIVE_TEXT = 96, OBJECTIVE_LABEL = 128 };

/* Words for reports. */
struct objective_words {
    const char *train, *held_out;           /* the end of a clause: "in training", "held out" */
    const char *train_name, *held_out_name; /* column headings: "Training", "Held out" */
    const char *held_out_curve;             /* the legend of a plot: "best, held-out" */
};

/* What a figure of a value is. */
enum objective_form {
    OBJECTIVE_SHARE, /* per cent of the size, with an interval */
    OBJECTIVE_TOTAL, /* the sum; grows with the positions, so suites must be scaled to one size */
    OBJECTIVE_MEAN,  /* of a position */
    OBJECTIVE_GEOMETRIC /* mean of nodes, of sums of log_nodes (wide.h) */
};

struct objective_value {
    const char *name;        /* "moves matched"; the key `measure` of a stored run */
    const char *title;       /* of objective_figure, if that is not the name; else NULL */
    bool lower_is_better;    /* the direction */
    bool across_generations; /* false: values of different generations are not comparable */
    bool over_positions;     /* sizes count positions; false: half points of games */
    enum objective_form form;
    double scale;                 /* of a figure: its unit is so many of a value's */
    double axis_scale;            /* the same of a plot's axis */
    const char *unit, *axis_unit; /* " s", "seconds" */
    int decimals;                 /* of a percentage and its interval, or of a figure */
    bool whole;                   /* a figure is a whole number with thousands separators */
    const char *does, *better,
        *worse; /* "needs", so many "fewer nodes", "more nodes"; NULL of games */
    const struct objective_words *words;
};

/* The words for objectives that measure each organism on positions. */
extern const struct objective_words objective_position_words;

/* The kinds. */
extern const struct objective_value objective_moves_matched;
extern const struct objective_value objective_moves_in_batch; /* other positions each generation */
extern const struct objective_value objective_points;         /* half points in games */
extern const struct objective_value objective_nodes;          /* sums of nodes to solution */
extern const struct objective_value objective_distance; /* centipawns from a mentor's scores */
extern const struct objective_value objective_results;  /* squared errors, in millionths */
extern const struct objective_value objective_results_in_batch; /* others each generation */
extern const struct objective_value objective_time;             /* milliseconds to solution */
extern const struct objective_value objective_log_nodes;        /* sums of log_nodes (wide.h) */

struct recipe;

/* Returns the descriptor of the objective values of a recipe and its runs. */
const struct objective_value *objective_value_of(const struct recipe *recipe);

/* ---- direction */

/* A cost: less is better. */
int64_t objective_cost(const struct objective_value *v, int64_t value);

/* True if `a` is strictly better than `b`: values, exact below 2^53, or their means. */
bool objective_better(const struct objective_value *v, double a, double b);

/* ---- axes */

/* A value over `size` positions in units of the axis: per cent of `size`, millions of nodes over `train_size`
 * positions, or the geometric mean of nodes. Unchanged if `size` is 0. */
double objective_axis(const struct objective_value *v, double value, int64_t size,
                      int64_t train_size);

/* "moves matched (%)" */
const char *objective_label(const struct objective_value *v, int64_t train_size,
                            char label[OBJECTIVE_LABEL]);

/* The name of the held-out curve. Totals over suites of different sizes are drawn in proportion, and it says so. */
const char *objective_held_out_label(const struct objective_value *v, int64_t train_size,
                                     int64_t held_out_size, char label[OBJECTIVE_LABEL]);

/* A number in units of the axis, for a table: "31.52", "1.234e+04". */
const char *objective_cell(const struct objective_value *v, double on_axis,
                           char text[OBJECTIVE_TEXT]);

/* ---- text */

/* "32.44 %", "219.35 M nodes", "geometric mean 15,321 nodes" */
const char *objective_brief(const struct objective_value *v, double value, int64_t size,
                            char text[OBJECTIVE_TEXT]);

/* "1,622 of 5,000   32.44 %  (31.15 to 33.75)", "219,345,678   249,541 a position" */
const char *objective_full(const struct objective_value *v, int64_t value, int64_t size,
                           char text[OBJECTIVE_TEXT]);

/* ", 95 % interval in parentheses" if objective_full writes one, else "". */
const char *objective_note(const struct objective_value *v);

/* A figure for a page: "30.90 %" with a no-break space, or "7,793,174" without its unit. */
const char *objective_figure(const struct objective_value *v, double value, int64_t size,
                             char text[OBJECTIVE_TEXT]);

/* What a figure is, to stand beside it: "moves matched", "geometric mean of nodes to solution". */
static inline const char *objective_title(const struct objective_value *v)
{
    return v->title != NULL ? v->title : v->name;
}

/* What it counts: "1,545 of 5,000", "nodes, 17,712 a position", "21.5 of 36 points"; the title if `size` is 0. */
const char *objective_parts(const struct objective_value *v, int64_t value, int64_t size,
                            char text[OBJECTIVE_TEXT]);

/* A standard deviation as such a figure; of logarithms a factor, "× 1.034". */
const char *objective_deviation(const struct objective_value *v, double deviation, int64_t size,
                                char text[OBJECTIVE_TEXT]);

/* The 95 % interval of a share. False if the kind has none, or the value is out of range. */
bool objective_interval(const struct objective_value *v, int64_t value, int64_t size,
                        struct interval *interval);

#endif
