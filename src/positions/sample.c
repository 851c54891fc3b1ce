#include "sample.h"

#include "array.h"
#include "key_set.h"
#include "quiesce.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { APART = 8 }; /* one game of so many is apart */

/* The random streams of a game after its sort key: its plies, its sort key in later passes. */
enum { STREAM_PLY = 1, STREAM_NEW_ORDER };

/* A ply that may be drawn. */
struct choice {
    uint64_t key;
    size_t ply;
};

/* The scores of a player, in cells of SCORE_CELL centipawns up to SCORE_RANGE, with the results of their games. */
enum { SCORE_CELL = 2, SCORE_RANGE = 4000, SCORE_CELLS = 2 * SCORE_RANGE / SCORE_CELL + 1 };

struct scorer {
    char *name;  /* owned */
    double unit; /* what its score is multiplied with */
    uint32_t moves[SCORE_CELLS], half_points[SCORE_CELLS];
};

struct sampler {
    const struct sample_settings *settings;
    struct sample_report *report;
    struct error *err;
    struct game_list games;
    size_t next;            /* the game to draw from next */
    size_t passes;          /* complete passes over the games */
    size_t round;           /* a game gives one position per round; each part begins a new round */
    struct choice *choices; /* room for the plies of the longest game */
    size_t longest;
    struct scorer *scorers;
    size_t scorer_count;
    bool short_of_memory;
    struct key_set excluded, taken;
};

static bool no_memory(struct sampler *s)
{
    return error_set(s->err, "no memory for %zu games", s->games.count + 1);
}

/* ---- plies ---- */

/* True if a player's tag, UTF-8 or Latin-1, begins with the wanted name, which does not go on there. */
static bool is_player(const char *wanted, const char *tag)
{
    const size_t length = wanted == NULL ? 0 : strlen(wanted);
    if (wanted == NULL || strncasecmp(tag, wanted, length) != 0)
        return wanted == NULL;
    const unsigned char next = (unsigned char)tag[length];
    return !isalnum(next) && next < 0x80;
}

/* True if quiescence searches nothing. */
static bool is_quiet(const struct position *p)
{
    struct move_list list;
    return quiesce_moves(p, 0, NO_SQUARE, &list) == QUIESCE_STAND_PAT && list.count == 0;
}

/* True if this ply may be drawn: it is in range, with the right side to move and not a null move,
 * there is a choice of moves, and the position is quiet if that is required. */
static bool is_eligible(const struct sampler *s, const struct listed_game *g,
                        const struct position *p, size_t ply)
{
    const struct sample_settings *set = s->settings;
    if (ply < (size_t)set->first_ply || (set->last_ply > 0 && ply > (size_t)set->last_ply) ||
        g->moves[ply] == NO_MOVE || !g->sides[p->side])
        return false;
    return movegen_count(p) >= 2 && (!set->quiet || is_quiet(p));
}

static struct position position_at(const struct listed_game *g, size_t ply)
{
    struct position p = listed_game_start(g);
    for (size_t i = 0; i < ply; i++)
        listed_game_play(g, i, &p);
    return p;
}

/* Lists the plies that may be drawn in s->choices, or NULL: tells whether there is one. */
static size_t list_choices(const struct sampler *s, const struct listed_game *g)
{
    struct position p = listed_game_start(g);
    size_t count = 0;
    for (size_t ply = 0; ply < g->plies; ply++) {
        if (is_eligible(s, g, &p, ply)) {
            if (s->choices == NULL)
                return 1;
            s->choices[count++] = (struct choice){.key = p.key, .ply = ply};
        }
        listed_game_play(g, ply, &p);
    }
    return count;
}

/* ---- scores ---- */

/* The index of a player, who joins the list if it is not there; -1 without memory. */
static int find_scorer(struct sampler *s, const char *name)
{
    for (size_t i = 0; i < s->scorer_count; i++)
        if (strcmp(s->scorers[i].name, name) == 0)
            return (int)i;
    if (!array_grow(s->scorers, s->scorer_count))
        return -1;
    struct scorer *new = &s->scorers[s->scorer_count];
    *new = (struct scorer){.name = strdup(name)};
    return new->name == NULL ? -1 : (int)s->scorer_count++;
}

