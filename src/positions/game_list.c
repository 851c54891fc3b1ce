#include "game_list.h"

#include "epd.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

/* A list being read. */
struct list_reader {
    struct game_list *list;
    const struct pgn_filter *filter;
    uint64_t seed;
    const struct game_list_watcher *watcher;
    struct game_list_report *report;
    struct error *err;
};

static bool no_memory(const struct list_reader *r)
{
    return error_set(r->err, "no memory for %zu games", r->list->count + 1);
}

static void free_game(struct listed_game *g)
{
    free(g->moves);
    free(g->name);
}

void game_list_free(struct game_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free_game(&list->items[i]);
    free(list->items);
    *list = (struct game_list){0};
}

/* Makes room for one more game. */
static bool reserve(struct game_list *list)
{
    if (list->count < list->capacity)
        return true;
    size_t capacity = 2 * list->capacity + 1024;
    struct listed_game *items = realloc(list->items, capacity * sizeof *items);
    if (items == NULL)
        return false;
    list->items = items;
    list->capacity = capacity;
    return true;
}

/* The game's random sort key. */
static uint64_t place(const struct list_reader *r, uint64_t hash)
{
    struct stream stream;
    stream_init(&stream, r->seed, STREAM_MINE, hash, 0);
    return stream_bits(&stream);
}

/* Appends a copy of a game. */
static bool keep(struct list_reader *r, const struct pgn_game *game)
{
    char name[EPD_ID];
    if (!reserve(r->list))
        return no_memory(r);
    struct listed_game *g = &r->list->items[r->list->count];
    game_name(game, name);
    *g = (struct listed_game){
        .hash = game_hash(game), .start = game->start, .plies = game->plies, .name = strdup(name)};
    g->order = place(r, g->hash);
    g->moves = malloc((game->plies + 1) * sizeof *g->moves);
    if (g->name == NULL || g->moves == NULL) {
        free_game(g);
        return no_memory(r);
    }
    for (size_t i = 0; i < game->plies; i++)
        g->moves[i] = game->moves[i].move;
    r->list->count++;
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
    bool wanted = pgn_wanted(r->filter, game);
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
    if (r->filter->keep_damaged)
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
    return strcmp(a->name, b->name);
}

/* Sorts the games and removes repeats. */
static void shuffle(const struct list_reader *r)
{
    struct game_list *list = r->list;
    size_t kept = 0;
    if (list->count > 0)
        qsort(list->items, list->count, sizeof *list->items, compare_games);
    for (size_t i = 0; i < list->count; i++)
        if (kept > 0 && list->items[kept - 1].hash == list->items[i].hash) {
            free_game(&list->items[i]);
            r->report->twice++;
        } else {
            list->items[kept++] = list->items[i];
        }
    list->count = kept;
}

bool game_list_read(struct game_list *list, const char *const *paths, int path_count,
                    const struct pgn_filter *filter, uint64_t seed,
                    const struct game_list_watcher *watcher, struct game_list_report *report,
                    struct error *err)
{
    struct list_reader r = {list, filter, seed, watcher, report, err};
    *list = (struct game_list){0};
    *report = (struct game_list_report){0};
    for (int i = 0; i < path_count; i++)
        if (!read_file(&r, paths[i])) {
            game_list_free(list);
            return false;
        }
    shuffle(&r);
    return true;
}
