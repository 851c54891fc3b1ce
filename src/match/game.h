/* A game between two engines in this process, by all the rules of how a game ends.
 *
 * Under limits of nodes or depth a game is a function of its opening and its two engines' settings:
 * it repeats move for move. Both engines are emptied before the first move and keep what they learn
 * from move to move. */
#ifndef GRAYLING_GAME_H
#define GRAYLING_GAME_H

#include "engine.h"
#include "game_end.h"
#include "opening.h"

#include <signal.h>
#include <stdatomic.h>

/* When a move has to be made; a zero is no limit of that sort, and there is one at least. With a
 * clock (`time` > 0) each side has so much for the game, and the increment after each move. */
struct game_limits {
    uint64_t nodes;
    int depth;               /* plies */
    int64_t time, increment; /* milliseconds */
};

/* When a game is ended before its end; zeroed: never. Scores are centipawns. */
struct game_adjudication {
    /* Won: each side's last `win_moves` moves all said that the same side is ahead by so much or
     * more. */
    int32_t win_score;
    int win_moves;
    /* Drawn: `draw_from` moves of each side are played, those of the opening counted, and the
     * scores of each side's last `draw_moves` moves were all of so much or less in size. */
    int32_t draw_score;
    int draw_moves, draw_from;
    int max_plies; /* drawn after so many, those of the opening counted */
};

struct game_conditions {
    struct game_limits limits;
    struct game_adjudication adjudication;
    const volatile sig_atomic_t *stop; /* not 0: give up; may be NULL */
    const atomic_bool *cancelled;      /* the same, set by another thread; may be NULL */
};

/* A move as it was played, with what its engine thought of it. */
struct game_move {
    Move move;
    int32_t score; /* for the side that made it; 0 in the opening */
    int depth;     /* plies; 0 in the opening */
};

/* A game played. The caller owns it between game_play and game_free. */
struct game {
    struct position start;
    struct game_move *moves; /* owned; those of the opening first */
    int plies, capacity;
    int opening_plies;
    enum game_result result; /* where it has one */
    enum game_end end;
    uint64_t nodes; /* of both */
};

/* Plays a game from the opening; players[WHITE] and players[BLACK] are two engines, changed but for
 * their settings. With a clock, what they think takes time of the wall and nothing else does. `g`
 * may hold an earlier game, whose memory is used again, or be zeroed. False when there is no
 * memory. GAME_ABANDONED and GAME_BROKEN are ends like others: the moves up to then are in `g`. */
bool game_play(struct engine *const players[2], const struct opening *opening,
               const struct game_conditions *conditions, struct game *g, struct error *err);
void game_free(struct game *g); /* accepts a zeroed one */

#endif
