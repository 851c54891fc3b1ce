/* The selective methods of the search, in the order in which search.c uses them at a node. Each reads its own
 * parameters and no other's; a parameter at 0 turns it off. Those marked with a star are of the modern search.
 *
 *     4  correction.c   correction history *                       corrects the evaluation
 *     5  pruning.c      reverse futility *, ProbCut *, multi-cut   cut the node without a search of all moves
 *        null_move.c    null move, verified null move, null-move reductions
 *     7  depth.c        singular extension *                       extends the hash move
 *     8  pruning.c      futility, late moves *, history *, SEE *   prune a move
 *        depth.c        extensions, late-move reductions *         how deep a move is searched */
#ifndef GRAYLING_SELECTIVE_H
#define GRAYLING_SELECTIVE_H

#include "tree.h"

/* ---- 4. correction history ---- */

/* The static evaluation of a position is corrected by what searches found in positions with the same pawns,
 * because the errors of an evaluation that structure explains are much the same in all of them.
 *
 * An entry, for a side to move and a hash of the pawns, is the mean of (value - evaluation) over earlier nodes,
 * deeper searches with more weight, in 1/CORRECTION_GRAIN centipawns. A node counts if its value says something of a
 * quiet position: not in check, no capture best, no mate, and no bound on the side where the evaluation already is.
 * An entry of two more tables, by the pieces of each side, is moved in the same way by what is left then (value -
 * corrected evaluation). CORRECTION_SHARE sixteenths of the mean and CORRECTION_PIECES of the others, together at most
 * CORRECTION_LIMIT centipawns, are added to the evaluation; CORRECTION_SHARE 0 is off, and the tables unused. */

/* The evaluation `raw` of the current position with the correction added; within EVAL_LIMIT. */
int32_t correction_added(const struct tree *t, int32_t raw);

/* The same, if the method is on: it costs a branch where it is off. */
static inline int32_t tree_corrected(const struct tree *t, int32_t raw)
{
    return param(t, CORRECTION_SHARE) == 0 ? raw : correction_added(t, raw);
}

/* Learns from the value of a node, whose moves are searched. */
void correction_learn(struct tree *t, const struct node *n);

/* ---- 5. the whole node ---- */

/* Reverse futility pruning (static null move): near the leaves, a node fails high without a search if its evaluation
 * exceeds beta by a margin for each remaining ply. True if the node is cut; its value is its evaluation. */
bool reverse_futility_cuts(const struct tree *t, const struct node *n);

/* Null-move pruning (Beal 1989; Donninger 1993; Heinz 1999 for adaptivity; david-2008, section 2, Figure 1): if
 * passing fails high in a search reduced by R, the best move will too.
 *
 * R is NULL_MOVE_REDUCTION where more than NULL_MOVE_ADAPTIVITY_DEPTH plies remain, and one less elsewhere; without
 * adaptivity it is constant. The modern search adds one ply for every NULL_MOVE_GAIN by which the evaluation exceeds
 * beta, at most three, and NULL_MOVE_SLOPE sixteenths of a ply for each that remains.
 *
 * The null move is tried where the evaluation, or what the table makes of it, is at least beta, since it seldom fails
 * high elsewhere. The papers' pseudo-code has no such condition; NULL_MOVE_BELOW_BETA removes it. With
 * NULL_MOVE_MARGIN the evaluation alone may be that far per ply below beta and 100 centipawns.
 *
 * NULL_MOVE_MODE selects what follows a fail-high: the standard method cuts the node; verified null-move pruning and
 * null-move reductions are below. A side with only king and pawns does not pass, because of zugzwang, unless
 * NULL_MOVE_PAWN_ENDINGS allows it. */
enum null_move_mode {
    NULL_MOVE_STANDARD,
    NULL_MOVE_VERIFIED,
    NULL_MOVE_VERIFIED_REDUCING, /* variant rejected by the paper */
    NULL_MOVE_REDUCTIONS,
};

/* Searches the null move, where it is allowed. True if the node is cut, at `*value`. Otherwise the node's depth may
 * be reduced, and its moves may have to verify a fail-high. Records a mate threat in the node. */
bool null_move_prune(struct tree *t, struct node *n, int32_t *value);

/* Verified null-move pruning (david-2002, section 3, Figure 3):
 *
 *   1. A fail-high of the null move reduces the node's depth by one ply. The search continues, with
 *      verification off in the subtree.
 *   2. In that subtree a fail-high cuts, as in the standard method.
 *   3. If no move fails high although the null move did, the position is a zugzwang. The depth is
 *      restored, and the moves are searched again with verification on.
 *   4. With one ply left nothing can be verified, so there is no null move.
 *
 * Reuse of the table is a mode of the method, off by default. The paper does not say how the table and the reduced
 * depth meet. A program whose node verifies by `search(alpha, beta, depth - 1)` does both of these:
 *
 *   - VERIFIED_STORE: what is verified is stored with the depth before the reduction.
 *   - VERIFIED_PROBE, step 1a: the table is asked again after the reduction. So the entry of the
 *     iteration before, which is a ply shallower, stands for the verification.
 *
 * Both together let results of one ply less pass for results of the whole depth.
 *
 * A variant that the paper rejects (section 5, the third) reduces by two plies in the subtree
 * instead of cutting. The paper's flag `verify` is the opposite of `verifying` here.
 *
 * Null-move reductions (david-2008, section 3, Figure 2): a fail-high of the null move never cuts the node. It
 * reduces the depth of the node's moves by DR plies (NULL_MOVE_DEPTH_REDUCTION). With R = 3~4 and DR = 4 this is
 * the paper's NMR. */

