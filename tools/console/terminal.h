/* Terminals: lines break between words, and a table leaves out the columns that have no room.
 *
 * What goes to a file, to a pipe or to a terminal of unknown width stays as it is. */
#ifndef GRAYLING_TERMINAL_H
#define GRAYLING_TERMINAL_H

#include <stdio.h>

/* The columns of the terminal that standard output or standard error goes to; `unknown` for every other
 * stream. */
int terminal_columns(const FILE *out, int unknown);

/* Breaks the lines of standard output and standard error between words from now on, where they go to
 * a terminal. A line goes on below its second column, or else below its beginning. A word that is
 * longer than a line is left to the terminal. */
struct terminal_streams {
    FILE *out, *err;
};
struct terminal_streams terminal_fold(void);

/* Puts back the streams that were there before. */
void terminal_unfold(struct terminal_streams before);

/* Stands before a column of a table, in the format of its rows: a column with a higher rank, 1 to 9, is
 * left out before one with a lower rank. Those of rank 1 stay, and what stands before the first mark. */
#define COLUMN(rank) "\v" #rank

/* Writes a table, whose rows `print` writes with the marks of their columns. */
void terminal_table(FILE *out, void (*print)(FILE *out, const void *context), const void *context);

#endif
