/* Quiescence: the leaf of the 1-ply search, and the same rule for play.
 *
 * The rule is fixed and small, and never reads a weight:
 *   1st ply        in check: all evasions, no stand-pat; else captures and queen promotions,
 *                  SEE >= 0
 *   2nd, 3rd ply   recaptures on the square just captured on, SEE >= 0, and elsewhere captures and
 *                  queen promotions that win material, SEE > 0; stand-pat even in check
 *   deeper         only those recaptures; stand-pat even in check
 * Mate, stalemate and insufficient material are constant leaves. No transposition table, no delta
 * pruning, no history: the tree under a position is the same for all weights, so that it can be
 * grown once and replayed (src/moves/compiled.h). */
#ifndef GRAYLING_QUIESCE_H
#define GRAYLING_QUIESCE_H

#include "evaluate.h"
#include "movegen.h"

/* What a quiescence node is. */
enum quiesce_status {
    QUIESCE_STAND_PAT, /* the static evaluation counts beside the moves */
    QUIESCE_MUST_MOVE, /* in check at the first ply: the moves alone */
    QUIESCE_MATED,     /* the side to move is mated: constant */
    QUIESCE_DRAWN,     /* stalemate or insufficient material: constant */
};

/* Asks the rule: what the node `ply` plies into quiescence (0 is the leaf of the main search) is,
 * and which moves it searches. `target` is the square just captured on, or NO_SQUARE. The list is
 * empty for constant nodes. */
enum quiesce_status quiesce_moves(const struct position *p, int ply, int target,
                                  struct move_list *list);

/* Whether the rule searches the capture or promotion `m` of a node that may stand pat. */
bool quiesce_searches(const struct position *p, Move m, int ply, int target);

/* What a position is when its moves are not asked for: constant, or QUIESCE_STAND_PAT. */
enum quiesce_status leaf_status(const struct position *p);

/* The value of a constant node for its side to move. Mates count from the root, which is one ply
 * above the first quiescence node: a nearer mate is worth more. */
int32_t leaf_constant(enum quiesce_status status, int ply);

/* What the leaf of the 1-ply search is: quiescence, or (to show what it is worth) the evaluation
 * alone, with mate, stalemate and insufficient material still constant. */
enum leaf { LEAF_QUIESCENCE, LEAF_STATIC };

/* The value of a leaf for the side to move, within (alpha, beta), fail-hard. `*nodes` counts moves
 * made. `p` is left as it was. */
int32_t leaf_search(struct position *p, const struct eval_weights *w, enum leaf leaf, int32_t alpha,
                    int32_t beta, uint64_t *nodes);

/* The 1-ply search of david-2014 (section III, Figure 1): each legal move in canonical order is
 * made and its leaf searched; the first best move wins. NO_MOVE when there is none. */
Move one_ply_search(struct position *p, const struct eval_weights *w, enum leaf leaf,
                    uint64_t *nodes);

#endif
