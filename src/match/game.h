/* Plays a game between two players, by the rules for the end of a game.
 *
 * Under node or depth limits a game between our own engines is a function of its opening and their settings: it
 * repeats move for move. Both players begin a new game before the first move, and keep what they learn from move to
 * move. The rules are ours alone: a player that fails, plays an illegal move or exceeds its time loses. A game whose
 * player fails after `stop` or `cancelled` was set is abandoned. */
#ifndef GRAYLING_GAME_H
#define GRAYLING_GAME_H

#include "game_end.h"
#include "opening.h"
#include "player.h"

/* Adjudication of games; zeroed: none. Scores are in centipawns. */
struct game_adjudication {
    /* Won if the last `win_moves` moves of each side all report that the same side is ahead by at least `win_score`. */
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

/* What a player did in a game. */
struct game_effort {
    int64_t moves; /* asked for */
    uint64_t nodes;
    int64_t cut; /* moves at which it went on beyond the limit of nodes and was stopped */
};

enum { GAME_FAILURE = 8192 };

/* A game. The caller owns it between game_play and game_free. */
struct game {
    struct position start;
    struct game_move *moves; /* owned; opening moves first */
    int plies;
    int opening_plies;
    enum game_result result; /* unset for abandoned and broken games */
    enum game_end end;
    uint64_t nodes;                /* of both players */
    struct game_effort efforts[2]; /* by colour */
    int64_t last_time;             /* microseconds of the last move that was asked for */
    /* After a failure of a player: the reason, and on the next lines the end of the conversation
     * with its process. Otherwise "". */
    char failure[GAME_FAILURE];
};

/* Plays a game from the opening between players[WHITE] and players[BLACK], two different players. It changes their
 * state but not their settings. With a clock, only time spent thinking counts. `g` is zeroed, or holds an earlier
 * game whose memory is reused. False if memory is short or a player cannot begin the game. GAME_ABANDONED and
 * GAME_BROKEN are not errors: `g` holds the moves up to that point. */
bool game_play(struct player *const players[2], const struct opening *opening,
               const struct game_conditions *conditions, struct game *g, struct error *err);
void game_free(struct game *g); /* accepts a zeroed one */

/* The side to move at the end of the game: the one that has failed, if one has. */
enum color game_last_side(const struct game *g);

#endif
