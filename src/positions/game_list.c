#include "game_list.h"

#include "array.h"
#include "epd.h"

#include <stdlib.h>
#include <string.h>

/* A list being read. */
struct list_reader {
    struct game_list *list;
    const struct game_list_settings *settings;
    const struct game_list_watcher *watcher;
    struct game_list_report *report;
    uint64_t usual; /* key of the usual start position */
    struct error *err;
};

void listed_game_free(struct listed_game *g)
{
    free(g->start);
    free(g->moves);
    free(g->scores);
    free(g->name);
}

void game_list_free(struct game_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        listed_game_free(&list->items[i]);
    free(list->items);
    *list = (struct game_list){0};
}

struct position listed_game_start(const struct listed_game *g)
{
    struct position p;
    if (g->start != NULL)
        return *g->start;
    position_from_fen(&p, FEN_START, NULL, NULL);
    return p;
}

void listed_game_play(const struct listed_game *g, size_t ply, struct position *p)
{
    struct undo undo;
    if (g->moves[ply] == NO_MOVE)
        position_make_null(p, &undo);
    else
        position_make(p, g->moves[ply], &undo);
}

/* ---- a game's identity ---- */

enum { NAME_BYTES = 24 };

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Hash of the start position and the moves; tags do not count. Never 0. */
static uint64_t game_hash(const struct pgn_game *game)
{
    char fen[FEN_MAX];
    uint64_t hash = 0;
    position_to_fen(&game->start, fen);
    for (const char *c = fen; *c != '\0'; c++)
        hash = mix(hash, (unsigned char)*c);
    for (size_t i = 0; i < game->plies; i++)
        hash = mix(hash, game->moves[i]);
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

/* Writes a name such as "Fischer-Larsen 1971-07-06", with as much of the date as is known: valid as an EPD id. */
static void game_name(const struct pgn_game *game, char id[EPD_ID])
{
    id[0] = '\0';
    add_name(id, game->white);
    snprintf(id + strlen(id), EPD_ID - strlen(id), "-");
    add_name(id, game->black);
    const int parts[3] = {game->year, game->month, game->day};
    for (int i = 0; i < 3 && parts[i] != 0; i++)
        snprintf(id + strlen(id), EPD_ID - strlen(id), i == 0 ? " %04d" : "-%02d", parts[i]);
}

/* ---- the list ---- */

static void place(const struct game_list *list, struct listed_game *g, uint64_t index)
{
    struct stream stream;
    stream_init(&stream, list->seed, list->purpose, g->hash, index);
    g->order = stream_bits(&stream);
}

static bool keep(struct list_reader *r, const struct pgn_game *game)
{
    char name[EPD_ID];
    const bool usual = game->start.key == r->usual;
    struct game_list *list = r->list;
    if (!array_grow(list->items, list->count))
        return error_set(r->err, "no memory for %zu games", list->count + 1);
    game_name(game, name);
    struct listed_game g = {.hash = game_hash(game),
                            .start = usual ? NULL : malloc(sizeof *g.start),
                            .moves = malloc((game->plies + 1) * sizeof *g.moves),
                            .plies = game->plies,
                            .name = strdup(name)};
    if ((!usual && g.start == NULL) || g.moves == NULL || g.name == NULL) {
        listed_game_free(&g);
        return error_set(r->err, "no memory for %zu games", list->count + 1);
    }
    if (!usual)
        *g.start = game->start;
    for (size_t i = 0; i < game->plies; i++)
        g.moves[i] = game->moves[i];
    if (r->settings->keeps == NULL || r->settings->keeps(r->settings->context, game, &g))
        list->items[list->count++] = g;
    else
        listed_game_free(&g);
    return true;
}

/* Processes a game from the reader; false ends the reading. */
static bool take(struct list_reader *r, enum pgn_status status, const struct pgn_game *game,
                 const struct error *reason)
{
    if (status == PGN_FAILED)
        return error_set(r->err, "%s", reason->text);
    r->report->games++;
    if (status == PGN_BROKEN) {
        r->report->broken++;
        if (r->watcher->skipped != NULL)
            r->watcher->skipped(r->watcher->context, reason->text);
        return true;
    }
    bool wanted = pgn_wanted(r->settings->filter, game);
    r->report->filtered += !wanted;
    return !wanted || keep(r, game);
}

static bool read_file(struct list_reader *r, const char *path)
{
    struct pgn_game game;
    struct error reason;
    enum pgn_status status;
    bool good = true;
    struct pgn_reader *reader = pgn_open(path, r->err);
    if (reader == NULL)
        return false;
    if (r->settings->filter->keep_damaged)
        pgn_keep_damaged(reader);
    while (good && (status = pgn_next(reader, &game, &reason)) != PGN_END)
        good = take(r, status, &game, &reason);
    pgn_close(reader);
    return good;
}

/* Orders by random key; copies of a game are adjacent, in a fixed order. */
static int compare_games(const void *left, const void *right)
{
    const struct listed_game *a = left, *b = right;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    if (a->result != b->result)
        return a->result < b->result ? -1 : 1;
    return strcmp(a->name, b->name);
}

void game_list_shuffle(struct game_list *list, uint64_t index)
{
    for (size_t i = 0; i < list->count; i++)
        place(list, &list->items[i], index);
    if (list->count > 0)
        qsort(list->items, list->count, sizeof *list->items, compare_games);
}

static size_t remove_repeats(struct game_list *list)
{
    const size_t all = list->count;
    list->count = 0;
    for (size_t i = 0; i < all; i++)
        if (list->count > 0 && list->items[list->count - 1].hash == list->items[i].hash)
            listed_game_free(&list->items[i]);
        else
            list->items[list->count++] = list->items[i];
    return all - list->count;
}

bool game_list_read(struct game_list *list, const char *const *paths, int path_count,
                    const struct game_list_settings *settings,
                    const struct game_list_watcher *watcher, struct game_list_report *report,
                    struct error *err)
{
    struct list_reader r = {.list = list,
                            .settings = settings,
                            .watcher = watcher,
                            .report = report,
                            .usual = listed_game_start(&(struct listed_game){0}).key,
                            .err = err};
    *list = (struct game_list){.seed = settings->seed, .purpose = settings->purpose};
    *report = (struct game_list_report){0};
    for (int i = 0; i < path_count; i++)
        if (!read_file(&r, paths[i])) {
            game_list_free(list);
            return false;
        }
    game_list_shuffle(list, 0);
    report->twice = remove_repeats(list);
    return true;
}
