#include "process.h"
#include "tree.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- helpers ---- */

/* The further threads of a search (lazy SMP). Each helper searches the root position of the main search with its own
 * killers, history and caches, and shares the transposition table. It leaves out some iterations, others than its
 * neighbours, so that helpers are at different depths. What they find reaches the main search through the table
 * alone; their results are not used. Searches with helpers do not repeat. Threads exist only while a search runs:
 *
 *     main     helpers_begin ... tree_deepen ... helpers_end
 *     helper         tree_deepen ... asks at each poll whether it is over */
struct helper {
    struct tree tree;
    struct search_observer observer;
    struct helpers *all;
    pthread_t thread;
    bool running;
    atomic_uint_fast64_t nodes; /* as of its last poll */
};

struct helpers {
    int count;
    atomic_bool over;
    struct helper of[];
};

/* Forgets what the helpers learned; `evaluation`: also what they keep of evaluations. */
static void helpers_clear(struct helpers *h, bool evaluation)
{
    for (int i = 0; h != NULL && i < h->count; i++) {
        struct tree *t = &h->of[i].tree;
        tree_forget(t);
        if (evaluation)
            evaluation_cache_clear(&t->pawns);
    }
}

/* Publishes the nodes so far, and tells whether the main search is over. */
static bool poll(void *context)
{
    struct helper *helper = context;
    atomic_store_explicit(&helper->nodes, helper->tree.nodes, memory_order_relaxed);
    return atomic_load_explicit(&helper->all->over, memory_order_relaxed);
}

/* Copies what a search is given and begins with; what the helper has learned stays. */
static void follow(struct helper *helper, const struct tree *t)
{
    struct tree *mine = &helper->tree;
    mine->position = t->position;
    mine->history = t->history;
    mine->evaluation = t->evaluation;
    mine->worth = t->worth;
    mine->params = t->params;
    mine->tt = t->tt;
    mine->nodes = mine->next_poll = 0;
    mine->node_limit = UINT64_MAX;
    mine->stopped = false;
    mine->iteration = mine->seldepth = 0;
    mine->root_count = t->root_count;
    memset(mine->ordering.killers, 0, sizeof mine->ordering.killers);
    memcpy(mine->frames, t->frames, sizeof mine->frames);
    memcpy(mine->root, t->root, (size_t)t->root_count * sizeof t->root[0]);
}

static void *work(void *context)
{
    struct helper *helper = context;
    const struct search_limits none = {0};
    tree_deepen(&helper->tree, &none);
    poll(helper);
    return NULL;
}

/* Starts the helpers on the search that `t` is about to begin, its root moves listed. If a helper's
 * thread cannot be created, the search runs without it. `t` may not be moved until helpers_end. */
static void helpers_begin(struct helpers *h, const struct tree *t)
{
    if (h != NULL)
        atomic_store(&h->over, false);
    for (int i = 0; h != NULL && i < h->count; i++) {
        struct helper *helper = &h->of[i];
        follow(helper, t);
        helper->all = h;
        helper->observer = (struct search_observer){.context = helper, .stop = poll};
        helper->tree.observer = &helper->observer;
        helper->tree.number = i + 1;
        atomic_store(&helper->nodes, 0);
        helper->running = thread_start(&helper->thread, work, helper) == 0;
    }
}

/* Stops the helpers and waits for them, about a thousand nodes each. */
static void helpers_end(struct helpers *h)
{
    if (h == NULL)
        return;
    atomic_store(&h->over, true);
    for (int i = 0; i < h->count; i++) {
        if (h->of[i].running)
            pthread_join(h->of[i].thread, NULL);
        h->of[i].running = false;
    }
}

uint64_t helpers_nodes(const struct helpers *h)
{
    uint64_t sum = 0;
    for (int i = 0; i < h->count; i++)
        sum += atomic_load_explicit(&h->of[i].nodes, memory_order_relaxed);
    return sum;
}

/* ---- the engine ---- */

struct engine {
    struct tree tree;
    struct helpers *helpers; /* owned; NULL with one thread */
};

/* ---- life cycle ---- */

void engine_clear(struct engine *e)
{
    tt_new_epoch(&e->tree.tt);
    tree_forget(&e->tree);
    helpers_clear(e->helpers, false);
}

struct engine *engine_create(int hash_mib, struct error *err)
{
    struct engine *e = large_pages(sizeof *e);
    if (e == NULL)
        return error_null(err, "no memory for an engine");
    e->tree.evaluation = evaluation_initial();
    e->tree.worth = piece_values_find(&e->tree.evaluation);
    e->tree.params = search_initial_params();
    if (tt_create(&e->tree.tt, hash_mib, err))
        return e;
    engine_destroy(e);
    return NULL;
}

