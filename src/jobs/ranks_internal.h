/* The ranks of a run from the inside: their state, and the messages between them. */
#ifndef GRAYLING_RANKS_INTERNAL_H
#define GRAYLING_RANKS_INTERNAL_H

#include "jobs_internal.h"
#include "ranks.h"
#include "ranks_post.h"

/* ---- messages: a head and its bytes ---- */

enum message_kind {
    /* from rank 0 */
    MESSAGE_DATA = 1, /* a piece of a file: its name, then the bytes; `first` of `count` bytes */
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
    MESSAGE_FILE, /* a file that a job leaves: its path, ended by NUL, and the bytes; `count` is `most` */
};

struct message {
    int32_t kind;
    int32_t scope, list; /* number of the description, and of a list in it */
    uint64_t batch;
    uint64_t first, count, done;
    double seconds; /* that the jobs took, of all threads together */
};

/* A message that came. */
struct arrival {
    int from;
    struct message head;
    const unsigned char *bytes; /* after the head; a NUL follows them */
    size_t size;
    void *memory; /* to be freed */
};

/* ---- state ---- */

enum { SCOPE_LISTS = 16, RANK_HOST = 64 };

/* A description, and the lists that were created from it. */
struct scope {
    struct scope *next; /* on a rank that serves */
    int number;
    struct jobs *lists[SCOPE_LISTS];
    int count;    /* lists */
    int alive;    /* of them, on rank 0 */
    bool repeats; /* a job gives the same result on any rank */
    /* on a rank that serves: */
    int threads;
    struct plan *plan; /* the memory of a list's context; NULL: */
    void *built;       /* what the builder built */
};

/* A list that belongs to a description. */
struct shared_list {
    struct scope *scope;
    int number;     /* in it */
    double longest; /* seconds that a group has taken, at most */
    double rates[]; /* of the ranks: seconds of a job, of late; 0: unknown; on rank 0 */
};

/* A rank as rank 0 knows it. */
struct peer {
    char host[RANK_HOST];
    int threads;
    bool builds;   /* it has not answered to a description */
    bool told;     /* it has the block of this batch */
    size_t owed;   /* jobs of this batch that it has */
    size_t oldest; /* of them, when it last answered */
    double silent; /* seconds since then, in which this process was not stopped */
    int64_t jobs;  /* done */
    double busy;   /* seconds of its threads with them */
};

/* What rank 0 measures, for ranks_report. */
struct rank_times {
    double began; /* the first batch; 0: none yet */
    double in_batches;
    double in_few;  /* of it, in batches with fewer jobs than threads */
    double ending;  /* seconds of threads without a job because none was left */
    double serving; /* processor time of the thread that serves */
    double bytes;
    int64_t batches, groups;
};

struct ranks {
    const struct post_method *method;
    struct post *post;
    int rank, count;
    struct peer *peers; /* by rank; the first is this process */
    int threads;        /* of all ranks */
    struct scope *open; /* lists are created from it now */
    int scopes;         /* opened so far */
    uint64_t batches;   /* begun so far */
    double check_share, job_limit;
    double check_due; /* jobs to be compared, as the share of those that were done says */
    struct rank_times times;
    bool broken;         /* a rank cannot be trusted */
    struct error reason; /* why */
};

/* The ranks of this process; NULL when alone. */
struct ranks *ranks_here(void);

/* Closes the post and frees the state. All ranks must do so. */
void ranks_close(void);

/* Ends all ranks. */
_Noreturn void ranks_abort(int code);

/* malloc, or the end of all ranks. */
void *ranks_alloc(size_t size);

/* Notes why the ranks cannot go on, for the first such reason. */
void ranks_break(struct ranks *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sends a head and up to two pieces of bytes. */
void ranks_send(struct ranks *r, int to, const struct message *head, const void *a, size_t a_size,
                const void *b, size_t b_size);

/* Takes the next message; false if there is none. On rank 0 keeps files that came. */
bool ranks_receive(struct ranks *r, struct arrival *a);

/* The seconds to sleep before the next look for messages, if the last one came so many seconds ago:
 * so often that no message waits for a time that counts. */
double ranks_nap(double quiet);

/* ---- descriptions ---- */

/* Reads the context of a list. The plan owns it. */
struct plan *plan_read(const struct job_kind *kind, const void *bytes, void **context);
void plan_free(struct plan *p); /* accepts NULL */

/* ---- files ---- */

/* Takes a piece of a file from rank 0. */
void ranks_take_data(const struct arrival *a);
/* Sends the files that jobs left to rank 0. */
void ranks_send_files(struct ranks *r);
/* Writes such a file, on rank 0. */
void ranks_take_file(const struct arrival *a);
/* Closes all files. */
void ranks_free_files(void);

#endif
