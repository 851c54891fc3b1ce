#include "null_move_survey.h"

#include "pieces.h"

#include <stdlib.h>

/* A survey under way. */
struct work {
    const struct null_move_survey *survey;
    struct beal **searchers; /* one for each thread */
    uint64_t nodes;
    int depth;
    struct beal_branching *branching; /* what is summed: this, or the count */
    struct assumption_count *count;
};

static bool asked_to_stop(void *context)
{
    const struct null_move_survey *s = context;
    return s->stop != NULL && *s->stop != 0;
}

/* ---- searchers ---- */

static void finish(struct work *w)
{
    for (int i = 0; w->searchers != NULL && i < w->survey->threads; i++)
        beal_destroy(w->searchers[i]);
    free(w->searchers);
}

static bool begin(struct work *w, struct error *err)
{
    const struct null_move_survey *s = w->survey;
    w->searchers = calloc((size_t)s->threads, sizeof(struct beal *));
    bool good = w->searchers != NULL || error_set(err, "no memory for %d searchers", s->threads);
    for (int i = 0; good && i < s->threads; i++)
        good = (w->searchers[i] = beal_create(&s->settings, s->hash_mib, err)) != NULL;
    return good;
}

/* Does the pieces with a searcher for each thread. */
static bool survey(struct work *w, struct pieces *p, struct error *err)
{
    p->count = w->survey->count;
    p->threads = w->survey->threads;
    p->context = w;
    bool good = begin(w, err) && pieces_do(p, err);
    finish(w);
    return good;
}

/* ---- branching ---- */

static bool search(void *context, int thread, size_t number, void *result)
{
    struct work *w = context;
    struct null_move_survey survey = *w->survey;
    const struct search_limits limits = {.nodes = w->nodes};
    const struct search_observer observer = {.context = &survey, .stop = asked_to_stop};
    struct beal *b = w->searchers[thread];
    beal_clear(b);
    struct beal_result r = beal_search(b, &survey.positions[number].position, &limits, &observer);
    *(struct beal_branching *)result = r.branching;
    return !asked_to_stop(&survey);
}

static bool add_branching(void *context, size_t number, const void *result)
{
    const struct work *w = context;
    const struct beal_branching *found = result;
    (void)number;
    w->branching->interior += found->interior;
    w->branching->moves += found->moves;
    w->branching->selected += found->selected;
    return true;
}

bool null_move_branching(const struct null_move_survey *s, uint64_t nodes,
                         struct beal_branching *sum, struct error *err)
{
    struct work w = {.survey = s, .nodes = nodes, .branching = sum};
    struct pieces p = {.result_size = sizeof *sum, .work = search, .take = add_branching};
    *sum = (struct beal_branching){0};
    return survey(&w, &p, err);
}

/* ---- the assumption ---- */

static bool compare(void *context, int thread, size_t number, void *result)
{
    const struct work *w = context;
    struct null_move_survey survey = *w->survey;
    const struct position *p = &survey.positions[number].position;
    struct assumption_count *c = result;
    struct beal *b = w->searchers[thread];
    if (position_in_check(p) || !movegen_any(p)) {
        c->left_out = 1;
        return true;
    }
    beal_clear(b);
    struct beal_assumption a = beal_test_assumption(b, p, w->depth);
    c->less = a.null < a.best;
    c->equal = a.null == a.best;
    c->more = a.null > a.best;
    return !asked_to_stop(&survey);
}

static bool add_count(void *context, size_t number, const void *result)
{
    const struct work *w = context;
    const struct assumption_count *found = result;
    (void)number;
    w->count->left_out += found->left_out;
    w->count->less += found->less;
    w->count->equal += found->equal;
    w->count->more += found->more;
    return true;
}

bool null_move_assumption(const struct null_move_survey *s, int depth,
                          struct assumption_count *count, struct error *err)
{
    struct work w = {.survey = s, .depth = depth, .count = count};
    struct pieces p = {.result_size = sizeof *count, .work = compare, .take = add_count};
    *count = (struct assumption_count){0};
    return survey(&w, &p, err);
}
