/* The program gnuplot. Private to plot*.c. */
#ifndef GRAYLING_GNUPLOT_H
#define GRAYLING_GNUPLOT_H

#include "error.h"

#include <stdio.h>

/* Runs gnuplot on a script and writes what it draws to `picture`. Fails, with gnuplot's first line
 * of complaint, if gnuplot fails or has not ended after so many seconds. It reads no settings of
 * the user. */
bool gnuplot_run(FILE *script, FILE *picture, int seconds, struct error *err);

#endif
