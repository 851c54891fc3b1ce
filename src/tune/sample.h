/* Drawing training positions from games, as david-2014 does (section III-B): one position from each
 * decisive game, the winner to move, and the move played. */
#ifndef GRAYLING_SAMPLE_H
#define GRAYLING_SAMPLE_H

#include "epd.h"
#include "pgn.h"
#include "stream.h"

struct sample_settings {
    struct pgn_filter filter;
    size_t count; /* positions wanted; 0: one of every game */
    size_t skip;  /* leave out the first so many of the drawn order: disjoint draws of one seed */
    uint64_t seed;
    int first_ply, last_ply; /* which plies of a game may be drawn, from 0; 0 last: to the end */
    bool winner; /* the winner to move, from decisive games; else either side, any result */
};

/* What was seen and left out, for the report. */
struct sample_report {
    size_t games, broken, filtered, without_position, duplicate_games, duplicate_positions, drawn;
};

/* Reads the games, draws one position of each, shuffles by the seed and appends `count` of them to
 * `out`. A game is known by its moves and a position by its key, whichever file or draw it comes
 * from; positions of `exclude` (may be NULL) and their games are not drawn. `skipped`, when not
 * NULL, is told the reason of each broken game. False when a file fails or there are too few
 * positions. */
bool sample_positions(const char *const *paths, int path_count,
                      const struct sample_settings *settings, const struct dataset *exclude,
                      void (*skipped)(void *context, const char *reason), void *context,
                      struct dataset *out, struct sample_report *report, struct error *err);

#endif
