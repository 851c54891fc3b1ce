/* What `grayling match`, `grayling gauntlet` and `grayling confirm` share: a match as its options say it. */
#ifndef GRAYLING_MATCH_OPTIONS_H
#define GRAYLING_MATCH_OPTIONS_H

#include "data_files.h"
#include "match.h"
#include "options.h"
#include "player_names.h"

/* The options, then what follows from them. Texts are borrowed. Numbers are 0 where they are not given, or -1
 * where 0 can be given: match_usual. Owned by the caller between complete and finish. */
struct match_options {
    int64_t games, nodes, depth, movetime, grace, plies, seed, win_score, win_moves, draw_score,
        draw_moves, draw_from, max_plies, hash;
    int threads, format; /* enum match_format */
    const char *evaluation, *search, *openings, *tc, *sprt, *output, *date, *option_files[2];
    double alpha, beta;
    bool unique, resume, force, verbose;

    const char *command;            /* "match", say, for reasons */
    struct match_settings settings; /* all but the players and the stop flag */
    struct book book;
    bool book_bound; /* the test ends when the book is used up */
};

enum match_format { MATCH_TEXT, MATCH_JSON };

extern const struct match_options match_usual;

/* For a structure that begins with one of these. */
extern const struct option_row match_rows[];

/* Checks the options, and sets the match up. Without a limit the players have `tc` ("10+0.1"), or if it is
 * NULL a number of nodes. Prints what is wrong. Returns OPTIONS_READ, or the exit code. */
int match_options_complete(struct match_options *o, const char *command, const char *tc);

/* Plays the match of complete options between two players as `grayling match` does, its result to *counts.
 * Returns the exit code. */
int match_command(const struct match_options *o, const char *const players[2],
                  struct match_counts *counts);

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

void match_options_finish(struct match_options *o);

#endif
