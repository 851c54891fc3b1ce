/* Players as a command line names them: an evaluation and a search.
 *
 * A name is one word or several words separated by commas. A word is a parameter file or a run (its
 * best organism), which holds an evaluation or a search. `plain` is the search of plain alpha-beta.
 * `default` stands for the engine's own in all that the other words do not name. */
#ifndef GRAYLING_PLAYER_H
#define GRAYLING_PLAYER_H

#include "match.h"

/* The evaluation and the search of players that name none; NULL: the engine's own. Each is one
 * file, one run or `default`; the search may be `plain`. */
struct player_usual {
    const char *evaluation, *search;
};

/* Reads two players to compare. Fails if a file cannot be read, if a name has two evaluations or
 * two searches, or if one player names an evaluation or a search and the other does not. */
bool players_read(const char *const names[2], const struct player_usual *usual,
                  struct match_player players[2], struct error *err);

#endif
