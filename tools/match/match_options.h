/* What `grayling match`, `grayling gauntlet` and `grayling confirm` share: the players, and a match as its options say
 * it. */
#ifndef GRAYLING_MATCH_OPTIONS_H
#define GRAYLING_MATCH_OPTIONS_H

#include "data_files.h"
#include "engine_setup.h"
#include "match.h"
#include "options.h"

/* ---- players
 *
 * A player is an evaluation and a search, or another engine. A name is one word or several words separated by
 * commas. A word is a parameter file or a run (its best organism), which holds an evaluation or a search. `games` and
 * `paper` are sets that come with the program, of both. `plain` is the search of plain alpha-beta. `default` stands for
 * the engine's own in all that the other words do not name.
 *
 * A command whose program exists is another engine, and so are `uci:COMMAND`, a parameter file of kind `uci` with a
 * command (engine_options.h), and a run that evolved such an engine: its best organism. `defaults:RUN.db` is that engine
 * with the defaults of the run's space. */

struct match_options;

/* Reads two players to compare, with what options say of them; starts engines, to ask for their options. Both arrays are
 * zeroed before; the caller frees the setups, to which players[].process points, also on failure. Fails if a file cannot
 * be read, if a name has two evaluations or two searches, if one player of our engine names an evaluation or a search and
 * the other does not, or if an engine or one of its options is not there. */
bool players_read(const char *const names[2], const struct match_options *o,
                  struct match_player players[2], struct engine_setup setups[2], struct error *err);

/* ---- options */

/* The options, then what follows from them. Players that name no evaluation or search have that of the options, each one
 * file, one run or `default`, the search also `plain`, or without it the engine's own. Texts are borrowed. Numbers are 0
 * where they are not given, or -1 where 0 can be given: match_usual. The caller frees the book. */
struct match_options {
    struct match_settings settings; /* all but the players and the stop flag */
    int plies, hash, format;        /* enum match_format */
    const char *evaluation, *search, *openings, *tc, *sprt, *output, *option_files[2];
    bool unique, resume, force, verbose;

    bool games_given, grace_given;
    struct book book;
    bool book_bound; /* the test ends when the book is used up */
};

enum match_format { MATCH_TEXT, MATCH_JSON };

extern const struct match_options match_usual;

/* For a structure that begins with one of these. */
extern const struct option_row match_rows[];

/* Checks the options of a command, and fills in what is not given. Without a limit the players have `tc` ("10+0.1"), or
 * if it is NULL a number of nodes. Prints what is wrong. Returns OPTIONS_READ, or the exit code. */
int match_options_complete(struct match_options *o, const char *command, const char *tc);

/* Reads the openings. With a sequential test and `repeatable` games, the number of games is limited to different ones.
 * False, with the reason, if the openings are too few, or one is as long as a game may be. */
bool match_options_book(struct match_options *o, bool repeatable, struct error *err);

/* Plays the match of complete options between two players as `grayling match` does, its result to *counts. Returns the
 * exit code. */
int match_command(const struct match_options *o, const char *const players[2],
                  struct match_counts *counts);

#endif
