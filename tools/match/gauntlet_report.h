/* The table of `grayling gauntlet`: a row for each opponent of a player, and their sum. */
#ifndef GRAYLING_GAUNTLET_REPORT_H
#define GRAYLING_GAUNTLET_REPORT_H

#include "match.h"

#include <stdio.h>

/* Prints the player's name and the head of its table. */
void gauntlet_report_head(FILE *out, const char *player);

/* Prints the result of a match as a row; below it, what the test decided, the games lost other than
 * on the board, and the nodes of engines in processes. */
void gauntlet_report_row(FILE *out, const struct match *m);

/* Prints the row of all matches together. */
void gauntlet_report_sum(FILE *out, const struct match_counts *sum);

#endif
