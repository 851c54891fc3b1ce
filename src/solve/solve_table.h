/* The searches of a suite with one or several sets of search parameters: a table of positions by
 * sets. A search has a number, position by position and for each the sets in their order. Its
 * result stands at its number, so that the table never depends on threads. */
#ifndef GRAYLING_SOLVE_TABLE_H
#define GRAYLING_SOLVE_TABLE_H

#include "searcher.h"

/* What is searched and how. Everything is borrowed. */
struct solve_job {
    const struct epd *positions;
    size_t position_count; /* >= 1 */
    enum search_method method;
    const struct search_params *sets; /* of the engine; Beal's search reads none */
    int set_count;                    /* >= 1 */
    const struct eval_weights *weights;
    struct solve_limits limits; /* until_first is false */
    int hash_mib;               /* of each searcher, of which each thread has one */
    int threads;
};

/* Owned by the caller between init and finish. */
struct solve_table {
    const struct solve_job *job; /* borrowed */
    struct solved *cells;        /* by number: position * set_count + set */
    bool *done;                  /* by number: false is still to be searched */
    uint64_t *costs;             /* room for a column */
    size_t count, done_count;
};

/* An empty table for the job. */
bool solve_table_init(struct solve_table *t, const struct solve_job *job, struct error *err);
void solve_table_finish(struct solve_table *t); /* accepts a zeroed one */

/* Enters the result of a search that was not done yet. */
void solve_table_put(struct solve_table *t, size_t number, const struct solved *solved);

/* Told of each result right after it is in the table, in the order of the numbers. False, with the
 * reason, ends the work. */
struct solve_watcher {
    void *context;
    bool (*solved)(void *context, size_t number, struct error *err);
};

/* Searches all that is not done. When the job's `stop` is set, the searches in work are given up
 * and it returns true with done_count < count. False: no memory for an engine, or the watcher's
 * reason. */
bool solve_table_run(struct solve_table *t, const struct solve_watcher *watcher, struct error *err);

/* Whether the first search that is done comes out the same again, as it must unless time limits it;
 * with nothing done it does. For results that another process has found. */
bool solve_table_repeats(const struct solve_table *t, struct error *err);

/* ---- what came of it ---- */

/* The two counts of solve.h. */
enum solve_count { SOLVE_FIRST, SOLVE_STABLE, SOLVE_COUNTS };

const char *solve_count_name(enum solve_count count); /* "first", "stable" */
const struct solve_moment *solve_moment_of(const struct solved *s, enum solve_count count);

/* A set of parameters on the whole suite. A position that was not solved costs the limit of nodes,
 * or where there is no such limit, the nodes that were searched. */
struct solve_summary {
    int64_t solved;
    uint64_t total;      /* nodes to solve, over all positions */
    double mean, median; /* of a position */
};

/* All positions must be done. */
struct solve_summary solve_table_summary(struct solve_table *t, int set, enum solve_count count);

/* What the searches of a set took: all nodes, and the time of all threads together. */
struct solve_effort {
    uint64_t nodes;
    double seconds;
};

struct solve_effort solve_table_effort(const struct solve_table *t, int set);

#endif
