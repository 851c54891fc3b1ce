/* Decides whether a position is tactical: one move is clearly best, and a short search misses it.
 * The engine decides by searches limited in nodes, so the same settings give the same verdict
 * everywhere:
 *
 *   1. Look. The solver searches `look` nodes. The position is steady if the best move after
 *      `shallow` nodes is still best at the end and its value moved by less than half the margin.
 *   2. Judgement. The judge, a search with other parameters, finds the two best lines in `deep`
 *      nodes. In its last complete iteration the best line must lead the second by the margin (a
 *      mate leads everything else), and the same move must be best in the iteration before.
 *      Otherwise the position is flat. To save nodes, a third of the margin is required after a
 *      sixteenth of the nodes and half of it after a quarter.
 *   3. Open game. The position is decided if the second line wins by more than `bound` or the best
 *      loses by more than `bound`.
 *   4. Hidden move. The position is plain if its move was best at any time within the first
 *      `shallow` nodes of the look, or wins material by static exchange alone, such as a recapture.
 *      Steps 3 and 4 are also checked after a quarter of the judge's nodes.
 *   5. Agreement. The solver searches `deep` nodes with a cleared engine. The position is doubtful
 *      unless it ends with the same move, valued above the judge's second line by half the margin.
 *
 * For each position found, the solver thus needs more than `shallow` and at most `deep` nodes, and
 * two searches with different pruning agree on the move. */
#ifndef GRAYLING_TACTIC_H
#define GRAYLING_TACTIC_H

#include "engine.h"

#include <signal.h>

/* Settings of the test. Values are in centipawns of the weights. */
struct tactic_settings {
    struct search_params solver, judge;
    uint64_t shallow, look, deep;      /* nodes: 1 <= shallow < look <= deep */
    int32_t margin, bound;             /* >= 1 */
    const volatile sig_atomic_t *stop; /* nonzero stops the search; may be NULL */
};

/* The verdict: found, or the first step that failed. */
enum tactic_verdict {
    TACTIC_FOUND,
    TACTIC_STEADY,
    TACTIC_FLAT,
    TACTIC_DECIDED,
    TACTIC_PLAIN,
    TACTIC_DOUBTFUL,
    TACTIC_UNSETTLED, /* other engines only (uci_tactic.h), as is the next */
    TACTIC_FAULT,
    TACTIC_ABANDONED, /* `stop` was set */
    TACTIC_VERDICTS
};

/* The default judge: the paper's parameters plus late-move reductions, singular extensions,
 * aspiration windows, and evasions and checks in quiescence, without multi-cut. */
struct search_params tactic_modern_params(void);

/* Examines a position with at least two legal moves; `key` is the move found. Changes the engine's
 * parameters and keeps its weights. */
enum tactic_verdict tactic_examine(struct engine *e, const struct tactic_settings *settings,
                                   const struct position *p, Move *key);

#endif
