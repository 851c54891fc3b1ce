/* The compiled training set: the 1-ply search over quiescence leaves, with each tree built once and then replayed for
 * every organism.
 *
 * Quiescence never reads a weight, so the tree under each legal move of each position is the same for every organism
 * (growth.c). It is built once, with the trace of each leaf. To choose a move, an organism multiplies its weights
 * with the traces, folds the products upward by minimax, and takes the argmax over the root moves in canonical order
 * (replay.h). Contract, tested: on any weights the compiled set chooses the same move as one_ply_search.
 *
 * The evaluation comes from a source of evaluators (evaluator.h): any number of signed weights. An organism is a row
 * of one value per weight, in the order of the evaluation's table and within its ranges. An array of struct
 * eval_weights is such rows. */
#ifndef GRAYLING_COMPILED_H
#define GRAYLING_COMPILED_H

#include "epd.h"
#include "evaluator.h"
#include "quiesce.h"

#include <signal.h>

/* Where a set keeps the weights that may change: two places in each column (replay.h), for a term's weights of the
 * middlegame and the endgame if both may change, else for any two. A constant weight has NO_PLACE. */
enum { NO_PLACE = UINT16_MAX };

/* Owned between init and free. All zero is empty. */
struct weight_places {
    size_t columns;      /* place p is half p % 2 of column p / 2 */
    uint16_t *of;        /* by weight */
    uint16_t *weight_at; /* by place; an empty place has any weight, and no counts */
};

struct compiled_position {
    struct epd epd;
    size_t first_row, first_term, first_root;
    uint32_t rows, terms;
    uint16_t moves;
};

/* Read-only outside this room. */
struct compiled_set {
    struct param_table table;    /* its rows and texts are owned */
    char *names;                 /* of the table */
    struct weight_places places; /* of the table's weights */
    int32_t scale;               /* values are compared times this */
    int64_t largest_weight;      /* the largest |weight| within the ranges */
    enum leaf leaf;
    size_t count, row_count, term_count, root_count;
    size_t room, row_room, term_room, root_room; /* of the arrays */
    struct compiled_position *positions;
    struct replay_leaf *rows;  /* of all positions, in order */
    struct replay_term *terms; /* of all rows, in order */
    struct replay_root *roots; /* of all positions; their moves in canonical order */
};

/* How a replay is computed (replay.h). NULL selects the best kernel of this machine. */
struct replay;

/* `done` (may be NULL) of `total` positions, for all organisms. Serialised, from any thread. */
struct compiled_watcher {
    void *context;
    void (*done)(void *context, int64_t done, int64_t total);
    const volatile sig_atomic_t *stop; /* nonzero: the work is given up soon; may be NULL */
};

static inline const volatile sig_atomic_t *compiled_stop(const struct compiled_watcher *watcher)
{
    return watcher != NULL ? watcher->stop : NULL;
}

static inline bool compiled_is_stopped(const struct compiled_watcher *watcher)
{
    return compiled_stop(watcher) != NULL && *compiled_stop(watcher) != 0;
}

/* How positions are compiled. Everything is borrowed until the set is there. */
struct compiled_settings {
    enum leaf leaf;
    /* The value of each position itself, below the move that leads to it; no bm is needed. */
    bool values;
    const struct evaluator_source *source; /* NULL: the paper's evaluation */
    int threads;
    const struct compiled_watcher *watcher; /* may be NULL */
    /* For training only: a double for each weight, of a first fit. Keeps right moves, and those at most
     * `margin` below the best in the unit of the weights. Compiles everything twice, and takes a fraction
     * of the memory. NULL: all moves. */
    const double *likely;
    double margin;
};

/* Builds the trees. Every position needs a bm and a legal move. Each thread has an evaluator meanwhile. NULL
 * with the reason, without one if the watcher stopped it; a score times the scale beyond REPLAY_LIMIT
 * (replay.h) for weights in range is one. */
struct compiled_set *compiled_create(const struct epd *positions, size_t count,
                                     const struct compiled_settings *settings, struct error *err);
void compiled_destroy(struct compiled_set *set); /* accepts NULL */

/* Measures organisms on several threads (jobs.h). Create it once and run it for each generation. */
struct compiled_matcher;

/* By the value for the side to move: in the unit of the weights, mates as in evaluate.h. */
typedef int64_t compiled_loss(const void *context, const struct epd *epd, double value);

/* An organism has 1 in each position where its 1-ply search plays a bm or, in a set of values, what `loss` says.
 * Borrows `set` and `context`. NULL without memory. */
struct compiled_matcher *compiled_matcher_create(const struct compiled_set *set,
                                                 const struct replay *replay, compiled_loss *loss,
                                                 const void *context, int threads,
                                                 struct error *err);
void compiled_matcher_destroy(struct compiled_matcher *m); /* accepts NULL */

/* Positions `first` to `first + count` - 1 of a set. */
struct compiled_part {
    size_t first, count;
};

/* Adds to sums[o] what organism o, a row of `values`, has in the positions of a part, or in all (NULL), whatever the
 * threads and the kernel. `watcher` may be NULL. False, with the reason, without memory; without one if stopped. */
bool compiled_matcher_run(struct compiled_matcher *m, const struct compiled_part *part,
                          const int32_t *values, int organisms, int64_t *sums,
                          const struct compiled_watcher *watcher, struct error *err);

/* Same, once, for moves. */
bool compiled_match(const struct compiled_set *set, const int32_t *values, int organisms,
                    int threads, const struct replay *replay, int64_t *matched, struct error *err);

/* Writes the move that one organism chooses in each position, and what the position is worth to it for the side to
 * move; either may be NULL. False, with the reason, if memory is short. */
bool compiled_choices(const struct compiled_set *set, const int32_t *values,
                      const struct replay *replay, Move *choices, double *scores,
                      struct error *err);

/* The leaf that decides a root move's value when both sides use real-valued weights. */
struct principal_leaf {
    double value;  /* for the side to move at the root, in the unit of the weights; mates as in
                      evaluate.h */
    uint32_t leaf; /* index among the leaves of the position */
    int view;      /* +1 if the leaf is seen from that side, else -1 */
    bool right;    /* the move is a bm */
};

/* Writes the principal leaf of each root move of position i; returns how many, <= MAX_MOVES. */
int compiled_principal(const struct compiled_set *set, size_t i, const double *weights,
                       struct principal_leaf leaves[MAX_MOVES]);

/* The same of position i of a set of values; `value` and `view` are for the side to move. */
void compiled_value(const struct compiled_set *set, size_t i, const double *weights,
                    struct principal_leaf *leaf);

/* Adds derivatives by the chain rule: the loss has the derivative by_value[m] by the value of
 * principal leaf m of `count`. Adds those by the weights to by_weight. Constant leaves add nothing. */
void compiled_add_gradient(const struct compiled_set *set, size_t i,
                           const struct principal_leaf *leaves, const double *by_value, int count,
                           double *by_weight);

#endif
