#include "player.h"

#include "clock.h"
#include "engine.h"
#include "move_time.h"
#include "ranks.h"

#include <stdlib.h>

/* The state of a player of either kind. */
struct state {
    struct player base; /* first member, so that a struct player * points to it */
    struct engine *engine;
    struct uci_client *client;
    bool renew; /* the next game is for a new process */
};

static struct state *state_of(const struct player *p)
{
    return (struct state *)(uintptr_t)p;
}

static const char *log_of(const struct player *p)
{
    return state_of(p)->client == NULL ? "" : uci_client_log(state_of(p)->client);
}

void player_destroy(struct player *p)
{
    if (p == NULL)
        return;
    engine_destroy(state_of(p)->engine);
    uci_client_stop(state_of(p)->client);
    free(p);
}

static struct state *create(const struct player_method *method, struct error *err)
{
    struct state *s = calloc(1, sizeof *s);
    if (s == NULL)
        error_set(err, "no memory for a player");
    else
        s->base.method = method;
    return s;
}

/* ---- our engine ---- */

struct thought {
    const struct player_turn *turn;
    bool timed;
    struct time_limits limits;
    int64_t began, left; /* microseconds: start time, and when the search must end at the latest */
    bool only;           /* only one legal move */
    struct time_signs signs;
};

static int64_t now(void)
{
    return (int64_t)(1e6 * clock_seconds());
}

/* True if the search must end now. The first iteration completes as long as the clock has time, so
 * that the move is not arbitrary. */
static bool must_stop(void *context)
{
    const struct thought *t = context;
    if (flags_are_set(t->turn->stop, t->turn->cancelled))
        return true;
    if (!t->timed)
        return false;
    int64_t elapsed = now() - t->began;
    return elapsed >= t->left || (t->signs.told && elapsed / 1000 >= t->limits.hard);
}

/* True if there is time for another iteration. */
static bool take_line(void *context, const struct search_line *line)
{
    struct thought *t = context;
    if (!t->timed || line->bound != BOUND_EXACT)
        return true;
    time_take_line(&t->signs, line);
    return !t->only && !time_is_enough(&t->limits, (now() - t->began) / 1000, &t->signs);
}

static bool engine_new_game(struct player *p, struct error *err)
{
    (void)err;
    engine_clear(state_of(p)->engine);
    return true;
}

static struct player_answer engine_move(struct player *p, const struct player_turn *turn,
                                        struct error *reason)
{
    const struct game_limits *l = turn->limits;
    const bool clock = l->time > 0;
    const int64_t left = clock ? turn->left[turn->position->side] : l->movetime * 1000;
    const struct time_request request = {.has_clock = clock,
                                         .left = left / 1000,
                                         .increment = l->increment,
                                         .fixed = l->movetime,
                                         .overhead = TIME_OVERHEAD};
    const struct search_limits limits = {.nodes = l->nodes, .depth = l->depth};
    struct thought t = {.turn = turn,
                        .timed = clock || l->movetime > 0,
                        .limits = time_limits_for(&request),
                        .began = now(),
                        .left = left,
                        .only = clock && movegen_count(turn->position) == 1};
    const struct search_observer observer = {.context = &t, .stop = must_stop, .line = take_line};
    const struct search_result r =
        engine_search(state_of(p)->engine, turn->position, turn->history, &limits, &observer);
    const int32_t score = r.line.length > 0 ? r.score : GAME_UNSCORED; /* no move was searched */
    (void)reason;
    return (struct player_answer){.end = flags_are_set(turn->stop, turn->cancelled) ? UCI_STOPPED
                                                                                    : UCI_MOVE,
                                  .move = {.move = r.best, .score = score, .depth = r.depth},
                                  .nodes = r.nodes,
                                  .time = now() - t.began};
}

struct player *player_engine_create(int hash_mib, struct error *err)
{
    static const struct player_method method = {engine_new_game, engine_move, log_of};
    struct state *s = create(&method, err);
    if (s != NULL && (s->engine = engine_create(hash_mib, err)) != NULL)
        return &s->base;
    free(s);
    return NULL;
}

void player_engine_set(struct player *p, const struct evaluation *evaluation,
                       const struct search_params *params)
{
    engine_set_evaluation(state_of(p)->engine, evaluation);
    engine_set_params(state_of(p)->engine, params);
}

/* ---- another engine ---- */

