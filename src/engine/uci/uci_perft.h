/* `go perft`: counts the leaves of the legal move tree, by first move. */
#ifndef GRAYLING_UCI_PERFT_H
#define GRAYLING_UCI_PERFT_H

#include "uci_search.h"

/* Writes "e2e4: 600" for each move, in canonical order, then "Nodes searched: 8902" after an empty
 * line. Ends early at `stop` and at the node cap, and says so instead of the sum. */
void uci_perft_run(const struct uci_task *task);

#endif
