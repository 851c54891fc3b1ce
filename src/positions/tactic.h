/* Decides whether a position is tactical: one move is clearly best, and a short search misses it. For mine.c.
 *
 * Our engine decides by searches limited in nodes, so the same settings give the same verdict everywhere (tactic.c):
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
 * two searches with different pruning agree on the move.
 *
 * Other engines decide over UCI (uci_tactic.c):
 *
 *   1. Short search. The engine chooses a move in `shallow` nodes.
 *   2. Long search. The engine chooses another move, the key, in `deep` nodes; otherwise the
 *      position is steady. The key must be best throughout the last TACTIC_KEPT iterations;
 *      otherwise the position is unsettled.
 *   3. Two lines. The engine searches for the two best moves (MultiPV) in `deep` nodes. The key
 *      must be its choice, and lead the second move by the margin in the last iteration that
 *      completes both (a mate leads everything else); otherwise the position is flat.
 *   4. Open game. The position is decided if the second move wins by more than `bound` or the key
 *      loses by more than `bound`.
 *   5. Agreement. A second engine searches for the two best moves in `check_nodes` nodes. The
 *      position is doubtful unless the key leads there, too, by half the margin.
 *
 * Each search is a new game. So the verdict depends on the position alone, as far as the engines
 * repeat their searches: with one thread, and a limit of nodes that they keep. A fault of an engine
 * costs the position; the engine is started again. */
#ifndef GRAYLING_TACTIC_H
#define GRAYLING_TACTIC_H

#include "engine.h"
#include "jobs.h"
#include "uci_client.h"

enum { TACTIC_KEPT = 3, TACTIC_FAULT_TEXT = 1000 };

/* Settings of the test. Values are in centipawns, of the weights or of the engines. */
struct tactic_settings {
    struct search_params solver, judge; /* of our engine, as is `look` */
    const struct uci_settings
        *engine; /* decides, with the option MultiPV; NULL: ours does. Borrowed */
    const struct uci_settings *check; /* the second engine, likewise; NULL: there is none */
    uint64_t shallow, look, deep;     /* nodes: 1 <= shallow < look <= deep */
    uint64_t check_nodes;
    int32_t margin, bound; /* >= 1 */
};

/* The verdict: found, or the first step that failed. */
enum tactic_verdict {
    TACTIC_FOUND,
    TACTIC_STEADY,
    TACTIC_FLAT,
    TACTIC_DECIDED,
    TACTIC_PLAIN,
    TACTIC_DOUBTFUL,
    TACTIC_UNSETTLED, /* other engines only, as is the next */
    TACTIC_FAULT,
    TACTIC_ABANDONED, /* the job was stopped */
    TACTIC_VERDICTS
};

/* What was found out about a position. */
struct tactic_result {
    enum tactic_verdict verdict;
    Move key;                      /* of TACTIC_FOUND; else NO_MOVE */
    int32_t score;                 /* the key's, for the side to move, by another engine */
    char fault[TACTIC_FAULT_TEXT]; /* of TACTIC_FAULT: the reason, with the position */
};

/* The default judge: the paper's parameters with methods of the modern search instead of multi-cut. */
struct search_params tactic_modern_params(void);

/* Examines a position with at least two legal moves, until the job is stopped. Changes the engine's
 * parameters and keeps its weights. */
struct tactic_result tactic_examine(struct engine *e, const struct tactic_settings *settings,
                                    const struct position *p, const struct job *job);

/* The same by other engines; `check` may be NULL. False, with the reason, if one cannot be restarted. */
bool uci_tactic_examine(struct uci_client *engine, struct uci_client *check,
                        const struct tactic_settings *settings, const struct position *p,
                        const struct job *job, struct tactic_result *result, struct error *err);

#endif
