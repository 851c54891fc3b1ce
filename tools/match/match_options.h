/* What `grayling match` and `grayling gauntlet` share: their options, and the openings. */
#ifndef GRAYLING_MATCH_OPTIONS_H
#define GRAYLING_MATCH_OPTIONS_H

#include "data_files.h"
#include "match.h"
#include "player_names.h"

/* Options with a whole number. */
enum match_number {
    GAMES,
    NODES,
    DEPTH,
    MOVETIME,
    GRACE,
    PLIES,
    SEED,
    WIN_SCORE,
    WIN_MOVES,
    DRAW_SCORE,
    DRAW_MOVES,
    DRAW_FROM,
    MAX_PLIES,
    HASH,
    THREADS,
    NUMBERS
};

/* Options with a text, and options without a value. */
enum match_text {
    EVAL,
    SEARCH,
    OPENINGS,
    TC,
    SPRT,
    ALPHA,
    BETA,
    OUTPUT,
    DATE,
    FORMAT,
    OPTIONS_A,
    OPTIONS_B,
    AGAINST,
    TEXTS
};
enum match_flag { UNIQUE, RESUME, FORCE, VERBOSE, TRUST, HELP, FLAGS };

enum { AGAINST_MAX = 64 };

/* The command line. Texts are borrowed from it. Owned by the caller between read and finish. */
struct match_options {
    const char *command; /* "match" or "gauntlet" */
    int64_t number[NUMBERS];
    bool given[NUMBERS]; /* the number is on the command line */
    const char *text[TEXTS];
    bool flag[FLAGS];
    char **players; /* what is left of the command line */
    int player_count;
    const char *against[AGAINST_MAX]; /* the values of --against */
    int against_count;
    struct match_settings settings; /* all but the players and the stop flag */
    struct book book;
    bool book_bound; /* the test ends when the book is used up */
};

/* Reads the command line of `command`. Without a limit the players have `tc` ("10+0.1"), or if it is
 * NULL a number of nodes. Prints what is wrong. Returns EXIT_DONE, or the exit code. */
int match_options_read(struct match_options *o, const char *command, const char *tc, int argc,
                       char **argv);

/* `grayling match`, for another command; its result goes to *counts too. */
int match_command(int argc, char **argv, struct match_counts *counts);

/* Reads the openings. With a sequential test and `repeatable` games, the number of games is limited
 * to different ones. False, with the reason, if the openings are too few, or one is as long as a game
 * may be. */
bool match_options_book(struct match_options *o, bool repeatable, struct error *err);

/* What the players' names do not say. */
struct player_usual match_options_usual(const struct match_options *o);

/* Sets the players of a match. Unless --grace is given, our engine has no margin on a clock against
 * itself: it leaves some of its time. A time for a move it uses whole. */
void match_options_set_players(const struct match_options *o, const struct named_players *named,
                               struct match_settings *settings);

/* Notes on standard error that openings of a match of repeatable games are used again. */
void match_options_note_repeats(const struct match_options *o);

/* Notes on standard error that a sequential test ended undecided because the book was used up. */
void match_options_note_used_up(const struct match_options *o);

/* The path of the report on a broken game: beside the file of games, or in the current folder. */
void match_options_broken_path(const struct match_options *o, char path[PATH_SIZE]);

bool match_options_is_json(const struct match_options *o);
void match_options_finish(struct match_options *o);

#endif
