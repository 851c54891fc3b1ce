/* Players as a command line names them: an evaluation and a search, or another engine.
 *
 * A name is one word or several words separated by commas. A word is a parameter file or a run (its
 * best organism), which holds an evaluation or a search. `games` and `paper` are sets that come with the
 * program, of both. `plain` is the search of plain alpha-beta.
 * `default` stands for the engine's own in all that the other words do not name.
 *
 * A command whose program exists is another engine, and so are `uci:COMMAND` and a parameter file of kind `uci` with a command
 * (engine_options.h), or a run that evolved such an engine: its best organism. `defaults:RUN.db` is
 * that engine with the defaults of the run's space. */
#ifndef GRAYLING_PLAYER_NAMES_H
#define GRAYLING_PLAYER_NAMES_H

#include "engine_setup.h"
#include "match.h"

/* What players have that their names do not say. The evaluation and the search of those of our
 * engine that name none; NULL: the engine's own. Each is one file, one run or `default`; the search
 * may be `plain`. The option files of other engines (engine_options.h); NULL: none. */
struct player_usual {
    const char *evaluation, *search;
    const char *options[2];
    const char *option_names[2]; /* how the command line calls these two: "--options-a" */
    struct engine_hash hash;     /* table of other engines */
};

/* Two players. Owned by the caller between read and free; players[].process points into it. */
struct named_players {
    struct match_player players[2];
    struct engine_setup setups[2];
};

/* Reads two players to compare; starts engines, to ask for their options. Fails if a file cannot be
 * read, if a name has two evaluations or two searches, if one player of our engine names an
 * evaluation or a search and the other does not, or if an engine or one of its options is not
 * there. */
bool players_read(const char *const names[2], const struct player_usual *usual,
                  struct named_players *named, struct error *err);
void players_free(struct named_players *named); /* accepts a zeroed one */

#endif
