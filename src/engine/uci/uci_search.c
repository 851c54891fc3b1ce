#include "uci_search.h"

#include "notation.h"
#include "see.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the channel ---- */

enum { WAITING_MAX = 64 << 20 }; /* bytes */

bool channel_init(struct channel *c, uci_write *write, void *context, struct error *err)
{
    memset(c, 0, sizeof *c);
    c->last = &c->first;
    c->write = write;
    c->context = context;
    atomic_init(&c->stopped, 0);
    atomic_init(&c->left, 0);
    atomic_init(&c->hit, 0);
    if (pthread_mutex_init(&c->mutex, NULL) != 0)
        return error_set(err, "cannot create a lock for the UCI session");
    if (pthread_mutex_init(&c->writing, NULL) == 0) {
        if (pthread_cond_init(&c->changed, NULL) == 0)
            return true;
        pthread_mutex_destroy(&c->writing);
    }
    pthread_mutex_destroy(&c->mutex);
    return error_set(err, "cannot create a lock for the UCI session");
}

void channel_finish(struct channel *c)
{
    while (c->first != NULL) {
        struct waiting_line *line = c->first;
        c->first = line->next;
        free(line);
    }
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->writing);
    pthread_mutex_destroy(&c->mutex);
}

/* Appends a line to the queue; false if the queue is full. */
static bool append(struct channel *c, struct waiting_line *line, bool begins_search)
{
    pthread_mutex_lock(&c->mutex);
    bool fits = c->bytes + line->length <= WAITING_MAX;
    if (fits) {
        line->search = begins_search ? ++c->begun : 0;
        *c->last = line;
        c->last = &line->next;
        c->bytes += line->length;
        pthread_cond_broadcast(&c->changed);
    }
    pthread_mutex_unlock(&c->mutex);
    return fits;
}

bool channel_put(struct channel *c, const char *line, size_t length, bool begins_search,
                 int64_t arrived)
{
    struct waiting_line *waiting = malloc(sizeof *waiting + length);
    if (waiting == NULL)
        return false;
    waiting->next = NULL;
    waiting->arrived = arrived;
    waiting->length = length;
    memcpy(waiting->text, line, length);
    if (append(c, waiting, begins_search))
        return true;
    free(waiting);
    return false;
}

bool channel_is_busy(struct channel *c)
{
    pthread_mutex_lock(&c->mutex);
    bool busy = c->begun > c->ended;
    pthread_mutex_unlock(&c->mutex);
    return busy;
}

/* Sends a signal to all searches queued so far. */
static void signal_searches(struct channel *c, atomic_uint_fast64_t *signal)
{
    pthread_mutex_lock(&c->mutex);
    atomic_store(signal, c->begun);
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->mutex);
}

void channel_stop(struct channel *c)
{
    signal_searches(c, &c->stopped);
}

void channel_leave(struct channel *c)
{
    signal_searches(c, &c->left);
}

void channel_ponderhit(struct channel *c)
{
    signal_searches(c, &c->hit);
}

void channel_close(struct channel *c)
{
    pthread_mutex_lock(&c->mutex);
    c->closed = true;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->mutex);
}

struct waiting_line *channel_take(struct channel *c)
{
    pthread_mutex_lock(&c->mutex);
    while (c->first == NULL && !c->closed)
        pthread_cond_wait(&c->changed, &c->mutex);
    struct waiting_line *line = c->first;
    if (line != NULL) {
        c->first = line->next;
        c->last = c->first == NULL ? &c->first : c->last;
        c->bytes -= line->length;
    }
    pthread_mutex_unlock(&c->mutex);
    return line;
}

void channel_search_ended(struct channel *c, uint64_t search)
{
    pthread_mutex_lock(&c->mutex);
    c->ended = search;
    pthread_mutex_unlock(&c->mutex);
}

bool channel_stops_count(struct channel *c, uint64_t search)
{
    return atomic_load_explicit(&c->stopped, memory_order_relaxed) >= search;
}

bool channel_stops(struct channel *c, uint64_t search)
{
    return channel_stops_count(c, search) ||
           atomic_load_explicit(&c->left, memory_order_relaxed) >= search;
}

bool channel_hits(struct channel *c, uint64_t search)
{
    return atomic_load_explicit(&c->hit, memory_order_relaxed) >= search;
}

void channel_hold(struct channel *c, uint64_t search, bool pondering)
{
    pthread_mutex_lock(&c->mutex);
    while (!channel_stops(c, search) && !(pondering && channel_hits(c, search)))
        pthread_cond_wait(&c->changed, &c->mutex);
    pthread_mutex_unlock(&c->mutex);
}

