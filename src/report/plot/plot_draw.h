/* What the plots share: how a gnuplot script begins, and how it becomes a picture. Only plot*.c
 * include this. */
#ifndef GRAYLING_PLOT_DRAW_H
#define GRAYLING_PLOT_DRAW_H

#include "error.h"

#include <stdio.h>

/* A text in gnuplot's single quotes, in which only the quote itself is special. */
void plot_quote(FILE *out, const char *text);

/* Terminal, frame and grid. */
void plot_begin(FILE *out, bool svg);

/* Writes the whole script of `what`; the picture goes to gnuplot's standard output. */
typedef void plot_script(FILE *out, const void *what, bool svg);

/* The picture of a script at `path`, as plot.h has it. */
bool plot_draw(plot_script *write, const void *what, const char *path, bool force,
               struct error *err);

#endif
