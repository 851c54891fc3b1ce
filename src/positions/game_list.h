/* Games kept in memory, each once, in an order that a seed decides. */
#ifndef GRAYLING_GAME_LIST_H
#define GRAYLING_GAME_LIST_H

#include "pgn.h"

#include <stdint.h>

struct listed_game {
    uint64_t hash;  /* game_name.h */
    uint64_t order; /* random: by it the games stand */
    struct position start;
    Move *moves; /* owned; NO_MOVE is a null move */
    size_t plies;
    char *name; /* owned: for people (game_name.h) */
};

/* Owned by the caller; a zeroed one is empty. */
struct game_list {
    struct listed_game *items; /* owned */
    size_t count, capacity;
};

/* What was seen and left out. */
struct game_list_report {
    size_t games, broken, filtered, twice;
};

/* Who is told of each broken game. */
struct game_list_watcher {
    void *context;
    void (*skipped)(void *context, const char *reason); /* may be NULL */
};

/* Reads all games of the files that the filter wants; a game met twice counts once. Their order
 * depends on the seed and the set of games alone, not on files. False, the list then being empty,
 * when a file fails or there is no memory (some 500 bytes a game). */
bool game_list_read(struct game_list *list, const char *const *paths, int path_count,
                    const struct pgn_filter *filter, uint64_t seed,
                    const struct game_list_watcher *watcher, struct game_list_report *report,
                    struct error *err);
void game_list_free(struct game_list *list);

#endif