/* Copies the scores of a game, if it has any, and counts them for its players. */
static bool note_scores(struct sampler *s, const struct pgn_game *game, struct listed_game *g)
{
    size_t first = 0;
    while (first < game->plies && game->scores[first] == PGN_UNSCORED)
        first++;
    if (first == game->plies)
        return true;
    g->scores = malloc(game->plies * sizeof *g->scores);
    g->players[WHITE] = find_scorer(s, game->white);
    g->players[BLACK] = find_scorer(s, game->black);
    if (g->scores == NULL || g->players[WHITE] < 0 || g->players[BLACK] < 0)
        return false;
    memcpy(g->scores, game->scores, game->plies * sizeof *g->scores);
    for (size_t ply = 0; ply < game->plies; ply++) {
        const enum color side = (enum color)((unsigned)game->start.side ^ (ply & 1));
        struct scorer *scorer = &s->scorers[g->players[side]];
        if (g->scores[ply] < -SCORE_RANGE || g->scores[ply] > SCORE_RANGE) /* also none */
            continue;
        const int cell = (g->scores[ply] + SCORE_RANGE + SCORE_CELL / 2) / SCORE_CELL;
        scorer->moves[cell]++;
        scorer->half_points[cell] += g->result == PGN_DRAW                              ? 1
                                     : (g->result == PGN_WHITE_WINS) == (side == WHITE) ? 2
                                                                                        : 0;
    }
    return true;
}

/* The squared error with which a player's scores predict its results at K, less a constant. */
static double scorer_error(const struct scorer *scorer, double k)
{
    double error = 0;
    for (int i = 0; i < SCORE_CELLS; i++) {
        const double chance = 1 / (1 + exp(-(i * SCORE_CELL - SCORE_RANGE) / k));
        error += chance * (scorer->moves[i] * chance - scorer->half_points[i]);
    }
    return error;
}

/* Sets the score of a position that was drawn. */
static void set_score(const struct sampler *s, const struct listed_game *g, size_t ply,
                      struct epd *epd)
{
    epd->has_score = g->scores != NULL && g->scores[ply] != PGN_UNSCORED;
    if (epd->has_score) {
        const double score = g->scores[ply] * s->scorers[g->players[epd->position.side]].unit;
        epd->score = (int32_t)lround(fmin(fmax(score, -EPD_SCORE_MAX), EPD_SCORE_MAX));
    }
}

/* ---- the games ---- */

/* True if a game is wanted and has a ply to draw. */
static bool keeps(void *context, const struct pgn_game *game, struct listed_game *g)
{
    struct sampler *s = context;
    const struct sample_settings *set = s->settings;
    struct sample_report *report = s->report;
    g->result = game->result;
    g->sides[WHITE] =
        is_player(set->player, game->white) && (!set->winner || game->result == PGN_WHITE_WINS);
    g->sides[BLACK] =
        is_player(set->player, game->black) && (!set->winner || game->result == PGN_BLACK_WINS);
    bool filtered =
        (set->results && game->result == PGN_UNKNOWN) || !(g->sides[WHITE] || g->sides[BLACK]);
    bool excluded = !filtered && key_set_has(&s->excluded, g->hash);
    bool empty = !filtered && !excluded && list_choices(s, g) == 0;
    report->read.filtered += filtered;
    report->excluded_games += excluded;
    report->without_position += empty;
    if (set->results && !filtered && !excluded && !empty && !note_scores(s, game, g))
        s->short_of_memory = true;
    if (g->plies > s->longest)
        s->longest = g->plies;
    return !filtered && !excluded && !empty;
}

/* Leaves the games of one side, by their random keys. */
static void take_side(struct sampler *s)
{
    struct game_list *list = &s->games;
    const enum sample_side side = s->settings->side;
    size_t apart = 0;
    while (apart < list->count && list->items[apart].order < UINT64_MAX / APART)
        apart++;
    if (side == SAMPLE_APART && apart == 0 && list->count > 0)
        apart = 1;
    const size_t first = side == SAMPLE_REST ? apart : 0;
    const size_t last = side == SAMPLE_APART ? apart : list->count;
    for (size_t i = 0; i < list->count; i++)
        if (i < first || i >= last)
            listed_game_free(&list->items[i]);
    list->count = last - first;
    if (first > 0)
        memmove(list->items, list->items + first, list->count * sizeof *list->items);
}

