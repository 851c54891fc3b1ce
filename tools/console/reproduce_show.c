#include "reproduce_show.h"

#include "foreign_text.h"
#include "terminal.h"

#include <string.h>

/* ---- text ---- */

/* The width of the widest text of a column; column -1 is the labels. */
static int width(const struct grid *g, int column)
{
    int widest = utf8_columns(column < 0 ? g->corner : g->heads[column]);
    for (int r = 0; r < g->row_count; r++) {
        int columns = utf8_columns(column < 0 ? g->rows[r].label : g->rows[r].cells[column]);
        widest = columns > widest ? columns : widest;
    }
    return widest;
}

/* Prints a label, aligned left, or a cell, aligned right. */
static void print_column(FILE *out, const struct grid *g, int column, const char *text)
{
    int blanks = width(g, column) - utf8_columns(text);
    if (column < 0)
        fprintf(out, "  %s%*s", text, blanks, "");
    else
        fprintf(out, "\v%d  %*s%s", column < 8 ? column + 1 : 9, blanks, "", text);
}

/* Prints a sentence in lines of at most 100 characters, indented after the first. */
static void print_folded(FILE *out, const char *text)
{
    enum { LINE = 98 };
    while (strlen(text) > LINE) {
        int cut = LINE;
        while (cut > 0 && text[cut] != ' ')
            cut--;
        cut = cut > 0 ? cut : LINE;
        fprintf(out, "  %.*s\n", cut, text);
        text += cut + (text[cut] == ' ');
    }
    fprintf(out, "  %s\n", text);
}

/* Prints the rows, whose first columns are the most important. */
static void print_rows(FILE *out, const void *context)
{
    const struct grid *g = context;
    print_column(out, g, -1, g->corner);
    for (int c = 0; c < g->columns; c++)
        print_column(out, g, c, g->heads[c]);
    fputc('\n', out);
    for (int r = 0; r < g->row_count; r++) {
        print_column(out, g, -1, g->rows[r].label);
        for (int c = 0; c < g->columns; c++)
            print_column(out, g, c, g->rows[r].cells[c]);
        fputc('\n', out);
    }
}

void reproduce_show_text(FILE *out, const struct grid *g, const char *command)
{
    (void)command;
    fprintf(out, "%s\n\n", g->title);
    terminal_table(out, print_rows, g);
    fputc('\n', out);
    for (int n = 0; n < g->note_count; n++)
        print_folded(out, g->notes[n]);
    fputc('\n', out);
}

/* ---- Markdown ---- */

/* Prints a cell's text, with its bars escaped. */
static void print_cell(FILE *out, const char *text)
{
    fputs(" ", out);
    for (; *text != '\0'; text++)
        fprintf(out, *text == '|' ? "\\|" : "%c", *text);
    fputs(" |", out);
}

void reproduce_show_markdown(FILE *out, const struct grid *g, const char *command)
{
    fprintf(out, "### %s\n\n`%s`\n\n|", g->title, command);
    print_cell(out, g->corner);
    for (int c = 0; c < g->columns; c++)
        print_cell(out, g->heads[c]);
    fputs("\n|---|", out);
    for (int c = 0; c < g->columns; c++)
        fputs("---|", out);
    for (int r = 0; r < g->row_count; r++) {
        fputs("\n|", out);
        print_cell(out, g->rows[r].label);
        for (int c = 0; c < g->columns; c++)
            print_cell(out, g->rows[r].cells[c]);
    }
    fputs("\n\n", out);
    for (int n = 0; n < g->note_count; n++)
        fprintf(out, "- %s\n", g->notes[n]);
    fputc('\n', out);
}
