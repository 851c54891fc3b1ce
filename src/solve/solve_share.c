#include "solve_share.h"

#include "plan.h"

#include <stdlib.h>

/* What another rank searches. */
struct shared_solve {
    struct solve_job job;
    struct epd *positions;
    struct search_params *sets;
    struct evaluation evaluation;
    struct jobs *jobs;
};

struct jobs *solve_share(const struct solve_job *job, const struct job_kind *searches,
                         struct error *err)
{
    struct plan_writer w;
    plan_begin(&w);
    plan_put(&w, job, sizeof *job);
    plan_put(&w, job->positions, job->position_count * sizeof *job->positions);
    plan_put(&w, job->sets, (size_t)job->set_count * sizeof *job->sets);
    plan_put(&w, job->evaluation, sizeof *job->evaluation);
    return plan_create_jobs(&w, solve_builder.name, searches, job, job->threads, err);
}

static void destroy(void *built)
{
    struct shared_solve *s = built;
    jobs_destroy(s->jobs);
    free(s->positions);
    free(s->sets);
    free(s);
}

/* Reads the description. The pointers in it are those of rank 0, and are set anew. */
static bool read_plan(struct shared_solve *s, struct plan_reader *r, int threads, struct error *err)
{
    struct solve_job *job = &s->job;
    plan_get(r, job, sizeof *job);
    s->positions = plan_get_array(r, job->position_count, sizeof *s->positions);
    s->sets = plan_get_array(r, (size_t)job->set_count, sizeof *s->sets);
    plan_get(r, &s->evaluation, sizeof s->evaluation);
    job->positions = s->positions;
    job->sets = s->sets;
    job->evaluation = &s->evaluation;
    job->limits.stop = NULL;
    job->threads = threads;
    return plan_end(r, err);
}

static void *build(const void *bytes, size_t size, int threads, struct error *err)
{
    struct shared_solve *s = calloc(1, sizeof *s);
    struct plan_reader r = plan_reader(bytes, size);
    if (s == NULL) {
        error_set(err, "no memory for searches");
        return NULL;
    }
    if (read_plan(s, &r, threads, err) && (s->jobs = solve_create_jobs(&s->job, err)) != NULL)
        return s;
    destroy(s);
    return NULL;
}

const struct ranks_builder solve_builder = {"solve", build, destroy};