/* Reads the games, and makes room for the plies of the longest. */
static bool read_games(struct sampler *s, const char *const *paths, int path_count,
                       const struct game_list_watcher *watcher)
{
    const struct game_list_settings settings = {.filter = &s->settings->filter,
                                                .seed = s->settings->seed,
                                                .purpose = STREAM_SAMPLE,
                                                .keeps = keeps,
                                                .context = s};
    struct game_list_report read;
    bool good = game_list_read(&s->games, paths, path_count, &settings, watcher, &read, s->err);
    read.filtered += s->report->read.filtered; /* here */
    s->report->read = read;
    if (!good || s->short_of_memory)
        return good && no_memory(s);
    /* Each player's unit is that of its K. */
    for (size_t i = 0; i < s->scorer_count; i++) {
        double least = INFINITY;
        for (double k = 20; k < 5000; k *= 1.02) {
            const double error = scorer_error(&s->scorers[i], k);
            if (error < least) {
                least = error;
                s->scorers[i].unit = EPD_SCORE_K / k;
            }
        }
    }
    take_side(s);
    s->report->candidates = s->games.count;
    s->choices = malloc((s->longest + 1) * sizeof *s->choices);
    return s->choices != NULL || no_memory(s);
}

/* ---- drawing ---- */

/* Draws an unused position from the game, by its own random stream, or marks it as drained. */
static bool draw(struct sampler *s, struct listed_game *g, struct epd *epd)
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
        *epd = (struct epd){.position = position_at(g, choice.ply),
                            .best = {g->moves[choice.ply]},
                            .best_count = 1,
                            .game = g->hash,
                            .result = s->settings->results ? g->result : PGN_UNKNOWN};
        set_score(s, g, choice.ply, epd);
        snprintf(epd->id, sizeof epd->id, "%s", g->name);
        g->given++;
        return true;
    }
    g->drained = true;
    return false;
}

static bool may_give(const struct sampler *s, const struct listed_game *g)
{
    int per_game = s->settings->per_game > 0 ? s->settings->per_game : 1;
    return g->given < per_game && g->round != s->round && !g->drained;
}

static bool any_may_give(const struct sampler *s)
{
    for (size_t i = 0; i < s->games.count; i++)
        if (may_give(s, &s->games.items[i]))
            return true;
    return false;
}

/* Tries as many games as there are, from the next one on. */
static bool try_games(struct sampler *s, struct epd *epd)
{
    for (size_t tried = 0; tried < s->games.count; tried++) {
        struct listed_game *g = &s->games.items[s->next];
        bool drawn = may_give(s, g) && draw(s, g, epd);
        if (drawn)
            g->round = s->round;
        if (++s->next == s->games.count) {
            s->next = 0; /* in a new order, or parts would draw from the same games */
            game_list_shuffle(&s->games, STREAM_NEW_ORDER + s->passes++);
        }
        if (drawn)
            return true;
    }
    return false;
}

/* Draws from the next game that may give a position in this round. A shuffle on the way may put a game
 * that was not tried among those before it, and so out of reach; then the new pass goes on. */
static bool draw_next(struct sampler *s, struct epd *epd)
{
    do {
        if (try_games(s, epd))
            return true;
    } while (any_may_give(s));
    return false;
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
                             drawn, count, s->games.count);
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
    const size_t count = set->average > 0 ? set->average * s->games.count : set->count;
    int parts = set->parts > 0 && count > 0 ? set->parts : 1;
    bool good = set->skip == 0 || draw_part(s, set->skip, NULL);
    for (int i = 0; good && i < parts; i++) {
        good = draw_part(s, count, out);
        if (!good && parts > 1)
            error_prefix(s->err, "part %d: ", i + 1);
    }
    if (good && set->fewer && s->report->drawn == 0)
        return error_set(s->err, "no position is left to draw among %zu games; let in more games",
                         s->games.count);
    return good;
}

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
                      const struct game_list_watcher *watcher, struct dataset *out,
                      struct sample_report *report, struct error *err)
{
    struct sampler s = {.settings = settings, .report = report, .err = err};
    *report = (struct sample_report){0};
    bool good = note_excluded(&s, exclude) && read_games(&s, paths, path_count, watcher) &&
                draw_all(&s, out);
    game_list_free(&s.games);
    for (size_t i = 0; i < s.scorer_count; i++)
        free(s.scorers[i].name);
    free(s.scorers);
    free(s.choices);
    key_set_free(&s.excluded);
    key_set_free(&s.taken);
    return good;
}
