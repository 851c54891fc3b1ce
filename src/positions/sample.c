#include "sample.h"

#include "epd.h"
#include "key_set.h"
#include "quiesce.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { APART = 8 }; /* one game of so many is apart */

/* The random streams of a game: its sort key, its plies, its sort key in later passes. */
enum { STREAM_ORDER, STREAM_PLY, STREAM_NEW_ORDER };

/* A game to draw from. */
struct game {
    uint64_t hash;
    uint64_t order; /* random sort key */
    Move *moves;
    struct position *start; /* NULL: the usual start position */
    char *id;
    size_t plies;
    enum pgn_result result;
    bool sides[2]; /* sides whose moves may be drawn */
    int given;     /* positions drawn from it so far */
    size_t round;  /* the last round in which it gave a position */
    bool drained;  /* no position is left */
};

/* A ply that may be drawn. */
struct choice {
    uint64_t key;
    size_t ply;
};

struct sampler {
    const struct sample_settings *settings;
    struct sample_report *report;
    struct error *err;
    struct position usual_start;
    struct game *games;
    size_t count, capacity;
    size_t next;   /* the game to draw from next */
    size_t passes; /* complete passes over the games */
    size_t round;  /* a game gives one position per round; each part begins a new round */
    struct choice *choices;
    size_t choice_capacity;
    struct key_set excluded, taken;
};

/* ---- games ---- */

static void free_game(struct game *g)
{
    free(g->moves);
    free(g->start);
    free(g->id);
}

static bool no_memory(struct sampler *s)
{
    return error_set(s->err, "no memory for %zu games", s->count + 1);
}

/* Sets the game's random sort key. */
static void place_game(const struct sampler *s, struct game *g, uint64_t index)
{
    struct stream stream;
    stream_init(&stream, s->settings->seed, STREAM_SAMPLE, g->hash, index);
    g->order = stream_bits(&stream);
}

/* Copies the needed parts of a game. */
static bool copy_game(struct sampler *s, const struct pgn_game *from, struct game *g)
{
    char id[EPD_ID];
    game_name(from, id);
    *g = (struct game){.hash = game_hash(from), .plies = from->plies, .result = from->result};
    place_game(s, g, STREAM_ORDER);
    g->id = strdup(id);
    g->moves = malloc((from->plies + 1) * sizeof *g->moves);
    bool usual = from->start.key == s->usual_start.key;
    if (!usual)
        g->start = malloc(sizeof *g->start);
    if (g->id == NULL || g->moves == NULL || (!usual && g->start == NULL)) {
        free_game(g);
        return no_memory(s);
    }
    if (!usual)
        *g->start = from->start;
    for (size_t i = 0; i < from->plies; i++)
        g->moves[i] = from->moves[i].move;
    return true;
}

/* ---- plies ---- */

/* True if a name continues at this byte of a tag, which is UTF-8 or Latin-1. */
static bool is_of_name(char c)
{
    unsigned char byte = (unsigned char)c;
    return isalnum(byte) || byte >= 0x80;
}

/* True if a player's tag begins with the wanted name. */
static bool is_player(const char *wanted, const char *tag)
{
    size_t length = wanted == NULL ? 0 : strlen(wanted);
    return wanted == NULL || (strncasecmp(tag, wanted, length) == 0 && !is_of_name(tag[length]));
}

/* True if quiescence searches nothing. */
static bool is_quiet(const struct position *p)
{
    struct move_list list;
    return quiesce_moves(p, 0, NO_SQUARE, &list) == QUIESCE_STAND_PAT && list.count == 0;
}

/* True if this ply may be drawn: it is in range, with the right side to move and not a null move,
 * there is a choice of moves, and the position is quiet if that is required. */
static bool is_eligible(const struct sampler *s, const struct game *g, const struct position *p,
                        size_t ply)
{
    const struct sample_settings *set = s->settings;
    if (ply < (size_t)set->first_ply || (set->last_ply > 0 && ply > (size_t)set->last_ply) ||
        g->moves[ply] == NO_MOVE)
        return false;
    if (!g->sides[p->side])
        return false;
    return movegen_count(p) >= 2 && (!set->quiet || is_quiet(p));
}

