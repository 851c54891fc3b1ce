/* A UCI session on standard input and output, for `grayling uci` and `grayling-uci`. */
#ifndef GRAYLING_UCI_CONSOLE_H
#define GRAYLING_UCI_CONSOLE_H

#include "error.h"

/* Serves until `quit` or the end of the input, with the set for games; or, to `tune`, with the default
 * set and an option for each of its parameters. Returns false if the session cannot start. */
bool uci_console_run(bool tune, struct error *err);

#endif