/* The depth with which the table stores the node. */
int verified_null_move_stored_depth(const struct tree *t, const struct node *n);

/* Step 3: whether no move failed high although the null move did. */
bool verification_fails(const struct tree *t, const struct node *n);

/* Step 3: restores the depth and resets the node for a second search of its moves. */
void verification_restart(struct node *n);

/* ProbCut (Buro 1995), in the form that chess engines use: where a capture that wins material is, by
 * quiescence and then by a reduced search, worth beta and a margin more, a search to the whole depth
 * would most probably fail high too. Tries the captures of a node off the principal variation. True if the node
 * is cut, at `*value`, which is at least beta: what the capture is worth, less the margin. The table then holds
 * the capture and its worth, with the depth of the reduced search. */
bool probcut_prune(struct tree *t, const struct node *n, int32_t *value);

/* Multi-cut pruning (Bjornsson and Marsland 1998, 2001): at an expected cut node, the first M moves
 * are searched with depth reduced by R; if C of them fail high, the node is cut, at beta. */
bool multi_cut_prune(struct tree *t, const struct node *n);

/* ---- 7. singular extension ---- */

/* Singular extension (Anantharaman, Campbell and Hsu 1990), in the form that tests only the hash
 * move. If all other moves stay well below its value in a search of half the depth, the hash move
 * is extended by one ply, or by two off the principal variation where they miss it by more than
 * SINGULAR_DOUBLE. If the node fails high without the hash move, the node is cut. Where the
 * hash move would fail high, and another move comes near it, the hash move is searched less deep by
 * SINGULAR_REDUCTION quarter plies. Records the extension in the node. True if the node is cut, at `*value`. */
bool singular_extend(struct tree *t, struct node *n, int32_t *value);

/* ---- 8. pruning of a move ---- */

/* Futility pruning at frontier and pre-frontier nodes (Heinz 1998, extended futility pruning): near
 * the leaves, a move is pruned if the static evaluation, its material gain and a threshold together
 * do not exceed alpha. There is one threshold each for 1, 2 and 3 remaining plies. */

/* Whether this node may prune moves: near the leaves, not in check, alpha not a mate score. */
bool futility_applies(const struct tree *t, const struct node *n);

/* The upper bound of a move's value by futility; the move is pruned if it does not exceed alpha.
 * Valid only where futility_applies, and for moves that do not give check. */
int32_t futility_bound(const struct tree *t, const struct node *n, Move m);

/* The same for quiet moves that do not promote: they gain nothing, and all have the same bound. */
int32_t futility_bound_of_quiets(const struct tree *t, const struct node *n);

/* Whether every quiet move that gives no check would be pruned, with that bound. Asked before the
 * quiet moves are generated, it saves much of the work at a node that fails low. */
bool futility_prunes_quiets(const struct tree *t, const struct node *n);

/* Whether late-move pruning, late futility, history pruning or SEE pruning omits a move. All but SEE pruning
 * (SEE_PRUNING_CHECKS) spare moves that give check.
 *
 *   - Late-move pruning: near the leaves, a quiet move is pruned after so many others.
 *   - Late futility: a quiet move is pruned whose reduced search has at most LATE_FUTILITY_PLIES plies left, if
 *     the evaluation and FUTILITY_LATE for each of them do not exceed alpha.
 *   - History pruning (continuation history pruning): near the leaves, a late quiet move is pruned if its history is
 *     worse than a limit for each remaining ply, in units of HISTORY_PRUNING_UNIT; the worst history is some -192 of
 *     them, -64 more with HISTORY_PLIES or HISTORY_PAWNS.
 *   - SEE pruning: near the leaves, a move is pruned if it loses more material by static exchange than a margin for
 *     each remaining ply; a quiet one, with SEE_PRUNING_LATE, for the square of the plies that its reduction leaves. */
enum { HISTORY_PRUNING_UNIT = HISTORY_LIMIT / 64 };
enum { LATE_FUTILITY_PLIES = 8 };
bool late_move_prunes(const struct tree *t, const struct node *n, Move m);
bool late_futility_prunes(const struct tree *t, const struct node *n, Move m);
bool history_prunes(const struct tree *t, const struct node *n, Move m);
bool see_prunes(const struct tree *t, const struct node *n, Move m);

/* ---- 8. the depth of a move ---- */

/* Fractional extensions (Anantharaman 1991; Beal and Smith 1995; david-2014, Table I): for a move that gives check,
 * the only reply to a check, a recapture, a passed pawn's push to the sixth or seventh rank, and any move at a node
 * whose null move was answered by mate. The extension in quarter plies is the sum of those that apply, at most one
 * ply, or a double singular extension, and 0 in a line four times as long as the iteration. */
int extension_of(const struct tree *t, const struct node *n, Move m, bool gives_check);

/* Late-move reductions (Romstad 2006): with good ordering, a late quiet move, or a capture that loses material,
 * seldom fails high, and is first searched to a reduced depth; a move that gives check only with LMR_CHECKS. The
 * reduction in quarter plies; call before the move is made. With LMR_REGRET the child takes a ply of it back. */
int late_move_reduction(const struct tree *t, const struct node *n, Move m, bool gives_check);

#endif
