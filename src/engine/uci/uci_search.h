/* Runs what `go` asks for, a search or a count, and speaks with its session meanwhile over a channel. */
#ifndef GRAYLING_UCI_SEARCH_H
#define GRAYLING_UCI_SEARCH_H

#include "uci_go.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- the channel ---- */

/* Between the reader thread and the worker thread of a session: a queue of waiting lines, signals
 * that bypass the queue, and the output.
 *
 * Searches are numbered from 1 in the order in which their `go` was queued. A signal applies to all
 * searches queued so far: it reaches a search that has not started yet, but none queued later. */
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

/* By the reader thread. */

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

/* By the worker thread. */

/* Waits for a line; NULL once the queue is empty and the channel is closed. */
struct waiting_line *channel_take(struct channel *c);

void channel_search_ended(struct channel *c, uint64_t search);

/* Whether a search must stop, or a count. Cheap. */
bool channel_stops(struct channel *c, uint64_t search);
bool channel_stops_count(struct channel *c, uint64_t search);
bool channel_hits(struct channel *c, uint64_t search);

/* Waits until an infinite search is stopped, or, if `pondering`, until ponderhit. */
void channel_hold(struct channel *c, uint64_t search, bool pondering);

/* By both threads. */

void channel_write(struct channel *c, const char *text, size_t length);

/* ---- scores as a GUI reads them ---- */

/* 100 is an even chance to win, as Stockfish has it. The search keeps a unit
 * of its own.
 *
 * With params/games-eval.yaml, in 1,000 games of the engine against itself at 3,000 nodes a move, a score x of
 * the search was won with the probability
 *
 *     1 / (1 + exp((a - x) / b)),
 *
 * and lost with that of -x, where b is a line in the material on the board (experiments/win_model.py,
 * docs/results.md). Shown is 100 x / a. Other weights of the modern evaluation are shown in the same
 * unit, and mean this as far as they are on the same scale.
 *
 * The paper's evaluation has a pawn of 100, and its scores are shown as they are. */
/* What is shown for a score of a search. A mate is beyond all other scores. */
int32_t uci_score_shown(enum evaluation_kind kind, int32_t score);

/* Chances of the side to move, in thousandths, which add up to 1,000. */
struct uci_wdl {
    int win, draw, loss;
};

/* The chances that go with a score as it is shown, of a search from position `root`. */
struct uci_wdl uci_score_wdl(const struct position *root, int32_t shown);

/* ---- what `go` asks for ---- */

typedef int64_t uci_clock(void *context); /* microseconds from any start; never goes back */

/* The input of a search. Everything is borrowed. */
struct uci_task {
    struct engine *engine;
    const struct uci_position *start;
    const struct uci_go *go;
    struct channel *channel;
    uint64_t number;    /* number in the channel; 0: cannot be stopped, never waits */
    int64_t start_time; /* start time, by the clock */
    uci_clock *clock;
    void *context;             /* for the clock */
    int lines;                 /* MultiPV */
    enum evaluation_kind kind; /* what the engine plays with, for the unit of its scores */
    bool show_wdl;
    bool chess960;     /* castling is written as king takes rook */
    int64_t overhead;  /* milliseconds */
    uint64_t node_cap; /* 0: none */
};

/* Searches and writes the answer. Does not interrupt a first iteration of normal length, so that
 * the move is based on a search. An infinite or pondering search withholds its answer until it is
 * stopped or receives ponderhit. */
void uci_search_run(const struct uci_task *task);

/* Writes "e2e4: 600" for each move, in canonical order, then "Nodes searched: 8902" after an empty
 * line. Ends early at `stop` and at the node cap, and says so instead of the sum. */
void uci_perft_run(const struct uci_task *task);

#endif
