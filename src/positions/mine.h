/* Mines games for tactical test positions. A move that surprises a short search marks a candidate.
 * Our engine decides what is tactical, or other engines do (tactic.h).
 *
 *   1. Read the games, drop repeated ones, and order them by the seed (game_list.h).
 *   2. Search each position of a game from `first_ply` on that has at most `pieces` with the solver and `glance` nodes. A mate
 *      on the board has the value of a mate; a search that completes no move has none.
 *   3. Find the surprises: positions with two or more legal moves in which the move played is not
 *      the glance's choice, and the value for the same side two plies later is higher by `surprise`
 *      or more. Either the move was better than it looked, or the reply was bad. The seed draws
 *      `per_game` of them.
 *   4. Examine them by tactic.h until one is found or none is left. A game gives
 *      at most one position.
 *   5. Take the findings in the order of the games until there are enough. Drop a position that
 *      another game gave already: no parts of the result share games or positions.
 *
 * A game is a job that begins with a cleared engine. The result does not depend on the number of threads or their
 * speed, if other engines repeat their searches. An interrupted mine yields a prefix of the full result. */
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
    size_t count;     /* positions wanted, >= 1 */
    int first_ply;    /* first ply of a game to search, from 0 */
    int pieces;       /* most pieces besides kings and pawns, of both sides together */
    uint64_t glance;  /* nodes, >= 1 */
    int32_t surprise; /* centipawns, >= 1 */
    int per_game;     /* surprises examined per game, 1 to MINE_PER_GAME */
    int hash_mib;     /* per engine; each thread has one */
    int threads;      /* >= 1 */
    struct evaluation evaluation;
    const volatile sig_atomic_t *stop; /* nonzero stops the mine; may be NULL */
};

/* What was read, and what became of the games up to the one that gave the last position. */
struct mine_report {
    struct game_list_report read;
    bool begun;                       /* the input is read: a failure is one of the searches */
    size_t games;                     /* searched */
    size_t verdicts[TACTIC_VERDICTS]; /* of their positions examined */
    size_t twice;                     /* found, but already given by another game */
    char fault[TACTIC_FAULT_TEXT];    /* the reason of the first fault of another engine; or "" */
};

/* Appends the findings to `out`: position, key move as bm, score of another engine, id and game as
 * `sample` writes them. Fewer than `count` if there are no more, or if `stop` is set. False with
 * the reason, and with a prefix in `out`. */
bool mine_games(const char *const *paths, int path_count, const struct mine_settings *settings,
                const struct game_list_watcher *watcher, struct dataset *out,
                struct mine_report *report, struct error *err);

/* The games to search, which other ranks can do (ranks.h). */
extern const struct job_kind mine_job;

#endif
