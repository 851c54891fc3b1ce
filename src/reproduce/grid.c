#include "grid.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

void grid_begin(struct grid *g, const char *title, const char *corner)
{
    *g = (struct grid){0};
    snprintf(g->title, sizeof g->title, "%s", title);
    snprintf(g->corner, sizeof g->corner, "%s", corner);
}

void grid_column(struct grid *g, const char *head)
{
    assert(g->columns < GRID_COLUMNS);
    snprintf(g->heads[g->columns++], GRID_TEXT, "%s", head);
}

int grid_row(struct grid *g, const char *format, ...)
{
    va_list args;
    assert(g->row_count < GRID_ROWS);
    va_start(args, format);
    vsnprintf(g->rows[g->row_count].label, GRID_TEXT, format, args);
    va_end(args);
    return g->row_count++;
}

void grid_set(struct grid *g, int row, int column, const char *format, ...)
{
    va_list args;
    assert(0 <= row && row < g->row_count && 0 <= column && column < g->columns);
    va_start(args, format);
    vsnprintf(g->rows[row].cells[column], GRID_TEXT, format, args);
    va_end(args);
}

void grid_note(struct grid *g, const char *format, ...)
{
    va_list args;
    assert(g->note_count < GRID_NOTES);
    va_start(args, format);
    vsnprintf(g->notes[g->note_count++], GRID_NOTE, format, args);
    va_end(args);
}
