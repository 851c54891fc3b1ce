#include "uci_search.h"

#include "notation.h"
#include "uci_score.h"

#include <inttypes.h>
#include <string.h>

enum {
    FIRST_ITERATION = 100000, /* microseconds before the first iteration can be stopped */
    CURRENT_AFTER = 3000000   /* microseconds before `currmove` is reported */
};

/* A running search. */
struct running {
    const struct uci_task *task;
    struct time_limits limits;
    int64_t began;           /* when the limits started to count */
    bool pondering;          /* the limits do not count yet */
    bool pondered;           /* the last iteration while pondering ended with no time for another */
    int lines;               /* number of lines */
    int moves;               /* number of root moves */
    int stable;              /* iterations since the best move changed */
    struct search_line best; /* the last complete first line */
    Move pv[MAX_PLY];        /* its moves */
    bool reported;           /* `best` is set */
};

static int64_t now(const struct running *k)
{
    return k->task->clock(k->task->context);
}

/* Milliseconds since the limits started to count. */
static int64_t elapsed(const struct running *k)
{
    return (now(k) - k->began) / 1000;
}

static void say(const struct running *k, const struct uci_text *text)
{
    channel_write(k->task->channel, text->text, (size_t)text->length);
}

/* ---- info ---- */

/* Adds nodes, speed, table use and time. */
static void add_cost(const struct running *k, struct uci_text *text, uint64_t nodes)
{
    int64_t time = now(k) - k->task->start_time;
    time = time < 1 ? 1 : time;
    uci_text_add(text, " nodes %" PRIu64 " nps %.0f hashfull %d time %" PRId64, nodes,
                 (double)nodes * 1e6 / (double)time, engine_hashfull(k->task->engine), time / 1000);
}

static void add_score(const struct running *k, struct uci_text *text, int32_t score,
                      enum bound bound)
{
    const int32_t shown = uci_score_shown(k->task->kind, score);
    const int mate = score_mate_moves(score);
    uci_text_add(text, " score %s %d", mate != 0 ? "mate" : "cp", mate != 0 ? mate : shown);
    uci_text_add(text, "%s",
                 bound == BOUND_LOWER   ? " lowerbound"
                 : bound == BOUND_UPPER ? " upperbound"
                                        : "");
    if (k->task->show_wdl) {
        const struct uci_wdl c = uci_score_wdl(&k->task->start->position, shown);
        uci_text_add(text, " wdl %d %d %d", c.win, c.draw, c.loss);
    }
}

/* Adds a blank and the next move of a line, and makes it. */
static void add_move(const struct running *k, struct uci_text *text, struct position *p, Move m)
{
    char move[UCI_MAX];
    struct undo undo;
    (k->task->chess960 ? move_to_uci960 : move_to_uci)(p, m, move);
    uci_text_add(text, " %s", move);
    position_make(p, m, &undo);
}

static void show_line(const struct running *k, const struct search_line *line)
{
    struct uci_text text = {.length = 0};
    struct position p = k->task->start->position;
    uci_text_add(&text, "info depth %d seldepth %d multipv %d", line->depth, line->seldepth,
                 line->index + 1);
    add_score(k, &text, line->score, line->bound);
    add_cost(k, &text, line->nodes);
    uci_text_add(&text, " pv");
    for (int i = 0; i < line->length; i++)
        add_move(k, &text, &p, line->moves[i]);
    uci_text_add(&text, "\n");
    say(k, &text);
}

/* Stores the first line, and counts the iterations since its move changed. */
static void store_line(struct running *k, const struct search_line *line)
{
    k->stable = k->reported && k->pv[0] == line->moves[0] ? k->stable + 1 : 0;
    k->best = *line;
    k->best.moves = k->pv;
    memcpy(k->pv, line->moves, (size_t)line->length * sizeof k->pv[0]);
    k->reported = true;
}

/* ---- callbacks of the engine ---- */

/* After ponderhit, the limits start to count. */
static void check_ponderhit(struct running *k)
{
    if (!k->pondering || !channel_hits(k->task->channel, k->task->number))
        return;
    k->pondering = false;
    k->began = now(k);
}

static bool is_stopped(const struct running *k)
{
    const struct uci_task *t = k->task;
    return t->number > 0 && channel_stops(t->channel, t->number);
}

/* Checks for ponderhit and the clock; true if the search must stop now. Does not interrupt a first
 * iteration of normal length, so that the move is based on a search. */
static bool poll(void *context)
{
    struct running *k = context;
    check_ponderhit(k);
    if (!k->reported && now(k) - k->task->start_time < FIRST_ITERATION)
        return false;
    if (k->pondering || k->limits.hard == 0)
        return is_stopped(k);
    return k->pondered || elapsed(k) >= k->limits.hard || is_stopped(k);
}

