/* What `go` asks for: a search, or a count. */
#include "move_time.h"
#include "notation.h"
#include "see.h"
#include "uci_session.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- scores as a GUI reads them ----
 *
 * 100 is an even chance to win, as Stockfish has it. The search keeps a unit of its own.
 *
 * With params/games-eval.yaml, in 1,000 games of the engine against itself at 3,000 nodes a move, a score x of
 * the search was won with the probability
 *
 *     1 / (1 + exp((a - x) / b)),
 *
 * and lost with that of -x, where b is a line in the material on the board (experiments/win_model.py,
 * docs/results.md). Shown is 100 x / a. Other weights of the modern evaluation are shown in the same
 * unit, and mean this as far as they are on the same scale.
 *
 * The paper's evaluation has a pawn of 100, and its scores are shown as they are. */

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

/* Adds the chances of the side to move to win, draw and lose, in thousandths, by a score as it is shown. */
static void add_wdl(struct uci_text *text, const struct position *root, int32_t shown)
{
    const double b = spread(root);
    const int win = chance(shown, b), loss = chance(-(double)shown, b);
    uci_text_add(text, " wdl %d %d %d", win, 1000 - win - loss, loss);
}

/* Writes a move as the session's castling is written. */
static void write_move(const struct uci *u, const struct position *p, Move m, char move[UCI_MAX])
{
    (u->options.chess960 ? move_to_uci960 : move_to_uci)(p, m, move);
}

/* ---- perft ---- */

/* A count in progress. */
struct counting {
    const struct uci *u;
    uint64_t search;
    uint64_t leaves; /* below the first moves that are finished */
    uint64_t inner;  /* positions above the leaves */
};

/* Whether the count must end: after `stop`, not after `quit`, and beyond the node cap. */
static bool must_end(void *context, uint64_t leaves)
{
    struct counting *c = context;
    const uint64_t cap = c->u->setup.node_cap;
    c->inner++;
    return uci_signalled(&c->u->stopped, c->search) ||
           (cap > 0 && c->leaves + leaves + c->inner > cap);
}

void uci_perft(struct uci *u, const struct uci_go *go, uint64_t search)
{
    struct counting c = {.u = u, .search = search};
    struct move_list list;
    movegen_legal(&u->position, &list);
    movegen_sort(&list);
    for (int i = 0; i < list.count; i++) {
        struct position after = u->position;
        struct undo undo;
        char move[UCI_MAX];
        uint64_t below;
        position_make(&after, list.moves[i], &undo);
        if (must_end(&c, 0) || !perft_until(&after, (int)go->perft - 1, must_end, &c, &below)) {
            uci_note(u, "go: perft is stopped before its end");
            return;
        }
        c.leaves += below;
        write_move(u, &u->position, list.moves[i], move);
        uci_answer(u, "%s: %" PRIu64 "\n", move, below);
    }
    uci_answer(u, "\nNodes searched: %" PRIu64 "\n\n", c.leaves);
}

/* ---- the search ---- */

enum {
    FIRST_ITERATION = 100000, /* microseconds before the first iteration can be stopped */
    CURRENT_AFTER = 3000000   /* microseconds before `currmove` is reported */
};

/* A running search. */
struct running {
    struct uci *u;
    uint64_t search;    /* its number */
    int64_t start_time; /* by the clock */
    struct time_limits limits;
    int64_t began;  /* when the limits started to count */
    bool pondering; /* the limits do not count yet */
    bool pondered;  /* the last iteration while pondering ended with no time for another */
    int lines;      /* number of lines */
    int moves;      /* number of root moves */
    struct time_signs signs;
    struct search_line best; /* the last complete first line */
    Move pv[MAX_PLY];        /* its moves */
    bool reported;           /* `best` is set */
};

static int64_t now(const struct running *k)
{
    return k->u->setup.clock(k->u->setup.context);
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
    int64_t time = now(k) - k->start_time;
    time = time < 1 ? 1 : time;
    uci_text_add(text, " nodes %" PRIu64 " nps %.0f hashfull %d time %" PRId64, nodes,
                 (double)nodes * 1e6 / (double)time, engine_hashfull(k->u->engine), time / 1000);
}

static void add_score(const struct running *k, struct uci_text *text, int32_t score,
                      enum bound bound)
{
    const int32_t shown = uci_score_shown(k->u->options.evaluation.kind, score);
    const int mate = score_mate_moves(score);
    uci_text_add(text, " score %s %d", mate != 0 ? "mate" : "cp", mate != 0 ? mate : shown);
    if (bound == BOUND_LOWER || bound == BOUND_UPPER)
        uci_text_add(text, bound == BOUND_LOWER ? " lowerbound" : " upperbound");
    if (k->u->options.show_wdl)
        add_wdl(text, &k->u->position, shown);
}

/* Adds a blank and the next move of a line, and makes it. */
static void add_move(const struct running *k, struct uci_text *text, struct position *p, Move m)
{
    char move[UCI_MAX];
    struct undo undo;
    write_move(k->u, p, m, move);
    uci_text_add(text, " %s", move);
    position_make(p, m, &undo);
}

