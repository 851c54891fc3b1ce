#include "player_engine.h"

#include "move_time.h"

#include <stdlib.h>
#include <time.h>

/* The state of the player. */
struct engine_player {
    struct player base; /* first member, so that a struct player * points to it */
    struct engine *engine;
};

static struct engine *engine_of(struct player *p)
{
    return ((struct engine_player *)p)->engine;
}

/* ---- thinking ---- */

/* A search in progress. */
struct thought {
    const struct player_turn *turn;
    bool timed;
    struct time_limits limits;
    int64_t began, left; /* microseconds: start time, and when the search must end at the latest */
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
    if (player_is_stopped(t->turn->stop, t->turn->cancelled))
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

/* Starts timing a move. */
static void thought_init(struct thought *t, const struct player_turn *turn)
{
    const struct game_limits *l = turn->limits;
    *t = (struct thought){.turn = turn, .timed = l->time > 0 || l->movetime > 0};
    if (t->timed) {
        t->left = l->time > 0 ? turn->left[turn->position->side] : l->movetime * 1000;
        const struct time_request request = {.has_clock = l->time > 0,
                                             .left = t->left / 1000,
                                             .increment = l->increment,
                                             .fixed = l->movetime,
                                             .overhead = TIME_OVERHEAD};
        t->limits = time_limits_for(&request);
        t->only = l->time > 0 && movegen_count(turn->position) == 1;
    }
    t->began = now();
}

/* ---- the method ---- */

static bool new_game(struct player *p, struct error *err)
{
    (void)err;
    engine_clear(engine_of(p));
    return true;
}

static struct player_answer move(struct player *p, const struct player_turn *turn,
                                 struct error *reason)
{
    const struct search_limits limits = {.nodes = turn->limits->nodes,
                                         .depth = turn->limits->depth};
    struct thought t;
    (void)reason;
    thought_init(&t, turn);
    const struct search_observer observer = {.context = &t, .stop = must_stop, .line = take_line};
    const struct search_result r =
        engine_search(engine_of(p), turn->position, turn->history, &limits, &observer);
    const int32_t score = r.line.length > 0 ? r.score : GAME_UNSCORED; /* no move was searched */
    struct player_answer answer = {.move = {.move = r.best, .score = score, .depth = r.depth},
                                   .nodes = r.nodes,
                                   .time = now() - t.began};
    if (player_is_stopped(turn->stop, turn->cancelled))
        answer.end = UCI_STOPPED;
    else if (!movegen_is_legal(turn->position, r.best)) {
        answer.end = UCI_ILLEGAL;
        answer.broken = true;
    }
    return answer;
}

static const char *no_log(const struct player *p)
{
    (void)p;
    return "";
}

static void destroy(struct player *p)
{
    engine_destroy(engine_of(p));
    free(p);
}

static const struct player_method method = {
    .new_game = new_game, .move = move, .log = no_log, .destroy = destroy};

/* ---- life cycle ---- */

struct player *player_engine_create(int hash_mib, struct error *err)
{
    struct engine_player *p = calloc(1, sizeof *p);
    if (p == NULL) {
        error_set(err, "no memory for a player");
        return NULL;
    }
    p->base.method = &method;
    p->engine = engine_create(hash_mib, err);
    if (p->engine != NULL)
        return &p->base;
    free(p);
    return NULL;
}

void player_engine_set(struct player *p, const struct evaluation *evaluation,
                       const struct search_params *params)
{
    engine_set_evaluation(engine_of(p), evaluation);
    engine_set_params(engine_of(p), params);
}
