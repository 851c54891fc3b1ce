#include "beal_tree.h"

#include <stdlib.h>
#include <string.h>

/* A root move and its combined result over all iterations. */
struct choice {
    Move move;
    struct fat_value fat; /* the range from all iterations, the value from the last */
};

struct beal {
    struct beal_tree tree;
    struct choice choices[MAX_MOVES]; /* best first */
    int count;
    bool in_check;
    int32_t pass; /* value of passing at the root; -INFINITE_SCORE if not allowed */
    int iteration;
    int32_t value; /* the best so far */
    Move reported; /* the best move reported last */
};

/* ---- life cycle ---- */

void beal_clear(struct beal *b)
{
    range_table_clear(&b->tree.ranges);
    ordering_clear(&b->tree.ordering);
}

struct beal *beal_create(const struct beal_settings *settings, int hash_mib, struct error *err)
{
    const struct eval_weights material = eval_material_weights();
    struct beal *b = calloc(1, sizeof *b);
    if (b == NULL) {
        error_set(err, "no memory for a searcher");
        return NULL;
    }
    b->tree.order = settings->order;
    b->tree.weights = settings->weights;
    b->tree.material = memcmp(&settings->weights, &material, sizeof material) == 0;
    b->tree.checkmates = !settings->no_checkmates;
    if (range_table_create(&b->tree.ranges, hash_mib, err))
        return b;
    beal_destroy(b);
    return NULL;
}

void beal_destroy(struct beal *b)
{
    if (b == NULL)
        return;
    range_table_destroy(&b->tree.ranges);
    free(b);
}

/* ---- the root moves ---- */

/* Moves the choice at `from` to the front; the choices before it keep their order. */
static void move_to_front(struct beal *b, int from)
{
    struct choice best = b->choices[from];
    memmove(&b->choices[1], &b->choices[0], (size_t)from * sizeof best);
    b->choices[0] = best;
}

/* Whether no other move can be better than the front move (Figure 6). */
static bool is_decided(const struct beal *b)
{
    int i = 1;
    while (i < b->count && fat_is_no_worse(b->choices[0].fat, b->choices[i].fat))
        i++;
    return i >= b->count;
}

/* Reports the front move to the observer if it is new. */
static void report_best(struct beal *b)
{
    const struct search_observer *o = b->tree.observer;
    Move best = b->choices[0].move;
    if (best == b->reported)
        return;
    b->reported = best;
    if (o->best != NULL && !o->best(o->context, best, b->iteration, b->tree.nodes))
        b->tree.stopped = true;
}

/* ---- an iteration ---- */

/* The fat value of a root move; exact only if it exceeds `alpha`. */
static struct fat_value search_choice(struct beal *b, Move m, int32_t alpha)
{
    struct beal_tree *t = &b->tree;
    struct undo undo;
    if (beal_poll(t))
        return fat_unknown(0);
    int depth = quiesce_d_child_depth(b->iteration, b->in_check);
    beal_make(t, 0, m, &undo);
    struct fat_value found = fat_negate(quiesce_d(t, -INFINITE_SCORE, -alpha, depth, 1));
    beal_unmake(t, m, &undo);
    return found;
}

/* Makes the choice at `index` the best. The first move of the first iteration is best by default;
 * it is reported when the iteration ends. */
static void set_best(struct beal *b, int index)
{
    move_to_front(b, index);
    if (b->iteration > 1 || index > 0)
        report_best(b);
}

/* QUIESCE-D at the root. A move becomes best when it exceeds the best value so far, which starts as
 * the value of the null move. The first iteration ignores the null move, so that there is always a
 * best move. */
static void iterate(struct beal *b)
{
    int32_t best = b->pass, best_move = -INFINITE_SCORE;
    for (int i = 0; i < b->count && !is_decided(b); i++) {
        struct choice *c = &b->choices[i];
        if (b->iteration > 1 && c->fat.upper <= best)
            continue;
        struct fat_value found = search_choice(b, c->move, best);
        if (b->tree.stopped)
            return;
        c->fat = fat_meet(found, c->fat);
        bool better = found.value > (b->iteration > 1 ? best : best_move);
        best_move = found.value > best_move ? found.value : best_move;
        best = found.value > best ? found.value : best;
        if (better) {
            b->value = best;
            set_best(b, i);
        }
    }
    b->value = best;
    report_best(b);
}

/* ---- deepening ---- */

/* Resets per-search state and lists the root moves in canonical order. */
static void begin(struct beal *b, const struct position *p, const struct search_limits *limits,
                  const struct search_observer *observer)
{
    static const struct search_observer silent;
    struct beal_tree *t = &b->tree;
    struct move_list list;
    t->position = *p;
    history_init(&t->history);
    t->nodes = t->next_poll = 0;
    t->node_limit = limits->nodes > 0 ? limits->nodes : UINT64_MAX;
    t->stopped = false;
    t->observer = observer != NULL ? observer : &silent;
    t->branching = (struct beal_branching){0};
    memset(t->ordering.killers, 0, sizeof t->ordering.killers);
    memset(t->played, -1, sizeof t->played);
    movegen_legal(p, &list);
    movegen_sort(&list);
    b->count = list.count;
    for (int i = 0; i < list.count; i++)
        b->choices[i] = (struct choice){list.moves[i], fat_unknown(0)};
    b->in_check = position_in_check(p);
    b->reported = NO_MOVE;
    b->iteration = 0;
    b->value = 0;
}

