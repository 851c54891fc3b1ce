#include "null_move_survey.h"

#include "jobs.h"

/* Shared by all workers. */
struct question {
    const struct null_move_survey *survey;
    uint64_t nodes; /* of a search, */
    int depth;      /* or its depth */
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

/* Runs the survey on all positions; `sum` collects the results. */
static bool survey(const struct question *q, const struct job_kind *kind,
                   bool (*take)(void *sum, size_t number, void *result), void *sum,
                   struct error *err)
{
    const struct jobs_batch batch = {
        .count = q->survey->count, .stop = q->survey->stop, .taker = sum, .take = take};
    struct jobs *jobs = jobs_create(kind, q, q->survey->threads, err);
    bool good = jobs != NULL && jobs_run(jobs, &batch, err) != JOBS_FAILED;
    jobs_destroy(jobs);
    return good;
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

bool null_move_branching(const struct null_move_survey *s, uint64_t nodes,
                         struct beal_branching *sum, struct error *err)
{
    static const struct job_kind kind = {
        .result_size = sizeof *sum, .begin = begin, .finish = finish, .work = search};
    const struct question q = {.survey = s, .nodes = nodes};
    *sum = (struct beal_branching){0};
    return survey(&q, &kind, add_branching, sum, err);
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

bool null_move_assumption(const struct null_move_survey *s, int depth,
                          struct assumption_count *count, struct error *err)
{
    static const struct job_kind kind = {
        .result_size = sizeof *count, .begin = begin, .finish = finish, .work = compare};
    const struct question q = {.survey = s, .depth = depth};
    *count = (struct assumption_count){0};
    return survey(&q, &kind, add_count, count, err);
}