static void show_line(const struct running *k, const struct search_line *line)
{
    struct uci_text text = {.length = 0};
    struct position p = k->u->position;
    uci_text_add(&text, "info depth %d seldepth %d multipv %d", line->depth, line->seldepth,
                 line->index + 1);
    add_score(k, &text, line->score, line->bound);
    add_cost(k, &text, line->nodes);
    uci_text_add(&text, " pv");
    for (int i = 0; i < line->length; i++)
        add_move(k, &text, &p, line->moves[i]);
    uci_text_add(&text, "\n");
    uci_say(k->u, &text);
}

/* Stores the first line, and what its move says of the time. */
static void store_line(struct running *k, const struct search_line *line)
{
    time_take_line(&k->signs, line);
    k->best = *line;
    k->best.moves = k->pv;
    memcpy(k->pv, line->moves, (size_t)line->length * sizeof k->pv[0]);
    k->reported = true;
}

/* ---- callbacks of the engine ---- */

/* After ponderhit, the limits start to count. */
static void check_ponderhit(struct running *k)
{
    if (!k->pondering || !uci_signalled(&k->u->hit, k->search))
        return;
    k->pondering = false;
    k->began = now(k);
}

/* Checks for ponderhit and the clock; true if the search must stop now. Does not interrupt a first
 * iteration of normal length, so that the move is based on a search. */
static bool poll(void *context)
{
    struct running *k = context;
    check_ponderhit(k);
    if (!k->reported && now(k) - k->start_time < FIRST_ITERATION)
        return false;
    if (k->pondering || k->limits.hard == 0)
        return uci_is_stopped(k->u, k->search);
    return k->pondered || elapsed(k) >= k->limits.hard || uci_is_stopped(k->u, k->search);
}

/* Whether there is time for another iteration. While pondering there is, but ponderhit ends the search at once if
 * it has taken the time of a move by then. */
static bool has_time_left(struct running *k)
{
    if (k->limits.hard == 0)
        return true;
    const bool only = k->moves == 1 && !k->limits.fixed;
    const bool enough = only || time_is_enough(&k->limits, elapsed(k), &k->signs);
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
    struct position p = k->u->position;
    if (now(k) - k->start_time < CURRENT_AFTER)
        return;
    uci_text_add(&text, "info depth %d currmove", depth);
    add_move(k, &text, &p, m);
    uci_text_add(&text, " currmovenumber %d\n", number);
    uci_say(k->u, &text);
}

/* ---- the end ---- */

/* Reports the line to play with the final node count, unless the last report did. It is the line of the last complete
 * iteration, or of an interrupted one that has changed the best move: depth, score and moves are of one iteration. */
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

/* Writes "bestmove e2e4 ponder e7e5", with the reply of the last line reported, or "(none)". */
static void answer(const struct running *k, const struct search_result *r)
{
    struct uci_text text = {.length = 0};
    struct position p = k->u->position;
    uci_text_add(&text, r->best != NO_MOVE ? "bestmove" : "bestmove (none)");
    if (r->best != NO_MOVE)
        add_move(k, &text, &p, r->best);
    if (k->reported && k->best.length > 1) {
        uci_text_add(&text, " ponder");
        add_move(k, &text, &p, k->pv[1]);
    }
    uci_text_add(&text, "\n");
    uci_say(k->u, &text);
}

void uci_search(struct uci *u, const struct uci_go *go, uint64_t search, int64_t start_time)
{
    const enum color side = (enum color)u->position.side;
    const uint64_t cap = u->setup.node_cap, nodes = (uint64_t)go->nodes;
    const bool chosen = go->move_count > 0;
    const struct time_request time = {
        .has_clock = go->clock[side] != UCI_NO_CLOCK && !go->infinite,
        .left = go->clock[side],
        .increment = go->increment[side],
        .moves = go->moves_to_go,
        .fixed = go->infinite ? 0 : go->move_time,
        .overhead = u->options.overhead,
    };
    const struct search_limits limits = {
        .nodes = nodes == 0 || (cap != 0 && cap < nodes) ? cap : nodes,
        .depth = (int)go->depth,
        .mate = (int)go->mate,
        .lines = u->options.lines,
        .moves = chosen ? go->moves : NULL,
        .move_count = go->move_count,
    };
    struct running k = {.u = u,
                        .search = search,
                        .start_time = start_time,
                        .limits = time_limits_for(&time),
                        .began = start_time,
                        .pondering = go->ponder,
                        .moves = chosen ? go->move_count : movegen_count(&u->position)};
    const struct search_observer observer = {
        .context = &k, .stop = poll, .line = take_line, .root_move = report_root_move};
    k.lines = u->options.lines < k.moves ? u->options.lines : k.moves;
    const struct search_result result =
        engine_search(u->engine, &u->position, &u->history, &limits, &observer);
    if (result.best == NO_MOVE)
        uci_answer(u, "info depth 0 score %s\n",
                   position_in_check(&u->position) ? "mate 0" : "cp 0");
    report_end(&k, &result);
    check_ponderhit(&k);
    uci_search_ends(u, search, go->infinite || k.pondering, !go->infinite);
    answer(&k, &result);
}
