/* Beal's generalised quiescence search: D.F. Beal, A Generalised Quiescence Search Algorithm,
 * Artificial Intelligence 43 (1990) 85-98.
 *
 * QUIESCE (Figure 3) works with any evaluation. At each position it starts from the value of
 * passing and looks for moves that are worth more. It stops as soon as passing fails high, so most
 * searches end without a depth limit. It is applied twice (section 5, Figure 2), or more often:
 *
 *   order 1  QUIESCE over the evaluation
 *   order 2  QUIESCE over the value of order 1. On material, order 1 is the capture tree
 *            (capture_tree.h), which also sees checkmates (section 7)
 *   order n  QUIESCE over the value of order n - 1 (higher_order.h)
 *
 * The search proper is QUIESCE-D (section 10, Figure 5; quiesce_d.h), one ply deeper at each
 * iteration. It returns fat values (fat_value.h). Their reliable ranges are stored for the next
 * iteration (range_table.h), and so are the best moves. The search ends when the lower bound of one
 * root move is at least the upper bounds of all others. The move is then decided, although its
 * value may not be (Figures 6 and 7).
 *
 * A node is a legal move made, in either order; a null move is one. Scores are centipawns for the
 * side to move at the root; beyond EVAL_LIMIT they are mates (evaluate.h). The search never reads a
 * clock. The same settings and limits always give the same moves, and never more nodes than the
 * limit. */
#ifndef GRAYLING_BEAL_H
#define GRAYLING_BEAL_H

#include "engine.h"
#include "fat_value.h"

enum { BEAL_ORDERS = 3 };

/* How the search evaluates. */
struct beal_settings {
    int order;                   /* 1 to BEAL_ORDERS */
    struct eval_weights weights; /* evaluation weights; the paper's are eval_material_weights() */
    bool no_checkmates;          /* omit the checkmates of section 7 from order 2 */
};

struct beal;

/* ---- life cycle ---- */

/* Creates a searcher with a table of `hash_mib` MiB (HASH_MIN to HASH_MAX). Returns NULL and sets
 * `err` when out of memory. */
struct beal *beal_create(const struct beal_settings *settings, int hash_mib, struct error *err);
void beal_destroy(struct beal *b); /* accepts NULL */

/* Forgets everything learned: the next search visits the same nodes as in a new searcher. Cheap: it
 * advances the epoch of the table and does not touch the entries. */
void beal_clear(struct beal *b);

/* ---- searching ---- */

/* How the search tree branched. Counts only nodes with at least two plies remaining, whose moves
 * the search tests with null moves. */
struct beal_branching {
    uint64_t interior; /* nodes whose null move did not fail high */
    uint64_t moves;    /* legal moves examined at those nodes */
    uint64_t selected; /* of those moves, the ones that led to another interior node */
};

/* The result of a search. */
struct beal_result {
    Move best;             /* NO_MOVE when there is no legal move */
    struct fat_value root; /* fat value of the root; root.value is the score */
    bool decided;          /* no deeper iteration can prefer another move */
    int depth;             /* the last completed iteration, in plies */
    uint64_t nodes;
    bool stopped; /* ended by the node limit or the observer */
    struct beal_branching branching;
};

/* Searches a position. Uses `nodes` and `depth` of the limits, and `stop` and `best` of the
 * observer (NULL: none). What the search learns remains until beal_clear. */
struct beal_result beal_search(struct beal *b, const struct position *p,
                               const struct search_limits *limits,
                               const struct search_observer *observer);

/* The value of passing and that of the best move. Section 9 assumes that passing is never
 * better. */
struct beal_assumption {
    int32_t null; /* value of passing by the lower order, as QUIESCE uses it */
    int32_t best; /* best legal move, with `depth` - 1 plies searched after it */
};

/* Tests the assumption in one position. The side to move has a legal move and is not in check. */
struct beal_assumption beal_test_assumption(struct beal *b, const struct position *p, int depth);

#endif
