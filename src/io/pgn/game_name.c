#include "game_name.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 24 };

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

uint64_t game_hash(const struct pgn_game *game)
{
    char fen[FEN_MAX];
    uint64_t hash = 0;
    position_to_fen(&game->start, fen);
    for (const char *c = fen; *c != '\0'; c++)
        hash = mix(hash, (unsigned char)*c);
    for (size_t i = 0; i < game->plies; i++)
        hash = mix(hash, game->moves[i].move);
    return hash + (hash == 0);
}

/* Appends a player's family name, which is clean, without quotes. */
static void add_name(char id[EPD_ID], const char *name)
{
    size_t length = strlen(id), n = strcspn(name, ",");
    if (n > NAME_BYTES)
        n = NAME_BYTES;
    while (n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80)
        n--; /* do not cut a character */
    while (n > 0 && name[n - 1] == ' ')
        n--;
    snprintf(id + length, EPD_ID - length, "%.*s", n > 0 ? (int)n : 1, n > 0 ? name : "?");
    for (char *c = id + length; *c != '\0'; c++)
        if (*c == '"')
            *c = '\'';
}

void game_name(const struct pgn_game *game, char id[EPD_ID])
{
    id[0] = '\0';
    add_name(id, game->white);
    snprintf(id + strlen(id), EPD_ID - strlen(id), "-");
    add_name(id, game->black);
    const int parts[3] = {game->year, game->month, game->day};
    for (int i = 0; i < 3 && parts[i] != 0; i++)
        snprintf(id + strlen(id), EPD_ID - strlen(id), i == 0 ? " %04d" : "-%02d", parts[i]);
}