void channel_write(struct channel *c, const char *text, size_t length)
{
    if (length == 0)
        return;
    pthread_mutex_lock(&c->writing);
    c->write(c->context, text, length);
    pthread_mutex_unlock(&c->writing);
}

/* ---- scores ---- */

enum { EVEN = 712, SPREAD_BARE = 120, SPREAD_FULL = 892 }; /* a; b without pieces, and with all */

int32_t uci_score_shown(enum evaluation_kind kind, int32_t score)
{
    return kind == EVALUATION_MODERN ? (int32_t)lround(100.0 * score / EVEN) : score;
}

/* The spread b, in the unit shown. More pieces than the initial ones are as good as all. */
static double spread(const struct position *p)
{
    const int all = 2 * (8 * see_values[PAWN] + 2 * see_values[KNIGHT] + 2 * see_values[BISHOP] +
                         2 * see_values[ROOK] + see_values[QUEEN]);
    int sum = 0;
    for (enum kind kind = PAWN; kind <= QUEEN; kind++)
        sum += see_values[kind] * bits_count(p->by_kind[kind]);
    const double material = sum < all ? (double)sum / all : 1;
    return 100 * (SPREAD_BARE + (SPREAD_FULL - SPREAD_BARE) * material) / EVEN;
}

/* The chance to win, in thousandths. */
static int chance(double shown, double spread)
{
    return (int)lround(1000 / (1 + exp((100 - shown) / spread)));
}

struct uci_wdl uci_score_wdl(const struct position *root, int32_t shown)
{
    const double b = spread(root);
    const int win = chance(shown, b), loss = chance(-(double)shown, b);
    return (struct uci_wdl){win, 1000 - win - loss, loss};
}

static void task_say(const struct uci_task *task, const struct uci_text *text)
{
    channel_write(task->channel, text->text, (size_t)text->length);
}

/* ---- perft ---- */

/* A count in progress. */
struct counting {
    const struct uci_task *task;
    uint64_t leaves; /* below the first moves that are finished */
    uint64_t inner;  /* positions above the leaves */
};

/* Whether the count must end: after `stop`, not after `quit`, and beyond the node cap. */
static bool must_end(void *context, uint64_t leaves)
{
    struct counting *c = context;
    const struct uci_task *t = c->task;
    c->inner++;
    return (t->number > 0 && channel_stops_count(t->channel, t->number)) ||
           (t->node_cap > 0 && c->leaves + leaves + c->inner > t->node_cap);
}

/* Counts the leaves below a first move, and reports them. False if the count must end. */
static bool count_move(struct counting *c, Move m)
{
    const struct position *p = &c->task->start->position;
    struct position after = *p;
    struct undo undo;
    struct uci_text text = {.length = 0};
    char move[UCI_MAX];
    uint64_t below;
    position_make(&after, m, &undo);
    if (must_end(c, 0) || !perft_until(&after, (int)c->task->go->perft - 1, must_end, c, &below))
        return false;
    c->leaves += below;
    (c->task->chess960 ? move_to_uci960 : move_to_uci)(p, m, move);
    uci_text_add(&text, "%s: %" PRIu64 "\n", move, below);
    task_say(c->task, &text);
    return true;
}

void uci_perft_run(const struct uci_task *task)
{
    struct counting c = {.task = task};
    struct uci_text text = {.length = 0};
    struct move_list list;
    bool whole = true;
    movegen_legal(&task->start->position, &list);
    movegen_sort(&list);
    for (int i = 0; i < list.count && whole; i++)
        whole = count_move(&c, list.moves[i]);
    if (whole)
        uci_text_add(&text, "\nNodes searched: %" PRIu64 "\n\n", c.leaves);
    else
        uci_note(&text, "go: perft is stopped before its end");
    task_say(task, &text);
}

/* ---- the search ---- */

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
    if (bound == BOUND_LOWER || bound == BOUND_UPPER)
        uci_text_add(text, bound == BOUND_LOWER ? " lowerbound" : " upperbound");
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
    task_say(k->task, &text);
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
    task_say(k->task, &text);
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
    task_say(k->task, &text);
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
    task_say(k->task, &text);
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
        .nodes = lesser((uint64_t)t->go->nodes, t->node_cap),
        .depth = (int)t->go->depth,
        .mate = (int)t->go->mate,
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