void engine_destroy(struct engine *e)
{
    if (e == NULL)
        return;
    tt_destroy(&e->tree.tt);
    free(e->helpers);
    free(e);
}

/* ---- settings ---- */

bool engine_set_hash(struct engine *e, int hash_mib, struct error *err)
{
    struct tt tt;
    if (!tt_create(&tt, hash_mib, err))
        return false;
    tt_destroy(&e->tree.tt);
    e->tree.tt = tt;
    engine_clear(e);
    return true;
}

bool engine_set_threads(struct engine *e, int threads, struct error *err)
{
    const size_t count = (size_t)threads - 1;
    struct helpers *helpers = NULL;
    if (count > 0 && (helpers = calloc(1, sizeof *helpers + count * sizeof helpers->of[0])) == NULL)
        return error_set(err, "no memory for %d threads", threads);
    if (count > 0)
        helpers->count = (int)count;
    free(e->helpers);
    e->helpers = helpers;
    engine_clear(e);
    return true;
}

void engine_set_evaluation(struct engine *e, const struct evaluation *evaluation)
{
    e->tree.evaluation = *evaluation;
    e->tree.worth = piece_values_find(evaluation);
    evaluation_cache_clear(&e->tree.pawns);
    helpers_clear(e->helpers, true);
    engine_clear(e);
}

void engine_set_params(struct engine *e, const struct search_params *params)
{
    e->tree.params = *params;
    engine_clear(e);
}

/* ---- searching ---- */

/* Sets up the root position and lists the root moves to search in canonical order. */
static void set_root(struct tree *t, const struct position *p, const struct history *history,
                     const struct search_limits *limits)
{
    struct move_list list;
    t->position = *p;
    if (history != NULL)
        t->history = *history;
    else
        history_init(&t->history);
    movegen_legal(p, &list);
    movegen_sort(&list);
    t->root_count = 0;
    for (int i = 0; i < list.count; i++) {
        bool wanted = limits->moves == NULL;
        for (int j = 0; !wanted && j < limits->move_count; j++)
            wanted = limits->moves[j] == list.moves[i];
        if (!wanted)
            continue;
        struct root_move *r = &t->root[t->root_count++];
        r->move = r->pv[0] = list.moves[i];
        r->pv_length = 1;
        r->nodes = 0;
        r->score = -INFINITE_SCORE;
        r->bound = BOUND_NONE;
        r->depth = r->seldepth = 0;
    }
}

/* Resets per-search state: counters, killers, and the frames before the root. */
static void begin_search(struct tree *t, const struct search_limits *limits,
                         const struct search_observer *observer)
{
    t->nodes = 0;
    t->node_limit = limits->nodes > 0 ? limits->nodes : UINT64_MAX;
    t->next_poll = 0;
    t->stopped = false;
    t->iteration = t->seldepth = 0;
    t->observer = observer;
    t->helpers = NULL;
    memset(t->ordering.killers, 0, sizeof t->ordering.killers);
    for (int ply = -2; ply < MAX_PLY + 2; ply++) {
        struct frame *f = tree_frame(t, ply);
        f->move = f->excluded = NO_MOVE;
        f->piece_to = -1;
        f->capture = f->checks = f->verifying = false;
        f->eval = f->raw = NO_EVAL;
        f->pv_length = 0;
    }
    tt_new_search(&t->tt);
}

struct search_result engine_search(struct engine *e, const struct position *p,
                                   const struct history *history,
                                   const struct search_limits *limits,
                                   const struct search_observer *observer)
{
    static const struct search_limits none = {0};
    static const struct search_observer silent = {0};
    struct tree *t = &e->tree;
    limits = limits != NULL ? limits : &none;
    begin_search(t, limits, observer != NULL ? observer : &silent);
    set_root(t, p, history, limits);
    t->helpers = e->helpers;
    helpers_begin(e->helpers, t);
    struct search_result result = tree_deepen(t, limits);
    helpers_end(e->helpers);
    return result;
}

int engine_hashfull(const struct engine *e)
{
    return tt_full(&e->tree.tt);
}

int score_mate_moves(int32_t score)
{
    if (score > EVAL_LIMIT)
        return (MATE - score + 1) / 2;
    return score < -EVAL_LIMIT ? -(MATE + score) / 2 : 0;
}
