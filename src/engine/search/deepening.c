/* The root: iterative deepening (Slate and Atkin 1977) over the root moves, best first. */
#include "aspiration.h"

#include <string.h>

/* What deepening keeps between iterations. */
struct deepening {
    struct tree *tree;
    const struct search_limits *limits;
    struct node node;
    int line;   /* which of the lines wanted is searched; root moves before it are settled */
    Move told;  /* the move last told as best */
    bool ended; /* the observer has had enough */
};

/* Tells the observer of a new best move, if it is one. */
static void tell_best(struct deepening *d, Move m)
{
    const struct search_observer *o = d->tree->observer;
    if (d->line > 0 || m == d->told)
        return;
    d->told = m;
    if (o->best != NULL && !o->best(o->context, m, d->tree->iteration, d->tree->nodes))
        d->ended = true;
}

/* Tells the observer how a line stands. */
static void tell_line(struct deepening *d, int line, enum bound bound)
{
    const struct tree *t = d->tree;
    const struct search_observer *o = t->observer;
    const struct root_move *r = &t->root[line];
    if (o->line == NULL)
        return;
    const struct search_line told = {.index = line,
                                     .depth = t->iteration,
                                     .seldepth = r->seldepth,
                                     .score = r->score,
                                     .bound = bound,
                                     .nodes = t->nodes,
                                     .length = r->pv_length,
                                     .moves = r->pv};
    if (!o->line(o->context, &told))
        d->ended = true;
}

/* Moves the root move at `from` up to `to`; those between keep their order. */
static void move_up(struct tree *t, int from, int to)
{
    struct root_move up = t->root[from];
    memmove(&t->root[to + 1], &t->root[to], (size_t)(from - to) * sizeof up);
    t->root[to] = up;
}

/* Keeps the line that a root move has just been searched with. */
static void keep_line(struct tree *t, struct root_move *r, int32_t value)
{
    const struct frame *child = tree_frame(t, 1);
    r->score = value;
    r->seldepth = t->seldepth;
    r->pv[0] = r->move;
    r->pv_length = 1;
    for (int i = 0; i < child->pv_length && r->pv_length < MAX_PLY; i++)
        r->pv[r->pv_length++] = child->pv[i];
}

/* Makes the root move at `index` the best of its line. The first move of the first iteration is
 * best for want of others: it is told when the iteration ends. */
static void take_best(struct deepening *d, int index, int32_t value)
{
    struct tree *t = d->tree;
    keep_line(t, &t->root[index], value);
    move_up(t, index, d->line);
    if (t->iteration > 1 || index > d->line)
        tell_best(d, t->root[d->line].move);
}

/* Searches the root moves from the present line on, within a window. */
static int32_t search_root(struct deepening *d, int32_t alpha, int32_t beta)
{
    struct tree *t = d->tree;
    const struct search_observer *o = t->observer;
    struct node *n = &d->node;
    n->alpha = alpha;
    n->beta = beta;
    n->best = -INFINITE_SCORE;
    n->searched = 0;
    for (int i = d->line; i < t->root_count && n->alpha < n->beta && !t->stopped; i++) {
        Move m = t->root[i].move;
        if (o->root_move != NULL)
            o->root_move(o->context, m, i + 1, t->iteration);
        tree_frame(t, 1)->pv_length = 0;
        int32_t value = tree_search_move(t, n, m, move_gives_check(&t->position, &n->checks, m));
        if (t->stopped)
            return n->best;
        n->searched++;
        if (value > n->best)
            n->best = value;
        if (value > n->alpha || i == d->line) {
            n->alpha = value > n->alpha ? value : n->alpha;
            take_best(d, i, value);
        }
        t->stopped = d->ended;
    }
    return n->best;
}

/* One line of an iteration, its window widened until the value lies within. */
static void search_line(struct deepening *d)
{
    struct tree *t = d->tree;
    struct aspiration window = aspiration_first(t, t->iteration, t->root[d->line].score);
    t->seldepth = 0;
    while (!t->stopped) {
        int32_t value = search_root(d, window.alpha, window.beta);
        bool low = value <= window.alpha;
        if (t->stopped || !aspiration_widen(&window, value))
            return;
        tell_line(d, d->line, low ? BOUND_UPPER : BOUND_LOWER);
        t->stopped = d->ended;
    }
}

/* Sorts the settled lines by their scores; equal ones keep their order. */
static void sort_lines(struct tree *t, int count)
{
    for (int i = 1; i < count; i++) {
        int to = i;
        while (to > 0 && t->root[to - 1].score < t->root[i].score)
            to--;
        move_up(t, i, to);
    }
}

/* Whether the mate that was asked for has been found. */
static bool mate_found(const struct deepening *d)
{
    int moves = score_mate_moves(d->tree->root[0].score);
    return d->limits->mate > 0 && moves > 0 && moves <= d->limits->mate;
}

/* One iteration; false when the search ends with it. */
static bool iterate(struct deepening *d, int lines)
{
    struct tree *t = d->tree;
    d->node.depth = t->iteration * PLY;
    for (d->line = 0; d->line < lines; d->line++) {
        search_line(d);
        if (t->stopped || d->ended)
            return false;
    }
    sort_lines(t, lines);
    d->line = 0;
    tell_best(d, t->root[0].move);
    for (int i = 0; i < lines && !d->ended; i++)
        tell_line(d, i, BOUND_EXACT);
    return !d->ended && !mate_found(d);
}

/* Examines the root position once: nothing of it changes between iterations. */
static void deepening_init(struct deepening *d, struct tree *t, const struct search_limits *limits)
{
    struct node *n = &d->node;
    d->tree = t;
    d->limits = limits;
    d->told = NO_MOVE;
    d->ended = false;
    node_init(t, n, NODE_PV, -INFINITE_SCORE, INFINITE_SCORE, PLY, 0);
    n->hit = (struct tt_hit){.move = NO_MOVE, .eval = NO_EVAL};
    n->in_check = position_in_check(&t->position);
    n->only_reply = n->in_check && movegen_count(&t->position) == 1;
    n->eval = n->in_check ? NO_EVAL : tree_evaluate(t);
    n->improving = false;
    tree_frame(t, 0)->eval = n->eval;
    check_squares_find(&t->position, &n->checks);
}

struct search_result tree_deepen(struct tree *t, const struct search_limits *limits)
{
    struct deepening d;
    struct search_result result = {0};
    int lines = limits->lines < 1 ? 1 : limits->lines;
    int depth = limits->depth > 0 && limits->depth < MAX_DEPTH ? limits->depth : MAX_DEPTH;
    lines = lines < t->root_count ? lines : t->root_count;
    deepening_init(&d, t, limits);
    for (t->iteration = 1; t->iteration <= depth && t->root_count > 0; t->iteration++) {
        bool more = iterate(&d, lines);
        if (!t->stopped)
            result.depth = t->iteration;
        result.stopped = t->stopped || d.ended;
        if (!more)
            break;
    }
    const struct root_move *r = &t->root[0];
    result.nodes = t->nodes;
    result.best = t->root_count > 0 ? r->move : NO_MOVE;
    result.ponder = t->root_count > 0 && r->pv_length > 1 ? r->pv[1] : NO_MOVE;
    result.score = t->root_count > 0 && r->score != -INFINITE_SCORE ? r->score : 0;
    result.seldepth = t->root_count > 0 ? r->seldepth : 0;
    return result;
}
