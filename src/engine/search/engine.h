/* The engine: evaluation weights, search parameters, a transposition table and what the search has
 * learned of move ordering, in one value. A process may have a thousand; a thread uses one at a
 * time.
 *
 * The search is iterative deepening with principal variation search over it all. It reads no clock:
 * it stops at nodes or depth, or when its observer says so. With the same engine state and limits
 * of nodes or depth it makes the same moves, always.
 *
 * A node is a legal move made: in the main search, in quiescence, and the null move. Scores are
 * centipawns for the side to move at the root; beyond EVAL_LIMIT they are mates (evaluate.h). */
#ifndef GRAYLING_ENGINE_H
#define GRAYLING_ENGINE_H

#include "evaluate.h"
#include "history.h"
#include "movegen.h"
#include "search_params.h"

#include <stddef.h>

enum {
    MAX_PLY = 128,   /* no line is longer */
    MAX_DEPTH = 100, /* plies: no iteration is deeper */
    HASH_MIN = 1,    /* MiB */
    HASH_MAX = 65536
};

struct engine;

/* ---- life cycle ---- */

/* A new engine with the initial weights and parameters, and a transposition table of `hash_mib`
 * MiB (HASH_MIN to HASH_MAX). NULL with the reason when there is no memory. */
struct engine *engine_create(int hash_mib, struct error *err);
void engine_destroy(struct engine *e); /* accepts NULL */

/* ---- settings; each empties the engine as engine_clear does ---- */

/* On failure the engine keeps the table that it had. */
bool engine_set_hash(struct engine *e, int hash_mib, struct error *err);
void engine_set_weights(struct engine *e, const struct eval_weights *w);
void engine_set_params(struct engine *e, const struct search_params *params);

/* Forgets all that was learned: the next search goes as in a new engine, node for node. Costs
 * little: the table is not touched but its epoch moved on. */
void engine_clear(struct engine *e);

/* ---- searching ---- */

/* When to stop; a zero is no limit of that sort. With none at all the search goes to MAX_DEPTH. */
struct search_limits {
    uint64_t nodes;
    int depth;         /* plies */
    int mate;          /* moves: stop when a mate in so many or fewer is found */
    int lines;         /* MultiPV: how many best moves are wanted; 0 counts as 1 */
    const Move *moves; /* search these root moves only; NULL: all legal moves */
    int move_count;
};

enum bound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT };

/* What is known of one of the best lines. */
struct search_line {
    int index;           /* of the lines wanted, from 0 */
    int depth, seldepth; /* plies: the iteration, and the longest line in it, quiescence included */
    int32_t score;
    enum bound bound;
    uint64_t nodes;
    int length; /* of the principal variation, >= 1 */
    const Move *moves;
};

/* What the search tells as it goes. Any function may be NULL. */
struct search_observer {
    void *context;
    /* Asked every 1,024 nodes or so: true ends the search. */
    bool (*stop)(void *context);
    /* A root move has become best, its subtree complete; the first move of the first iteration when
     * that iteration has ended and it still is (the design's rule for *first*). Called again with
     * the same move when it comes back, never twice in a row. False ends the search. */
    bool (*best)(void *context, Move best, int depth, uint64_t nodes);
    /* An iteration has ended (bound exact), or its first window has failed. False ends the
     * search. */
    bool (*line)(void *context, const struct search_line *line);
    /* The search of a root move begins; `number` counts from 1. */
    void (*root_move)(void *context, Move m, int number, int depth);
};

struct search_result {
    Move best;     /* NO_MOVE when there is no legal move */
    Move ponder;   /* the reply that is expected, or NO_MOVE */
    int32_t score; /* 0 when not one root move was searched to its end */
    int depth;     /* plies: the last iteration that was completed */
    int seldepth;
    uint64_t nodes;
    bool stopped; /* by the node limit or the observer, before the depth was reached */
};

/* Searches a position; `history` has the positions before it (NULL: none). What is learned stays
 * for the next search, until engine_clear. */
struct search_result engine_search(struct engine *e, const struct position *p,
                                   const struct history *history,
                                   const struct search_limits *limits,
                                   const struct search_observer *observer);

/* How full the transposition table is with entries of the last search, in thousandths. */
int engine_hashfull(const struct engine *e);

/* Moves to mate that a mate score means, negative when the side to move is mated; 0 for other
 * scores. */
int score_mate_moves(int32_t score);

#endif
