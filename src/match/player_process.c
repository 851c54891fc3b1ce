#include "player_process.h"

#include "evaluate.h"

#include <stdlib.h>

/* The state of the player. */
struct process_player {
    struct player base; /* first member, so that a struct player * points to it */
    struct uci_client *client;
    bool renew;  /* the next game is for a new process */
    Move *moves; /* the game so far, as the client takes it; owned */
    int room;
};

static struct process_player *state_of(struct player *p)
{
    return (struct process_player *)p;
}

/* ---- what the engine is given ---- */

/* Copies the moves of the game. False if memory is short. */
static bool copy_moves(struct process_player *p, const struct player_turn *turn)
{
    if (turn->plies > p->room) {
        int room = 2 * turn->plies;
        Move *moves = realloc(p->moves, (size_t)room * sizeof *moves);
        if (moves == NULL)
            return false;
        p->moves = moves;
        p->room = room;
    }
    for (int i = 0; i < turn->plies; i++)
        p->moves[i] = turn->moves[i].move;
    return true;
}

/* What is left on a clock in milliseconds, as an engine is told: at least 1. */
static int64_t clock_left(int64_t microseconds)
{
    return microseconds >= 2000 ? microseconds / 1000 : 1;
}

/* The limits of a turn. An engine that is late has lost its game but not its process, so the client
 * waits, beyond the grace, as long as for any answer. */
static struct uci_limits limits_of(const struct player_turn *turn)
{
    const struct game_limits *l = turn->limits;
    struct uci_limits limits = {
        .nodes = l->nodes, .depth = l->depth, .movetime = l->movetime, .grace = l->grace};
    for (int side = WHITE; l->time > 0 && side <= BLACK; side++) {
        limits.time[side] = clock_left(turn->left[side]);
        limits.increment[side] = l->increment;
    }
    return limits;
}

/* ---- what the engine answers ---- */

/* Keeps the last exact score and its depth: an iteration that was cut short may end with a bound. A line
 * of a depth alone says that an iteration begins, and nothing of its score. */
static bool follow(void *context, const struct uci_info *info)
{
    struct uci_info *exact = context;
    if (info->judges && info->has_score && !info->bound)
        *exact = *info;
    return true;
}

/* A number brought to -limit .. limit. */
static int32_t limited(int32_t number, int32_t limit)
{
    return number > limit ? limit : number < -limit ? -limit : number;
}

/* A score as our engine has it. A bound is none. */
static int32_t score_of(const struct uci_info *info)
{
    enum { MATE_MOVES = (MATE - EVAL_LIMIT) / 2 - 1 }; /* a mate after more would be none */
    if (!info->has_score || info->bound)
        return GAME_UNSCORED;
    if (!info->mate)
        return limited(info->score, EVAL_LIMIT);
    const int32_t moves = limited(info->score, MATE_MOVES);
    return moves > 0 ? MATE - (2 * moves - 1) : -(MATE + 2 * moves);
}

/* The answer of an outcome, with the exact score if there is one. */
static struct player_answer answer_of(const struct uci_outcome *o, const struct uci_info *exact)
{
    const struct uci_info *info = exact->has_score ? exact : &o->info;
    return (struct player_answer){
        .end = o->end,
        .move = {.move = o->move, .score = score_of(info), .depth = info->depth},
        .nodes = o->info.nodes,
        .time = (int64_t)(o->seconds * 1e6),
        .cut = o->cut};
}

/* ---- the method ---- */

/* A process that has died since the last game is replaced. One that cannot be started is a failure of the
 * player, which its first move tells. */
static bool new_game(struct player *p, struct error *err)
{
    struct process_player *s = state_of(p);
    bool ready = !s->renew && uci_client_new_game(s->client, NULL);
    (void)err;
    if (!ready && uci_client_restart(s->client, NULL))
        uci_client_new_game(s->client, NULL);
    s->renew = false;
    return true;
}

static struct player_answer move(struct player *p, const struct player_turn *turn,
                                 struct error *reason)
{
    struct process_player *s = state_of(p);
    struct uci_info exact = {0};
    const struct uci_watcher watcher = {
        .info = follow, .context = &exact, .stop = turn->stop, .cancelled = turn->cancelled};
    const struct uci_limits limits = limits_of(turn);
    if (!copy_moves(s, turn)) {
        error_set(reason, "no memory for a game of %d plies", turn->plies);
        return (struct player_answer){.end = UCI_NO_MEMORY};
    }
    const struct uci_outcome o =
        uci_client_search(s->client, turn->start, s->moves, turn->plies, &limits, &watcher, reason);
    return answer_of(&o, &exact);
}

static const char *log_of(const struct player *p)
{
    return uci_client_log(((const struct process_player *)p)->client);
}

static void destroy(struct player *p)
{
    uci_client_stop(state_of(p)->client);
    free(state_of(p)->moves);
    free(p);
}

static const struct player_method method = {
    .new_game = new_game, .move = move, .log = log_of, .destroy = destroy};

/* ---- life cycle ---- */

struct player *player_process_create(const struct uci_settings *settings, struct error *err)
{
    struct process_player *p = calloc(1, sizeof *p);
    if (p == NULL) {
        error_set(err, "no memory for a player");
        return NULL;
    }
    p->base.method = &method;
    p->client = uci_client_create(settings, err);
    if (p->client != NULL)
        return &p->base;
    free(p);
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
