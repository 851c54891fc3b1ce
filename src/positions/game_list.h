/* Games in memory, without repeats, in an order that a seed determines. */
#ifndef GRAYLING_GAME_LIST_H
#define GRAYLING_GAME_LIST_H

#include "pgn.h"

#include <stdint.h>

struct listed_game {
    uint64_t hash;  /* game_hash in epd.h */
    uint64_t order; /* random sort key */
    struct position start;
    Move *moves; /* owned; NO_MOVE is a null move */
    size_t plies;
    char *name; /* owned: readable name (epd.h) */
};

/* Owned by the caller; a zeroed list is empty. */
struct game_list {
    struct listed_game *items; /* owned */
    size_t count, capacity;
};

/* Counts of games read and left out. */
struct game_list_report {
    size_t games, broken, filtered, twice;
};

/* Receives the reason of each broken game. */
struct game_list_watcher {
    void *context;
    void (*skipped)(void *context, const char *reason); /* may be NULL */
};

/* Reads all games of the files that pass the filter. A repeated game counts once. The order depends
 * only on the seed and the set of games, not on the files. Fails, leaving the list empty, if a file
 * fails or memory is short (some 500 bytes a game). */
bool game_list_read(struct game_list *list, const char *const *paths, int path_count,
                    const struct pgn_filter *filter, uint64_t seed,
                    const struct game_list_watcher *watcher, struct game_list_report *report,
                    struct error *err);
void game_list_free(struct game_list *list);

#endif
