/* Players of a game: each answers a position with a move. Our engine plays in this process, another
 * engine in a process of its own.
 *
 * A player is a method over a state; games know the method only. A player serves one thread at a
 * time; its settings may change between games. */
#ifndef GRAYLING_PLAYER_H
#define GRAYLING_PLAYER_H

#include "error.h"
#include "game_end.h"
#include "uci_client.h"

struct evaluation;    /* evaluation.h */
struct search_params; /* search_params.h */
struct plan;          /* ranks.h */

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
    struct game_move move; /* of UCI_MOVE */
    uint64_t nodes;        /* as the player counts them */
    int64_t time;          /* microseconds, measured by us */
    bool cut;              /* it went on beyond the limit of nodes and had to be stopped */
};

struct player;

struct player_method {
    /* Forgets earlier games. False, with the reason, if the player cannot play; the match then ends. */
    bool (*new_game)(struct player *p, struct error *err);
    /* Answers a turn. After a failure the reason is in `reason`, otherwise it is left alone. */
    struct player_answer (*move)(struct player *p, const struct player_turn *turn,
                                 struct error *reason);
    /* The end of the conversation with the player's process, "" if it has none. Owned by the
     * player, until its next call. */
    const char *(*log)(const struct player *p);
};

/* The first member of each player's state. */
struct player {
    const struct player_method *method;
};

void player_destroy(struct player *p); /* accepts NULL */

/* ---- our engine: under node or depth limits its moves depend on its settings and the game alone ---- */

/* With the initial weights and parameters, and a table of `hash_mib` MiB. NULL with the reason without memory. */
struct player *player_engine_create(int hash_mib, struct error *err);

/* Sets what it plays with; between games. */
void player_engine_set(struct player *p, const struct evaluation *evaluation,
                       const struct search_params *params);

/* ---- another engine: after a failure the next game begins with a new process and the same options ---- */

/* Starts the engine. One that does not start in three attempts is a player too: it is tried again before
 * each game, and loses those before which it does not start. Copies the settings. NULL with the reason
 * if the engine refuses an option. */
struct player *player_process_create(const struct uci_settings *settings, struct error *err);

/* Sets options; between games. False, with the reason, if the engine lacks one or the value is out
 * of its range. An engine that dies of one loses the next game. */
bool player_process_set(struct player *p, const struct uci_value *values, int count,
                        struct error *err);

/* The next game begins with a new process and the same options. */
void player_process_renew(struct player *p);

/* Passes the settings of an engine on to other ranks, which start it where they work. NULL: there is none. */
const struct uci_settings *player_process_plan(struct plan *p, const struct uci_settings *settings);

#endif
