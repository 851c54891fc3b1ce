/* Between the thread that reads commands and the one that carries them out: lines that wait their
 * turn, the signals that do not wait, and the way out.
 *
 * Searches are numbered from 1 in the order in which their `go` was put in. A signal is for all of
 * them up to now, so that it reaches a search that has not begun yet, and none that comes after. */
#ifndef GRAYLING_UCI_CHANNEL_H
#define GRAYLING_UCI_CHANNEL_H

#include "error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* A line that waits; owned by whom channel_take gave it, to be freed. */
struct waiting_line {
    struct waiting_line *next;
    uint64_t search; /* the number of the search that it begins, or 0 */
    int64_t came;    /* when, by the session's clock */
    size_t length;
    char text[];
};

/* What is written, in one piece, by one thread at a time. */
typedef void uci_write(void *context, const char *text, size_t length);

struct channel {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct waiting_line *first, **last;
    size_t bytes;                      /* that wait */
    uint64_t begun;                    /* the number of the last search put in */
    uint64_t ended;                    /* the number of the last search that is over */
    bool closed;                       /* nothing more is put in */
    atomic_bool over;                  /* the same, for a search to see */
    atomic_uint_fast64_t stopped, hit; /* the last search that the signal is for */
    pthread_mutex_t writing;
    uci_write *write;
    void *context;
};

bool channel_init(struct channel *c, uci_write *write, void *context, struct error *err);
/* Frees what still waits. No other thread may use the channel any more. */
void channel_finish(struct channel *c);

/* ---- the reading side ---- */

/* Puts a line in; one that begins a search gets the next number. False when it cannot wait: too
 * much does already, or there is no memory. */
bool channel_put(struct channel *c, const char *line, size_t length, bool begins_search,
                 int64_t came);

/* Whether a search is on, or waits. */
bool channel_is_busy(struct channel *c);

void channel_stop(struct channel *c);
void channel_ponderhit(struct channel *c);

/* Nothing more will come. Searches without an end of their own are stopped by it. */
void channel_close(struct channel *c);

/* ---- the working side ---- */

/* Waits for a line; NULL when there is none and the channel is closed. */
struct waiting_line *channel_take(struct channel *c);

void channel_search_ended(struct channel *c, uint64_t search);

/* Whether the search is to stop; `bounded` when it would end by itself. Cheap. */
bool channel_stops(struct channel *c, uint64_t search, bool bounded);
bool channel_hits(struct channel *c, uint64_t search);

/* Waits until a search without end is stopped, or, when `pondering`, its move has been played. */
void channel_hold(struct channel *c, uint64_t search, bool pondering);

/* ---- both ---- */

void channel_write(struct channel *c, const char *text, size_t length);

#endif
