/* The inside of a UCI session, for this room alone. */
#ifndef GRAYLING_UCI_SESSION_H
#define GRAYLING_UCI_SESSION_H

#include "parse.h"
#include "uci.h"

#include <pthread.h>
#include <stdatomic.h>

/* The current values, and which of them have not been applied to the engine yet. */
struct uci_options {
    struct eval_weights weights;  /* of the options, if they are tuned */
    struct evaluation evaluation; /* what plays */
    struct search_params params;
    int hash, threads, lines, overhead; /* MiB; of a search; MultiPV; milliseconds */
    int show_wdl, ponder, clear;        /* 0 or 1 */
    int chess960;                       /* castling is written as king takes rook */
    int hash_used, threads_used;        /* those of the engine */
    bool weights_changed, evaluation_changed, params_changed;
    int applied, clamped, unknown; /* parameters set by name since the last report */
};

/* A line that waits for the worker. */
struct waiting_line {
    struct waiting_line *next;
    uint64_t search; /* the number of the search that it starts, or 0 */
    int64_t arrived; /* by the session's clock */
    size_t length;
    char text[];
};

/* Searches are numbered from 1 in the order in which their `go` was queued. A signal applies to all
 * searches queued so far: it reaches a search that has not started yet, but none queued later. Where there
 * is no thread, the number is 0: no signal reaches it. */
struct uci {
    struct uci_setup setup;
    pthread_t worker;
    bool running;            /* the worker thread was started and not joined */
    pthread_mutex_t writing; /* for setup.write */
    pthread_mutex_t mutex;   /* for the queue: */
    pthread_cond_t changed;  /* it, or a signal */
    struct waiting_line *first, **last;
    size_t bytes;   /* total size of the queued lines */
    uint64_t begun; /* the number of the last search queued */
    uint64_t ended; /* the number of the last search finished */
    bool closed;    /* no more lines will be queued */
    /* The last searches to which `stop`, `quit` or end of input, and `ponderhit` apply. */
    atomic_uint_fast64_t stopped, left, hit;
    /* The worker, if any, owns the fields below. */
    struct engine *engine;
    struct uci_options options;
    struct position position; /* the root of the next search */
    struct history history;   /* the positions before it */
    int64_t arrived;          /* when the command that is executed came */
    uint64_t search;          /* the number of the search that it starts, or 0 */
    int64_t idle_since;       /* when the last search ended */
};

/* ---- answers ---- */

/* Whole lines to be written. Text that does not fit is dropped. */
struct uci_text {
    char text[2048];
    int length;
};

void uci_text_add(struct uci_text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void uci_say(struct uci *u, const struct uci_text *text);

/* Writes such lines at once. */
void uci_answer(struct uci *u, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes a line "info string ...", with unprintable bytes replaced by spaces. */
void uci_note(struct uci *u, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- signals ---- */

static inline bool uci_signalled(const atomic_uint_fast64_t *signal, uint64_t search)
{
    return search > 0 && atomic_load_explicit(signal, memory_order_relaxed) >= search;
}

static inline bool uci_is_stopped(const struct uci *u, uint64_t search)
{
    return uci_signalled(&u->stopped, search) || uci_signalled(&u->left, search);
}

/* Waits until an infinite search is stopped, or, if `pondering`, until ponderhit; then, before the answer is
 * written, notes its end: an `isready` that comes after the answer waits for the commands before it. */
void uci_search_ends(struct uci *u, uint64_t search, bool waits, bool pondering);

/* ---- position and go ---- */

/* Parses "startpos|fen FEN [moves ...]", the words after `position`. An invalid position leaves the
 * last one unchanged. Moves are made up to the first illegal one. Both errors are noted, with the reason. */
void uci_read_position(struct uci *u, struct words *w);

struct uci_go {
    /* Limits; 0: none. Without a depth, a mate search ends some plies beyond the mate length. `perft`
     * counts the leaves of the move tree at this depth instead of searching. */
    int64_t nodes, depth, mate, perft;
    int64_t clock[2], increment[2]; /* by colour, milliseconds; UCI_NO_CLOCK: not given */
    int64_t moves_to_go, move_time;
    bool infinite;         /* requested, or nothing given: the search runs until stopped */
    bool refused;          /* no limit given, but words that are unreadable: search nothing */
    bool ponder;           /* the limits count from ponderhit on */
    Move moves[MAX_MOVES]; /* searchmoves */
    int move_count;        /* 0: all */
};

#define UCI_NO_CLOCK INT64_MIN

/* Parses the words after `go`. Clamps numbers to usable ranges. Skips and notes unreadable words,
 * and moves that are illegal in the position. If no limit remains beside such words, the request is refused,
 * so that a misspelt limit does not start a search without end. */
void uci_read_go(struct uci *u, struct uci_go *go, struct words *w);

/* Searches and answers: if infinite or pondering, when it is stopped or gets ponderhit. */
void uci_search(struct uci *u, const struct uci_go *go, uint64_t search, int64_t start_time);

/* Writes "e2e4: 600" for each move, in canonical order, then "Nodes searched: 8902" after an empty
 * line. Ends early at `stop` and at the node cap, and says so instead of the sum. */
void uci_perft(struct uci *u, const struct uci_go *go, uint64_t search);

/* What is shown for a score of a search. A mate is beyond all other scores. */
int32_t uci_score_shown(enum evaluation_kind kind, int32_t score);

/* ---- options ---- */

/* Sets every option to its default, not yet applied to an engine. */
void uci_options_init(struct uci *u);

/* Writes a line "option name ..." for each. */
void uci_options_describe(struct uci *u);

/* Parses "name N [value V]", the words after `setoption`, and clamps the value. Notes clamped values, unknown
 * names, and the result of reading a file. */
void uci_options_set(struct uci *u, struct words *w);

/* Applies changed values to the engine, and reports how many parameters were set by name. */
void uci_options_apply(struct uci *u);

#endif
