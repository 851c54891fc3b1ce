/* The result of `grayling match`, as match runners print it or as JSON. */
#ifndef GRAYLING_MATCH_REPORT_H
#define GRAYLING_MATCH_REPORT_H

#include "match.h"

#include <stdio.h>

/* Each prints a whole report. `context` is a const struct match * (a callback of output_write). */
void match_report_text(FILE *out, void *context);
void match_report_json(FILE *out, void *context);

/* Prints what the sequential test says, if the match has one: "SPRT: H1 accepted". */
void match_report_test(FILE *out, const struct match *m);

/* Prints the games that each player lost other than on the board, as "Lost by B: 2 by crashes, 1 on
 * time", and how many nodes a move engines in processes have searched, for they need not keep to
 * the limit. */
void match_report_conduct(FILE *out, const struct match *m);

/* True if a game was lost by a crash, a hang or an illegal move. */
bool match_report_has_failures(const struct match *m);

/* Tells on standard error where the games are, and the log of failures if there is one. `path` may be
 * NULL. */
void match_report_files(const struct match *m, const char *path);

/* "12 - 5 - 30  Elo 52.5 +/- 61.1  LLR 0.45 (-2.94, 2.94)": the current score, for the bar. */
void match_report_note(const struct match *m, char *text, size_t size);

/* "Finished game 3 (A vs B): 1-0 {White mates}" */
void match_report_game(FILE *out, const struct match *m, int64_t number, const struct game *g);

#endif
