/* A game as plain text, for reports: the start, the moves as UCI has them, the final position. */
#ifndef GRAYLING_GAME_TEXT_H
#define GRAYLING_GAME_TEXT_H

#include "game.h"

#include <stdio.h>

/* Writes three lines. */
void game_text_write(FILE *out, const struct game *g);

#endif
