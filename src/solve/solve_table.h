/* The searches of a suite with one or more sets of search parameters: a table of positions by sets.
 * Searches are numbered position by position, and within a position set by set. A result is stored
 * at its number, so the table does not depend on threads. */
#ifndef GRAYLING_SOLVE_TABLE_H
#define GRAYLING_SOLVE_TABLE_H

#include "jobs.h"
#include "ranks.h"
#include "solve.h"

#include <stdio.h>

/* What to search and how. Everything is borrowed. */
struct solve_job {
    const struct epd *positions;
    size_t position_count; /* >= 1 */
    const struct search_method *method;
    const struct search_params *sets; /* another method than the engine reads none */
    int set_count;                    /* >= 1 */
    const struct evaluation *evaluation;
    struct solve_limits limits; /* until_first is false */
    int hash_mib;               /* per searcher; each thread has one */
    int threads;
};

/* Owned by the caller between init and finish. */
struct solve_table {
    const struct solve_job *job; /* borrowed */
    struct solved *cells;        /* by number: position * set_count + set */
    bool *done;                  /* by number; false: still to be searched */
    uint64_t *costs;             /* scratch space for one column */
    size_t count, done_count;
};

/* Creates an empty table for the job. */
bool solve_table_init(struct solve_table *t, const struct solve_job *job, struct error *err);
void solve_table_finish(struct solve_table *t); /* accepts a zeroed one */

/* Stores the result of a search that was not done yet. */
void solve_table_put(struct solve_table *t, size_t number, const struct solved *solved);

/* Called for each stored result in order. False, with the reason, ends the work. */
struct solve_watcher {
    void *context;
    bool (*solved)(void *context, size_t number, struct error *err);
};

/* Searches everything that is not done; with `stop`, returns true early. False with the reason. */
bool solve_table_run(struct solve_table *t, const struct solve_watcher *watcher, struct error *err);

/* True if the first search that is done, if any, repeats; unless time limits it, it does. */
bool solve_table_repeats(const struct solve_table *t, struct error *err);

/* ---- the searches as jobs, which other ranks can do (ranks.h) ---- */

void *solve_begin(const void *context, struct error *err);
bool solve_work(struct job *job, void *result, struct error *err);

/* Describes a list, whose method is one of `methods`, those of its kind. */
void solve_describe(struct plan *p, struct solve_job *job, const struct search_method *methods);

/* The kind of job of some methods, which have one `destroy`; `describe_` calls solve_describe. */
#define SOLVE_JOB_KIND(name_, describe_, destroy_)                                                 \
    {                                                                                              \
        .result_size = sizeof(struct solved), .begin = solve_begin, .finish = destroy_,            \
        .work = solve_work, .name = name_, .context_size = sizeof(struct solve_job),               \
        .describe = describe_                                                                      \
    }

extern const struct job_kind solve_job_kind; /* of engine_search_method */

/* ---- summary ---- */

/* The two costs of solve.h. */
enum solve_count { SOLVE_FIRST, SOLVE_STABLE, SOLVE_COUNTS };

const char *solve_count_name(enum solve_count count); /* "first", "stable" */
const struct solve_moment *solve_moment_of(const struct solved *s, enum solve_count count);

/* The result of one set on the suite. Unsolved costs the node limit, or else the nodes searched. */
struct solve_summary {
    int64_t solved;
    uint64_t total;      /* nodes to solution, summed over all positions */
    double mean, median; /* per position */
    uint64_t nodes;      /* of the searches, whatever is counted, */
    double seconds;      /* and their time, summed over all threads */
};

/* Summarises one set. All positions must be done. */
struct solve_summary solve_table_summary(struct solve_table *t, int set, enum solve_count count);

/* ---- the journal of a table: its results so far, so that it can resume after an interruption or a crash
 * (solve_journal.c)
 *
 * It is a text file. The first lines describe the job, one entry a line; then each result is a line, in the order in
 * which they arrive. Each line is flushed at once. A position whose line is incomplete is searched again. */

/* Owned by the caller between begin or resume and close. A zeroed journal writes nothing. */
struct solve_journal {
    FILE *file;
    const char *path; /* borrowed */
    const struct solve_table *table;
    bool unwritten; /* it could be created, but not begun: the disk is full */
};

/* Creates the file for the table's job, or with `force` empties it, of a suite's `checksum`. Fails if
 * another process is writing it. Removes it again if its first lines cannot be written. */
bool solve_journal_begin(struct solve_journal *j, const char *path, bool force,
                         const struct solve_table *t, const char *checksum, struct error *err);

/* Opens the file and enters its results into the table. Fails, naming the difference, if it is of
 * another job or version, and if another process is writing it. */
bool solve_journal_resume(struct solve_journal *j, const char *path, struct solve_table *t,
                          const char *checksum, struct error *err);

/* Appends result `number` of the table. False if writing fails. */
bool solve_journal_add(struct solve_journal *j, size_t number, struct error *err);

/* Closes the file and keeps it. Accepts a zeroed journal. */
void solve_journal_close(struct solve_journal *j);

#endif
