#include "clock.h"
#include "search_params.h"
#include "solve_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Ends the attempt with the result of the search. */
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

/* Follows another engine: the first move of its pv is the best one. Some engines report no nodes in
 * their first lines; these count as one. */
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

/* ---- a solver ---- */

struct solver {
    struct solver_settings settings;
    struct engine *engine;     /* ours, or */
    struct uci_client *client; /* another; NULL: it could not be started for other values */
    int32_t *values;           /* those set */
    bool set;
};

/* Creates our engine. */
static bool begin_ours(struct solver *s, struct error *err)
{
    s->engine = create_engine(NULL, s->settings.evaluation, s->settings.hash_mib, err);
    return s->engine != NULL;
}

/* Starts another engine with its constants; ends a process that has other values. */
static bool begin_other(struct solver *s, struct error *err)
{
    uci_client_stop(s->client);
    s->set = false;
    s->client = uci_client_start(s->settings.engine, err);
    return s->client != NULL;
}

struct solver *solver_create(const struct solver_settings *settings, struct error *err)
{
    struct solver *s = calloc(1, sizeof *s);
    int32_t *values = calloc((size_t)settings->table->count + 1, sizeof *values);
    if (s == NULL || values == NULL) {
        free(s);
        free(values);
        error_set(err, "no memory for a search");
        return NULL;
    }
    *s = (struct solver){.settings = *settings, .values = values};
    if (settings->engine == NULL ? begin_ours(s, err) : begin_other(s, err))
        return s;
    solver_destroy(s);
    return NULL;
}

void solver_destroy(struct solver *s)
{
    if (s == NULL)
        return;
    engine_destroy(s->engine);
    uci_client_stop(s->client);
    free(s->values);
    free(s);
}

/* Sends the values of the genes; the constants are set since the start. Other values get a new
 * process: an engine may keep in its tables what it computed with the old ones. Toga II keeps its pawn
 * and material tables over ucinewgame, so that results would depend on what the worker did before. An
 * engine that dies of a value has a fault in the first position. */
static bool set_options(struct solver *s, const int32_t *values, struct error *err)
{
    const struct param_table *table = s->settings.table;
    if ((s->set || s->client == NULL) && !begin_other(s, err))
        return false;
    for (int i = 0; i < table->count; i++) {
        char text[PARAM_TEXT];
        const struct param *p = &table->params[i];
        if (p->bits > 0 &&
            !uci_client_set(s->client, p->name, param_value_text(p, values[i], text), err))
            return false;
    }
    return true;
}

/* Sets the parameters, if they are not set. */
static bool set_values(struct solver *s, const int32_t *values, struct error *err)
{
    const struct param_table *table = s->settings.table;
    size_t size = (size_t)table->count * sizeof *values;
    if (s->set && memcmp(s->values, values, size) == 0)
        return true;
    if (s->settings.engine != NULL) {
        if (!set_options(s, values, err))
            return false;
    } else {
        struct search_params params = search_params_from(table, values);
        engine_set_params(s->engine, &params);
    }
    memcpy(s->values, values, size);
    return s->set = true;
}

/* Describes a fault: the reason, and the end of the conversation. */
static char *describe_fault(const struct solver *s, const char *reason)
{
    const char *lines = uci_client_log(s->client);
    size_t size = strlen(reason) + strlen(lines) + 3;
    char *log = malloc(size);
    if (log != NULL)
        snprintf(log, size, "%s\n\n%s", reason, lines);
    return log;
}

bool solver_solve(struct solver *s, const int32_t *values, const struct epd *epd,
                  const struct solve_limits *limits, struct solved *solved, char **log,
                  struct error *err)
{
    struct error reason = {""};
    *log = NULL;
    if (!set_values(s, values, err))
        return false;
    if (s->settings.engine == NULL) {
        *solved = solve_position(s->engine, epd, limits);
        return true;
    }
    *solved = solve_position_by_uci(s->client, epd, limits, &reason);
    if (solved->fault == UCI_MOVE)
        return true;
    if (solved->fault == UCI_NO_MEMORY)
        return error_set(err, "%s", reason.text);
    *log = describe_fault(s, reason.text);
    /* If the values prevent it, the next position has a fault as well. */
    uci_client_restart(s->client, NULL);
    return true;
}

uint64_t solve_cost(const struct solve_moment *moment, uint64_t limit)
{
    return moment->nodes > 0 ? moment->nodes : limit;
}