/* Whether there is time for another iteration. While pondering there is, but ponderhit ends the search at once if
 * it has taken the time of a move by then. */
static bool has_time_left(struct running *k)
{
    if (k->limits.hard == 0)
        return true;
    const bool only = k->moves == 1 && !k->limits.fixed;
    const bool enough = only || time_is_enough(&k->limits, elapsed(k), k->stable);
    k->pondered = k->pondering && enough && !k->limits.fixed;
    return k->pondering || !enough;
}

static bool take_line(void *context, const struct search_line *line)
{
    struct running *k = context;
    show_line(k, line);
    if (line->bound != BOUND_EXACT)
        return true;
    if (line->index == 0)
        store_line(k, line);
    return line->index < k->lines - 1 || has_time_left(k);
}

/* After some seconds, reports the move being searched. */
static void report_root_move(void *context, Move m, int number, int depth)
{
    const struct running *k = context;
    struct uci_text text = {.length = 0};
    struct position p = k->task->start->position;
    if (now(k) - k->task->start_time < CURRENT_AFTER)
        return;
    uci_text_add(&text, "info depth %d currmove", depth);
    add_move(k, &text, &p, m);
    uci_text_add(&text, " currmovenumber %d\n", number);
    say(k, &text);
}

/* ---- the end ---- */

/* Reports the line to play with the final node count, unless the last report did. It is the line of
 * the last complete iteration, or of an interrupted one that has changed the best move: depth, score
 * and moves are of one iteration. */
static void report_end(struct running *k, const struct search_result *r)
{
    bool changed = !k->reported || r->best != k->pv[0];
    if (r->line.length == 0 || (!changed && r->nodes == k->best.nodes))
        return;
    if (changed)
        store_line(k, &r->line);
    k->best.nodes = r->nodes;
    show_line(k, &k->best);
}

/* Reports mate or stalemate at the root. */
static void report_no_move(const struct running *k)
{
    struct uci_text text = {.length = 0};
    uci_text_add(&text, "info depth 0 score %s\n",
                 position_in_check(&k->task->start->position) ? "mate 0" : "cp 0");
    say(k, &text);
}

/* Writes "bestmove e2e4 ponder e7e5", or "bestmove (none)" if there is no move. The reply is that of
 * the last line reported. */
static void answer(const struct running *k, const struct search_result *r)
{
    struct uci_text text = {.length = 0};
    struct position p = k->task->start->position;
    uci_text_add(&text, r->best != NO_MOVE ? "bestmove" : "bestmove (none)");
    if (r->best != NO_MOVE)
        add_move(k, &text, &p, r->best);
    if (k->reported && k->best.length > 1) {
        uci_text_add(&text, " ponder");
        add_move(k, &text, &p, k->pv[1]);
    }
    uci_text_add(&text, "\n");
    say(k, &text);
}

/* The smaller of two limits, where 0 means none. */
static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

/* Searches with the limits of `go`. */
static struct search_result search(struct running *k)
{
    const struct uci_task *t = k->task;
    const struct search_limits limits = {
        .nodes = lesser(t->go->nodes, t->node_cap),
        .depth = t->go->depth,
        .mate = t->go->mate,
        .lines = t->lines,
        .moves = t->go->move_count > 0 ? t->go->moves : NULL,
        .move_count = t->go->move_count,
    };
    const struct search_observer observer = {
        .context = k, .stop = poll, .line = take_line, .root_move = report_root_move};
    return engine_search(t->engine, &t->start->position, &t->start->history, &limits, &observer);
}

/* Initialises the state for a task. */
static void running_init(struct running *k, const struct uci_task *task)
{
    const struct position *p = &task->start->position;
    struct time_request time = uci_go_time(task->go, (enum color)p->side, task->overhead);
    *k =
        (struct running){.task = task, .limits = time_limits_for(&time), .began = task->start_time};
    k->pondering = task->go->ponder;
    k->moves = task->go->move_count > 0 ? task->go->move_count : movegen_count(p);
    k->lines = task->lines < k->moves ? task->lines : k->moves;
}

void uci_search_run(const struct uci_task *task)
{
    struct running k;
    running_init(&k, task);
    struct search_result result = search(&k);
    if (result.best == NO_MOVE)
        report_no_move(&k);
    report_end(&k, &result);
    check_ponderhit(&k);
    if (task->number > 0 && (task->go->infinite || k.pondering))
        channel_hold(task->channel, task->number, !task->go->infinite);
    /* Before the answer: an `isready` that comes after it waits for the commands before it. */
    if (task->number > 0)
        channel_search_ended(task->channel, task->number);
    answer(&k, &result);
}
