/* A chess engine: an evaluation, search parameters, a transposition table and move-ordering
 * statistics. A process may have any number; only one thread may use an engine at a time.
 *
 * The search never reads a clock: it stops at a node or depth limit, or when its observer says so. The
 * same engine state and limits always give the same moves, with one thread.
 *
 * A node is a legal move made: in the main search, in quiescence, and as a null move. Scores are
 * centipawns for the side to move at the root; beyond EVAL_LIMIT they are mates (evaluate.h). */
#ifndef GRAYLING_ENGINE_H
#define GRAYLING_ENGINE_H

#include "evaluation.h"
#include "game_end.h"
#include "movegen.h"
#include "search_params.h"

enum {
    MAX_PLY = 128,   /* the longest line */
    MAX_DEPTH = 100, /* the deepest iteration, in plies */
    THREADS_MAX = 128,
    HASH_MIN = 1, /* MiB */
    HASH_MAX = 65536
};

struct engine;

/* ---- life cycle ---- */

/* Creates an engine with the initial evaluation and parameters, and a transposition table of
 * `hash_mib` MiB (HASH_MIN to HASH_MAX). Returns NULL and sets `err` when out of memory. */
struct engine *engine_create(int hash_mib, struct error *err);
void engine_destroy(struct engine *e); /* accepts NULL */

/* ---- settings: each one clears the engine as engine_clear does ---- */

/* On failure the engine keeps its old table. */
bool engine_set_hash(struct engine *e, int hash_mib, struct error *err);
/* The threads of a search, 1 to THREADS_MAX; a new engine has one. With more, helpers search the same
 * position and share the table (engine.c): searches do not repeat, nodes are those of all threads,
 * and a node limit may be exceeded by about 1,000 nodes a helper. On failure nothing changes. */
bool engine_set_threads(struct engine *e, int threads, struct error *err);
void engine_set_evaluation(struct engine *e, const struct evaluation *evaluation);
void engine_set_params(struct engine *e, const struct search_params *params);

/* Forgets everything learned: the next search visits the same nodes as in a new engine. Cheap. */
void engine_clear(struct engine *e);

/* ---- searching ---- */

/* When to stop. A zero means no limit of that kind; without any it is MAX_DEPTH. */
struct search_limits {
    uint64_t nodes;
    int depth;         /* plies */
    int mate;          /* stop when a mate in so many moves or fewer is found */
    int lines;         /* MultiPV: the number of best moves wanted; 0 counts as 1 */
    const Move *moves; /* search only these root moves; NULL: all legal moves */
    int move_count;
};

enum bound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT };

/* One of the best lines. */
struct search_line {
    int index;           /* rank among the lines wanted, from 0 */
    int depth, seldepth; /* the iteration, and its longest line with quiescence, in plies */
    int32_t score;
    enum bound bound;
    uint64_t nodes;
    int effort; /* the percentage of the nodes of all iterations that are below its first move */
    int length; /* length of the principal variation, >= 1 */
    const Move *moves;
};

/* Callbacks of the search. Any of them may be NULL. */
struct search_observer {
    void *context;
    /* Called about every 1,024 nodes; true ends the search. */
    bool (*stop)(void *context);
    /* A root move became best, and its subtree is complete. The first move of the first iteration
     * is reported when that iteration ends, if it is still best; this rule defines the *first*
     * solution of a suite's position (solve.h). Called again when an earlier move becomes best
     * again, but never twice in a row with the same move. False ends the search. */
    bool (*best)(void *context, Move best, int depth, uint64_t nodes);
    /* An iteration ended (bound exact), or one of its windows failed. False ends the search. */
    bool (*line)(void *context, const struct search_line *line);
    /* The search of a root move starts; `number` counts from 1. */
    void (*root_move)(void *context, Move m, int number, int depth);
};

struct search_result {
    Move best;     /* NO_MOVE when there is no legal move */
    int32_t score; /* 0 if no root move was searched completely */
    int depth;     /* the last completed iteration, in plies */
    uint64_t nodes;
    bool stopped; /* ended by the node limit or the observer, before the depth limit */
    /* The line that `best` begins, with the iteration that found it, which may be incomplete. Its moves belong to the
     * engine, until its next search. Length 0 if no root move was searched completely. */
    struct search_line line;
};

/* Searches a position; `history` holds the earlier positions (NULL: none). What the search learns
 * remains until engine_clear. */
struct search_result engine_search(struct engine *e, const struct position *p,
                                   const struct history *history,
                                   const struct search_limits *limits,
                                   const struct search_observer *observer);

/* The share of the transposition table that holds entries of the last search, in thousandths. */
int engine_hashfull(const struct engine *e);

/* The moves to mate of a mate score, negative if the side to move is mated; 0 for other scores. */
int score_mate_moves(int32_t score);

#endif
