#include "null_move_survey.h"

#include "ranks.h"

#include <stdlib.h>

/* Shared by all workers. */
struct question {
    const struct null_move_survey *survey;
    uint64_t nodes; /* of a search, */
    int depth;      /* or its depth; 0: the question is about branching */
};

/* ---- searchers ---- */

static void *begin(const void *context, struct error *err)
{
    const struct null_move_survey *s = ((const struct question *)context)->survey;
    return beal_create(&s->settings, s->hash_mib, err);
}

static void finish(void *worker)
{
    beal_destroy(worker);
}

static void describe(struct plan *p, void *context)
{
    struct question *q = context;
    struct null_move_survey *s = plan_structs(p, q->survey, 1, sizeof *s);
    s->positions = plan_array(p, s->positions, s->count, sizeof *s->positions);
    q->survey = s;
}

/* ---- branching ---- */

static bool must_stop(void *context)
{
    return job_is_stopped(context);
}

static bool search(struct job *job, void *result, struct error *err)
{
    const struct question *q = job->context;
    const struct search_limits limits = {.nodes = q->nodes};
    const struct search_observer observer = {.context = job, .stop = must_stop};
    struct beal *b = job->worker;
    struct beal_branching *branching = result;
    (void)err;
    beal_clear(b);
    *branching =
        beal_search(b, &q->survey->positions[job->number].position, &limits, &observer).branching;
    return !job_is_stopped(job);
}

const struct job_kind branching_job = {.result_size = sizeof(struct beal_branching),
                                       .begin = begin,
                                       .finish = finish,
                                       .work = search,
                                       .name = "branching",
                                       .context_size = sizeof(struct question),
                                       .describe = describe};

static bool add_branching(void *taker, size_t number, void *result)
{
    struct beal_branching *sum = taker;
    const struct beal_branching *found = result;
    (void)number;
    sum->interior += found->interior;
    sum->moves += found->moves;
    sum->selected += found->selected;
    return true;
}

/* ---- the assumption ---- */

static bool compare(struct job *job, void *result, struct error *err)
{
    const struct question *q = job->context;
    const struct position *p = &q->survey->positions[job->number].position;
    struct assumption_count *c = result;
    struct beal *b = job->worker;
    (void)err;
    if (position_in_check(p) || !movegen_any(p)) {
        c->left_out = 1;
        return true;
    }
    beal_clear(b);
    struct beal_assumption a = beal_test_assumption(b, p, q->depth);
    c->less = a.null < a.best;
    c->equal = a.null == a.best;
    c->more = a.null > a.best;
    return !job_is_stopped(job);
}

const struct job_kind assumption_job = {.result_size = sizeof(struct assumption_count),
                                        .begin = begin,
                                        .finish = finish,
                                        .work = compare,
                                        .name = "null move",
                                        .context_size = sizeof(struct question),
                                        .describe = describe};

static bool add_count(void *taker, size_t number, void *result)
{
    struct assumption_count *sum = taker;
    const struct assumption_count *found = result;
    (void)number;
    sum->left_out += found->left_out;
    sum->less += found->less;
    sum->equal += found->equal;
    sum->more += found->more;
    return true;
}

/* ---- surveys ---- */

/* Runs the survey on all positions; `sum` collects the results. */
static bool survey(const struct question *q, bool (*take)(void *sum, size_t number, void *result),
                   void *sum, struct error *err)
{
    const struct jobs_batch batch = {
        .count = q->survey->count, .stop = q->survey->stop, .taker = sum, .take = take};
    struct jobs *jobs =
        jobs_create(q->depth > 0 ? &assumption_job : &branching_job, q, q->survey->threads, err);
    bool good = jobs != NULL && jobs_run(jobs, &batch, err) != JOBS_FAILED;
    jobs_destroy(jobs);
    return good;
}

bool null_move_branching(const struct null_move_survey *s, uint64_t nodes,
                         struct beal_branching *sum, struct error *err)
{
    const struct question q = {.survey = s, .nodes = nodes};
    *sum = (struct beal_branching){0};
    return survey(&q, add_branching, sum, err);
}

bool null_move_assumption(const struct null_move_survey *s, int depth,
                          struct assumption_count *count, struct error *err)
{
    const struct question q = {.survey = s, .depth = depth};
    *count = (struct assumption_count){0};
    return survey(&q, add_count, count, err);
}
