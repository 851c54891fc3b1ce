/* What the values of an objective are: what they count, which direction is better, and how they are
 * drawn and written. Each kind of fitness points to one of these descriptors, a recipe and so a
 * stored run asks for one of them, and nothing else in the program knows one kind from another.
 *
 *     recipe ──────── objective_value_of ──┐
 *     run_summary.value ───────────────────┼──> const struct objective_value
 *     fitness->method->value ──────────────┘
 *
 * A value is an integer over data of a certain size: moves matched out of `size` positions, nodes
 * over `size` positions, half points out of `size` half points. Size 0 says that the value is out
 * of nothing. Functions that write fill the caller's text and return it. */
#ifndef GRAYLING_OBJECTIVE_VALUE_H
#define GRAYLING_OBJECTIVE_VALUE_H

#include "interval.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OBJECTIVE_TEXT = 96, OBJECTIVE_LABEL = 128 };

/* The words for what values are measured on. */
struct objective_words {
    const char *step;                       /* what progress counts: "organism", "game" */
    const char *train, *held_out;           /* the end of a clause: "in training", "held out" */
    const char *train_name, *held_out_name; /* a column's head: "Training", "Held out" */
    const char *held_out_curve;             /* in a plot's key: "best, held-out" */
};

/* How the values of one kind are drawn and written; called by the functions below. */
struct objective_format {
    double (*axis)(double value, int64_t size, int64_t train_size);
    void (*label)(const char *name, int64_t train_size, char label[OBJECTIVE_LABEL]);
    void (*brief)(double value, int64_t size, char text[OBJECTIVE_TEXT]);
    void (*full)(int64_t value, int64_t size, char text[OBJECTIVE_TEXT]);
    void (*figure)(double value, int64_t size, char text[OBJECTIVE_TEXT]);
    void (*parts)(int64_t value, int64_t size, char text[OBJECTIVE_TEXT]);
    void (*deviation)(double value, int64_t size, char text[OBJECTIVE_TEXT]);
    struct interval (*interval)(int64_t value, int64_t size); /* NULL: the values have none */
    void (*cell)(double on_axis, char text[OBJECTIVE_TEXT]);
};

struct objective_value {
    const char *name;        /* "moves matched"; the key `measure` of a stored run */
    bool lower_is_better;    /* the direction */
    bool across_generations; /* false: it ranks the organisms of one generation only */
    bool over_positions;     /* sizes count positions; false: half points of games */
    bool is_total;           /* grows with the positions: two suites compare in proportion */
    int decimals;            /* of a percentage and its interval */
    const struct objective_words *words;
    const struct objective_format *format;
};

/* The words of objectives that measure each organism on positions. */
extern const struct objective_words objective_position_words;

/* The kinds. */
extern const struct objective_value objective_moves_matched;
extern const struct objective_value objective_points;    /* half points in games */
extern const struct objective_value objective_nodes;     /* nodes to solution, added up */
extern const struct objective_value objective_log_nodes; /* sums of log_nodes (log_nodes.h) */

struct recipe;

/* The descriptor of what a recipe asks for, and so of what a run of it has stored. */
const struct objective_value *objective_value_of(const struct recipe *recipe);

/* ---- direction */

/* A value as a cost: of two costs the lower is better. */
int64_t objective_cost(const struct objective_value *v, int64_t value);

/* True if `a` is strictly better than `b`; values, which are exact below 2^53, or means of them. */
bool objective_better(const struct objective_value *v, double a, double b);

/* ---- axes */

/* A value over `size` positions as an axis has it: a share in per cent (itself where it is out of
 * nothing), millions of nodes over `train_size` positions, or a geometric mean of nodes. */
double objective_axis(const struct objective_value *v, double value, int64_t size,
                      int64_t train_size);

/* The axis label, with its unit: "moves matched (%)". */
const char *objective_label(const struct objective_value *v, int64_t train_size,
                            char label[OBJECTIVE_LABEL]);

/* The name of the held-out curve on that axis. Totals over suites of two sizes are drawn in
 * proportion, and the name says so. */
const char *objective_held_out_label(const struct objective_value *v, int64_t train_size,
                                     int64_t held_out_size, char label[OBJECTIVE_LABEL]);

/* A number of the axis in a table: "31.52" of a share, "1.234e+04" of nodes. */
const char *objective_cell(const struct objective_value *v, double on_axis,
                           char text[OBJECTIVE_TEXT]);

/* ---- text */

/* In few words: "32.44 %", "219.35 M nodes", "geometric mean 15,321 nodes". */
const char *objective_brief(const struct objective_value *v, double value, int64_t size,
                            char text[OBJECTIVE_TEXT]);

/* In full: "1,622 of 5,000   32.44 %  (31.15 to 33.75)", "219,345,678   249,541 a position". */
const char *objective_full(const struct objective_value *v, int64_t value, int64_t size,
                           char text[OBJECTIVE_TEXT]);

/* ", 95 % interval in parentheses" where objective_full gives one, else "". */
const char *objective_note(const struct objective_value *v);

/* A figure on a page, without its unit: "30.90 %" (the space does not break), "7,793,174". */
const char *objective_figure(const struct objective_value *v, double value, int64_t size,
                             char text[OBJECTIVE_TEXT]);

/* What the figure counts: "1,545 of 5,000", "nodes, 17,712 a position", "21.5 of 36 points"; the
 * name where it is out of nothing. */
const char *objective_parts(const struct objective_value *v, int64_t value, int64_t size,
                            char text[OBJECTIVE_TEXT]);

/* A standard deviation of values, as a figure of the same kind; that of logarithms is a factor,
 * "× 1.034". */
const char *objective_deviation(const struct objective_value *v, double deviation, int64_t size,
                                char text[OBJECTIVE_TEXT]);

/* The 95 % interval of a share; false where the values have none, or this one is out of range. */
bool objective_interval(const struct objective_value *v, int64_t value, int64_t size,
                        struct interval *interval);

#endif
