/* The compiled training set: the 1-ply search over quiescence leaves, with each tree built once and
 * then replayed for every organism.
 *
 * Quiescence never reads a weight, so the tree under each legal move of each position is the same
 * for every organism. It is built once, with the trace of each leaf. To choose a move, an organism
 * multiplies its weights with the traces, folds the products upward by minimax, and takes the
 * argmax over the root moves in canonical order. Contract, tested: on any weights the compiled set
 * chooses the same move as one_ply_search.
 *
 * Layout: leaves are stored in the order in which the search visits them. Each leaf has a row of
 * signed 8-bit counts, seen from the side that chooses there, and a fold: the number of nodes that
 * open before it and close after it. Folding keeps one running maximum per open node. A node that
 * closes passes its negated value to its parent (negamax). */
#ifndef GRAYLING_COMPILED_H
#define GRAYLING_COMPILED_H

#include "epd.h"
#include "quiesce.h"

struct compiled_set;

/* How a replay is computed (replay.h). NULL selects the best kernel of this machine. */
struct replay;
struct leaf_row;

/* Builds the trees with `threads` threads. Every position needs a bm and a legal move. Returns NULL
 * with the reason if memory is short or a count exceeds 16 bits. */
struct compiled_set *compiled_create(const struct epd *positions, size_t count, enum leaf leaf,
                                     int threads, struct error *err);
/* Same, for the value of each position itself. The set holds only the quiescence tree of the
 * position, as searched below the move that leads to it. Positions need no bm. Read the values with
 * compiled_value; there are no moves to match. */
struct compiled_set *compiled_create_values(const struct epd *positions, size_t count,
                                            enum leaf leaf, int threads, struct error *err);
void compiled_destroy(struct compiled_set *set);

size_t compiled_positions(const struct compiled_set *set);
/* Position i, borrowed from the set. */
const struct epd *compiled_epd(const struct compiled_set *set, size_t i);
size_t compiled_leaves(const struct compiled_set *set);
size_t compiled_bytes(const struct compiled_set *set);

/* Counts move matches on several threads (jobs.h). Create it once and run it for each
 * generation. */
struct compiled_matcher;

/* `set` is borrowed until compiled_matcher_destroy. Returns NULL with the reason if memory is
 * short. */
struct compiled_matcher *compiled_matcher_create(const struct compiled_set *set,
                                                 const struct replay *replay, int threads,
                                                 struct error *err);
void compiled_matcher_destroy(struct compiled_matcher *m); /* accepts NULL */

/* Lets the caller follow a run of the matcher: `done` of `total` positions are matched, which are
 * those of the set, once for each batch of organisms. Serialised, from any thread. */
struct compiled_watcher {
    void *context;
    void (*matched)(void *context, int64_t done, int64_t total);
};

/* matched[o] = number of positions in which organism o's 1-ply search plays a bm. A job is a block
 * of positions with all organisms of a batch. The sums are integers and do not depend on threads or
 * on the replay kernel. `watcher` may be NULL. False, with the reason, if memory is short. */
bool compiled_matcher_run(struct compiled_matcher *m, const struct eval_weights *weights,
                          int organisms, int32_t *matched, const struct compiled_watcher *watcher,
                          struct error *err);

/* Same, once, with a temporary matcher. */
bool compiled_match(const struct compiled_set *set, const struct eval_weights *weights,
                    int organisms, int threads, const struct replay *replay, int32_t *matched,
                    struct error *err);

/* Same, for sets too large to compile at once: compiles some thousands of positions at a time.
 * False, with the reason, if memory is short. */
bool compiled_match_all(const struct epd *positions, size_t count, enum leaf leaf,
                        const struct eval_weights *weights, int organisms, int threads,
                        int64_t *matched, struct error *err);

/* Writes the move that one organism chooses in each position to
 * choices[compiled_positions(set)]. */
void compiled_choices(const struct compiled_set *set, const struct eval_weights *weights,
                      const struct replay *replay, Move *choices);

/* The leaf that decides a root move's value when both sides use real-valued weights. */
struct principal_leaf {
    double value;               /* for the side to move at the root */
    const struct leaf_row *row; /* borrowed from the set */
    int view;                   /* +1 if the row is seen from that side, else -1 */
    bool right;                 /* the move is a bm */
};

/* Writes the principal leaf of each root move of position i and returns their number, at most
 * MAX_MOVES. Returns 0 if a count of the position does not fit a byte. For gradient methods: the
 * derivative of the value by a weight is view * row->low[term]. */
int compiled_principal(const struct compiled_set *set, size_t i, const double weights[EVAL_TERMS],
                       struct principal_leaf leaves[MAX_MOVES]);

/* Writes the principal leaf of position i of a set of values; `value` and `view` are for the side
 * to move. False if a count of the position does not fit a byte. */
bool compiled_value(const struct compiled_set *set, size_t i, const double weights[EVAL_TERMS],
                    struct principal_leaf *leaf);

#endif
