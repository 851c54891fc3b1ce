/* Making a book of balanced openings from games.
 *
 *   1. The games are read, each once, and stand in an order that the seed decides (game_list.h).
 *   2. Each game that begins from the usual position gives the position after its first `plies`
 *      plies, if it has come so far and is not over then. A position that an earlier game has given
 *      is left out.
 *   3. A search of `nodes` nodes by an empty engine says how each stands. It is balanced when
 *      neither side is ahead by more than the bound.
 *   4. Balanced positions are taken in the order of their games until there are enough.
 *
 * What comes out depends on neither the number of threads nor their speed, and work that is broken
 * off has made the beginning of the book. */
#ifndef GRAYLING_BOOK_MAKER_H
#define GRAYLING_BOOK_MAKER_H

#include "engine.h"
#include "epd.h"
#include "game_list.h"

#include <signal.h>

struct book_settings {
    struct pgn_filter filter;
    uint64_t seed;
    size_t count;   /* openings wanted, >= 1 */
    int plies;      /* >= 1 */
    int32_t bound;  /* centipawns, >= 0 */
    uint64_t nodes; /* >= 1 */
    int hash_mib;   /* of each engine, of which each thread has one */
    int threads;    /* >= 1 */
    struct eval_weights weights;
    struct search_params params;
    const volatile sig_atomic_t *stop; /* not 0: give up; may be NULL */
};

/* What was read, and what became of it. */
struct book_report {
    struct game_list_report read;
    size_t unfit;     /* games too short, over too early or not from the usual position */
    size_t positions; /* different ones after the first plies */
    size_t judged;    /* of these, up to the last one that was taken */
    size_t one_sided; /* of those judged */
};

/* Who is told while it goes on; calls come one at a time. */
struct book_watcher {
    struct game_list_watcher read;
    void *context;
    /* So many positions are judged in their order, and give so many openings. May be NULL. */
    void (*progress)(void *context, size_t judged, size_t positions, size_t found);
};

/* Appends the openings to `out`: the position without a move, id and game as `sample` writes them.
 * Fewer than `count` where the games do not give more, or when `stop` is set. False when a file
 * fails or memory is short. */
bool book_make(const char *const *paths, int path_count, const struct book_settings *settings,
               const struct book_watcher *watcher, struct dataset *out, struct book_report *report,
               struct error *err);

#endif
