/* The root search: iterative deepening (Slate and Atkin 1977) over the root moves, best first. */
#include "selective.h"

#include <string.h>

/* State kept between iterations. */
struct deepening {
    struct tree *tree;
    const struct search_limits *limits;
    struct node node;
    int line;      /* the line being searched; root moves before it are final */
    Move reported; /* the best move reported last */
    bool ended;    /* the observer ended the search */
};

/* Reports a new best move to the observer; does nothing if it is not new. */
static void report_best(struct deepening *d, Move m)
{
    const struct search_observer *o = d->tree->observer;
    if (d->line > 0 || m == d->reported)
        return;
    d->reported = m;
    if (o->best != NULL && !o->best(o->context, m, d->tree->iteration, tree_nodes(d->tree)))
        d->ended = true;
}

/* The line at `index`, from the last complete search of its root move. */
static struct search_line line_at(const struct tree *t, int index)
{
    const struct root_move *r = &t->root[index];
    return (struct search_line){.index = index,
                                .depth = r->depth,
                                .seldepth = r->seldepth,
                                .score = r->score,
                                .bound = r->bound,
                                .nodes = tree_nodes(t),
                                .effort = (int)(100 * r->nodes / (t->nodes + 1)),
                                .length = r->pv_length,
                                .moves = r->pv};
}

static void report_line(struct deepening *d, int index)
{
    const struct search_observer *o = d->tree->observer;
    const struct search_line line = line_at(d->tree, index);
    if (o->line != NULL && !o->line(o->context, &line))
        d->ended = true;
}

/* Moves the root move at `from` up to `to`; the moves between keep their order. */
static void move_up(struct tree *t, int from, int to)
{
    struct root_move up = t->root[from];
    memmove(&t->root[to + 1], &t->root[to], (size_t)(from - to) * sizeof up);
    t->root[to] = up;
}

static void store_line(struct tree *t, struct root_move *r, int32_t value, enum bound bound)
{
    const struct frame *child = tree_frame(t, 1);
    r->score = value;
    r->bound = bound;
    r->depth = t->iteration;
    r->seldepth = t->seldepth;
    r->pv[0] = r->move;
    r->pv_length = 1;
    for (int i = 0; i < child->pv_length && r->pv_length < MAX_PLY; i++)
        r->pv[r->pv_length++] = child->pv[i];
}

/* Makes the root move at `index` the best of its line. The first move of the first iteration is
 * best by default; it is reported when the iteration ends. */
static void set_best(struct deepening *d, int index, int32_t value, enum bound bound)
{
    struct tree *t = d->tree;
    store_line(t, &t->root[index], value, bound);
    move_up(t, index, d->line);
    if (t->iteration > 1 || index > d->line)
        report_best(d, t->root[d->line].move);
}

/* Searches the root moves from the current line on, within a window. */
static int32_t search_root(struct deepening *d, int32_t alpha, int32_t beta)
{
    struct tree *t = d->tree;
    const struct search_observer *o = t->observer;
    struct node *n = &d->node;
    n->alpha = alpha;
    n->beta = beta;
    n->best = -INFINITE_SCORE;
    n->searched = 0;
    tree_frame(t, 1)->cutoffs = 0;
    for (int i = d->line; i < t->root_count && n->alpha < n->beta && !t->stopped; i++) {
        Move m = t->root[i].move;
        if (o->root_move != NULL)
            o->root_move(o->context, m, i + 1, t->iteration);
        tree_frame(t, 1)->pv_length = 0;
        const uint64_t before = t->nodes;
        const bool gives_check = move_gives_check(&t->position, &n->checks, m);
        n->history = ordering_score(&t->ordering, &t->position, n->context, m);
        n->reduction = late_move_reduction(t, n, m, gives_check);
        int32_t value = tree_search_move(t, n, m, gives_check);
        t->root[i].nodes += t->nodes - before;
        if (t->stopped)
            return n->best;
        n->searched++;
        if (value > n->best)
            n->best = value;
        if (value > n->alpha || i == d->line) {
            n->alpha = value > n->alpha ? value : n->alpha;
            set_best(d, i, value, bound_within(alpha, beta, value));
        }
        t->stopped = d->ended;
    }
    return n->best;
}

/* ---- aspiration windows (Slate and Atkin 1977), of the modern search ---- */

/* The first iteration with a narrow window; half of the widest. */
enum { FIRST_NARROW = 5, WIDEST = 3000 };

struct window {
    int32_t alpha, beta, margin;
};

/* The window around the last value: ASPIRATION_WINDOW is half of it; 0 means a full window. */
static struct window first_window(const struct tree *t, int32_t last)
{
    const int32_t margin = param(t, ASPIRATION_WINDOW);
    if (margin == 0 || t->iteration < FIRST_NARROW || is_mate_score(last))
        return (struct window){-INFINITE_SCORE, INFINITE_SCORE, 0};
    return (struct window){last - margin, last + margin, margin};
}

