/* A UCI session on standard input and output, for `grayling uci` and `grayling-uci`. */
#ifndef GRAYLING_UCI_CONSOLE_H
#define GRAYLING_UCI_CONSOLE_H

#include "error.h"

/* Serves until `quit` or the end of the input. Returns false if the session cannot start. */
bool uci_console_run(struct error *err);

#endif
