/* Internal to Beal's search (beal.h): the current line, the table of ranges, and the searches of
 * beal_quiesce.c. */
#ifndef GRAYLING_BEAL_TREE_H
#define GRAYLING_BEAL_TREE_H

#include "beal.h"
#include "ordering.h"

#include <stddef.h>

/* ---- what is known about positions, by their keys ----
 *
 * An entry has two parts. The reliable range is a fact about the position (beal.h): it holds at any
 * depth and only narrows. The value is unreliable: it is the result of a search to the stored
 * depth. Mate scores count from the position itself, so that an entry is valid at every ply.
 *
 * A table belongs to one searcher. An entry of another epoch counts as an empty slot. */

struct range_slot;

struct range_table {
    struct range_slot *slots;
    size_t count;   /* number of slots, a multiple of the bucket size */
    uint16_t epoch; /* 1 or more; 0 marks slots never used */
};

/* What is known about a position. If it is not in the table: the widest range and no move. */
struct range_entry {
    struct fat_value fat;
    enum bound bound; /* relation of fat.value to the exact value; BOUND_NONE: no value */
    int depth;        /* depth of fat.value in plies, 0 to MAX_DEPTH */
    Move move;        /* the best or refuting move, or NO_MOVE; legal unless keys collide */
};

bool range_table_create(struct range_table *t, int mib, struct error *err);
void range_table_destroy(struct range_table *t);

/* Empties the table. */
void range_table_clear(struct range_table *t);

/* Looks up a position `ply` plies from the root. */
struct range_entry range_table_probe(const struct range_table *t, uint64_t key, int ply);

/* Stores an entry in the slot of the same position, else in the shallowest slot of the bucket. */
void range_table_store(struct range_table *t, uint64_t key, int ply, const struct range_entry *e);

/* ---- the tree ---- */

/* A running search. `played` has two extra entries before the root, so that every node can look
 * back two plies. */
struct beal_tree {
    struct position position;
    struct history history;
    int order;                   /* of the search; its evaluation is the value of the order below */
    bool material;               /* `weights` are material alone, which has a faster evaluation */
    bool checkmates;             /* the capture tree sees checkmates */
    struct eval_weights weights; /* evaluation weights */
    struct range_table ranges;
    struct ordering ordering;
    uint64_t nodes;
    uint64_t node_limit; /* UINT64_MAX: none */
    uint64_t next_poll;
    bool stopped;
    const struct search_observer *observer;
    struct beal_branching branching;
    bool open;               /* the null move of the last node searched did not fail high */
    int played[MAX_PLY + 2]; /* piece_square of the move made at each ply, -1 for a null move */
};

/* Makes a move and counts a node. */
void beal_make(struct beal_tree *t, int ply, Move m, struct undo *undo);
void beal_unmake(struct beal_tree *t, Move m, const struct undo *undo);

/* Checks the node limit, asks the observer, and schedules the next poll. True once the search must
 * stop. */
bool beal_poll_now(struct beal_tree *t);

/* Call before every node, so that the limit is exact. True once the search must stop. */
static inline bool beal_poll(struct beal_tree *t)
{
    return t->nodes >= t->next_poll ? beal_poll_now(t) : t->stopped;
}

/* The value of passing, by an order; that order searches the opponent's replies. The side to move is
 * not in check. Fail-soft: a value up to `lower` is an upper bound, one from `upper` on is a lower
 * bound. */
int32_t beal_null_value(struct beal_tree *t, int order, int32_t lower, int32_t upper, int ply);

/* ---- the searches ----
 *
 * Values are for the side to move, `ply` plies from the root, and undefined once the search must
 * stop. */

/* The evaluation of the second order (beal-1990, sections 5 to 7): a capture tree with checkmates.
 * Fail-soft.
 *
 * On material, QUIESCE examines all moves, but only captures and promotions get past the null move.
 * The other moves form a fringe of one ply (section 6), which this search omits. The value does not
 * change: without checkmates it equals that of QUIESCE as in Figure 3, where the null move counts
 * in check too because it stands for the evaluation. With other evaluations than material the value
 * is still that of the capture tree.
 *
 *   1. A side in check without a legal move is mated.
 *   2. The evaluation is the value of passing; it may fail high.
 *   3. At the first ply: a check that mates.
 *   4. Captures and promotions, largest gain first. On material, skip a capture whose gain does not
 *      reach the window: the opponent can pass after it, so it cannot be worth more. A mate is
 *      never skipped.
 *
 * Steps 1 and 3 make checkmates visible (section 7); settings can turn them off. */
int32_t capture_tree_search(struct beal_tree *t, int32_t lower, int32_t upper, int ply);

/* QUIESCE (section 6, Figure 3) as an evaluation: what makes orders above two (section 5: a value
 * that a null-move search gives is an evaluation again). `order` is 2 or more, and `depth` plies
 * remain, of which check evasions cost none. Fail-soft.
 *
 * The value of order n is QUIESCE over the value of order n - 1. The figure has no limit of depth, and
 * within another search it needs one: after HIGHER_ORDER_PLIES plies the value is that of order n - 1.
 * The value of such a search is unreliable then (section 10). It is passed on as a point and not as a
 * range with a point in it: the search above gives it the widest range, as Figure 5 does with every
 * evaluation, so that a reliable range never rests on a depth that ran out or on a repetition, but for
 * passing, whose value LOWER and UPPER of QUIESCE-D start from. */
enum { HIGHER_ORDER_PLIES = 2 };
int32_t higher_order_search(struct beal_tree *t, int order, int32_t lower, int32_t upper, int depth,
                            int ply);

/* QUIESCE-D (section 10, Figure 5): null-move quiescence to a depth, with fat values. The value is
 * fail-soft; the range is valid for any window.
 *
 *   1. A repeated position is worth 0, unreliably: a reliable range depends on the position alone.
 *   2. A stored reliable range may settle the node; so may the value of a search at least as deep.
 *   3. At depth 0: the value of the lower order, unreliable.
 *   4. Without a legal move: mate or stalemate, reliable.
 *   5. bestv and LOWER start with the value of passing. There is no passing in check, because one
 *      cannot assume there that some move is as good.
 *   6. Each move is searched one ply less deep. LOWER, bestv and UPPER are the maxima of the
 *      results. The node ends when bestv reaches `upper`, and UPPER is then unknown. A move is not
 *      made if its position is known to be no better.
 *   7. The range, the value and the best move are stored.
 *
 * Two differences from the figure. The figure ignores the option of passing when it sets UPPER, so
 * that UPPER can fall below LOWER; here UPPER is at least the value of passing, and the range
 * bounds the value that QUIESCE without a limit would have, if it has one. Check evasions cost no
 * ply, even at depth 0, because an evaluation in check says little. */
struct fat_value quiesce_d(struct beal_tree *t, int32_t lower, int32_t upper, int depth, int ply);

/* Remaining depth after a move from a position searched to `depth` plies. */
static inline int quiesce_d_child_depth(int depth, bool in_check)
{
    return in_check ? depth : depth - 1;
}

#endif