static void play(struct position *p, Move m)
{
    struct undo undo;
    if (m == NO_MOVE)
        position_make_null(p, &undo);
    else
        position_make(p, m, &undo);
}

/* The position before a ply. */
static struct position position_at(const struct sampler *s, const struct game *g, size_t ply)
{
    struct position p = g->start != NULL ? *g->start : s->usual_start;
    for (size_t i = 0; i < ply; i++)
        play(&p, g->moves[i]);
    return p;
}

static bool has_eligible(const struct sampler *s, const struct game *g)
{
    struct position p = position_at(s, g, 0);
    for (size_t ply = 0; ply < g->plies; ply++) {
        if (is_eligible(s, g, &p, ply))
            return true;
        play(&p, g->moves[ply]);
    }
    return false;
}

/* Lists the plies that may be drawn in s->choices, which has room for all. */
static size_t list_choices(struct sampler *s, const struct game *g)
{
    struct position p = position_at(s, g, 0);
    size_t count = 0;
    for (size_t ply = 0; ply < g->plies; ply++) {
        if (is_eligible(s, g, &p, ply))
            s->choices[count++] = (struct choice){.key = p.key, .ply = ply};
        play(&p, g->moves[ply]);
    }
    return count;
}

/* ---- reading ---- */

/* Makes room for one more game, and for the plies of the longest. */
static bool reserve(struct sampler *s, size_t plies)
{
    if (s->count == s->capacity) {
        size_t capacity = 2 * s->capacity + 1024;
        struct game *games = realloc(s->games, capacity * sizeof *games);
        if (games == NULL)
            return no_memory(s);
        s->games = games;
        s->capacity = capacity;
    }
    if (plies > s->choice_capacity) {
        struct choice *choices = realloc(s->choices, 2 * plies * sizeof *choices);
        if (choices == NULL)
            return no_memory(s);
        s->choices = choices;
        s->choice_capacity = 2 * plies;
    }
    return true;
}

/* Stores the game if it passes the filter and has a ply to draw. */
static bool consider(struct sampler *s, const struct pgn_game *game)
{
    struct sample_report *report = s->report;
    struct pgn_filter filter = s->settings->filter;
    report->games++;
    bool white = is_player(s->settings->player, game->white) &&
                 (!s->settings->winner || game->result == PGN_WHITE_WINS);
    bool black = is_player(s->settings->player, game->black) &&
                 (!s->settings->winner || game->result == PGN_BLACK_WINS);
    if (!pgn_wanted(&filter, game) || (s->settings->results && game->result == PGN_UNKNOWN) ||
        !(white || black)) {
        report->filtered++;
        return true;
    }
    struct game *g;
    if (!reserve(s, game->plies) || !copy_game(s, game, g = &s->games[s->count]))
        return false;
    g->sides[WHITE] = white;
    g->sides[BLACK] = black;
    bool excluded = key_set_has(&s->excluded, g->hash);
    bool empty = !excluded && !has_eligible(s, g);
    report->excluded_games += excluded;
    report->without_position += empty;
    if (excluded || empty)
        free_game(g);
    else
        s->count++;
    return true;
}

/* Reads one file. */
static bool read_games(struct sampler *s, const char *path,
                       void (*skipped)(void *context, const char *reason), void *context)
{
    struct pgn_reader *reader = pgn_open(path, s->err);
    if (reader == NULL)
        return false;
    struct pgn_game game;
    struct error reason;
    enum pgn_status status;
    bool good = true;
    if (s->settings->filter.keep_damaged)
        pgn_keep_damaged(reader);
    while (good && (status = pgn_next(reader, &game, &reason)) != PGN_END) {
        if (status == PGN_GAME)
            good = consider(s, &game);
        else if (status == PGN_FAILED)
            good = error_set(s->err, "%s", reason.text);
        else {
            s->report->games++;
            s->report->broken++;
            if (skipped != NULL)
                skipped(context, reason.text);
        }
    }
    pgn_close(reader);
    return good;
}

