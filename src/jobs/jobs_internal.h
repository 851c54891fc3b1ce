/* A job list from the inside: the threads of this process, and what they work on. */
#ifndef GRAYLING_JOBS_INTERNAL_H
#define GRAYLING_JOBS_INTERNAL_H

#include "jobs.h"

#include <pthread.h>
#include <stdalign.h>

/* The result of a job. */
struct result {
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

/* Jobs `next` to `end` - 1 of a batch, in work: all of it, or a part that rank 0 has sent. The
 * list's lock guards it. */
struct span {
    struct span *after;                /* in the queue of the list */
    const void *block;                 /* of the batch */
    const volatile sig_atomic_t *stop; /* or NULL */
    void *taker;
    bool (*take)(void *taker, size_t number, const struct result *result);
    size_t first, end;       /* the jobs */
    size_t next;             /* the next one to start */
    size_t due;              /* the next one whose result is taken */
    size_t at_work;          /* started and not ended, in this process or on other ranks */
    struct result **waiting; /* results that were not taken yet, by job from `first` */
    bool enough;             /* no more results are needed */
    size_t failed_at;        /* the lowest job that returned false; SIZE_MAX: none */
    struct error reason;     /* and why; "": it was stopped */
    atomic_bool cancelled;   /* see struct job */
    double busy;             /* seconds of this process's threads */
};

/* A thread of a list. */
struct hand {
    struct jobs *jobs;
    void *worker; /* NULL if the kind has no workers */
    pthread_t thread;
};

struct jobs {
    const struct job_kind *kind;
    const void *context;
    int threads, started;
    struct hand *hands;
    pthread_mutex_t lock;    /* guards the spans, and `ending` */
    pthread_cond_t work;     /* there is a job, or the end */
    pthread_cond_t progress; /* a span may be over; by the monotonic clock */
    struct span *spans;      /* in the order in which they are done */
    bool ending;
    struct shared_list *shared; /* ranks_internal.h; NULL: it is in this process alone */
};

/* Fills in a span whose input and range are set. */
bool span_init(struct span *span, struct error *err);
/* Frees the results that were not taken. */
void span_finish(struct span *span);

/* Gives a span to the threads, after all others or before them, and takes it back. The caller does not
 * hold the lock. */
void jobs_add_span(struct jobs *jobs, struct span *span, bool first);
void jobs_remove_span(struct jobs *jobs, struct span *span);

/* ---- with the lock ---- */

/* Starts up to `most` of the next jobs. Returns how many; 0 if no more may start. */
size_t span_claim(struct span *span, size_t most);
/* Ends a job that was started: with its result, or NULL and a reason, "" if it was stopped. */
void span_put(struct span *span, size_t number, struct result *result, const struct error *reason);
/* True if nothing is at work and no more jobs may start. */
bool span_is_over(const struct span *span);
/* Waits until a span may be over, or for so many seconds. */
void jobs_wait(struct jobs *jobs, double seconds);

/* Returns how a span ended. */
enum jobs_end span_end(const struct span *span, struct error *err);

/* ---- other ranks (ranks_lists.c, ranks_batch.c) ---- */

/* Describes a list to the other ranks, which build it. */
bool ranks_offer(const struct job_kind *kind, const void *context, int threads, struct error *err);
/* Enters a new list into the description that is open, if there is one. */
bool ranks_enter_list(struct jobs *jobs, struct error *err);
/* Takes it out. */
void ranks_remove_list(struct jobs *jobs);
/* Does a batch of a shared list with the other ranks, on rank 0. The list has its span. False with the
 * reason if a rank cannot be trusted any more. */
bool ranks_run(struct jobs *jobs, const struct jobs_batch *batch, struct span *span,
               struct error *err);

#endif
