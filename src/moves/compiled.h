/* The training set, compiled: the 1-ply search over quiescence leaves, grown once and replayed.
 *
 * The quiescence rule never reads a weight, so the tree under each legal move of each position is
 * the same for every organism. It is grown once and the trace of each leaf is kept; an organism's
 * choice is then a product of its weights with the traces, folded upward by minimax, and an argmax
 * over the root moves in canonical order. The contract, tested: on any weights the compiled set
 * chooses the very move that one_ply_search chooses.
 *
 * Layout. Leaves stand in the order in which the search meets them. Each leaf has a row of signed
 * 8-bit counts seen from the player who chooses there, and a fold: how many nodes open before it
 * and close after it. Folding keeps one running maximum for each open node; a node that closes
 * hands its negated value to the one above (negamax). */
#ifndef GRAYLING_COMPILED_H
#define GRAYLING_COMPILED_H

#include "epd.h"
#include "quiesce.h"

struct compiled_set;

/* How the replay is computed; see replay.h. NULL lets the machine decide. */
struct replay;
struct leaf_row;

/* Grows the trees with `threads` threads. Every position needs a bm and a legal move. NULL with the
 * reason when there is no memory or a count leaves the 16-bit range. */
struct compiled_set *compiled_create(const struct epd *positions, size_t count, enum leaf leaf,
                                     int threads, struct error *err);
/* The same for the value of each position itself: the set has the tree of its own leaf, as it would
 * be searched below the move that led there, and nothing else. No bm is needed, and there are no
 * moves to match; compiled_value asks it. */
struct compiled_set *compiled_create_values(const struct epd *positions, size_t count,
                                            enum leaf leaf, int threads, struct error *err);
void compiled_destroy(struct compiled_set *set);

size_t compiled_positions(const struct compiled_set *set);
/* Position i; borrowed from the set. */
const struct epd *compiled_epd(const struct compiled_set *set, size_t i);
size_t compiled_leaves(const struct compiled_set *set);
size_t compiled_bytes(const struct compiled_set *set);

/* Counts matches with the set's moves on several threads (jobs.h); created once, and run for each
 * generation. */
struct compiled_matcher;

/* `set` is borrowed until compiled_matcher_destroy. NULL with the reason when memory is short. */
struct compiled_matcher *compiled_matcher_create(const struct compiled_set *set,
                                                 const struct replay *replay, int threads,
                                                 struct error *err);
void compiled_matcher_destroy(struct compiled_matcher *m); /* accepts NULL */

/* matched[o] = the positions whose bm organism o's 1-ply search plays. A job is a block of
 * positions with all organisms of a batch; the integer sums do not depend on threads or replay.
 * False, with the reason, when there is no memory. */
bool compiled_matcher_run(struct compiled_matcher *m, const struct eval_weights *weights,
                          int organisms, int32_t *matched, struct error *err);

/* The same once, by a matcher of its own. */
bool compiled_match(const struct compiled_set *set, const struct eval_weights *weights,
                    int organisms, int threads, const struct replay *replay, int32_t *matched,
                    struct error *err);

/* The same for positions that need not fit the memory at once: some thousands are compiled at a
 * time. False, with the reason, when there is no memory. */
bool compiled_match_all(const struct epd *positions, size_t count, enum leaf leaf,
                        const struct eval_weights *weights, int organisms, int threads,
                        int64_t *matched, struct error *err);

/* The move that one organism chooses in each position: choices[compiled_positions(set)]. */
void compiled_choices(const struct compiled_set *set, const struct eval_weights *weights,
                      const struct replay *replay, Move *choices);

/* The leaf that decides a root move's value, when both sides choose with real-valued weights. */
struct principal_leaf {
    double value;               /* for the root's mover */
    const struct leaf_row *row; /* borrowed from the set */
    int view;                   /* +1 when the row is seen by the root's mover, else -1 */
    bool right;                 /* the move is a bm */
};

/* The principal leaf of each root move of position i: leaves[n], n <= MAX_MOVES returned; 0 for a
 * position whose counts do not fit a byte. What a gradient method needs: the value's derivative by
 * a weight is view * row->low[term]. */
int compiled_principal(const struct compiled_set *set, size_t i, const double weights[EVAL_TERMS],
                       struct principal_leaf leaves[MAX_MOVES]);

/* The principal leaf of position i of a set of values, `value` and `view` being those of its side
 * to move; false for a position whose counts do not fit a byte. */
bool compiled_value(const struct compiled_set *set, size_t i, const double weights[EVAL_TERMS],
                    struct principal_leaf *leaf);

#endif
