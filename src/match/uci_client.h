/* A UCI client: runs another engine in a process of its own, for comparisons. */
#ifndef GRAYLING_UCI_CLIENT_H
#define GRAYLING_UCI_CLIENT_H

#include "notation.h"

struct uci_client;

/* Starts a command, found on the PATH or in /usr/games, and waits for its answer to "uci". Sends
 * the `count` lines of `options` unchanged, such as "setoption name Hash value 16". Returns NULL
 * with the reason if the command does not exist or does not answer within ten seconds. */
struct uci_client *uci_client_start(const char *const command[], const char *const *options,
                                    int count, struct error *err);

/* True if a command can be started. */
bool peer_is_there(const char *command);

/* Searches the position as a new game. `go` is the complete command. Writes the chosen move. False
 * if the engine gives no move within `patience` seconds beyond its time, exits, or gives an illegal
 * move. */
bool uci_client_search(struct uci_client *peer, const struct position *p, const char *go,
                       double patience, Move *best, struct error *err);

/* Asks the engine to quit, and terminates it if it does not. Accepts NULL. */
void uci_client_stop(struct uci_client *peer);

#endif
