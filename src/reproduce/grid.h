/* The result of an experiment: a table of texts with a heading, and notes. Independent of the
 * output format. */
#ifndef GRAYLING_GRID_H
#define GRAYLING_GRID_H

enum { GRID_COLUMNS = 12, GRID_ROWS = 64, GRID_NOTES = 48, GRID_TEXT = 64, GRID_NOTE = 512 };

struct grid_row {
    char label[GRID_TEXT];
    char cells[GRID_COLUMNS][GRID_TEXT]; /* may be empty */
};

/* A plain value without pointers. Texts that are too long are truncated. */
struct grid {
    char title[GRID_NOTE];
    char corner[GRID_TEXT]; /* above the labels */
    char heads[GRID_COLUMNS][GRID_TEXT];
    int columns;
    struct grid_row rows[GRID_ROWS];
    int row_count;
    char notes[GRID_NOTES][GRID_NOTE]; /* a sentence or two each */
    int note_count;
};

/* Empties the grid and names it. */
void grid_begin(struct grid *g, const char *title, const char *corner);

/* Adds a column, at most GRID_COLUMNS. */
void grid_column(struct grid *g, const char *head);

/* Adds a row, at most GRID_ROWS, and returns its number. */
int grid_row(struct grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes a cell. */
void grid_set(struct grid *g, int row, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds a sentence, at most GRID_NOTES. */
void grid_note(struct grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
