/* Players as they are named on a command line: an evaluation and a search.
 *
 * A name is one file or several with commas between: parameter files or runs, whose best counts,
 * each an evaluation or a search; `plain` is the search of plain alpha-beta, and `default` whatever
 * is not named otherwise, as the engine plays by itself. */
#ifndef GRAYLING_PLAYER_H
#define GRAYLING_PLAYER_H

#include "match.h"

/* The evaluation and the search of players who name none; NULL: as the engine plays by itself.
 * Each is one file, one run, `default`, or for the search `plain`. */
struct player_usual {
    const char *evaluation, *search;
};

/* Reads two players to be compared. False where something cannot be read or is named twice, and
 * where one of them names an evaluation, or a search, and the other does not. */
bool players_read(const char *const names[2], const struct player_usual *usual,
                  struct match_player players[2], struct error *err);

#endif
