/* What `grayling match` has found, as match runners print it or as JSON. */
#ifndef GRAYLING_MATCH_REPORT_H
#define GRAYLING_MATCH_REPORT_H

#include "match.h"

#include <stdio.h>

/* Each prints a whole report; `context` is a const struct match * (as output_write hands it on). */
void match_report_text(FILE *out, void *context);
void match_report_json(FILE *out, void *context);

/* "12 - 5 - 30  Elo 52.51 +/- 61.10  LLR 0.45 (15.3%)": how it stands, for the bar. */
void match_report_note(const struct match *m, char *text, size_t size);

/* "Finished game 3 (A vs B): 1-0 {White mates}" */
void match_report_game(FILE *out, const struct match *m, int64_t number, const struct game *g);

#endif
