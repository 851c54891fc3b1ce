/* A match: many games between two players, in pairs that share an opening with colours reversed.
 *
 * Games are numbered from 0 and are independent of one another: A has White in those of even
 * number, and the opening of a pair follows from the seed. Threads play them side by side; what
 * they come to is counted in the order of their numbers, and a sequential test looks at each pair
 * in that order. So under limits of nodes or depth a match is the same for any number of threads,
 * game for game, and what an interrupted one has counted is the beginning of the whole. */
#ifndef GRAYLING_MATCH_H
#define GRAYLING_MATCH_H

#include "checksum.h"
#include "elo.h"
#include "evaluate.h"
#include "game.h"

enum { MATCH_NAME_MAX = 256, MATCH_GAMES_MAX = 1000000 };

/* What parameters are from: the name of a file or of a set, and its checksum. */
struct match_origin {
    char name[MATCH_NAME_MAX], sha256[CHECKSUM_MAX];
};

/* Who plays. */
struct match_player {
    char name[MATCH_NAME_MAX];
    struct eval_weights weights;
    struct search_params params;
    struct match_origin evaluation, search; /* where these two are from */
};

struct match_settings {
    struct match_player players[2]; /* A and B */
    const struct book *book;        /* borrowed; not empty */
    const char *book_name, *date;   /* for the tags of games; a date is "yyyy.mm.dd" or NULL */
    uint64_t seed;
    int64_t games; /* even, at most MATCH_GAMES_MAX */
    struct game_limits limits;
    struct game_adjudication adjudication;
    int hash_mib; /* of each engine; a thread has two */
    int threads;
    bool sequential; /* ends when `sprt` has decided */
    struct sprt sprt;
    const volatile sig_atomic_t *stop; /* not 0: games under way are given up; may be NULL */
};

/* What the games so far have come to. Owned by the caller between init and finish. */
struct match {
    const struct match_settings *settings; /* borrowed */
    uint32_t *openings;                    /* by pair; owned */
    int64_t played;                        /* games counted: those of the numbers below */
    struct match_counts counts;
    int first; /* A's half points in the first game of the pair under way */
    enum sprt_decision decision;
};

/* ---- life cycle ---- */

bool match_init(struct match *m, const struct match_settings *settings, struct error *err);
void match_finish(struct match *m); /* accepts a zeroed one */

/* ---- games ---- */

/* The player, 0 for A and 1 for B, who has this colour in a game. */
int match_player_of(int64_t number, enum color side);

const struct opening *match_opening(const struct match *m, int64_t number);

/* Whether there are games to play: neither all are counted nor is the test decided. */
bool match_goes_on(const struct match *m);

/* Counts the next game: that of number m->played. The match goes on. */
void match_count(struct match *m, enum game_result result);

/* ---- playing ---- */

/* Who is told; calls come one at a time. */
struct match_watcher {
    void *context;
    /* A game has been counted, in the order of their numbers. False, with the reason, ends the
     * match. */
    bool (*played)(void *context, int64_t number, const struct game *g, struct error *err);
    /* A game is broken (GAME_BROKEN): a bug. The match then ends. */
    void (*broken)(void *context, int64_t number, const struct game *g);
};

enum match_end {
    MATCH_OVER,    /* it does not go on */
    MATCH_STOPPED, /* `stop` was set */
    MATCH_BROKEN,  /* the watcher has been told */
    MATCH_FAILED,  /* no memory, or the watcher has failed: the reason is given */
};

/* Plays from where the match stands. */
enum match_end match_play(struct match *m, const struct match_watcher *watcher, struct error *err);

/* Plays the beginning of a game for itself: as many plies after its opening, or to its end. `g` as
 * for game_play. */
bool match_replay(const struct match *m, int64_t number, int plies, struct game *g,
                  struct error *err);

#endif
