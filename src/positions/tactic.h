/* Whether a position is a tactical one: one move is clearly best, and a short search misses it.
 * The engine itself decides, by searches that are counted in nodes, so that the same settings give
 * the same answer everywhere:
 *
 *   1. A look. The solver searches `look` nodes. Where the move that is best after `shallow` nodes
 *      is still best at the end, and its value has moved by less than half the margin, nothing is
 *      hidden (steady).
 *   2. The judgement. The judge, a search with other parameters, finds the two best lines in `deep`
 *      nodes. In its last complete iteration the best must be ahead of the second by the margin, a
 *      mate counting as far ahead of all else; and it must have been best in the one before. A
 *      third of the margin is wanted after a sixteenth of the nodes already, and half of it after a
 *      quarter, or the rest is saved (flat).
 *   3. The game is open: the second best does not win by more than `bound`, and the best does not
 *      lose by more (decided).
 *   4. The move is none that was best at any time within the first `shallow` nodes of the look, and
 *      no capture that wins material by static exchange alone, such as a recapture or a piece left
 *      hanging (plain). This and step 3 are also asked after a quarter of the judge's nodes.
 *   5. Agreement. The solver, searching `deep` nodes from an empty engine, ends with the same move,
 *      and values it above the judge's second line by half the margin (doubtful).
 *
 * So the solver needs more than `shallow` and at most `deep` nodes for each position that is found,
 * and two searches that prune by different methods agree on its move. */
#ifndef GRAYLING_TACTIC_H
#define GRAYLING_TACTIC_H

#include "engine.h"

#include <signal.h>

/* By what a position is judged. Values are in centipawns of the weights. */
struct tactic_settings {
    struct search_params solver, judge;
    uint64_t shallow, look, deep;      /* nodes: 1 <= shallow < look <= deep */
    int32_t margin, bound;             /* >= 1 */
    const volatile sig_atomic_t *stop; /* not 0: give up; may be NULL */
};

/* What became of a position: found, or the first step that it did not pass. */
enum tactic_verdict {
    TACTIC_FOUND,
    TACTIC_STEADY,
    TACTIC_FLAT,
    TACTIC_DECIDED,
    TACTIC_PLAIN,
    TACTIC_DOUBTFUL,
    TACTIC_ABANDONED, /* `stop` was set */
    TACTIC_VERDICTS
};

/* The judge of the default: the paper's parameters with late-move reductions, singular extensions,
 * aspiration windows, and evasions and checks in quiescence, without multi-cut. */
struct search_params tactic_modern_params(void);

/* Examines a position that has two legal moves or more; `key` is the move that was found. Changes
 * the engine's parameters and keeps its weights. */
enum tactic_verdict tactic_examine(struct engine *e, const struct tactic_settings *settings,
                                   const struct position *p, Move *key);

#endif
