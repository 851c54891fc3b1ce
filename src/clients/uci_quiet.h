/* The options that make an engine's searches comparable: one thread, its own choice of moves, a
 * table of a given size. */
#ifndef GRAYLING_UCI_QUIET_H
#define GRAYLING_UCI_QUIET_H

#include "uci_client.h"

/* Sets those of these options that the engine has: Threads (also "Number of Threads") 1, MultiPV 1,
 * OwnBook, Ponder, UCI_Chess960 and UCI_LimitStrength false, Hash to `hash_mib`, or the nearest
 * value that the engine allows; 0 leaves Hash alone. Glaurung, for one, begins with two threads and a
 * book. Writes what it set, as "Threads 1, OwnBook false", if `text` is not NULL. */
bool uci_quieten(struct uci_client *c, int hash_mib, char *text, size_t size, struct error *err);

#endif
