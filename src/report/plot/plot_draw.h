/* Shared by the plots: the beginning of a gnuplot script, and the call of gnuplot. Private to
 * plot*.c. */
#ifndef GRAYLING_PLOT_DRAW_H
#define GRAYLING_PLOT_DRAW_H

#include "error.h"

#include <stdio.h>

/* Writes a text in gnuplot's single quotes, in which only the quote itself is special. */
void plot_quote(FILE *out, const char *text);

/* Writes the terminal, the frame and the grid. */
void plot_begin(FILE *out, bool svg);

/* Writes the whole script of `what`; the picture goes to gnuplot's standard output. */
typedef void plot_script(FILE *out, const void *what, bool svg);

/* Writes the picture of a script to `path`, under the rules of plot.h. */
bool plot_draw(plot_script *write, const void *what, const char *path, bool force,
               struct error *err);

#endif
