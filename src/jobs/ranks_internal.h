/* The ranks of a run from the inside: their state, and the messages between them. */
#ifndef GRAYLING_RANKS_INTERNAL_H
#define GRAYLING_RANKS_INTERNAL_H

#include "crew.h"
#include "jobs_internal.h"
#include "post.h"
#include "process.h"
#include "ranks.h"

/* ---- messages ----
 *
 * The first message of a rank, and the answer to it, are text, so that ranks of different versions
 * understand each other that far. All others are a head and its bytes. */

enum message_kind {
    /* from rank 0 */
    MESSAGE_DATA = 1, /* a piece of a file: its name, then the bytes; `first` of `count` bytes */
    MESSAGE_SHARE, /* the builder, ended by NUL, and the bytes; `count` threads, 0: as many as usual */
    MESSAGE_CLOSE, /* its lists are gone on rank 0 */
    MESSAGE_BATCH, /* a batch of a list, and its block */
    MESSAGE_GROUP, /* jobs to do; answered by MESSAGE_RESULT */
    MESSAGE_STOP,  /* the batch ends; `count` is the value of its stop flag */
    MESSAGE_QUIT,  /* the run ends; answered */
    /* from the others */
    MESSAGE_READY,  /* the lists are built, `count` of them for `first` threads; or why not */
    MESSAGE_RESULT, /* of a group: its results, then the reason of a failure */
    MESSAGE_BEAT, /* alive, while there is work; `first` is the oldest job, at work for `seconds` */
    MESSAGE_FILE, /* a file that a job leaves: its path, then the bytes */
    MESSAGE_BYE,  /* the answer to MESSAGE_QUIT */
};

enum message_flag { MESSAGE_CHECKS = 1, MESSAGE_FAILED = 2, MESSAGE_JOB_STOPPED = 4 };

struct message {
    int32_t kind, flags;
    int32_t scope, list; /* number of the description, and of a list in it */
    uint64_t batch;
    uint64_t first, count, done; /* jobs; see group */
    uint64_t bytes;              /* of its results; those that are left out are 0 */
    double seconds;              /* that they should take, or took */
    double longest, waited;      /* see group */
};

/* ---- state ---- */

enum { SCOPE_LISTS = 16 };

/* A description, and the lists that were created from it. */
struct scope {
    struct scope *next; /* on a rank that serves */
    int number;
    struct jobs *lists[SCOPE_LISTS];
    int count;    /* lists */
    int alive;    /* of them, on rank 0 */
    bool repeats; /* a job gives the same result on any rank */
    int threads;  /* of the lists, on a rank that serves; also: */
    const struct ranks_builder *builder;
    void *built;
};

/* A list that belongs to a description. */
struct shared_list {
    struct scope *scope;
    int number; /* in it */
    struct crew *crew;
    double *rates;  /* of the ranks, of late (pace.h); 0: unknown; on rank 0 */
    double longest; /* of all jobs, in seconds */
};

/* A rank as rank 0 knows it. */
struct peer {
    char host[POST_HOST];
    int threads;
    char process[PROCESS_TEXT]; /* its identity (process.h) */
    bool local;                 /* it is a process of this machine */
    double heard;               /* when its last message came */
    double job_age;             /* of its oldest job, at that time */
    size_t job;                 /* and the number of this job */
    bool builds;                /* it has not answered to a description */
    int silent_looks;           /* of rank 0, since then */
    bool answered;              /* to MESSAGE_QUIT */
    bool told;                  /* it has the block of this batch */
    bool full;                  /* it wants no group now */
    int given;                  /* groups of this batch that it was given */
    int owed;                   /* those that it has */
    double owed_cost;           /* of their jobs */
    double idle_at;             /* when it should have done them */
    int64_t jobs;               /* done */
    double busy;                /* seconds of its threads with them */
};

