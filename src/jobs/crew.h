/* The threads of one rank that work on a shared list, each with its own worker of the list.
 *
 *     crew_give   --->  queue of groups  --->  threads  --->  groups that are done  --->  crew_take
 *
 * A group is jobs with successive numbers, done by one thread one after another. The threads sleep
 * while there is nothing to do. */
#ifndef GRAYLING_CREW_H
#define GRAYLING_CREW_H

#include "jobs.h"

#include <stdalign.h>
#include <stdint.h>

/* What the groups of a batch have in common. It must outlive them. */
struct crew_batch {
    uint64_t id;
    const void *block;
    const volatile sig_atomic_t *stop; /* may be NULL */
    atomic_bool cancelled;             /* no further job begins; those at work may return early */
};

struct group {
    struct group *next; /* for whoever holds the group */
    const struct crew_batch *batch;
    size_t first, count; /* its jobs */
    bool checks;         /* one job that was done elsewhere; its result is compared */
    size_t done;         /* results there are: those of the first jobs */
    bool failed;         /* job first + done returned false, with `reason` */
    bool stopped;        /* it returned false without a reason, or did not begin */
    double expected;     /* seconds that its jobs should take */
    double waited;       /* seconds that its thread had no job before it, in this batch */
    double seconds;      /* that its jobs took */
    double longest;      /* of them, in seconds */
    struct error reason;
    alignas(max_align_t) unsigned char results[]; /* `count` of them */
};

/* Creates a group; its results are zeroed. NULL without memory. */
struct group *group_create(const struct job_kind *kind, size_t first, size_t count);

/* The result of a job of the group. */
static inline void *group_result(struct group *g, const struct job_kind *kind, size_t number)
{
    return g->results + (number - g->first) * kind->result_size;
}

struct crew;

/* Starts a thread for each worker of the list. NULL with the reason. */
struct crew *crew_create(const struct jobs *jobs, struct error *err);
/* Waits for the group of each thread, and frees all others; accepts NULL. */
void crew_destroy(struct crew *crew);

/* Gives a group of the batch to the threads, which own it until crew_take. */
void crew_give(struct crew *crew, struct group *group);

/* Takes the groups that are done, as a list; NULL if there is none. Waits up to `seconds`, or until
 * a group is done while the queue has no more than one for each thread. */
struct group *crew_take(struct crew *crew, double seconds);

/* How many groups were given and not taken yet. */
int crew_owes(const struct crew *crew);

/* The seconds since the oldest job at work began, and its number; 0 if there is none. */
double crew_oldest(struct crew *crew, size_t *number);

/* Leaves so many seconds, in which this process was stopped, out of the age of the jobs at work. */
void crew_skip_pause(struct crew *crew, double seconds);

#endif
