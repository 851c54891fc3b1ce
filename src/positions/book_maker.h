/* Makes an opening book of balanced positions from games.
 *
 *   1. Read the games, drop repeated ones, and order them by the seed (game_list.h).
 *   2. Take the position after the first `plies` plies of each game that begins from the usual
 *      position, is long enough and is not over by then. Drop positions that an earlier game gave.
 *   3. Judge each position by a search of `nodes` nodes with a cleared engine. It is balanced if
 *      neither side is ahead by more than the bound. A search that completes no move has no value,
 *      and its position is left out.
 *   4. Take balanced positions in the order of their games until there are enough.
 *
 * The result does not depend on the number of threads or their speed. An interrupted job yields a
 * prefix of the full result. */
#ifndef GRAYLING_BOOK_MAKER_H
#define GRAYLING_BOOK_MAKER_H

#include "engine.h"
#include "epd.h"
#include "game_list.h"
#include "jobs.h"

struct book_settings {
    struct pgn_filter filter;
    uint64_t seed;
    size_t count;   /* openings wanted, >= 1 */
    int plies;      /* >= 1 */
    int32_t bound;  /* centipawns, >= 0 */
    uint64_t nodes; /* >= 1 */
    int hash_mib;   /* per engine; each thread has one */
    int threads;    /* >= 1 */
    struct evaluation evaluation;
    struct search_params params;
    const volatile sig_atomic_t *stop; /* nonzero stops the job; may be NULL */
};

/* What was read, and what became of it. */
struct book_report {
    struct game_list_report read;
    bool begun;       /* the input is read: a failure is one of the searches */
    size_t unfit;     /* games that are too short, end too early or begin from another position */
    size_t positions; /* distinct positions after the first plies */
    size_t judged;    /* of these, up to the last one taken */
    size_t one_sided; /* of the judged ones, not balanced */
    size_t unvalued;  /* of the judged ones, without a value: `nodes` are too few */
};

/* Appends the openings to `out`: positions without a move, with id and game as `sample` writes
 * them. Fewer than `count` if there are no more, or if `stop` is set. False with a prefix in `out`. */
bool book_make(const char *const *paths, int path_count, const struct book_settings *settings,
               const struct game_list_watcher *watcher, struct dataset *out,
               struct book_report *report, struct error *err);

/* The searches, which other ranks can do (ranks.h). */
extern const struct job_kind book_job;

#endif
