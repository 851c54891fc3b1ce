/* Beal's generalised quiescence search: D.F. Beal, A Generalised Quiescence Search Algorithm,
 * Artificial Intelligence 43 (1990) 85-98.
 *
 * QUIESCE (Figure 3) takes any evaluation. In each position it has the value of passing for a start
 * and looks for moves that are worth more; where passing is enough to fail high it ends, so that it
 * often ends by itself. It is applied twice (section 5, Figure 2):
 *
 *   order 1  QUIESCE over the evaluation
 *   order 2  QUIESCE over the value of order 1, which on material is that of the captures
 *            (capture_tree.h), with checkmates seen (section 7)
 *
 * What is searched is QUIESCE-D (section 10, Figure 5; quiesce_d.h), deeper by a ply at each
 * iteration. It returns fat values (fat_value.h), whose reliable ranges are kept for the next
 * iteration (range_table.h), as are the best moves. The search ends when a root move's lower bound
 * is at least the upper bounds of all others: the move is decided then, though its value need not
 * be (Figures 6 and 7).
 *
 * A node is a legal move made, in every order of search; a null move is one. Scores are centipawns
 * for the side to move at the root; beyond EVAL_LIMIT they are mates (evaluate.h). The search reads
 * no clock: with the same settings and limits it makes the same moves, always, and never more nodes
 * than the limit. */
#ifndef GRAYLING_BEAL_H
#define GRAYLING_BEAL_H

#include "engine.h"
#include "fat_value.h"

/* What is searched. */
struct beal_settings {
    int order;                   /* 1 or 2 */
    struct eval_weights weights; /* of the evaluation; the paper's are eval_material_weights() */
    bool no_checkmates;          /* order 2 without the modification of section 7 */
};

struct beal;

/* ---- life cycle ---- */

/* A new searcher with a table of `hash_mib` MiB (HASH_MIN to HASH_MAX). NULL with the reason when
 * there is no memory. */
struct beal *beal_create(const struct beal_settings *settings, int hash_mib, struct error *err);
void beal_destroy(struct beal *b); /* accepts NULL */

/* Forgets all that was learned: the next search goes as in a new searcher, node for node. Costs
 * little: the table is not touched but its epoch moved on. */
void beal_clear(struct beal *b);

/* ---- searching ---- */

/* How the tree of a search branched, over its nodes that had two plies or more before them, so that
 * their moves' null moves were asked for. */
struct beal_branching {
    uint64_t interior; /* nodes that their null move did not close */
    uint64_t moves;    /* legal moves looked at there */
    uint64_t selected; /* of those, the ones whose position was again such a node */
};

/* What a search found. */
struct beal_result {
    Move best;             /* NO_MOVE when there is no legal move */
    struct fat_value root; /* of the position; root.value is the score */
    bool decided;          /* no deeper iteration can prefer another move */
    int depth;             /* plies: the last iteration that was completed */
    uint64_t nodes;
    bool stopped; /* by the node limit or the observer */
    struct beal_branching branching;
};

/* Searches a position. Of the limits `nodes` and `depth` count, of the observer (NULL: none) `stop`
 * and `best`. What is learned stays for the next search, until beal_clear. */
struct beal_result beal_search(struct beal *b, const struct position *p,
                               const struct search_limits *limits,
                               const struct search_observer *observer);

/* The value of passing beside that of the best move: what section 9 assumes is that passing is not
 * the better one. */
struct beal_assumption {
    int32_t null; /* by the order below, as QUIESCE takes it */
    int32_t best; /* of the legal moves, each searched to `depth` - 1 plies after it */
};

/* Measures the assumption in a position with legal moves whose side to move is not in check. */
struct beal_assumption beal_test_assumption(struct beal *b, const struct position *p, int depth);

#endif
