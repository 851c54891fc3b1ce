/* Decides by other engines, over UCI, whether a position is tactical: one move is clearly best, a
 * short search of the engine misses it, and a long one keeps it.
 *
 *   1. Short search. The engine chooses a move in `shallow` nodes.
 *   2. Long search. The engine chooses another move, the key, in `deep` nodes; otherwise the
 *      position is steady. The key must be best throughout the last UCI_TACTIC_KEPT iterations;
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
#ifndef GRAYLING_UCI_TACTIC_H
#define GRAYLING_UCI_TACTIC_H

#include "tactic.h"
#include "uci_client.h"

enum {
    UCI_TACTIC_KEPT = 3,
    UCI_TACTIC_MATE =
        32767, /* a score of N plies less is mate in N plies (PGN standard, 16.2.4.1) */
    UCI_TACTIC_FAULT = 1000 /* bytes: the reason of a fault */
};

/* Scores are in centipawns of the engines. The engines need the option MultiPV. */
struct uci_tactic_settings {
    const struct uci_settings *engine, *check; /* borrowed; check is NULL if there is none */
    uint64_t shallow, deep, check_nodes;       /* nodes: 1 <= shallow < deep */
    int32_t margin, bound;                     /* >= 1 */
};

/* The processes of the engines. Serves one thread at a time. */
struct uci_tactic;

/* Starts the engines. Borrows the settings. NULL, with the reason, if one cannot be started. */
struct uci_tactic *uci_tactic_create(const struct uci_tactic_settings *settings, struct error *err);
void uci_tactic_destroy(struct uci_tactic *t); /* accepts NULL */

/* What was found out about a position. */
struct uci_tactic_result {
    enum tactic_verdict verdict;
    Move key;                     /* of TACTIC_FOUND */
    int32_t score;                /* the key's, for the side to move */
    char fault[UCI_TACTIC_FAULT]; /* of TACTIC_FAULT: the reason, with the position */
};

/* Examines a position with at least two legal moves. The flags, which may be NULL, stop it: the
 * verdict is then TACTIC_ABANDONED. False, with the reason, if an engine cannot be started again
 * after a fault. */
bool uci_tactic_examine(struct uci_tactic *t, const struct position *p,
                        const volatile sig_atomic_t *stop, const atomic_bool *cancelled,
                        struct uci_tactic_result *result, struct error *err);

#endif
