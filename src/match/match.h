/* A match: many games between two players, in pairs that share an opening with colours reversed.
 *
 * Games are numbered from 0 and independent of one another. A has White in even-numbered games; the seed determines
 * the opening of each pair. Threads play games side by side. Results are counted in the order of game numbers, and
 * the sequential test examines each pair in that order. Under node or depth limits a match is therefore the same for
 * any number of threads, game for game, and an interrupted match is a prefix of the full one. */
#ifndef GRAYLING_MATCH_H
#define GRAYLING_MATCH_H

#include "checksum.h"
#include "elo.h"
#include "engine_fault.h"
#include "evaluation.h"
#include "game.h"
#include "jobs.h"
#include "search_params.h"

struct uci_settings; /* uci_client.h */

enum { MATCH_NAME_MAX = 256, MATCH_GAMES_MAX = 1000000 };

/* The source of parameters: the name of a file or set, and its checksum. */
struct match_origin {
    char name[MATCH_NAME_MAX], sha256[CHECKSUM_MAX];
};

/* A player: our engine with its parameters, or another engine in a process. */
struct match_player {
    char name[MATCH_NAME_MAX];
    struct evaluation eval;
    struct search_params params;
    struct match_origin evaluation, search; /* sources of these two */
    const struct uci_settings *process;     /* borrowed; NULL: our engine */
    char engine[MATCH_NAME_MAX];            /* of a process: how it names itself */
};

struct match_settings {
    struct match_player players[2]; /* A and B */
    const struct book *book;        /* borrowed; not empty */
    const char *book_name, *date;   /* for PGN tags; a date is "yyyy.mm.dd" or NULL */
    uint64_t seed;
    int64_t games; /* even, at most MATCH_GAMES_MAX */
    struct game_limits limits;
    struct game_adjudication adjudication;
    int hash_mib; /* per engine; each thread has two */
    int threads;
    bool sequential; /* stop when `sprt` has decided */
    struct sprt sprt;
    const volatile sig_atomic_t *stop; /* nonzero abandons unfinished games; may be NULL */
};

/* A match and its results so far. Owned by the caller between init and finish. */
struct match {
    const struct match_settings *settings; /* borrowed */
    uint32_t *openings;                    /* by pair of games; owned */
    int64_t played;                        /* games counted: all lower numbers */
    struct match_counts counts;
    struct engine_faults failures[2]; /* by which a player lost; they are in `counts` too */
    struct game_effort efforts[2];    /* of each player, in the games played by this process */
    int early[2]; /* latest games in a row in which the player failed at its first move */
    int first;    /* A's half points in the first game of an unfinished pair */
    enum sprt_decision decision;
};

/* ---- life cycle ---- */

bool match_init(struct match *m, const struct match_settings *settings, struct error *err);
void match_finish(struct match *m); /* accepts a zeroed one */

/* ---- games ---- */

/* The player (0: A, 1: B) who has this colour in a game. */
int match_player_of(int64_t number, enum color side);

const struct opening *match_opening(const struct match *m, int64_t number);

/* True while games remain to be played: not all are counted, and the test has not decided. */
bool match_goes_on(const struct match *m);

/* Counts the next game, number m->played, and how it was lost, if a player failed in it or lost it on
 * time (GAME_CHECKMATE: unknown). match_goes_on(m) must hold. */
void match_count(struct match *m, enum game_result result, enum game_end end);

/* ---- playing ---- */

/* Receives the games of a match. Calls are serialised. */
struct match_watcher {
    void *context;
    /* Called for each counted game, in the order of numbers. Returning false, with the reason, ends the match. */
    bool (*played)(void *context, int64_t number, const struct game *g, struct error *err);
    const char *broken_path; /* for the report on a broken game (match_broken_fail); may be NULL */
};

enum { MATCH_EARLY = 3 };

/* Plays the remaining games: until all are counted or the test has decided, or `stop` was set. Fails
 * without memory, with a player that cannot be started or fails at its first move in MATCH_EARLY games
 * in a row, with a broken game (GAME_BROKEN), which is a bug, or with the watcher. */
enum jobs_end match_play(struct match *m, const struct match_watcher *watcher, struct error *err);

/* The games, which other ranks can play (ranks.h). */
extern const struct job_kind match_job;

/* True if games repeat: both players are our engine, and there is no clock. */
bool match_is_repeatable(const struct match_settings *s);

/* Replays the beginning of a game alone: `plies` plies after its opening, or to its end. `g` as in game_play. */
bool match_replay(const struct match *m, int64_t number, int plies, struct game *g,
                  struct error *err);

#endif
