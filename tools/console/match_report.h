/* The result of `grayling match`, as match runners print it or as JSON. */
#ifndef GRAYLING_MATCH_REPORT_H
#define GRAYLING_MATCH_REPORT_H

#include "match.h"

#include <stdio.h>

/* Each prints a whole report. `context` is a const struct match * (a callback of output_write). */
void match_report_text(FILE *out, void *context);
void match_report_json(FILE *out, void *context);

/* "12 - 5 - 30  Elo 52.5 +/- 61.1  LLR 0.45 (-2.94, 2.94)": the current score, for the bar. */
void match_report_note(const struct match *m, char *text, size_t size);

/* "Finished game 3 (A vs B): 1-0 {White mates}" */
void match_report_game(FILE *out, const struct match *m, int64_t number, const struct game *g);

#endif
