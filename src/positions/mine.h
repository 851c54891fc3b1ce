/* Mining games for test positions: where a player's move surprises a short search, there may be
 * what tactic.h calls tactical.
 *
 *   1. The games are read, each once, and stand in an order that the seed decides (game_list.h).
 *   2. The course of a game: from `first_ply` on each position is searched by the solver with
 *      `glance` nodes.
 *   3. The surprises: positions with two or more legal moves, where another move was played than
 *      the glance had chosen, and two plies later the same side's value is higher by the margin or
 *      more. Either the move was better than it looked, or the reply was bad. The seed draws
 *      `per_game` of them.
 *   4. Each is examined as tactic.h says until one is found, or none is left: a game gives one
 *      position at most.
 *   5. Findings are taken in the order of the games until there are enough; one whose position has
 *      come from another game already is left out. So however they are parted afterwards, the parts
 *      have neither game nor position in common.
 *
 * A game is a job: each begins with an empty engine, and any thread may do it at any
 * time. What is found depends on neither the number of threads nor their speed, and an interrupted
 * mine has found the beginning of what it would have found. */
#ifndef GRAYLING_MINE_H
#define GRAYLING_MINE_H

#include "epd.h"
#include "game_list.h"
#include "tactic.h"

enum { MINE_PER_GAME = 100 };

struct mine_settings {
    struct tactic_settings tactic;
    struct pgn_filter filter;
    uint64_t seed;
    size_t count;    /* positions wanted, >= 1 */
    int first_ply;   /* of a game that is looked at, from 0 */
    uint64_t glance; /* nodes, >= 1 */
    int per_game;    /* surprises of a game that are examined, 1 to MINE_PER_GAME */
    int hash_mib;    /* of each engine, of which each thread has one */
    int threads;     /* >= 1 */
    struct eval_weights weights;
};

/* What was read, and what became of the games up to the one that gave the last position. */
struct mine_report {
    struct game_list_report read;
    size_t games;                     /* searched */
    size_t verdicts[TACTIC_VERDICTS]; /* of their positions that were examined */
    size_t twice;                     /* found, but known from another game */
};

/* Who is told while it goes on; calls come one at a time. */
struct mine_watcher {
    struct game_list_watcher read;
    void *context;
    /* So many games are done in their order, and give so many positions. May be NULL. */
    void (*progress)(void *context, size_t done, size_t games, size_t found);
};

/* Appends what is found to `out`: the position, the key as bm, and id and game as `sample` writes
 * them. Fewer than `count` where the games do not give more, or when the `stop` of the tactic's
 * settings is set. False when a file fails or memory is short. */
bool mine_games(const char *const *paths, int path_count, const struct mine_settings *settings,
                const struct mine_watcher *watcher, struct dataset *out, struct mine_report *report,
                struct error *err);

#endif
