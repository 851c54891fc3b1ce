/* Terminals: lines break between words, and a table leaves out the columns that have no room.
 *
 * What goes to a file, to a pipe or to a terminal of unknown width stays as it is. */
#ifndef GRAYLING_TERMINAL_H
#define GRAYLING_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* The columns of the terminal that standard output or standard error goes to; `unknown` for every other stream. */
int terminal_columns(const FILE *out, int unknown);

/* Breaks the lines of standard output and standard error between words from now on, where they go to
 * a terminal. A line goes on below its second column, or else below its beginning. A word that is
 * longer than a line is left to the terminal. */
void terminal_fold(void);

/* A table in progress. */
enum { TABLE_COLUMNS = 16 };
struct table {
    FILE *rows;
    bool headless; /* the head gives the least widths, and is not written */
    char *text;
    size_t size;
    int count;
    struct column {
        char side;
        int rank, width;
    } columns[TABLE_COLUMNS];
};

/* Begins a table. Returns the stream for its rows: cells with tabs between them, a line feed at the end.
 *
 *     table_begin(&t, "<1parameters|>2 matched|>1share|>3  95 % interval")
 *
 * A column has its side ('>': right), its rank, 0 to 9, and its head, whose blanks give it a least width. Where
 * a terminal has no room, columns with a higher rank are left out before those with a lower one; rank 0 and 1 stay.
 * Heads that are all blank are not written. Without memory the program ends. */
FILE *table_begin(struct table *t, const char *columns);
void table_end(struct table *t, FILE *out);

#endif
