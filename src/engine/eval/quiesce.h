/* Quiescence: the leaf of the 1-ply search, and the same rule for play.
 *
 * The rule is fixed and never reads a weight:
 *   1st ply        in check: all evasions, no stand-pat; else captures and queen promotions,
 *                  SEE >= 0
 *   2nd, 3rd ply   recaptures on the square just captured on, SEE >= 0; elsewhere captures and
 *                  queen promotions that win material, SEE > 0; stand-pat even in check
 *   deeper         only those recaptures; stand-pat even in check
 * Mate, stalemate and insufficient material are constant leaves. There is no transposition table,
 * no delta pruning and no history. The tree under a position is the same for all weights, so it can
 * be generated once and replayed (src/moves/compiled.h). */
#ifndef GRAYLING_QUIESCE_H
#define GRAYLING_QUIESCE_H

#include "evaluation.h"
#include "movegen.h"

/* Kinds of quiescence nodes. */
enum quiesce_status {
    QUIESCE_STAND_PAT, /* may stand pat: the static evaluation competes with the moves */
    QUIESCE_MUST_MOVE, /* in check at the first ply: no stand-pat */
    QUIESCE_MATED,     /* the side to move is mated: constant */
    QUIESCE_DRAWN,     /* stalemate or insufficient material: constant */
};

/* Applies the rule: returns the kind of the node `ply` plies into quiescence (0 is the leaf of the
 * main search) and lists the moves to search. `target` is the square just captured on, or
 * NO_SQUARE. The list of a constant node is empty. */
enum quiesce_status quiesce_moves(const struct position *p, int ply, int target,
                                  struct move_list *list);

/* Whether the rule searches `m`, a capture or promotion, at a node that may stand pat. */
bool quiesce_searches(const struct position *p, Move m, int ply, int target);

/* The kind of a position when its moves are not needed: constant, or QUIESCE_STAND_PAT. */
enum quiesce_status leaf_status(const struct position *p);

/* The value of a constant node for its side to move. Mates count from the root, one ply above the
 * first quiescence node; a nearer mate scores higher. */
int32_t leaf_constant(enum quiesce_status status, int ply);

/* The leaf of the 1-ply search: quiescence, or the static evaluation alone (to measure what
 * quiescence is worth). Mate, stalemate and insufficient material are constant in both. */
enum leaf { LEAF_QUIESCENCE, LEAF_STATIC };

/* ---- the 1-ply search, with either evaluation ---- */

/* It compares exact scores (evaluation.h), so that it chooses the same move as a compiled set
 * (src/moves/compiled.h), which multiplies the same weights and counts. */

/* The 1-ply search of david-2014 (section III, Figure 1): makes each legal move in canonical order
 * and searches its leaf; the first best move wins. NO_MOVE if there is none. Adds the moves made to
 * `*nodes`. Leaves `p` unchanged on return. */
Move one_ply_search(struct position *p, const struct evaluation *e, enum leaf leaf,
                    uint64_t *nodes);

#endif
