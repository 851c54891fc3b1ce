#include "init.h"

#include "calibrate_space.h"
#include "count.h"
#include "player.h"
#include "space_engine.h"

#include <math.h>
#include <stdlib.h>

/* A move may cost this much, so that a game costs about a second. */
#define MOVE_SECONDS 0.01

/* Positions of a trial, and of one by time; a time for a move that all engines can keep; plies that are tried; nodes
 * and plies of the comparison of moves (calibration.h). */
enum { TRIED = 16, TIMED = 5, MOVE_MS = 100, DEPTH_MAX = 8, QUICK_NODES = 2000, QUICK_DEPTH = 4 };

/* An engine, and the positions in which it is tried. */
struct trial {
    struct player *player;
    const struct position *positions;
    size_t count;
    const volatile sig_atomic_t *stop;
};

struct taken {
    bool moved;            /* in each position */
    bool ended;            /* in most without being told to stop */
    double seconds, nodes; /* of a move, on average */
    double speed;          /* nodes a second of the fastest: the machine may do other things */
};

static struct taken try_limits(const struct trial *t, const struct game_limits *limits)
{
    struct taken taken = {.moved = true};
    struct error ignored;
    size_t cut = 0;
    for (size_t i = 0; i < t->count; i++) {
        struct history history;
        const struct player_turn turn = {.position = &t->positions[i],
                                         .history = &history,
                                         .start = &t->positions[i],
                                         .limits = limits,
                                         .stop = t->stop};
        history_init(&history);
        t->player->method->new_game(t->player, &ignored); /* one that cannot begin fails to move */
        const struct player_answer a = t->player->method->move(t->player, &turn, &ignored);
        taken.moved = taken.moved && a.end == UCI_MOVE;
        cut += a.cut;
        taken.seconds += (double)a.time / 1e6 / (double)t->count;
        taken.nodes += (double)a.nodes / (double)t->count;
        taken.speed = fmax(taken.speed, 1e6 * (double)a.nodes / fmax(1, (double)a.time));
    }
    taken.ended = 2 * cut <= t->count;
    return taken;
}

/* The largest of 1, 2, 5, 10, 20, 50 ... that is not above a number. */
static uint64_t round_down(double number)
{
    uint64_t unit = 1;
    while ((double)unit * 10 <= number)
        unit *= 10;
    return (double)unit * 5 <= number ? unit * 5 : (double)unit * 2 <= number ? unit * 2 : unit;
}

/* Takes a limit of nodes, if the engine keeps it within a half. */
static bool take_nodes(struct init *x, const struct trial *t, double wanted)
{
    char limit[COUNT_MAX], used[COUNT_MAX];
    const uint64_t nodes = round_down(wanted < 1000 ? 1000 : wanted > 100000 ? 100000 : wanted);
    const struct taken taken = try_limits(t, &(struct game_limits){.nodes = nodes});
    format_count((int64_t)nodes, limit);
    if (taken.moved && taken.ended && taken.nodes > 0 && taken.nodes <= 1.5 * (double)nodes) {
        x->limits = (struct game_limits){.nodes = nodes};
        x->quick = (struct game_limits){.nodes = nodes < QUICK_NODES ? nodes : QUICK_NODES};
        x->quick_seconds = try_limits(t, &x->quick).seconds;
        snprintf(x->kept, sizeof x->kept, "%s nodes a move", limit);
        return true;
    }
    if (!taken.moved || !taken.ended)
        snprintf(x->kept, sizeof x->kept, ", as it %s 'go nodes %llu'",
                 taken.moved ? "goes on beyond" : "makes no move at", (unsigned long long)nodes);
    else
        snprintf(x->kept, sizeof x->kept, ", as it uses %s nodes if told %s",
                 format_count((int64_t)taken.nodes, used), limit);
    return false;
}

/* Takes the most plies that a move may cost; QUICK_DEPTH may cost some times as much. */
static bool take_depth(struct init *x, const struct trial *t)
{
    char why[sizeof x->kept];
    snprintf(why, sizeof why, "%s", x->kept);
    for (int depth = 1; depth <= DEPTH_MAX; depth++) {
        const struct game_limits limits = {.depth = depth};
        const struct taken taken = try_limits(t, &limits);
        /* By its nodes if it tells them, as the machine may do other things. */
        const double seconds =
            x->speed > 0 && taken.nodes > 0 ? taken.nodes / x->speed : taken.seconds;
        if (!taken.moved || !taken.ended ||
            (depth > 1 && seconds > (depth <= QUICK_DEPTH ? 5 : 1) * MOVE_SECONDS))
            break;
        x->limits = limits;
        if (depth <= QUICK_DEPTH) {
            x->quick = limits;
            x->quick_seconds = taken.seconds;
        }
        snprintf(x->kept, sizeof x->kept, "%d %s a move%.100s", depth, depth > 1 ? "plies" : "ply",
                 why);
    }
    return x->limits.depth > 0;
}

/* Takes a time for each move if the engine keeps it, else a clock. */
static bool take_time(struct init *x, const struct taken *timed, struct error *err)
{
    if (timed->moved && timed->ended && timed->seconds < 1.5 * MOVE_MS / 1000) {
        x->limits = (struct game_limits){.movetime = MOVE_MS};
        snprintf(x->kept, sizeof x->kept, "%d ms a move; it keeps no limit of nodes or plies",
                 MOVE_MS);
        return true;
    }
    x->limits = (struct game_limits){.time = 5000, .increment = 50};
    snprintf(x->kept, sizeof x->kept, "a clock of 5+0.05; it keeps no other limit");
    return timed->moved ||
           error_set(err, "%s makes no move at any limit; see 'grayling match' with it", x->name);
}

bool init_measure(struct init *x, struct error *err)
{
    struct engine_setup setup = {.command = NULL};
    struct position *positions = NULL;
    struct trial trial = {.stop = x->stop};
    bool good = ordinary_positions("train-1", TRIED, &positions, &trial.count, err) &&
                space_engine_setup(&x->space.table, x->hash, &setup, err) &&
                (trial.player = player_process_create(&setup.settings, err)) != NULL;
    trial.positions = positions;
    if (good) { /* one kind of limit after the other */
        struct trial few = trial;
        few.count = few.count < TIMED ? few.count : TIMED;
        const struct taken timed = try_limits(&few, &(struct game_limits){.movetime = MOVE_MS});
        x->speed = timed.speed;
        const double nodes = x->speed * MOVE_SECONDS;
        good = (nodes > 0 && (take_nodes(x, &trial, nodes) || take_nodes(x, &trial, 5 * nodes))) ||
               take_depth(x, &trial) || take_time(x, &timed, err);
    }
    player_destroy(trial.player);
    engine_setup_free(&setup);
    free(positions);
    return good;
}
