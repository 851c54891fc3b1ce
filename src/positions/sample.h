/* Drawing training positions from games, as david-2014 does (section III-B): one position from each
 * decisive game, the winner to move, and the move played. */
#ifndef GRAYLING_SAMPLE_H
#define GRAYLING_SAMPLE_H

#include "epd.h"
#include "pgn.h"
#include "stream.h"

struct sample_settings {
    struct pgn_filter filter;
    size_t count; /* positions wanted in each part; 0: one of every game, in one part */
    size_t skip;  /* leave out the first so many of the drawn order */
    int parts;    /* so many draws of one seed, no position in two of them; 0 is 1 */
    int per_game; /* how many positions a game may give in all; 0 is 1 */
    uint64_t seed;
    int first_ply, last_ply; /* which plies of a game may be drawn, from 0; 0 last: to the end */
    bool winner;        /* the winner to move, from decisive games; else either side, any result */
    const char *player; /* only where the side to move is theirs: the beginning of a name, up to a
                           comma, a blank or the end; NULL: anybody */
    bool results;       /* keep the game's result, and draw from games that have one */
    bool quiet; /* only where quiescence would search nothing, so that a position's value is its
                   own evaluation whatever the weights: not in check, no capture or queen
                   promotion that does not lose material */
};

/* What was seen and left out, for the report. */
struct sample_report {
    size_t games, broken;
    size_t filtered, /* not wanted by rating, date, length or result */
        without_position, duplicate_games, excluded_games;
    size_t candidates; /* games that were left to draw from */
    size_t duplicate_positions, drawn;
    size_t rounds; /* how often the part that took the most went round the games */
};

/* Reads the games, draws one position of each and appends parts * count of them to `out`, part
 * after part. Drawn is each ply of a game with equal probability of those where the right side has
 * at least two legal moves (david-2014 says no more than "randomly"; a forced move would match
 * whatever is evolved).
 *
 * Games come in an order shuffled by the seed, and shuffled anew when all have had their turn. With
 * `per_game` above 1 a game may give to several parts; to one part it gives a second position only
 * when all games that can have given one (`rounds` of the report tells).
 *
 * A game is known by its start and moves and a position by its key, whichever file or draw it comes
 * from: a game met twice counts once, and a position that has been drawn is drawn anew from the
 * same game. So the draw depends on the seed and on the set of games, not on their order. Positions
 * of `exclude` (may be NULL) and the games they name are not drawn. `skipped`, when not NULL, is
 * told the reason of each broken game. False when a file fails or there are too few positions.
 * Memory grows with the games that pass the filter, by some 300 bytes each. */
bool sample_positions(const char *const *paths, int path_count,
                      const struct sample_settings *settings, const struct dataset *exclude,
                      void (*skipped)(void *context, const char *reason), void *context,
                      struct dataset *out, struct sample_report *report, struct error *err);

#endif
