/* Another engine as a player: a process that speaks UCI (uci_client.h). After a failure the next
 * game begins with a new process and the same options. One that does not start in three attempts loses that game
 * too. */
#ifndef GRAYLING_PLAYER_PROCESS_H
#define GRAYLING_PLAYER_PROCESS_H

#include "player.h"
#include "uci_client.h"

/* Starts the engine. One that does not start is a player too, which is started again before its first game. Copies
 * the settings. Returns NULL with the reason if it refuses an option. */
struct player *player_process_create(const struct uci_settings *settings, struct error *err);

/* Sets options; between games. False, with the reason, if the engine lacks one or the value is out
 * of its range. An engine that dies of one loses the next game. */
bool player_process_set(struct player *p, const struct uci_value *values, int count,
                        struct error *err);

/* Ends the process with the latest game: the next one begins with a new process and the same options. */
void player_process_renew(struct player *p);

#endif
