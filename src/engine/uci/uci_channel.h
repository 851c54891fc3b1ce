/* The channel between the reader thread and the worker thread: a queue of waiting lines, signals
 * that bypass the queue, and the output.
 *
 * Searches are numbered from 1 in the order in which their `go` was queued. A signal applies to all
 * searches queued so far: it reaches a search that has not started yet, but none queued later. */
#ifndef GRAYLING_UCI_CHANNEL_H
#define GRAYLING_UCI_CHANNEL_H

#include "error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* A queued line. channel_take passes ownership to its caller, who frees it. */
struct waiting_line {
    struct waiting_line *next;
    uint64_t search; /* the number of the search that it starts, or 0 */
    int64_t arrived; /* arrival time, by the session's clock */
    size_t length;
    char text[];
};

/* Writes `text` in one piece; called by one thread at a time. */
typedef void uci_write(void *context, const char *text, size_t length);

struct channel {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct waiting_line *first, **last;
    size_t bytes;                            /* total size of the queued lines */
    uint64_t begun;                          /* the number of the last search queued */
    uint64_t ended;                          /* the number of the last search finished */
    bool closed;                             /* no more lines will be queued */
    atomic_uint_fast64_t stopped, left, hit; /* the last search that the signal applies to */
    pthread_mutex_t writing;
    uci_write *write;
    void *context;
};

bool channel_init(struct channel *c, uci_write *write, void *context, struct error *err);
/* Frees queued lines. No other thread may use the channel any more. */
void channel_finish(struct channel *c);

/* ---- the reader thread ---- */

/* Queues a line; one that starts a search gets the next number. Returns false if the queue is full
 * or out of memory. */
bool channel_put(struct channel *c, const char *line, size_t length, bool begins_search,
                 int64_t arrived);

/* Whether a search is running or queued. */
bool channel_is_busy(struct channel *c);

void channel_stop(struct channel *c);
void channel_ponderhit(struct channel *c);
/* After `quit`, or at the end of the input: stops searches, but counts go on to their end. */
void channel_leave(struct channel *c);

/* Closes the channel: no more lines will be queued. Those that wait are still taken; channel_leave
 * before it ends their searches. */
void channel_close(struct channel *c);

/* ---- the worker thread ---- */

/* Waits for a line; NULL once the queue is empty and the channel is closed. */
struct waiting_line *channel_take(struct channel *c);

void channel_search_ended(struct channel *c, uint64_t search);

/* Whether a search must stop, or a count. Cheap. */
bool channel_stops(struct channel *c, uint64_t search);
bool channel_stops_count(struct channel *c, uint64_t search);
bool channel_hits(struct channel *c, uint64_t search);

/* Waits until an infinite search is stopped, or, if `pondering`, until ponderhit. */
void channel_hold(struct channel *c, uint64_t search, bool pondering);

/* ---- both threads ---- */

void channel_write(struct channel *c, const char *text, size_t length);

#endif
