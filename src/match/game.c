#include "game.h"

#include "array.h"
#include "engine.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct play {
    struct player *const *players;
    const struct game_conditions *conditions;
    struct game *g;
    struct position position;
    struct history history;
    int64_t left[2]; /* microseconds on the clocks */
    bool ended;
};

/* ---- end of the game ---- */

static enum game_result win_of(enum color side)
{
    return side == WHITE ? GAME_WHITE_WINS : GAME_BLACK_WINS;
}

static void finish(struct play *p, enum game_end end, enum game_result result)
{
    p->g->end = end;
    p->g->result = result;
    p->ended = true;
}

static void apply_rules(struct play *p)
{
    enum game_end end;
    if (!game_is_over(&p->position, &p->history, &end))
        return;
    enum color winner = color_other((enum color)p->position.side);
    finish(p, end, end == GAME_CHECKMATE ? win_of(winner) : GAME_DRAWN);
}

/* ---- adjudication ---- */

/* The lowest and highest score, from White's side, of the last `moves` moves of each side. False if
 * a side has searched fewer moves, or played one without a score. */
static bool score_range(const struct game *g, int moves, int32_t *low, int32_t *high)
{
    int first = g->plies - 2 * moves;
    if (moves <= 0 || first < g->opening_plies)
        return false;
    *low = INFINITE_SCORE;
    *high = -INFINITE_SCORE;
    for (int i = first; i < g->plies; i++) {
        if (g->moves[i].score == GAME_UNSCORED)
            return false;
        bool white = (g->start.side + i) % 2 == WHITE;
        int32_t score = white ? g->moves[i].score : -g->moves[i].score;
        *low = score < *low ? score : *low;
        *high = score > *high ? score : *high;
    }
    return true;
}

static void adjudicate(struct play *p)
{
    const struct game_adjudication *a = &p->conditions->adjudication;
    const struct game *g = p->g;
    int32_t low, high;
    if (a->win_score > 0 && score_range(g, a->win_moves, &low, &high) &&
        (low >= a->win_score || high <= -a->win_score))
        finish(p, GAME_RESIGNED, win_of(low > 0 ? WHITE : BLACK));
    else if (g->plies >= 2 * a->draw_from && score_range(g, a->draw_moves, &low, &high) &&
             low >= -a->draw_score && high <= a->draw_score)
        finish(p, GAME_AGREED, GAME_DRAWN);
    else if (a->max_plies > 0 && g->plies >= a->max_plies)
        finish(p, GAME_TOO_LONG, GAME_DRAWN);
}

/* ---- moves ---- */

/* Plays and stores a move, then applies the rules for the end of the game. */
static bool make(struct play *p, const struct game_move *m, struct error *err)
{
    struct game *g = p->g;
    struct undo undo;
    if (!array_grow(g->moves, g->plies))
        return error_set(err, "no memory for the moves of a game");
    g->moves[g->plies++] = *m;
    history_push(&p->history, &p->position);
    position_make(&p->position, m->move, &undo);
    apply_rules(p);
    return true;
}

/* Sets up the position and plays the moves of the opening. */
static bool begin(struct play *p, const struct opening *opening, struct error *err)
{
    struct game *g = p->g;
    *g = (struct game){.start = opening->start, .moves = g->moves};
    p->position = opening->start;
    history_init(&p->history);
    apply_rules(p);
    for (int i = 0; i < opening->plies && !p->ended; i++) {
        assert(movegen_is_legal(&p->position, opening->moves[i]));
        const struct game_move move = {.move = opening->moves[i]};
        if (!make(p, &move, err))
            return false;
    }
    g->opening_plies = g->plies;
    return true;
}

/* ---- turns ---- */

/* Subtracts the time of a move from the clock and adds the increment. False if the time is over. */
static bool press_clock(struct play *p, int64_t time)
{
    const struct game_limits *l = &p->conditions->limits;
    int64_t *left = &p->left[p->position.side];
    if (l->movetime > 0 && time > (l->movetime + l->grace) * 1000)
        return false;
    if (l->time == 0)
        return true;
    *left -= time;
    bool in_time = *left >= -l->grace * 1000;
    *left = (*left > 0 ? *left : 0) + l->increment * 1000;
    return in_time;
}

