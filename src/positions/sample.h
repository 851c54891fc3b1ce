/* Draws training positions from games as david-2014 does (section III-B): one position from each
 * decisive game, with the winner to move, and the move played. */
#ifndef GRAYLING_SAMPLE_H
#define GRAYLING_SAMPLE_H

#include "epd.h"
#include "game_list.h"

/* Which games to draw from. Those apart are an eighth, at least one, by the seed and the game's own moves. */
enum sample_side { SAMPLE_ALL, SAMPLE_APART, SAMPLE_REST };

struct sample_settings {
    struct pgn_filter filter;
    enum sample_side side;
    size_t count; /* positions wanted per part; 0: one from every game, in one part */
    /* Instead of `count`: so many for each game that may be drawn from; 0: `count` holds. */
    size_t average;
    bool fewer;   /* if there are not so many, take what there is; it must be something */
    size_t skip;  /* drop this many positions from the start of the draw */
    int parts;    /* number of disjoint draws from one seed; 0 means 1 */
    int per_game; /* most positions from one game, over all parts; 0 means 1 */
    uint64_t seed;
    int first_ply, last_ply; /* range of plies to draw from, from 0; last 0: to the end */
    bool winner;        /* the winner to move, from decisive games; else either side, any result */
    const char *player; /* only positions with this player to move: a prefix of the name that ends
                           at a comma, a blank or the end; NULL: any player */
    bool results; /* keep the game's result and the score; draw only from games that have one */
    bool quiet;   /* only positions in which quiescence searches nothing, so that the value is the
                   static evaluation for all weights: not in check, no capture or queen promotion
                   that does not lose material */
};

/* Counts of what was read and left out. */
struct sample_report {
    struct game_list_report read; /* filtered: by rating, date, length, result or player */
    size_t without_position, excluded_games;
    size_t candidates; /* games to draw from */
    size_t duplicate_positions, drawn;
    size_t rounds; /* passes over the games, of the part that needed the most */
};

/* Reads the games and appends parts * count positions to `out`, part after part, one position per
 * game. All plies of a game in which the right side has at least two legal moves are equally
 * likely. (david-2014 only says "randomly"; a forced move would match any organism.)
 *
 * The seed shuffles the games, and again for each pass. With `per_game` above 1 a game may give positions to
 * several parts, and a second one to the same part only when every game that can has given one (`rounds`).
 *
 * A game is identified by its start and moves, a position by its key. A repeated game counts once, and no
 * position is drawn twice, so that the draw depends on the seed and the set of games, not on their order.
 * With `results`, a position has the score that the mover's search gave it, if its comment says one, times a number of
 * its player: so that 1 / (1 + exp(-score / EPD_SCORE_K)) of all scores of a player predicts the results of its games
 * with the least squared error, whatever it calls a centipawn.
 *
 * Positions in `exclude` (may be NULL) and the games they name are not drawn. The watcher is told of each
 * broken game. False if a file fails or there are too few positions. */
bool sample_positions(const char *const *paths, int path_count,
                      const struct sample_settings *settings, const struct dataset *exclude,
                      const struct game_list_watcher *watcher, struct dataset *out,
                      struct sample_report *report, struct error *err);

#endif
