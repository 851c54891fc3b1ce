/* Axes that gnuplot cannot draw by itself. Private to plot*.c. */
#ifndef GRAYLING_PLOT_AXES_H
#define GRAYLING_PLOT_AXES_H

#include "broken_scale.h"
#include "plot_draw.h"

/* Writes a vertical axis, which may be broken. Curves are drawn through gnuplot's
 * function y, which gives the position of a value between 0 and 1. */
void plot_broken_axis(const struct plot_canvas *c, const struct broken_scale *scale);

#endif
