/* Players of a game: each answers a position with a move.
 *
 *     player_engine.h    our engine, in this process
 *     player_process.h   another engine, in a process of its own
 *
 * A player is a method over a state. game.c and match.c know the method only. A player serves one
 * thread at a time; its settings may change between games. */
#ifndef GRAYLING_PLAYER_H
#define GRAYLING_PLAYER_H

#include "error.h"
#include "game_end.h"
#include "uci_client.h"

#include <signal.h>
#include <stdatomic.h>

/* Limits of a move. 0 means no limit of that kind; at least one is set. With a clock (`time` > 0)
 * each side has that much time for the game, plus the increment after each move. */
struct game_limits {
    uint64_t nodes;
    int depth;               /* plies */
    int64_t time, increment; /* milliseconds */
    int64_t movetime;        /* milliseconds for each move */
    int64_t grace; /* milliseconds by which a player may exceed its time before it has lost */
};

enum { GAME_UNSCORED = INT32_MIN };

/* A move played, with what its player reports. */
struct game_move {
    Move move;
    int32_t score; /* centipawns for the side that moved, mates as in engine.h; GAME_UNSCORED if the
                      player gave none; 0 in the opening */
    int depth;     /* plies; 0 in the opening, or if the player gave none */
};

/* A position in which a player is to move. Everything is borrowed. */
struct player_turn {
    const struct position *position;
    const struct history *history; /* the earlier positions */
    const struct position *start;  /* of the game */
    const struct game_move *moves; /* from `start` to `position` */
    int plies;
    const struct game_limits *limits;
    int64_t left[2];                   /* microseconds on the clocks, by colour */
    const volatile sig_atomic_t *stop; /* nonzero: return soon; may be NULL */
    const atomic_bool *cancelled;      /* same, set by another thread; may be NULL */
};

struct player_answer {
    enum uci_end end;      /* after a fault the next game begins with a new process */
    bool broken;           /* UCI_ILLEGAL by our own engine: a bug */
    struct game_move move; /* of UCI_MOVE */
    uint64_t nodes;        /* as the player counts them */
    int64_t time;          /* microseconds, measured by us */
    bool cut;              /* it went on beyond the limit of nodes and had to be stopped */
};

struct player;

struct player_method {
    /* Forgets earlier games. False, with the reason, if the player cannot play; the match
     * then ends. */
    bool (*new_game)(struct player *p, struct error *err);
    /* Answers a turn. After a failure the reason is in `reason`, otherwise it is left alone. */
    struct player_answer (*move)(struct player *p, const struct player_turn *turn,
                                 struct error *reason);
    /* The end of the conversation with the player's process, "" if it has none. Owned by the
     * player, until its next call. */
    const char *(*log)(const struct player *p);
    void (*destroy)(struct player *p);
};

/* The first member of each player's state. */
struct player {
    const struct player_method *method;
};

void player_destroy(struct player *p); /* accepts NULL */

/* True if the flags of a turn or of a game ask for an early end. Both may be NULL. */
bool player_is_stopped(const volatile sig_atomic_t *stop, const atomic_bool *cancelled);

#endif