/* Orders by random key; copies of a game are adjacent, in a fixed order. */
static int compare_games(const void *left, const void *right)
{
    const struct game *a = left, *b = right;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    if (a->result != b->result)
        return a->result < b->result ? -1 : 1;
    return strcmp(a->id, b->id);
}

/* Sorts the games by random key and removes repeats. */
static void shuffle(struct sampler *s)
{
    size_t kept = 0;
    if (s->count > 0)
        qsort(s->games, s->count, sizeof *s->games, compare_games);
    for (size_t i = 0; i < s->count; i++) {
        if (kept > 0 && s->games[kept - 1].hash == s->games[i].hash) {
            free_game(&s->games[i]);
            s->report->duplicate_games++;
        } else {
            s->games[kept++] = s->games[i];
        }
    }
    s->count = kept;
    s->report->candidates = kept;
}

/* Keeps the games of one side, after shuffle(), by their random keys. */
static void take_side(struct sampler *s)
{
    const enum sample_side side = s->settings->side;
    size_t apart = 0;
    while (apart < s->count && s->games[apart].order < UINT64_MAX / APART)
        apart++;
    if (side == SAMPLE_ALL)
        return;
    if (side == SAMPLE_APART && apart == 0 && s->count > 0)
        apart = 1;
    const size_t first = side == SAMPLE_REST ? apart : 0;
    const size_t last = side == SAMPLE_REST ? s->count : apart;
    for (size_t i = 0; i < s->count; i++)
        if (i < first || i >= last)
            free_game(&s->games[i]);
    s->count = last - first;
    memmove(s->games, s->games + first, s->count * sizeof *s->games);
    s->report->candidates = s->count;
}

/* ---- drawing ---- */

/* Draws an unused position from the game, or marks the game as drained. The game has a random
 * stream of its own; a second draw continues it, because earlier draws are taken. */
static bool draw(struct sampler *s, struct game *g, struct epd *epd)
{
    struct stream stream;
    stream_init(&stream, s->settings->seed, STREAM_SAMPLE, g->hash, STREAM_PLY);
    size_t count = list_choices(s, g);
    for (size_t i = 0; i < count; i++) {
        size_t j = i + stream_below(&stream, count - i);
        struct choice choice = s->choices[j];
        s->choices[j] = s->choices[i];
        if (key_set_has(&s->taken, choice.key)) {
            s->report->duplicate_positions += g->given == 0;
            continue;
        }
        *epd = (struct epd){.position = position_at(s, g, choice.ply),
                            .best = {g->moves[choice.ply]},
                            .best_count = 1,
                            .game = g->hash,
                            .result = s->settings->results ? g->result : PGN_UNKNOWN};
        snprintf(epd->id, sizeof epd->id, "%s", g->id);
        g->given++;
        return true;
    }
    g->drained = true;
    return false;
}

/* Advances to the next game. After the last one, shuffles the games again, so that parts that share
 * games do not draw from the same ones in the same order. */
static void advance(struct sampler *s)
{
    if (++s->next < s->count)
        return;
    s->next = 0;
    for (size_t i = 0; i < s->count; i++)
        place_game(s, &s->games[i], STREAM_NEW_ORDER + s->passes);
    s->passes++;
    qsort(s->games, s->count, sizeof *s->games, compare_games);
}

/* True if a game may give a position in this round. */
static bool may_give(const struct sampler *s, const struct game *g)
{
    int per_game = s->settings->per_game > 0 ? s->settings->per_game : 1;
    return g->given < per_game && g->round != s->round && !g->drained;
}

static bool any_may_give(const struct sampler *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (may_give(s, &s->games[i]))
            return true;
    return false;
}

