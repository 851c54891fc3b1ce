/* Another engine, in a process of its own, over UCI: for comparing like with like. */
#ifndef GRAYLING_UCI_CLIENT_H
#define GRAYLING_UCI_CLIENT_H

#include "notation.h"

struct uci_client;

/* Starts a command, found on the PATH or in /usr/games, and waits until it has answered "uci". The
 * words of `options` (count of them) are sent as they are: "setoption name Hash value 16". NULL
 * with the reason: no such command, or no answer within ten seconds. */
struct uci_client *uci_client_start(const char *const command[], const char *const *options,
                                    int count, struct error *err);

/* Whether a command can be started at all. */
bool peer_is_there(const char *command);

/* Searches the position as a new game, `go` being the whole command, and says which move it chose.
 * False where it gives none within `patience` seconds beyond its time, goes away, or answers with
 * an illegal one. */
bool uci_client_search(struct uci_client *peer, const struct position *p, const char *go,
                       double patience, Move *best, struct error *err);

/* Asks it to leave, and sees to it that it does; accepts NULL. */
void uci_client_stop(struct uci_client *peer);

#endif
