/* The ranks of a run: processes that `mpirun -n 64 grayling evolve RECIPE` started together, on one
 * machine or on many, and that work on the same job lists.
 *
 *     rank 0                                         every other rank
 *     ranks_begin        <--- version, host --->     ranks_begin
 *     run the command                                ranks_serve
 *     jobs_create        --- what it is made of -->    an equal list
 *                        <--- ready, or why not ---
 *     jobs_run           --- block, job numbers --->   work
 *       take             <--- results -------------
 *     jobs_destroy       --- end of the list ------>   jobs_destroy
 *     ranks_end          --- end ----------------->    return
 *
 * Rank 0 owns the optimiser, the store and the terminal. Lists that nobody describes run in its
 * threads. It describes what a list is created from, and the others build equal lists. Results are taken in the order
 * of jobs, so that they do not depend on the number of ranks. Where a rank dies, mpirun ends all others: what rank 0
 * took before is valid, and the run can be resumed.
 *
 * A process has one set of ranks, as MPI has: this is the one state of the program that hangs off no
 * context. All functions are for the thread that called ranks_begin. */
#ifndef GRAYLING_RANKS_H
#define GRAYLING_RANKS_H

#include "jobs.h"

/* ---- life cycle ---- */

enum ranks_role {
    RANKS_ALONE,   /* there is one process; nothing was started */
    RANKS_FIRST,   /* rank 0 of several */
    RANKS_OTHER,   /* another one: serve */
    RANKS_REFUSED, /* end; with 0 where the reason is "", as rank 0 tells it, or mpirun ends rank 0 */
};

/* Meets the other ranks, if a launcher started some. They refuse each other where they have another
 * version or another command line. */
enum ranks_role ranks_begin(int argc, char **argv, struct error *err);

/* How a rank builds several lists of one description. */
struct ranks_builder {
    const char *name;
    /* NULL with the reason. The bytes end with a NUL that is not counted. */
    void *(*build)(const void *bytes, size_t size, int threads, struct error *err);
    void (*destroy)(void *built);
};

/* Serves rank 0 until it ends: does jobs of these kinds, which end with NULL, and of the builder's
 * lists. Returns the exit code. */
int ranks_serve(const struct job_kind *const *kinds, const struct ranks_builder *builder);

/* Ends the other ranks. Does nothing when alone. */
void ranks_end(void);

/* ---- describing lists ---- */

/* True on rank 0 of several ranks. */
/* True on rank 0 of several ranks. */
bool ranks_many(void);

/* The context of a list on its way to another rank. A kind's `describe` gets a copy of it and names
 * what it points to: on rank 0 that is written, and on the others read in its place. All ranks have
 * the same version and layout, so a struct without pointers is its bytes. Memory lasts as long as
 * the list; there is always enough, or the process ends. NULL stays NULL. */

/* Passes on an array that is not changed. */
void *plan_array(struct plan *p, const void *items, size_t count, size_t size);
/* The same for structs that point to more: returns a copy on rank 0, too. */
void *plan_structs(struct plan *p, const void *items, size_t count, size_t size);
char *plan_text(struct plan *p, const char *text);

/* Opens a description by hand: of the lists that are created next, by the builder of this name on the
 * others. On a process alone it does nothing. */
void ranks_share(const char *builder, const void *bytes, size_t size, int threads);
/* Closes it when they are created, or with `good` false could not be, and waits until all ranks have them.
 * True if they were created everywhere; the reason is that of another rank. */
bool ranks_shared(bool good, struct error *err);

/* ---- files ---- */

enum { RANK_DATA_NAME = 96 };

/* Gives a file's bytes to all ranks, once each. `name` is written: it stands for the file in a description. */
void ranks_put_data(const void *bytes, size_t size, char name[RANK_DATA_NAME]);

/* In a builder: the path under which data of this name can be opened; NULL if it is no such name. */
const char *ranks_data_path(const char *name);

/* ---- what the ranks do, on rank 0 ---- */

/* A machine and what its ranks have done. */
struct rank_host {
    char name[64];
    int ranks, threads;
    int64_t jobs;
    double idle; /* share of its threads' time without a job, since the first batch */
};

enum ranks_idle { IDLE_LITTLE, IDLE_FEW_JOBS, IDLE_LONG_JOBS, IDLE_MASTER, IDLE_SERVICE };

struct ranks_report {
    int ranks, threads, hosts;
    int64_t jobs, batches, groups;
    double idle;            /* share of all threads' time */
    enum ranks_idle reason; /* for most of it; IDLE_LITTLE if it is at most a tenth */
    double seconds;         /* since the first batch */
    double in_batches;      /* of them, while a batch ran */
    double busy;            /* of all threads, with jobs */
    double serving;         /* processor seconds of rank 0's thread that serves */
    double bytes;           /* sent and received by rank 0 */
};

/* Reports; false on a process alone, or before the first batch. */
bool ranks_report(struct ranks_report *report);
/* Reports a host, from 0; false if there is none of this number. */
bool ranks_report_host(int host, struct rank_host *report);
/* A sentence about the reason, "" for IDLE_LITTLE. */
const char *ranks_idle_text(enum ranks_idle reason);

#endif
