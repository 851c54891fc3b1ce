/* A job list from the inside, for the files of this room. */
#ifndef GRAYLING_JOBS_INTERNAL_H
#define GRAYLING_JOBS_INTERNAL_H

#include "jobs.h"

struct shared_list; /* ranks_internal.h */

struct jobs {
    const struct job_kind *kind;
    const void *context;
    int threads;
    void **workers;             /* by thread; NULL if the kind has no workers */
    struct shared_list *shared; /* the other ranks have an equal list; NULL: it is here alone */
};

/* Enters a new list into the description that is open, if there is one (ranks.h). */
bool ranks_enter_list(struct jobs *jobs, struct error *err);
/* Takes it out; its threads end. */
void ranks_remove_list(struct jobs *jobs);

/* jobs_run for a shared list, on rank 0. */
enum jobs_end ranks_run(struct jobs *jobs, const struct jobs_batch *batch, struct error *err);

#endif
