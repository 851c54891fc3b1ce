/* Plays a game between two engines in this process, by the rules for the end of a game.
 *
 * Under node or depth limits a game is a function of its opening and the settings of its engines:
 * it repeats move for move. Both engines are cleared before the first move and keep their tables
 * from move to move. */
#ifndef GRAYLING_GAME_H
#define GRAYLING_GAME_H

#include "engine.h"
#include "game_end.h"
#include "opening.h"

#include <signal.h>
#include <stdatomic.h>

/* Limits of a move. 0 means no limit of that kind; at least one is set. With a clock (`time` > 0)
 * each side has that much time for the game, plus the increment after each move. */
struct game_limits {
    uint64_t nodes;
    int depth;               /* plies */
    int64_t time, increment; /* milliseconds */
};

/* Adjudication of games; zeroed: none. Scores are in centipawns. */
struct game_adjudication {
    /* Won if the last `win_moves` moves of each side all report that the same side is ahead by at
     * least `win_score`. */
    int32_t win_score;
    int win_moves;
    /* Drawn if each side has played `draw_from` moves, opening included, and the last `draw_moves`
     * moves of each side have scores of at most `draw_score` in size. */
    int32_t draw_score;
    int draw_moves, draw_from;
    int max_plies; /* drawn after this many plies, opening included */
};

struct game_conditions {
    struct game_limits limits;
    struct game_adjudication adjudication;
    const volatile sig_atomic_t *stop; /* nonzero abandons the game; may be NULL */
    const atomic_bool *cancelled;      /* same, set by another thread; may be NULL */
};

/* A move played, with its engine's score. */
struct game_move {
    Move move;
    int32_t score; /* for the side that moved; 0 in the opening */
    int depth;     /* plies; 0 in the opening */
};

/* A game. The caller owns it between game_play and game_free. */
struct game {
    struct position start;
    struct game_move *moves; /* owned; opening moves first */
    int plies, capacity;
    int opening_plies;
    enum game_result result; /* unset for abandoned and broken games */
    enum game_end end;
    uint64_t nodes; /* of both engines */
};

/* Plays a game from the opening between players[WHITE] and players[BLACK], two different engines.
 * It changes their state but not their settings. With a clock, only time spent thinking counts. `g`
 * is zeroed, or holds an earlier game whose memory is reused. False if memory is short.
 * GAME_ABANDONED and GAME_BROKEN are not errors: `g` holds the moves up to that point. */
bool game_play(struct engine *const players[2], const struct opening *opening,
               const struct game_conditions *conditions, struct game *g, struct error *err);
void game_free(struct game *g); /* accepts a zeroed one */

#endif