/* Tries as many games as there are, from the next one on. */
static bool try_games(struct sampler *s, struct epd *epd)
{
    for (size_t tried = 0; tried < s->count; tried++) {
        struct game *g = &s->games[s->next];
        bool drawn = may_give(s, g) && draw(s, g, epd);
        if (drawn)
            g->round = s->round;
        advance(s);
        if (drawn)
            return true;
    }
    return false;
}

/* Draws from the next game that may give a position in this round. A shuffle on the way may put a game
 * that was not tried among those before it, and so out of reach; then the new pass goes on. */
static bool draw_next(struct sampler *s, struct epd *epd)
{
    bool drawn = try_games(s, epd);
    while (!drawn && any_may_give(s))
        drawn = try_games(s, epd);
    return drawn;
}

/* Draws `count` positions (0: one from every game), to `out` or to nowhere: in one round if there
 * are enough games, else in more. */
static bool draw_part(struct sampler *s, size_t count, struct dataset *out)
{
    struct epd epd;
    size_t drawn = 0, rounds = 1;
    for (s->round++; count == 0 || drawn < count; drawn++) {
        bool found = draw_next(s, &epd);
        if (!found && count == 0)
            break;
        if (!found) {
            s->round++;
            rounds++;
            found = draw_next(s, &epd);
        }
        if (!found && s->settings->fewer && drawn > 0)
            break;
        if (!found)
            return error_set(s->err,
                             "too few positions: %zu of %zu are found in %zu games; ask for fewer, "
                             "or let in more games or more positions of a game",
                             drawn, count, s->count);
        if (!key_set_add(&s->taken, epd.position.key))
            return no_memory(s);
        if (out != NULL && !dataset_append(out, &epd, s->err))
            return false;
        s->report->drawn += out != NULL;
    }
    s->report->rounds = rounds > s->report->rounds ? rounds : s->report->rounds;
    return true;
}

/* Drops the positions to skip, then draws the parts. Fewer must be some. */
static bool draw_all(struct sampler *s, struct dataset *out)
{
    const struct sample_settings *set = s->settings;
    const size_t count = set->average > 0 ? set->average * s->count : set->count;
    int parts = set->parts > 0 && count > 0 ? set->parts : 1;
    bool good = set->skip == 0 || draw_part(s, set->skip, NULL);
    for (int i = 0; good && i < parts; i++) {
        good = draw_part(s, count, out);
        if (!good && parts > 1)
            error_prefix(s->err, "part %d: ", i + 1);
    }
    if (good && set->fewer && s->report->drawn == 0)
        return error_set(s->err, "no position is left to draw among %zu games; let in more games",
                         s->count);
    return good;
}

/* Records the excluded positions and games. */
static bool note_excluded(struct sampler *s, const struct dataset *exclude)
{
    for (size_t i = 0; exclude != NULL && i < exclude->count; i++) {
        const struct epd *epd = &exclude->items[i];
        if (!key_set_add(&s->taken, epd->position.key) ||
            (epd->game != 0 && !key_set_add(&s->excluded, epd->game)))
            return no_memory(s);
    }
    return true;
}

bool sample_positions(const char *const *paths, int path_count,
                      const struct sample_settings *settings, const struct dataset *exclude,
                      void (*skipped)(void *context, const char *reason), void *context,
                      struct dataset *out, struct sample_report *report, struct error *err)
{
    struct sampler s = {.settings = settings, .report = report, .err = err};
    *report = (struct sample_report){0};
    bool good =
        position_from_fen(&s.usual_start, FEN_START, NULL, err) && note_excluded(&s, exclude);
    for (int i = 0; good && i < path_count; i++)
        good = read_games(&s, paths[i], skipped, context);
    if (good) {
        shuffle(&s);
        take_side(&s);
        good = draw_all(&s, out);
    }
    for (size_t i = 0; i < s.count; i++)
        free_game(&s.games[i]);
    free(s.games);
    free(s.choices);
    key_set_free(&s.excluded);
    key_set_free(&s.taken);
    return good;
}
