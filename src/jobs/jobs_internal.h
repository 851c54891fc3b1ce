/* The room from the inside: threads, other ranks, and the messages between them. */
#ifndef GRAYLING_JOBS_INTERNAL_H
#define GRAYLING_JOBS_INTERNAL_H

#include "jobs.h"
#include "ranks.h"

#include <pthread.h>
#include <stdalign.h>

/* ---- a list in this process (jobs.c) ---- */

/* The result of a job. */
struct result {
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

/* Jobs of a batch, in work: all of it, or a part that rank 0 has sent. The list's lock guards it. */
struct span {
    struct span *after;                /* in the queue of the list */
    const void *block;                 /* of the batch */
    const volatile sig_atomic_t *stop; /* or NULL */
    void *taker;
    bool (*take)(void *taker, size_t number, void *result);
    size_t first, end;       /* the jobs */
    size_t next;             /* the next one to start */
    size_t due;              /* the next one whose result is taken */
    size_t at_work;          /* started and not ended, in this process or on other ranks */
    struct result **waiting; /* results that were not taken yet, by job from `first` */
    bool enough;             /* no more results are needed */
    size_t failed_at;        /* the lowest job that returned false; SIZE_MAX: none */
    struct error reason;     /* and why; "": it was stopped */
    atomic_bool cancelled;   /* see struct job */
    int64_t done;            /* jobs that this process has done, */
    double busy;             /* and the seconds of its threads with them */
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
    /* A list that other ranks have, too: */
    struct scope *scope; /* what it was created from; NULL: it is in this process alone */
    int number;          /* in it */
    double rate;         /* seconds that a job takes on another rank, of late; 0: unknown */
};

/* Gives jobs `first` to `end` - 1 of a span whose input is set to the threads, after all other spans; and
 * takes it back. The caller does not hold the lock. False with the reason without memory. */
bool jobs_add_span(struct jobs *jobs, struct span *span, struct error *err);
void jobs_remove_span(struct jobs *jobs, struct span *span);

/* These are called with the lock. */

/* Starts up to `most` of the next jobs. Returns how many; 0 if no more may start. */
size_t span_claim(struct span *span, size_t most);
/* Ends a job that was started: with its result, or NULL and a reason, "" if it was stopped. */
void span_put(struct span *span, size_t number, struct result *result, const struct error *reason);
/* True if nothing is at work and no more jobs may start. */
bool span_is_over(const struct span *span);
/* Waits until a span may be over, or for so many seconds. */
void jobs_wait(struct jobs *jobs, double seconds);

/* ---- the post: messages between ranks ----
 *
 * A table of functions in a module that is loaded when it is needed: MPI (ranks_mpi.c). A program without
 * other ranks loads no MPI, and depends on none. Only the thread that opened the post uses it. Messages of one
 * rank to another arrive in the order in which they were sent. No function waits for another rank, except
 * where all ranks meet. Where a message cannot be sent, MPI ends all ranks. */

struct post;

struct post_method {
    /* Opens the post between all ranks; all meet. */
    struct post *(*open)(int *rank, int *count, struct error *err);
    /* Collects as many bytes of each rank, by rank; all meet. */
    void (*gather)(struct post *p, const void *mine, void *all, size_t size);
    /* Sends malloc'ed bytes, at most 1 GiB, which the post frees. */
    void (*send)(struct post *p, int to, void *bytes, size_t size);
    /* Takes the next message, malloc'ed with room for one byte more. False if there is none now. */
    bool (*receive)(struct post *p, int *from, void **bytes, size_t *size);
    /* Waits until all messages are on their way. */
    void (*flush)(struct post *p);
    void (*close)(struct post *p); /* all meet */
    /* Ends all ranks. Does not return. */
    void (*abort)(struct post *p, int code);
};

/* ---- messages: a head and its bytes ---- */

enum message_kind {
    /* from rank 0 */
    MESSAGE_DATA = 1, /* a piece of a file: its name, then the bytes */
    MESSAGE_SHARE, /* the builder, ended by NUL, and the bytes; `count` threads, 0: as many as usual */
    MESSAGE_CLOSE, /* its lists are gone on rank 0 */
    MESSAGE_BATCH, /* a batch of a list, and its block */
    MESSAGE_GROUP, /* jobs to do; answered by MESSAGE_RESULT */
    MESSAGE_STOP,  /* the batch ends; `count` is the value of its stop flag */
    MESSAGE_QUIT,  /* the run ends */
    /* from the others */
    MESSAGE_READY,  /* the lists are built, `count` of them for `first` threads; or why not */
    MESSAGE_RESULT, /* of a group: its first `done` results, each a struct result, and if they are
                       fewer than `count` the reason, "" for a stop */
};

struct message {
    int32_t kind;
    int32_t scope, list; /* number of the description, and of a list in it */
    uint64_t batch;
    uint64_t first, count, done;
    double seconds; /* that the jobs took, of all threads together */
};

struct arrival {
    int from;
    struct message head;
    const unsigned char *bytes; /* after the head; a NUL follows them */
    size_t size;
    void *memory; /* to be freed */
};

/* ---- the ranks ---- */

enum { SCOPE_LISTS = 16, RANK_HOST = 64 };

/* A description, and the lists that were created from it. */
struct scope {
    struct scope *next; /* on a rank that serves */
    int number;
    struct jobs *lists[SCOPE_LISTS];
    int count; /* lists */
    int alive; /* of them, on rank 0 */
    /* on a rank that serves: */
    struct plan *plan; /* the memory of a list's context; NULL: */
    void *built;       /* what the builder built */
};

/* A rank as rank 0 knows it. */
struct peer {
    char host[RANK_HOST];
    int threads;
    bool builds;  /* it has not answered to a description */
    bool told;    /* it has the block of this batch */
    size_t owed;  /* jobs of this batch that it has */
    int64_t jobs; /* done */
    double busy;  /* seconds of its threads with them */
};

/* A file that rank 0 has given to all; a run's files do not change. */
struct rank_data {
    struct rank_data *next;
    char name[RANK_DATA_NAME];
    int file; /* -1 on rank 0, which has the original */
    char path[64];
};

struct ranks {
    const struct post_method *method;
    struct post *post;
    int rank, count;
    int threads;        /* of all ranks */
    struct scope *open; /* lists are created from it now */
    int scopes;         /* opened so far */
    struct rank_data *data;
    uint64_t batch; /* the number of the last one */
    double began;   /* the first batch; 0: none yet */
    struct ranks_report
        times;           /* what rank 0 adds up: batches, groups, in_batches, serving, bytes */
    struct peer peers[]; /* by rank; the first is this process */
};

struct ranks *ranks_here(void);

/* Closes the post and frees the state. All ranks must do so. */
void ranks_close(void);

/* Ends all ranks. */
_Noreturn void ranks_abort(int code);

/* malloc, or the end of all ranks. */
void *ranks_alloc(size_t size);

/* Sends a head and up to two pieces of bytes. */
void ranks_send(struct ranks *r, int to, const struct message *head, const void *a, size_t a_size,
                const void *b, size_t b_size);
/* The same to all other ranks, from rank 0. */
void ranks_send_all(struct ranks *r, const struct message *head, const void *a, size_t a_size,
                    const void *b, size_t b_size);

bool ranks_receive(struct ranks *r, struct arrival *a);

/* The data of this name, NULL if there is none; and enters it. */
const struct rank_data *ranks_find_data(const char *name);
const struct rank_data *ranks_enter_data(const char *name, int file);

/* The seconds to sleep before the next look for messages, so long after the last one. */
double ranks_nap(double quiet);

/* ---- descriptions and batches (ranks_lead.c) ---- */

/* Describes a list to the other ranks, which build it. */
void ranks_offer(const struct job_kind *kind, const void *context, int threads);
/* Enters a new list into the description that is open, if there is one, and takes it out. */
void ranks_enter_list(struct jobs *jobs);
void ranks_remove_list(struct jobs *jobs);

/* Reads the context of a list. The plan owns it. */
struct plan *plan_read(const struct job_kind *kind, const void *bytes, void **context);
void plan_free(struct plan *p); /* accepts NULL */

/* Does a batch of a shared list with the other ranks. The list has its span. */
void ranks_run(struct jobs *jobs, const struct jobs_batch *batch, struct span *span);

#endif
