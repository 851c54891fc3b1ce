/* A game's identity: a hash that tells games apart, and a readable name. */
#ifndef GRAYLING_GAME_NAME_H
#define GRAYLING_GAME_NAME_H

#include "epd.h"
#include "pgn.h"

/* Hash of the start position and the moves; tags do not count. Never 0. */
uint64_t game_hash(const struct pgn_game *game);

/* Writes a name such as "Fischer-Larsen 1971-07-06", with as much of the date as is known. It is
 * valid as an EPD id. */
void game_name(const struct pgn_game *game, char id[EPD_ID]);

#endif
