#include "match_all.h"

#include "evaluator.h"
#include "plan.h"
#include "quiesce.h"

#include <stdlib.h>
#include <string.h>

/* Positions of a job; of a list of jobs, which other ranks are sent; and of a set where an evaluation is a
 * process. */
enum { BLOCK = 256, LIST = 200000, SET = 10000 };

/* Some of the positions, of a list or of a set. */
struct part {
    struct match_all all;
    enum evaluation_kind kind; /* EVALUATION_KINDS: of another process */
    size_t first;              /* its place in the whole */
};

/* ---- a job ---- */

/* The positions of a block in which an evaluation plays a bm. */
static int32_t matches(const struct match_all *m, size_t block, const struct evaluation *e)
{
    const size_t first = block * BLOCK;
    int32_t count = 0;
    for (size_t i = first; i < first + BLOCK && i < m->count; i++) {
        struct position p = m->positions[i].position;
        uint64_t nodes = 0;
        count += epd_has_best(&m->positions[i], one_ply_search(&p, e, m->leaf, &nodes));
    }
    return count;
}

/* Counts the matches in a block: the result is one int32_t per organism. */
static bool match_block(struct job *job, void *result, struct error *err)
{
    const struct part *part = job->context;
    const struct param_table *table = evaluation_tables[part->kind];
    int32_t *matched = result;
    (void)err;
    for (int o = 0; o < part->all.organisms && !job_is_stopped(job); o++) {
        const struct evaluation e =
            evaluation_from(table, part->all.values + (size_t)o * (size_t)table->count);
        matched[o] = matches(&part->all, job->number, &e);
    }
    return !job_is_stopped(job);
}

static struct job_kind kind_of(const struct part *part)
{
    return (struct job_kind){.result_size = (size_t)part->all.organisms * sizeof(int32_t),
                             .work = match_block};
}

/* ---- on other ranks ---- */

/* What another rank matches. */
struct shared_matches {
    struct part part;
    struct job_kind kind;
    struct epd *positions;
    int32_t *values;
    struct jobs *jobs;
};

static size_t value_count(const struct part *part)
{
    return (size_t)part->all.organisms * (size_t)evaluation_tables[part->kind]->count;
}

/* Creates the list on all ranks. */
static struct jobs *share(const struct part *part, const struct job_kind *kind, int threads,
                          struct error *err)
{
    struct plan_writer w;
    plan_begin(&w);
    plan_put(&w, part, sizeof *part);
    plan_put(&w, part->all.positions, part->all.count * sizeof *part->all.positions);
    plan_put(&w, part->all.values, value_count(part) * sizeof *part->all.values);
    return plan_create_jobs(&w, match_all_builder.name, kind, part, threads, err);
}

static void destroy(void *built)
{
    struct shared_matches *s = built;
    jobs_destroy(s->jobs);
    free(s->positions);
    free(s->values);
    free(s);
}

/* Reads the description. The pointers in it are those of rank 0, and are set anew. */
static bool read_plan(struct shared_matches *s, struct plan_reader *r, struct error *err)
{
    plan_get(r, &s->part, sizeof s->part);
    s->positions = plan_get_array(r, s->part.all.count, sizeof *s->positions);
    s->values = plan_get_array(r, value_count(&s->part), sizeof *s->values);
    s->part.all.positions = s->positions;
    s->part.all.values = s->values;
    s->part.all.source = NULL;
    s->kind = kind_of(&s->part);
    return plan_end(r, err);
}

static void *build(const void *bytes, size_t size, int threads, struct error *err)
{
    struct shared_matches *s = calloc(1, sizeof *s);
    struct plan_reader r = plan_reader(bytes, size);
    if (s == NULL) {
        error_set(err, "no memory for positions");
        return NULL;
    }
    if (read_plan(s, &r, err) && (s->jobs = jobs_create(&s->kind, &s->part, threads, err)) != NULL)
        return s;
    destroy(s);
    return NULL;
}

const struct ranks_builder match_all_builder = {"match moves", build, destroy};

/* ---- here ---- */

/* Where sums of matches go. */
struct totals {
    const struct match_all *whole;
    const struct part *part;
    const struct compiled_watcher *watcher;
    int64_t *matched;
};

static void add(const struct totals *t, const int32_t *matched)
{
    for (int o = 0; o < t->whole->organisms; o++)
        t->matched[o] += matched[o];
}

/* Tells the watcher that so many positions of the part are done. */
static void tell(const struct totals *t, size_t done)
{
    const size_t all = t->part->first + (done < t->part->all.count ? done : t->part->all.count);
    if (t->watcher != NULL && t->watcher->done != NULL)
        t->watcher->done(t->watcher->context, (int64_t)all, (int64_t)t->whole->count);
}

static bool take_block(void *taker, size_t number, void *result)
{
    const struct totals *t = taker;
    add(t, result);
    tell(t, (number + 1) * BLOCK);
    return true;
}

/* Adds the matches of an own evaluation on a part, by jobs on all ranks. */
static enum jobs_end match_list(struct totals *t, int threads, struct error *err)
{
    const struct job_kind kind = kind_of(t->part);
    const struct jobs_batch batch = {.count = (t->part->all.count + BLOCK - 1) / BLOCK,
                                     .stop = compiled_stop(t->watcher),
                                     .taker = t,
                                     .take = take_block};
    struct jobs *jobs = share(t->part, &kind, threads, err);
    const enum jobs_end end = jobs != NULL ? jobs_run(jobs, &batch, err) : JOBS_FAILED;
    jobs_destroy(jobs);
    return end;
}

/* Adds the matches on a part, of one set in this process. */
static enum jobs_end match_set(struct totals *t, int threads, struct error *err)
{
    const struct match_all *m = &t->part->all;
    const struct compiled_watcher stop_only = {.stop = compiled_stop(t->watcher)};
    int32_t *matched = calloc((size_t)m->organisms, sizeof *matched);
    struct compiled_set *set = NULL;
    if (matched == NULL)
        error_set(err, "no memory for %d sets of weights", m->organisms);
    else
        set = compiled_create(m->positions, m->count, m->leaf, m->source, threads, &stop_only, err);
    const bool good =
        set != NULL && compiled_match(set, m->values, m->organisms, threads, NULL, matched, err);
    if (good) {
        add(t, matched);
        tell(t, m->count);
    }
    compiled_destroy(set);
    free(matched);
    if (set == NULL && compiled_is_stopped(t->watcher))
        return JOBS_STOPPED;
    return good ? JOBS_DONE : JOBS_FAILED;
}

enum jobs_end match_all(const struct match_all *m, int threads,
                        const struct compiled_watcher *watcher, int64_t *matched, struct error *err)
{
    struct part part = {.all = *m, .kind = own_evaluator_kind(m->source)};
    struct totals totals = {m, &part, watcher, matched};
    const bool own = part.kind != EVALUATION_KINDS;
    const size_t most = own ? LIST : SET;
    enum jobs_end end = JOBS_DONE;
    memset(matched, 0, (size_t)m->organisms * sizeof *matched);
    for (; end == JOBS_DONE && part.first < m->count; part.first += most) {
        const size_t left = m->count - part.first;
        part.all.positions = m->positions + part.first;
        part.all.count = left < most ? left : most;
        if (compiled_is_stopped(watcher))
            end = JOBS_STOPPED;
        else
            end = (own ? match_list : match_set)(&totals, threads, err);
    }
    return end;
}