/* Computes the value of passing at the root, which no iteration changes. */
static void pass(struct beal *b)
{
    b->pass = -INFINITE_SCORE;
    if (b->in_check)
        return;
    int32_t value =
        beal_null_value(&b->tree, b->tree.order - 1, -INFINITE_SCORE, INFINITE_SCORE, 0);
    if (!b->tree.stopped)
        b->pass = value;
}

/* Iterates until the limits, the observer or a decision end the search. Returns the last completed
 * iteration. */
static int deepen(struct beal *b, int depth)
{
    int completed = 0;
    pass(b);
    while (completed < depth && !b->tree.stopped && (completed == 0 || !is_decided(b))) {
        b->iteration = completed + 1;
        iterate(b);
        completed += !b->tree.stopped;
    }
    return completed;
}

/* The fat value of the root: the maximum over its moves and passing. */
static struct fat_value root_value(const struct beal *b)
{
    struct fat_value f = {b->pass, b->value, b->pass};
    if (b->count == 0)
        return fat_exact(b->in_check ? -MATE : 0);
    for (int i = 0; i < b->count; i++)
        f = fat_join(f, b->choices[i].fat);
    const bool searched = b->value > -INFINITE_SCORE; /* the only answer to a check is not */
    f.value = fat_clamp(searched ? b->value : 0, f.lower, f.upper);
    return f;
}

struct beal_result beal_search(struct beal *b, const struct position *p,
                               const struct search_limits *limits,
                               const struct search_observer *observer)
{
    bool limited = limits->depth > 0 && limits->depth < MAX_DEPTH;
    struct beal_result r = {.best = NO_MOVE};
    begin(b, p, limits, observer);
    if (b->count > 0) {
        r.depth = deepen(b, limited ? limits->depth : MAX_DEPTH);
        r.best = b->choices[0].move;
    }
    r.root = root_value(b);
    r.decided = is_decided(b);
    r.nodes = b->tree.nodes;
    r.stopped = b->tree.stopped;
    r.branching = b->tree.branching;
    return r;
}

struct beal_assumption beal_test_assumption(struct beal *b, const struct position *p, int depth)
{
    struct beal_assumption a = {.best = -INFINITE_SCORE};
    begin(b, p, &(struct search_limits){0}, NULL);
    pass(b);
    a.null = b->pass;
    b->iteration = depth;
    for (int i = 0; i < b->count; i++) {
        struct fat_value found = search_choice(b, b->choices[i].move, a.best);
        a.best = found.value > a.best ? found.value : a.best;
    }
    return a;
}

/* ---- for suites ---- */

bool beal_check(const struct search_method *method, const struct evaluation *evaluation,
                struct error *err)
{
    return evaluation->kind == EVALUATION_PAPER ||
           error_set(err, "%s needs an evaluation of kind %s, not %s", method->name,
                     eval_table.kind, evaluation_table(evaluation)->kind);
}

static void *create(const struct search_method *method, const struct evaluation *evaluation,
                    int hash_mib, struct error *err)
{
    const struct beal_settings settings = {.order = 1 + (int)(method - beal_methods),
                                           .weights = evaluation->paper};
    return beal_check(method, evaluation, err) ? beal_create(&settings, hash_mib, err) : NULL;
}

static void destroy(void *searcher)
{
    beal_destroy(searcher);
}

static struct search_result search(void *searcher, const struct search_params *params,
                                   const struct position *p, const struct search_limits *limits,
                                   const struct search_observer *observer)
{
    (void)params;
    beal_clear(searcher);
    struct beal_result r = beal_search(searcher, p, limits, observer);
    return (struct search_result){
        .best = r.best, .score = r.root.value, .depth = r.depth, .nodes = r.nodes};
}

static void describe1(struct plan *p, void *job)
{
    solve_describe(p, job, &beal_methods[0]);
}

static void describe2(struct plan *p, void *job)
{
    solve_describe(p, job, &beal_methods[1]);
}

static void describe3(struct plan *p, void *job)
{
    solve_describe(p, job, &beal_methods[2]);
}

const struct job_kind beal_jobs[BEAL_ORDERS] = {SOLVE_JOB_KIND("beal1", describe1),
                                                SOLVE_JOB_KIND("beal2", describe2),
                                                SOLVE_JOB_KIND("beal3", describe3)};

const struct search_method beal_methods[BEAL_ORDERS] = {
    {"beal1", &beal_jobs[0], create, destroy, search},
    {"beal2", &beal_jobs[1], create, destroy, search},
    {"beal3", &beal_jobs[2], create, destroy, search},
};
