/* A UCI session on standard input and output: what `grayling uci` and `grayling-uci` share. */
#ifndef GRAYLING_UCI_CONSOLE_H
#define GRAYLING_UCI_CONSOLE_H

#include "error.h"

/* Serves until `quit` or the end of the input. False when it could not begin. */
bool uci_console_run(struct error *err);

#endif
