/* Games in memory, without repeats, in an order that a seed determines. */
#ifndef GRAYLING_GAME_LIST_H
#define GRAYLING_GAME_LIST_H

#include "pgn.h"
#include "stream.h"

#include <stdint.h>

struct listed_game {
    uint64_t hash;          /* of its start and moves; tags do not count */
    uint64_t order;         /* random sort key */
    struct position *start; /* owned; NULL: the usual one */
    Move *moves;            /* owned; NO_MOVE is a null move */
    size_t plies;
    char *name; /* owned: readable name (epd.h) */
    /* What sample.c notes of a game: */
    enum pgn_result result;
    int32_t *scores; /* owned: of its moves (pgn.h); NULL: none */
    int players[2];  /* who made them, in the sampler's list */
    bool sides[2];   /* sides whose moves may be drawn */
    int given;       /* positions drawn from it so far */
    size_t round;    /* the last round in which it gave a position */
    bool drained;    /* no position is left */
};

/* Owned by the caller; a zeroed list is empty. */
struct game_list {
    struct listed_game *items; /* owned */
    size_t count;
    uint64_t seed;               /* of the order, */
    enum stream_purpose purpose; /* and its random stream */
};

/* Counts of games read and left out. */
struct game_list_report {
    size_t games, broken, filtered, twice;
};

/* Follows work on games. Functions may be NULL; calls are serialised. */
struct game_list_watcher {
    void *context;
    void (*skipped)(void *context, const char *reason); /* of a broken game */
    /* So many searches are done, in order, and have found so many positions. */
    void (*searched)(void *context, size_t done, size_t all, size_t found);
};

/* Which games to read. */
struct game_list_settings {
    const struct pgn_filter *filter;
    uint64_t seed;
    enum stream_purpose purpose;
    /* Says whether a game that passes the filter is kept, and may note something in its copy. NULL: all are. */
    bool (*keeps)(void *context, const struct pgn_game *game, struct listed_game *copy);
    void *context;
};

/* Reads games of the files, each once, in an order of the seed and the set of games alone. Fails, leaving
 * the list empty, if a file fails or memory (some 300 bytes a game) is short. */
bool game_list_read(struct game_list *list, const char *const *paths, int path_count,
                    const struct game_list_settings *settings,
                    const struct game_list_watcher *watcher, struct game_list_report *report,
                    struct error *err);
void game_list_free(struct game_list *list);

/* Sets the order to number `index` of those that the seed determines. A list is read in number 0. */
void game_list_shuffle(struct game_list *list, uint64_t index);

/* Releases what a game owns; it is no part of the list any more. */
void listed_game_free(struct listed_game *g);

struct position listed_game_start(const struct listed_game *g);
void listed_game_play(const struct listed_game *g, size_t ply, struct position *p);

#endif