/* What rank 0 measures, for ranks_report. */
struct rank_times {
    double began; /* the first batch; 0: none yet */
    double in_batches;
    double in_few;    /* of it, in batches with fewer jobs than threads */
    double few, tail; /* seconds of threads without a job at the end of a batch: of one with fewer
                         jobs than threads, and of one that waits for its last jobs */
    double waited;    /* seconds of threads without a job, in the middle of a batch */
    double serving;   /* processor time of the thread that serves */
    double bytes;
    int64_t batches, groups;
};

struct ranks {
    struct post *post;
    int rank, count;
    struct peer *peers; /* by rank; the first is this process */
    int threads;        /* of all ranks */
    struct scope *open; /* lists are created from it now */
    int scopes;         /* opened so far */
    uint64_t batches;   /* begun so far */
    double check_share, job_limit, group_seconds;
    double check_due; /* jobs to be compared, as the share of those that were done says */
    double called;    /* when rank 0 got SIGCONT, while it listens who lives; else 0 */
    struct rank_times times;
    bool broken;         /* a rank is gone, or cannot be trusted */
    struct error reason; /* why */
};

/* The ranks of this process; NULL when alone. */
struct ranks *ranks_here(void);

/* Frees the state, when the post is closed. */
void ranks_free(struct ranks *r);

/* True on a rank other than 0. */
bool ranks_serves(void);

/* ---- messages ---- */

/* Sends a head and up to two pieces of bytes. */
bool ranks_send(struct ranks *r, int to, const struct message *head, const void *a, size_t a_size,
                const void *b, size_t b_size);

/* A message that came. */
struct arrival {
    int from;
    struct message head;
    const unsigned char *bytes; /* after the head */
    size_t size;
    void *memory; /* to be freed */
};

/* Takes the next message; false if there is none. On rank 0 notes that its sender lives, and deals
 * with messages that are of no batch. */
bool ranks_receive(struct ranks *r, struct arrival *a);

/* ---- rank 0: faults ---- */

/* Notes why the ranks cannot go on, for the first such reason. Returns false. */
bool ranks_break(struct ranks *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* True if the rank is a process of this machine that has ended. */
bool ranks_has_ended(const struct ranks *r, int rank);

/* Breaks if a process of this machine has ended that should serve. */
bool ranks_all_live(struct ranks *r);

/* mpirun sends SIGCONT to all ranks when one has died; a second later SIGTERM, and then SIGKILL. Ranks
 * that get it tell rank 0 that they live. True if this one got it since the last call. */
void ranks_watch_continued(void);
bool ranks_were_continued(void);

/* True on rank 0 if a rank of another machine has said nothing since. It gets no message: MPI ends a process
 * that writes to one which is gone. */
bool ranks_is_doubtful(const struct ranks *r, int rank);

/* ---- rank 0: comparing results ---- */

struct checks; /* of a batch */

struct checks *checks_create(struct ranks *r, const struct job_kind *kind);
void checks_destroy(struct checks *c); /* accepts NULL */

/* Draws a sample of the results that a rank sent. False without memory. */
bool checks_draw(struct checks *c, int from, struct group *g);
/* Takes a job for a rank that has not done it; NULL if there is none. */
struct group *checks_next(struct checks *c, int rank);
/* Takes its result. Breaks if two ranks had different ones. */
bool checks_take(struct checks *c, int from, struct group *g);
/* Gives it back: it was not done. */
void checks_return(struct checks *c, struct group *g);
/* True while results wait to be compared. */
bool checks_wait(const struct checks *c);

/* ---- the others: data ---- */

/* Takes a piece of a file. */
bool rank_data_take(const struct arrival *a, struct error *err);
/* Closes all files. */
void rank_data_free(void);

/* Sends the files that jobs left (kept_file.h) to rank 0. */
void kept_files_send(struct ranks *r);
/* Writes such a file, on rank 0. */
void kept_file_take(const struct arrival *a);

#endif
