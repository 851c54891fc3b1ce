/* The kind of experiment that most tables are: methods side by side, each searching suites of test
 * positions under limits that are the same for all, and what they needed or solved. */
#ifndef GRAYLING_SUITE_EXPERIMENT_H
#define GRAYLING_SUITE_EXPERIMENT_H

#include "null_move_methods.h"
#include "reproduction.h"

enum { SUITE_METHODS = 8, SUITE_ROWS = 16, SUITE_CLAIMS = 8 };

/* What is counted: nodes searched; positions whose right move is the last one; positions in which
 * a mate is seen in the end, no longer than the row says. */
enum suite_figure { FIGURE_NODES, FIGURE_SOLVED, FIGURE_MATES };

/* A row: a suite to a limit, with what the paper has: something for each method, or all zero. */
struct suite_row {
    const char *label;
    enum test_suite suite;
    int depth;                 /* plies, or */
    const int *depths;         /* plies for each position of a suite that is searched whole, or */
    uint64_t nodes;            /* nodes, or */
    int movetime;              /* milliseconds */
    int mate;                  /* for FIGURE_MATES: moves */
    enum experiment_size from; /* the smallest size that searches it */
    double published_nodes[SUITE_METHODS], published_solved[SUITE_METHODS];
};

/* What a column searches with. */
struct suite_method {
    const char *name;
    struct search_params params;
};

/* Which searches there are: every row by every method. */
struct suite_plan {
    struct search_params (*base)(void); /* what all methods have in common */
    enum null_move_method methods[SUITE_METHODS];
    int method_count;
    /* Instead of these: what a column changes of the base. */
    struct suite_method (*method)(int column, const struct search_params *base);
    const char *row; /* what rows are: "depth" */
    struct test_choice choice;
    int quick; /* positions of each suite in the quick size */
    struct suite_row rows[SUITE_ROWS];
    int row_count;
    const char *differs; /* from the paper: a sentence or two */
};

/* What a paper says of methods, of every row that is measured unless it says otherwise. */
enum claim_kind {
    CLAIM_LESS,            /* a is less than b */
    CLAIM_MORE,            /* a is more than b */
    CLAIM_NO_LESS,         /* a is b or more */
    CLAIM_NEARER,          /* a is nearer b than c */
    CLAIM_FALLS,           /* a / b falls from row to row */
    CLAIM_SOMETIMES_LESS,  /* a is less than b in one row at least */
    CLAIM_LESS_ON_AVERAGE, /* a is less than b, all rows together */
    CLAIM_MORE_ON_AVERAGE  /* a is more than b, all rows together */
};

struct suite_claim {
    const char *text;
    enum claim_kind kind;
    int columns[3]; /* a, b, c */
};

/* A table of what those searches needed, or solved: a reproduction's `plan`. */
struct suite_table {
    const struct suite_plan *plan;
    enum suite_figure figure;
    bool compared; /* with a column: */
    int reference;
    struct suite_claim claims[SUITE_CLAIMS];
};

/* A reproduction's `run` for a struct suite_table. */
bool suite_experiment_run(struct experiment *x, const struct reproduction *r, struct error *err);

#endif
