/* What a game is known by: a hash to tell games apart, and a name for people. */
#ifndef GRAYLING_GAME_NAME_H
#define GRAYLING_GAME_NAME_H

#include "epd.h"
#include "pgn.h"

/* A hash of its start and its moves, whatever its tags say. Never 0. */
uint64_t game_hash(const struct pgn_game *game);

/* "Fischer-Larsen 1971-07-06", as much of the date as is known, fit for the id of an EPD. */
void game_name(const struct pgn_game *game, char id[EPD_ID]);

#endif
