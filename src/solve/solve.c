#include "clock.h"
#include "solve_table.h"

/* A position being solved. */
struct attempt {
    const struct epd *epd;
    const struct solve_limits *limits;
    double began;
    struct solved solved;
};

bool solve_is_right(const struct epd *epd, Move m)
{
    bool right = epd->best_count == 0 || epd_has_best(epd, m);
    for (int i = 0; i < epd->avoid_count; i++)
        right = right && epd->avoid[i] != m;
    return right;
}

/* Records when a right move becomes best and when it stops being best. */
static bool note_best(void *context, Move best, int depth, uint64_t nodes)
{
    struct attempt *a = context;
    struct solved *s = &a->solved;
    bool right = solve_is_right(a->epd, best);
    nodes += nodes == 0; /* an only move may be best before a node is searched, and 0 says never */
    if (!right)
        s->stable = (struct solve_moment){0};
    else if (s->stable.nodes == 0)
        s->stable = (struct solve_moment){nodes, depth, clock_seconds() - a->began};
    if (right && s->first.nodes == 0)
        s->first = s->stable;
    return s->first.nodes == 0 || !a->limits->until_first;
}

/* Polled by the search. Only this function reads the clock. */
static bool must_stop(void *context)
{
    struct attempt *a = context;
    const struct solve_limits *l = a->limits;
    if (l->stop != NULL && *l->stop != 0)
        a->solved.abandoned = true;
    return a->solved.abandoned ||
           (l->movetime > 0 && 1000 * (clock_seconds() - a->began) >= l->movetime);
}

static struct solved end(struct attempt *a, Move best, int32_t score, int depth, uint64_t nodes)
{
    struct solved *s = &a->solved;
    s->best = best;
    s->score = score;
    s->depth = depth;
    s->nodes = nodes;
    s->seconds = clock_seconds() - a->began;
    return *s;
}

static void *create_engine(const struct search_method *method, const struct evaluation *evaluation,
                           int hash_mib, struct error *err)
{
    struct engine *e = engine_create(hash_mib, err);
    (void)method;
    if (e != NULL)
        engine_set_evaluation(e, evaluation);
    return e;
}

static void destroy_engine(void *searcher)
{
    engine_destroy(searcher);
}

/* Without parameters the engine keeps those that it has. */
static struct search_result search_by_engine(void *searcher, const struct search_params *params,
                                             const struct position *p,
                                             const struct search_limits *limits,
                                             const struct search_observer *observer)
{
    if (params != NULL)
        engine_set_params(searcher, params);
    engine_clear(searcher);
    return engine_search(searcher, p, NULL, limits, observer);
}

static void describe(struct plan *p, void *context)
{
    solve_describe(p, context, &engine_search_method);
}

const struct job_kind solve_job_kind = SOLVE_JOB_KIND("solve", describe, destroy_engine);

const struct search_method engine_search_method = {"engine", &solve_job_kind, create_engine,
                                                   destroy_engine, search_by_engine};

struct solved solve_by_method(const struct search_method *method, void *searcher,
                              const struct search_params *params, const struct epd *epd,
                              const struct solve_limits *limits)
{
    struct attempt a = {.epd = epd, .limits = limits, .began = clock_seconds()};
    const struct search_limits search = {.nodes = limits->nodes, .depth = limits->depth};
    const struct search_observer observer = {.context = &a, .stop = must_stop, .best = note_best};
    struct search_result r = method->search(searcher, params, &epd->position, &search, &observer);
    return end(&a, r.best, r.score, r.depth, r.nodes);
}

struct solved solve_position(struct engine *engine, const struct epd *epd,
                             const struct solve_limits *limits)
{
    return solve_by_method(&engine_search_method, engine, NULL, epd, limits);
}

/* Follows another engine, by the first move of its pv. No nodes yet count as one. */
static bool follow(void *context, const struct uci_info *info)
{
    return info->move == NO_MOVE || note_best(context, info->move, info->depth, info->nodes);
}

struct solved solve_position_by_uci(struct uci_client *client, const struct epd *epd,
                                    const struct solve_limits *limits, struct error *err)
{
    const struct uci_limits go = {
        .nodes = limits->nodes, .depth = limits->depth, .movetime = limits->movetime};
    struct attempt a = {.epd = epd, .limits = limits};
    const struct uci_watcher watcher = {.info = follow, .context = &a, .stop = limits->stop};
    uci_client_new_game(client, NULL); /* if it has a fault, the search ends by that */
    a.began = clock_seconds();
    struct uci_outcome o = uci_client_search(client, &epd->position, NULL, 0, &go, &watcher, err);
    a.solved.abandoned = uci_is_abandoned(o.end, &watcher);
    if (o.end == UCI_MOVE)
        follow(&a,
               &(struct uci_info){.move = o.move, .depth = o.info.depth, .nodes = o.info.nodes});
    else
        a.solved.first = a.solved.stable = (struct solve_moment){0};
    a.solved.fault = o.end == UCI_STOPPED ? UCI_MOVE : o.end;
    return end(&a, o.move, o.info.score, o.info.depth, o.info.nodes);
}

uint64_t solve_cost(const struct solve_moment *moment, uint64_t limit)
{
    return moment->nodes > 0 ? moment->nodes : limit;
}
