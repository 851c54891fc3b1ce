#include "null_move_survey.h"

#include "plan.h"

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

static const struct job_kind branching_job = {
    .result_size = sizeof(struct beal_branching), .begin = begin, .finish = finish, .work = search};

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

static const struct job_kind assumption_job = {.result_size = sizeof(struct assumption_count),
                                               .begin = begin,
                                               .finish = finish,
                                               .work = compare};

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

/* ---- the other ranks ---- */

/* A list of another rank, and what it is created from. */
struct shared_survey {
    struct null_move_survey survey;
    struct epd *positions;
    struct question question;
    struct jobs *jobs;
};

static const struct job_kind *kind_of(const struct question *q)
{
    return q->depth > 0 ? &assumption_job : &branching_job;
}

/* Creates the list on all ranks. */
static struct jobs *share(const struct question *q, struct error *err)
{
    const struct null_move_survey *s = q->survey;
    struct plan_writer w;
    plan_begin(&w);
    plan_put(&w, q, sizeof *q);
    plan_put(&w, s, sizeof *s);
    plan_put(&w, s->positions, s->count * sizeof *s->positions);
    return plan_create_jobs(&w, survey_builder.name, kind_of(q), q, s->threads, err);
}

static void destroy(void *built)
{
    struct shared_survey *s = built;
    jobs_destroy(s->jobs);
    free(s->positions);
    free(s);
}

/* Reads the description. The pointers in it are those of rank 0, and are set anew. */
static bool read_plan(struct shared_survey *s, struct plan_reader *r, struct error *err)
{
    plan_get(r, &s->question, sizeof s->question);
    plan_get(r, &s->survey, sizeof s->survey);
    s->positions = plan_get_array(r, s->survey.count, sizeof *s->positions);
    s->survey.positions = s->positions;
    s->survey.stop = NULL;
    s->question.survey = &s->survey;
    return plan_end(r, err);
}

static void *build(const void *bytes, size_t size, int threads, struct error *err)
{
    struct shared_survey *s = calloc(1, sizeof *s);
    struct plan_reader r = plan_reader(bytes, size);
    if (s == NULL) {
        error_set(err, "no memory for positions");
        return NULL;
    }
    const struct question *q = &s->question;
    if (read_plan(s, &r, err) && (s->jobs = jobs_create(kind_of(q), q, threads, err)) != NULL)
        return s;
    destroy(s);
    return NULL;
}

const struct ranks_builder survey_builder = {"survey", build, destroy};

/* ---- here ---- */

/* Runs the survey on all positions; `sum` collects the results. */
static bool survey(const struct question *q, bool (*take)(void *sum, size_t number, void *result),
                   void *sum, struct error *err)
{
    const struct jobs_batch batch = {
        .count = q->survey->count, .stop = q->survey->stop, .taker = sum, .take = take};
    struct jobs *jobs = share(q, err);
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
