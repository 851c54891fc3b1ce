/* Solves a test position and reports two costs.
 *
 * - first: the nodes searched when a right move, its subtree complete, first becomes best at the
 *   root (david-2014, section IV). A move that is merely first in the move list of the first
 *   iteration counts when that iteration ends and it is still best.
 * - stable: the nodes at the last change to a right move that stays best until the search ends.
 *
 * A right move is one of bm, if the position has any, and none of am. */
#ifndef GRAYLING_SOLVE_H
#define GRAYLING_SOLVE_H

#include "engine.h"
#include "epd.h"
#include "uci_client.h"

#include <signal.h>

/* Limits of a search. 0 means no limit of that kind; at least one must be nonzero. */
struct solve_limits {
    uint64_t nodes;
    int depth;        /* plies */
    int movetime;     /* milliseconds; makes results depend on the machine */
    bool until_first; /* stop when `first` is known; `stable` is then meaningless */
    const volatile sig_atomic_t *stop; /* nonzero stops the search; may be NULL */
};

/* When a right move became best: nodes, iteration and time. All 0: never. */
struct solve_moment {
    uint64_t nodes;
    int depth;
    double seconds;
};

struct solved {
    struct solve_moment first, stable;
    Move best; /* best move at the end */
    int32_t score;
    int depth; /* last completed iteration */
    uint64_t nodes;
    double seconds;
    bool abandoned; /* stopped by `stop`; the other members but `fault` are meaningless */
    /* Of another engine: UCI_EXITED, UCI_HUNG or UCI_ILLEGAL, not solved; else UCI_MOVE. */
    enum uci_end fault;
};

bool solve_is_right(const struct epd *epd, Move m);

/* A search that solves positions: the engine's, or one of another room, which is given to solve. */
struct search_method {
    const char *name;            /* the user's */
    const struct job_kind *kind; /* of its lists (solve_table.h) */
    /* Creates a searcher with this evaluation and a table of `hash_mib` MiB; NULL with the reason. */
    void *(*create)(const struct search_method *method, const struct evaluation *evaluation,
                    int hash_mib, struct error *err);
    void (*destroy)(void *searcher); /* accepts NULL */
    /* Searches with a cleared searcher. Only the engine reads `params`. */
    struct search_result (*search)(void *searcher, const struct search_params *params,
                                   const struct position *p, const struct search_limits *limits,
                                   const struct search_observer *observer);
};

extern const struct search_method engine_search_method; /* "engine" */

/* Searches the position by a method, with a searcher that it has created. */
struct solved solve_by_method(const struct search_method *method, void *searcher,
                              const struct search_params *params, const struct epd *epd,
                              const struct solve_limits *limits);

/* Searches the position with a cleared engine and the parameters that it has. */
struct solved solve_position(struct engine *engine, const struct epd *epd,
                             const struct solve_limits *limits);

/* Same with another engine, in a new game, by its `info` lines and nodes. After a fault restart it. */
struct solved solve_position_by_uci(struct uci_client *client, const struct epd *epd,
                                    const struct solve_limits *limits, struct error *err);

/* ---- a solver: searches with the parameters of organisms, one for each worker ---- */

struct solver;

/* Everything is borrowed for the life of the solver. */
struct solver_settings {
    const struct param_table *table;     /* the parameters of organisms */
    const struct uci_settings *engine;   /* another engine and its constants; NULL: ours */
    int hash_mib;                        /* of our engine */
    const struct evaluation *evaluation; /* of our engine */
};

/* Creates a solver. NULL, with the reason, if the engine cannot be started. */
struct solver *solver_create(const struct solver_settings *settings, struct error *err);
void solver_destroy(struct solver *s); /* accepts NULL */

/* Searches a position with the parameters values[table->count], new ones of another engine in a new
 * process. After a fault, which is in the result, it is started anew, and `log` has the reason and the
 * conversation (else NULL); the caller frees it. An engine that the parameters keep from starting has a
 * fault each time. False, with the reason, if it refuses a value or its constants, or without memory. */
bool solver_solve(struct solver *s, const int32_t *values, const struct epd *epd,
                  const struct solve_limits *limits, struct solved *solved, char **log,
                  struct error *err);

/* ---- costs ---- */

/* The cost of a position: the nodes at the moment, or `limit` if it was not solved. */
uint64_t solve_cost(const struct solve_moment *moment, uint64_t limit);

#endif
