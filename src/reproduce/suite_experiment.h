/* The experiment behind most tables: several methods search the same suites of test positions under
 * the same limits. The tables show the nodes needed, or the positions solved; these are followed by a
 * table of each pair of methods (pairs.h).
 *
 * A row of the overnight size takes hours. It is searched in an order that spreads any beginning of it over
 * the suite, so that the usual size can show what several nights have searched until now. */
#ifndef GRAYLING_SUITE_EXPERIMENT_H
#define GRAYLING_SUITE_EXPERIMENT_H

#include "null_move_methods.h"
#include "pairs.h"
#include "reproduction.h"

enum { SUITE_METHODS = PAIRS_METHODS, SUITE_ROWS = 16, SUITE_CLAIMS = 8 };

/* The figure: nodes searched; positions whose final move is right; positions whose final score is a
 * mate, at most as long as the row says. */
enum suite_figure { FIGURE_NODES, FIGURE_SOLVED, FIGURE_MATES };

/* A row: a suite and a limit, with the paper's figure for each method, or all zero. */
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

/* The method of a column. */
struct suite_method {
    const char *name;
    struct search_params params;
};

/* The same rows in another way: another base, as many other methods, fewer positions. */
struct suite_way {
    const char *title; /* follows the table's */
    struct search_params (*base)(void);
    enum null_move_method methods[SUITE_METHODS];
    int count;           /* of positions at the usual size */
    int first, end;      /* the rows of the usual size, and row 0; the quick one has row 0 alone */
    const char *differs; /* from the first way: a sentence or two */
};

/* The searches: every row by every method. */
struct suite_plan {
    struct search_params (*base)(void); /* the parameters common to all methods */
    enum null_move_method methods[SUITE_METHODS];
    int method_count;
    /* Instead of `methods`: makes the method of a column from the base. */
    struct suite_method (*method)(int column, const struct search_params *base);
    const char *row; /* the heading of the rows: "depth" */
    struct test_choice choice;
    int quick; /* positions of each suite in the quick size */
    int usual; /* in the usual size; 0: as overnight */
    struct suite_row rows[SUITE_ROWS];
    int row_count;
    const char *differs;           /* from the paper: a sentence or two */
    const struct suite_way *again; /* a second grid; NULL: none */
};

/* A paper's claim about methods; for every measured row unless stated otherwise. */
enum claim_kind {
    CLAIM_LESS,            /* a is less than b */
    CLAIM_MORE,            /* a is more than b */
    CLAIM_NO_LESS,         /* a is b or more */
    CLAIM_NEARER,          /* a is nearer b than c */
    CLAIM_FALLS,           /* a / b falls from row to row, of the same positions */
    CLAIM_SOMETIMES_LESS,  /* a is less than b in one row at least */
    CLAIM_LESS_ON_AVERAGE, /* a is less than b, all complete rows together */
    CLAIM_MORE_ON_AVERAGE  /* a is more than b, all complete rows together */
};

struct suite_claim {
    const char *text;
    enum claim_kind kind;
    int columns[3]; /* a, b, c */
};

/* A table of these searches: a reproduction's `plan`. */
struct suite_table {
    const struct suite_plan *plan;
    enum suite_figure figure;
    bool compared; /* with a column: */
    int reference;
    int ratio[2]; /* columns: a last one shows the first / the second (ratio.h); equal: none */
    struct suite_claim claims[SUITE_CLAIMS];
    int needed[2]; /* two methods: how many positions their published difference needs; or 0, 0 */
};

/* A reproduction's `run` for a struct suite_table. */
bool suite_experiment_run(struct experiment *x, const struct reproduction *r, struct error *err);

#endif
