#include "game.h"

#include "uci_time.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

/* A game being played. */
struct play {
    struct engine *const *players;
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

static bool is_stopped(const struct game_conditions *c)
{
    return (c->stop != NULL && *c->stop != 0) ||
           (c->cancelled != NULL && atomic_load(c->cancelled));
}

/* Ends the game if the rules do. */
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
 * a side has searched fewer moves. */
static bool score_range(const struct game *g, int moves, int32_t *low, int32_t *high)
{
    int first = g->plies - 2 * moves;
    if (moves <= 0 || first < g->opening_plies)
        return false;
    *low = INFINITE_SCORE;
    *high = -INFINITE_SCORE;
    for (int i = first; i < g->plies; i++) {
        bool white = (g->start.side + i) % 2 == WHITE;
        int32_t score = white ? g->moves[i].score : -g->moves[i].score;
        *low = score < *low ? score : *low;
        *high = score > *high ? score : *high;
    }
    return true;
}

/* Adjudicates the game if its scores or length allow it. */
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

/* Makes room for one more move. */
static bool reserve(struct game *g, struct error *err)
{
    if (g->plies < g->capacity)
        return true;
    int capacity = 2 * g->capacity + 256;
    struct game_move *moves = realloc(g->moves, (size_t)capacity * sizeof *moves);
    if (moves == NULL)
        return error_set(err, "no memory for the moves of a game");
    g->moves = moves;
    g->capacity = capacity;
    return true;
}

/* Plays and stores a move, then applies the rules for the end of the game. */
static bool make(struct play *p, const struct game_move *m, struct error *err)
{
    struct undo undo;
    if (!reserve(p->g, err))
        return false;
    p->g->moves[p->g->plies++] = *m;
    history_push(&p->history, &p->position);
    position_make(&p->position, m->move, &undo);
    apply_rules(p);
    return true;
}

/* Sets up the position and plays the moves of the opening. */
static bool begin(struct play *p, const struct opening *opening, struct error *err)
{
    p->position = p->g->start = opening->start;
    p->g->plies = p->g->opening_plies = 0;
    p->g->nodes = 0;
    history_init(&p->history);
    apply_rules(p);
    for (int i = 0; i < opening->plies && !p->ended; i++) {
        assert(movegen_is_legal(&p->position, opening->moves[i]));
        const struct game_move move = {.move = opening->moves[i]};
        if (!make(p, &move, err))
            return false;
    }
    p->g->opening_plies = p->g->plies;
    return true;
}

/* ---- thinking ---- */

/* A search in progress. */
struct thought {
    const struct game_conditions *conditions;
    bool timed;
    struct time_limits limits;
    int64_t began, left; /* microseconds: start time, and clock at the start */
    bool only;           /* only one legal move */
    bool told;           /* an iteration is complete */
    Move best;           /* its first move */
    int stable;          /* iterations since it changed */
};

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* True if the search must end now. The first iteration completes as long as the clock has time, so
 * that the move is not arbitrary. */
static bool must_stop(void *context)
{
    const struct thought *t = context;
    if (is_stopped(t->conditions))
        return true;
    if (!t->timed)
        return false;
    int64_t elapsed = now() - t->began;
    return elapsed >= t->left || (t->told && elapsed / 1000 >= t->limits.hard);
}

/* True if there is time for another iteration. */
static bool take_line(void *context, const struct search_line *line)
{
    struct thought *t = context;
    if (!t->timed || line->bound != BOUND_EXACT)
        return true;
    t->stable = t->told && t->best == line->moves[0] ? t->stable + 1 : 0;
    t->best = line->moves[0];
    t->told = true;
    return !t->only && !time_is_enough(&t->limits, (now() - t->began) / 1000, t->stable);
}

/* Starts timing a move, if the game has a clock. */
static void thought_init(struct thought *t, const struct play *p)
{
    const struct game_limits *l = &p->conditions->limits;
    *t = (struct thought){.conditions = p->conditions, .timed = l->time > 0};
    if (!t->timed)
        return;
    t->left = p->left[p->position.side];
    const struct time_request request = {.has_clock = true,
                                         .left = t->left / 1000,
                                         .increment = l->increment,
                                         .overhead = TIME_OVERHEAD};
    t->limits = time_limits_for(&request);
    t->only = movegen_count(&p->position) == 1;
    t->began = now();
}

/* Subtracts the time of the move from the clock and adds the increment. False if the time is
 * over. */
static bool press_clock(struct play *p, const struct thought *t)
{
    int64_t *left = &p->left[p->position.side];
    if (!t->timed)
        return true;
    *left -= now() - t->began;
    bool in_time = *left >= 0;
    *left += p->conditions->limits.increment * 1000;
    return in_time;
}

/* Searches and plays a move for the side to move. */
static bool move(struct play *p, struct error *err)
{
    const struct game_limits *l = &p->conditions->limits;
    const struct search_limits limits = {.nodes = l->nodes, .depth = l->depth};
    struct thought t;
    thought_init(&t, p);
    const struct search_observer observer = {.context = &t, .stop = must_stop, .line = take_line};
    const struct search_result r =
        engine_search(p->players[p->position.side], &p->position, &p->history, &limits, &observer);
    bool in_time = press_clock(p, &t);
    p->g->nodes += r.nodes;
    if (is_stopped(p->conditions))
        finish(p, GAME_ABANDONED, GAME_DRAWN);
    else if (!movegen_is_legal(&p->position, r.best))
        finish(p, GAME_BROKEN, GAME_DRAWN);
    else if (!in_time)
        finish(p, GAME_TIME, game_result_on_time(&p->position));
    if (p->ended)
        return true;
    const struct game_move made = {.move = r.best, .score = r.score, .depth = r.depth};
    return make(p, &made, err);
}

/* ---- games ---- */

bool game_play(struct engine *const players[2], const struct opening *opening,
               const struct game_conditions *conditions, struct game *g, struct error *err)
{
    const struct game_limits *l = &conditions->limits;
    struct play p = {.players = players, .conditions = conditions, .g = g};
    assert(players[WHITE] != players[BLACK]);
    assert(l->nodes > 0 || l->depth > 0 || l->time > 0);
    for (int side = 0; side < 2; side++) {
        engine_clear(players[side]);
        p.left[side] = l->time * 1000;
    }
    bool good = begin(&p, opening, err);
    while (good && !p.ended) {
        if (is_stopped(conditions))
            finish(&p, GAME_ABANDONED, GAME_DRAWN);
        else
            adjudicate(&p);
        if (!p.ended)
            good = move(&p, err);
    }
    return good;
}

void game_free(struct game *g)
{
    free(g->moves);
    *g = (struct game){0};
}
