#include "rated_games.h"

#include "pgn.h"

#include <stdlib.h>
#include <string.h>

/* ---- players and pairs ---- */

/* Makes room for one player more. */
static bool grow(struct rated_games *g)
{
    const size_t players = (size_t)g->players + 1;
    char **names = realloc(g->names, players * sizeof *names);
    if (names != NULL)
        g->names = names;
    struct rated_sets *sets = realloc(g->sets, players * sizeof *sets);
    if (sets != NULL)
        g->sets = sets;
    return names != NULL && sets != NULL;
}

/* The checksum of all that a player played with. */
static void identify(const struct pgn_sets *with, char text[CHECKSUM_MAX])
{
    const char *const parts[] = {with->evaluation, with->search, with->command, with->engine,
                                 with->options};
    enum { PARTS = sizeof parts / sizeof parts[0] };
    char sums[PARTS][CHECKSUM_MAX];
    for (int i = 0; i < PARTS; i++)
        checksum_bytes(parts[i], strlen(parts[i]), sums[i]);
    checksum_bytes(sums, sizeof sums, text);
}

/* Adds a player. -1 with the reason. */
static int add_player(struct rated_games *g, const char *name, const char *sets, struct error *err)
{
    if (g->players == RATINGS_PLAYERS) {
        error_set(err, "more than %d players", RATINGS_PLAYERS);
        return -1;
    }
    char *kept = strdup(name);
    if (kept == NULL || !grow(g)) {
        free(kept);
        error_set(err, "no memory for players");
        return -1;
    }
    g->names[g->players] = kept;
    g->sets[g->players] = (struct rated_sets){.mixed = false};
    memcpy(g->sets[g->players].first, sets, CHECKSUM_MAX);
    return g->players++;
}

/* The number of a player, who is added if new. -1 with the reason. */
static int player_named(struct rated_games *g, const char *name, const struct pgn_sets *with,
                        struct error *err)
{
    char sets[CHECKSUM_MAX];
    identify(with, sets);
    for (int i = 0; i < g->players; i++)
        if (strcmp(g->names[i], name) == 0) {
            g->sets[i].mixed |= strcmp(g->sets[i].first, sets) != 0;
            return i;
        }
    return add_player(g, name, sets, err);
}

/* The pair with these colours, which is added if new. NULL with the reason. */
static struct rated_pair *pair_of(struct rated_games *g, int white, int black, struct error *err)
{
    for (size_t i = 0; i < g->pair_count; i++)
        if (g->pairs[i].white == white && g->pairs[i].black == black)
            return &g->pairs[i];
    struct rated_pair *pairs = realloc(g->pairs, (g->pair_count + 1) * sizeof *pairs);
    if (pairs == NULL) {
        error_set(err, "no memory for pairs of players");
        return NULL;
    }
    g->pairs = pairs;
    pairs[g->pair_count] = (struct rated_pair){.white = white, .black = black};
    return &pairs[g->pair_count++];
}

/* ---- games ---- */

static bool is_unknown(const char *name)
{
    return name[0] == '\0' || strcmp(name, "?") == 0;
}

/* Adds a game. */
static bool add_game(struct rated_games *g, const struct pgn_game *game, const char *path,
                     struct error *err)
{
    if (game->result == PGN_UNKNOWN) {
        g->unfinished++;
        return true;
    }
    if (is_unknown(game->white) || is_unknown(game->black))
        return error_set(err, "%s:%ld: game %ld does not name both players", path, game->line,
                         game->number);
    if (strcmp(game->white, game->black) == 0)
        return error_set(err, "%s:%ld: game %ld: %s plays itself", path, game->line, game->number,
                         game->white);
    int white = player_named(g, game->white, &game->white_sets, err);
    int black = white < 0 ? -1 : player_named(g, game->black, &game->black_sets, err);
    struct rated_pair *pair = black < 0 ? NULL : pair_of(g, white, black, err);
    if (pair == NULL)
        return false;
    pair->wins += game->result == PGN_WHITE_WINS;
    pair->draws += game->result == PGN_DRAW;
    pair->losses += game->result == PGN_BLACK_WINS;
    g->games++;
    return true;
}

/* Notes a game that could not be read. */
static void note_broken(struct rated_games *g, const struct error *reason)
{
    if (g->broken++ == 0)
        g->first_broken = *reason;
}

bool rated_games_read(struct rated_games *g, const char *path, struct error *err)
{
    struct pgn_game game;
    struct error reason;
    enum pgn_status status = PGN_FAILED;
    struct pgn_reader *r = pgn_open(path, err);
    bool good = r != NULL;
    while (good && (status = pgn_next(r, &game, &reason)) != PGN_END) {
        if (status == PGN_BROKEN)
            note_broken(g, &reason);
        else if (status == PGN_FAILED)
            good = error_set(err, "%s", reason.text);
        else
            good = add_game(g, &game, path, err);
    }
    pgn_close(r);
    return good;
}

void rated_games_free(struct rated_games *g)
{
    for (int i = 0; i < g->players; i++)
        free(g->names[i]);
    free(g->names);
    free(g->sets);
    free(g->pairs);
}
