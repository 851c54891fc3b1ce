#include "opening.h"

#include "array.h"
#include "epd.h"
#include "game_end.h"
#include "input.h"
#include "key_set.h"
#include "pgn.h"
#include "stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct book_reader {
    struct book *book;
    const char *path; /* for messages */
    int plies;
    struct key_set ends; /* keys of the openings' final positions */
};

/* ---- openings ---- */

/* Plays an opening; false, with the reason, if the game is then over. */
static bool play(const struct opening *o, struct position *p, struct error *err)
{
    struct history history;
    struct undo undo;
    enum game_end end;
    *p = o->start;
    history_init(&history);
    for (int ply = 0;; ply++) {
        if (game_is_over(p, &history, &end))
            return error_set(err, "the game is over after the opening, %s",
                             end == GAME_CHECKMATE ? "by checkmate"
                                                   : game_end_text(end, GAME_DRAWN));
        if (ply == o->plies)
            return true;
        history_push(&history, p);
        position_make(p, o->moves[ply], &undo);
    }
}

/* Adds an opening, unless another one ends in the same position. */
static bool add(struct book_reader *r, const struct opening *o, long line, struct error *err)
{
    struct book *b = r->book;
    struct position p;
    if (!play(o, &p, err))
        return error_prefix(err, "%s:%ld: ", r->path, line);
    if (key_set_has(&r->ends, p.key))
        return true;
    if (!array_grow(b->items, b->count) || !key_set_add(&r->ends, p.key))
        return error_set(err, "%s: no memory for %zu openings", r->path, b->count + 1);
    b->items[b->count++] = *o;
    return true;
}

/* ---- games ---- */

/* Reads the book as games; takes over `in`. */
static bool read_games(struct book_reader *r, struct input *in, struct error *err)
{
    struct pgn_reader *reader = pgn_open_input(in, r->path, err);
    struct pgn_game game;
    enum pgn_status status = PGN_GAME;
    bool good = reader != NULL;
    while (good && (status = pgn_next(reader, &game, err)) == PGN_GAME) {
        struct opening o = {.start = game.start};
        for (; good && o.plies < r->plies && (size_t)o.plies < game.plies; o.plies++) {
            o.moves[o.plies] = game.moves[o.plies];
            good = o.moves[o.plies] != NO_MOVE ||
                   error_set(err, "%s:%ld: game %ld: a null move in the opening", r->path,
                             game.line, game.number);
        }
        good = good && add(r, &o, game.line, err);
    }
    pgn_close(reader);
    return good && status == PGN_END;
}

static bool read_positions(struct book_reader *r, struct input *in, struct error *err)
{
    struct epd epd;
    long line;
    enum epd_status status = EPD_POSITION;
    bool good = true;
    while (good && (status = epd_next(in, r->path, EPD_ANY, &epd, &line, err)) == EPD_POSITION)
        good = add(r, &(struct opening){.start = epd.position}, line, err);
    input_close(in);
    return good && status == EPD_END;
}

bool book_read(struct book *b, const char *path, int plies, struct error *err)
{
    struct book_reader r = {
        .book = b, .path = strcmp(path, "-") == 0 ? "standard input" : path, .plies = plies};
    assert(plies >= 1 && plies <= OPENING_PLIES);
    *b = (struct book){0};
    struct input *in = input_open(path, FILE_POSITIONS | FILE_GAMES, err);
    if (in == NULL)
        return false;
    const bool positions = (input_kind(in) & (FILE_POSITIONS | FILE_BLANK)) != 0;
    const bool good = (positions ? read_positions : read_games)(&r, in, err) &&
                      (b->count > 0 || error_set(err, "%s: no opening is in this book", r.path));
    key_set_free(&r.ends);
    if (!good)
        book_free(b);
    return good;
}

const struct opening *book_chess960(const struct book *b)
{
    for (size_t i = 0; i < b->count; i++)
        if (position_is_chess960(&b->items[i].start))
            return &b->items[i];
    return NULL;
}

bool book_suits(const struct book *b, const struct uci_settings *engine, struct error *err)
{
    char fen[FEN_MAX];
    const bool plays = engine == NULL || engine->command == NULL || engine->chess960;
    const struct opening *o = plays ? NULL : book_chess960(b);
    if (o == NULL)
        return true;
    position_to_fen(&o->start, fen);
    return error_set(err,
                     "%.200s has no option UCI_Chess960, which opening %zu of the book needs: %s",
                     engine->command, (size_t)(o - b->items) + 1, fen);
}

struct position opening_end(const struct opening *o)
{
    struct position p = o->start;
    for (int i = 0; i < o->plies; i++) {
        struct undo undo;
        position_make(&p, o->moves[i], &undo);
    }
    return p;
}

void book_free(struct book *b)
{
    free(b->items);
    *b = (struct book){0};
}

void book_shuffle(uint64_t seed, uint64_t pass, size_t count, uint32_t *order)
{
    struct stream stream;
    stream_init(&stream, seed, STREAM_OPENINGS, pass, 0);
    stream_permutation(&stream, count, order);
}