/* A process that has died since the last game is replaced. One that cannot be started is a failure of the
 * player, which its first move tells. */
static bool process_new_game(struct player *p, struct error *err)
{
    struct state *s = state_of(p);
    bool ready = !s->renew && uci_client_new_game(s->client, NULL);
    (void)err;
    if (!ready && uci_client_restart(s->client, NULL))
        uci_client_new_game(s->client, NULL);
    s->renew = false;
    return true;
}

/* Keeps the last exact score and its depth: an iteration that was cut short may end with a bound. A line
 * of a depth alone says that an iteration begins, and nothing of its score. */
static bool follow(void *context, const struct uci_info *info)
{
    struct uci_info *exact = context;
    if (info->judges && info->has_score && !info->bound)
        *exact = *info;
    return true;
}

/* A score as our engine has it, within its limits. A bound is none. */
static int32_t score_of(const struct uci_info *info)
{
    enum { MATE_MOVES = (MATE - EVAL_LIMIT) / 2 - 1 }; /* a mate after more would be none */
    const int32_t limit = info->mate ? MATE_MOVES : EVAL_LIMIT, score = info->score;
    const int32_t moves = score > limit ? limit : score < -limit ? -limit : score;
    if (!info->has_score || info->bound)
        return GAME_UNSCORED;
    if (!info->mate)
        return moves;
    return moves > 0 ? MATE - (2 * moves - 1) : -(MATE + 2 * moves);
}

/* A clock has at least a millisecond. An engine that is late has lost its game but not its process, so the client
 * waits, beyond the grace, as long as for any answer. */
static struct player_answer process_move(struct player *p, const struct player_turn *turn,
                                         struct error *reason)
{
    struct uci_info exact = {0};
    const struct uci_watcher watcher = {
        .info = follow, .context = &exact, .stop = turn->stop, .cancelled = turn->cancelled};
    const struct game_limits *l = turn->limits;
    struct uci_limits limits = {
        .nodes = l->nodes, .depth = l->depth, .movetime = l->movetime, .grace = l->grace};
    Move *moves = malloc(((size_t)turn->plies + 1) * sizeof *moves);
    if (moves == NULL) {
        error_set(reason, "no memory for a game of %d plies", turn->plies);
        return (struct player_answer){.end = UCI_NO_MEMORY};
    }
    for (int side = WHITE; l->time > 0 && side <= BLACK; side++) {
        limits.time[side] = turn->left[side] >= 2000 ? turn->left[side] / 1000 : 1;
        limits.increment[side] = l->increment;
    }
    for (int i = 0; i < turn->plies; i++)
        moves[i] = turn->moves[i].move;
    const struct uci_outcome o = uci_client_search(state_of(p)->client, turn->start, moves,
                                                   turn->plies, &limits, &watcher, reason);
    const struct uci_info *info = exact.has_score ? &exact : &o.info;
    free(moves);
    return (struct player_answer){
        .end = o.end,
        .move = {.move = o.move, .score = score_of(info), .depth = info->depth},
        .nodes = o.info.nodes,
        .time = (int64_t)(o.seconds * 1e6),
        .cut = o.cut};
}

struct player *player_process_create(const struct uci_settings *settings, struct error *err)
{
    static const struct player_method method = {process_new_game, process_move, log_of};
    struct state *s = create(&method, err);
    if (s != NULL && (s->client = uci_client_create(settings, err)) != NULL)
        return &s->base;
    free(s);
    return NULL;
}

bool player_process_set(struct player *p, const struct uci_value *values, int count,
                        struct error *err)
{
    for (int i = 0; i < count; i++)
        if (!uci_client_set(state_of(p)->client, values[i].name, values[i].value, err))
            return false;
    return true;
}

void player_process_renew(struct player *p)
{
    state_of(p)->renew = true;
}

const struct uci_settings *player_process_plan(struct plan *p, const struct uci_settings *settings)
{
    struct uci_settings *s = plan_structs(p, settings, 1, sizeof *s);
    if (s == NULL)
        return NULL;
    struct uci_value *values = plan_structs(p, s->values, (size_t)s->value_count, sizeof *values);
    s->command = plan_text(p, s->command);
    for (int i = 0; i < s->value_count; i++) {
        values[i].name = plan_text(p, values[i].name);
        values[i].value = plan_text(p, values[i].value);
    }
    s->values = values;
    return s;
}