/* Keeps why the side to move has failed, and the end of its log. */
static void keep_failure(struct play *p, const struct error *reason)
{
    const struct player *player = p->players[p->position.side];
    const char *log = player->method->log(player);
    size_t room = GAME_FAILURE - strlen(reason->text) - 2, length = strlen(log);
    log += length > room ? length - room : 0;
    while (((unsigned char)*log & 0xc0) == 0x80) /* do not cut a character */
        log++;
    snprintf(p->g->failure, GAME_FAILURE, "%s\n%s", reason->text, log);
}

/* Asks the side to move for a move, and plays it. A failure after the game was given up is none: the
 * signal that stops this program may have reached the player's process as well. */
static bool move(struct play *p, struct error *err)
{
    static const enum game_end failures[] = {
        [UCI_EXITED] = GAME_EXITED, [UCI_HUNG] = GAME_HUNG, [UCI_ILLEGAL] = GAME_ILLEGAL};
    const struct game_conditions *c = p->conditions;
    const enum color side = (enum color)p->position.side;
    struct player *player = p->players[side];
    struct game_effort *effort = &p->g->efforts[side];
    const struct player_turn turn = {.position = &p->position,
                                     .history = &p->history,
                                     .start = &p->g->start,
                                     .moves = p->g->moves,
                                     .plies = p->g->plies,
                                     .limits = &c->limits,
                                     .left = {p->left[WHITE], p->left[BLACK]},
                                     .stop = c->stop,
                                     .cancelled = c->cancelled};
    struct error reason = {""};
    const struct player_answer a = player->method->move(player, &turn, &reason);
    if (a.end == UCI_NO_MEMORY)
        return error_set(err, "%s", reason.text);
    const bool in_time = press_clock(p, a.time);
    p->g->nodes += a.nodes;
    effort->moves++;
    effort->nodes += a.nodes;
    p->g->last_time = a.time;
    effort->cut += a.cut;
    if (a.end == UCI_STOPPED || (a.end != UCI_MOVE && flags_are_set(c->stop, c->cancelled))) {
        finish(p, GAME_ABANDONED, GAME_DRAWN);
    } else if (a.end != UCI_MOVE) {
        keep_failure(p, &reason);
        finish(p, failures[a.end], win_of(color_other(side)));
    } else if (!in_time) {
        finish(p, GAME_TIME, game_result_on_time(&p->position));
    } else if (!movegen_is_legal(&p->position, a.move.move)) {
        finish(p, GAME_BROKEN, GAME_DRAWN); /* those of processes are checked by their client */
    } else {
        return make(p, &a.move, err);
    }
    return true;
}

/* ---- games ---- */

bool game_play(struct player *const players[2], const struct opening *opening,
               const struct game_conditions *conditions, struct game *g, struct error *err)
{
    const struct game_limits *l = &conditions->limits;
    struct play p = {.players = players, .conditions = conditions, .g = g};
    bool good = true;
    assert(players[WHITE] != players[BLACK]);
    assert(l->nodes > 0 || l->depth > 0 || l->time > 0 || l->movetime > 0);
    for (int side = 0; good && side < 2; side++) {
        good = players[side]->method->new_game(players[side], err);
        p.left[side] = l->time * 1000;
    }
    good = good && begin(&p, opening, err);
    while (good && !p.ended) {
        if (flags_are_set(conditions->stop, conditions->cancelled))
            finish(&p, GAME_ABANDONED, GAME_DRAWN);
        else
            adjudicate(&p);
        good = p.ended || move(&p, err);
    }
    return good;
}

void game_free(struct game *g)
{
    free(g->moves);
    *g = (struct game){0};
}

enum color game_last_side(const struct game *g)
{
    return (enum color)((g->start.side + g->plies) % 2);
}