/* Widens the side on which `value` failed. False if the value lies within the window. */
static bool widen(struct window *w, int32_t value)
{
    if (value > w->alpha && value < w->beta)
        return false;
    w->margin *= 2;
    const bool full = w->margin > WIDEST || is_mate_score(value);
    if (value <= w->alpha)
        w->alpha = full ? -INFINITE_SCORE : value - w->margin;
    else
        w->beta = full ? INFINITE_SCORE : value + w->margin;
    return true;
}

/* ---- iterations ---- */

/* Searches one line of an iteration, and widens its window until it contains the value. */
static void search_line(struct deepening *d)
{
    struct tree *t = d->tree;
    struct window window = first_window(t, t->root[d->line].score);
    t->seldepth = 0;
    while (!t->stopped) {
        int32_t value = search_root(d, window.alpha, window.beta);
        if (t->stopped || !widen(&window, value))
            return;
        report_line(d, d->line);
        t->stopped = d->ended;
    }
}

/* Sorts root moves, from one to before another, by score, or the nodes below them; equal ones keep their order. */
static void sort_root(struct tree *t, int from, int end, bool by_nodes)
{
    const struct root_move *root = t->root;
    for (int i = from + 1; i < end; i++) {
        int to = i;
        while (to > from &&
               (by_nodes ? root[to - 1].nodes < root[i].nodes : root[to - 1].score < root[i].score))
            to--;
        move_up(t, i, to);
    }
}

static bool mate_found(const struct deepening *d)
{
    int moves = score_mate_moves(d->tree->root[0].score);
    return d->limits->mate > 0 && moves > 0 && moves <= d->limits->mate;
}

/* Runs one iteration. False if the search ends with it. */
static bool iterate(struct deepening *d, int lines)
{
    struct tree *t = d->tree;
    d->node.depth = t->iteration * PLY;
    if (param(t, ROOT_EFFORT) != 0)
        sort_root(t, lines, t->root_count, true);
    for (d->line = 0; d->line < lines; d->line++) {
        search_line(d);
        if (t->stopped || d->ended)
            return false;
    }
    sort_root(t, 0, lines, false);
    d->line = 0;
    report_best(d, t->root[0].move);
    for (int i = 0; i < lines && !d->ended; i++)
        report_line(d, i);
    return !d->ended && !mate_found(d);
}

/* Whether a helper leaves out this iteration: every second to fourth, by its number. */
static bool skips(const struct tree *t)
{
    return t->number > 0 && t->iteration > 1 &&
           (t->iteration + t->number) % (2 + t->number % 3) == 0;
}

/* Initialises the root node; it does not change between iterations. */
static void deepening_init(struct deepening *d, struct tree *t, const struct search_limits *limits)
{
    struct node *n = &d->node;
    d->tree = t;
    d->limits = limits;
    d->reported = NO_MOVE;
    d->ended = false;
    node_init(t, n, NODE_PV, -INFINITE_SCORE, INFINITE_SCORE, PLY, 0);
    n->hit = (struct tt_hit){.move = NO_MOVE, .eval = NO_EVAL};
    n->in_check = tree_frame(t, -1)->checks = position_in_check(&t->position);
    n->only_reply = n->in_check && movegen_count(&t->position) == 1;
    n->raw = n->in_check ? NO_EVAL : tree_evaluate(t);
    n->eval = n->in_check ? NO_EVAL : tree_corrected(t, n->raw);
    n->improving = false;
    n->on_pv = true;
    tree_frame(t, 0)->raw = n->raw;
    tree_frame(t, 0)->eval = n->eval;
    node_begin_moves(t, n);
}

struct search_result tree_deepen(struct tree *t, const struct search_limits *limits)
{
    struct deepening d;
    struct search_result result = {0};
    int lines = limits->lines < 1 ? 1 : limits->lines;
    int depth = limits->depth > 0 && limits->depth < MAX_DEPTH ? limits->depth : MAX_DEPTH;
    lines = lines < t->root_count ? lines : t->root_count;
    t->ordering.capture_weight = param(t, CAPTURE_HISTORY);
    t->ordering.reward_slope = param(t, REWARD_SLOPE);
    t->ordering.reward_before = param(t, REWARD_BEFORE);
    deepening_init(&d, t, limits);
    for (t->iteration = 1; t->iteration <= depth && t->root_count > 0; t->iteration++) {
        if (skips(t))
            continue;
        bool more = iterate(&d, lines);
        if (!t->stopped)
            result.depth = t->iteration;
        result.stopped = t->stopped || d.ended;
        if (!more)
            break;
    }
    result.nodes = tree_nodes(t);
    result.best = t->root_count > 0 ? t->root[0].move : NO_MOVE;
    if (t->root_count > 0 && t->root[0].depth > 0) {
        result.line = line_at(t, 0);
        result.score = result.line.score;
    }
    return result;
}
