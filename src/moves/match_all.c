#include "match_all.h"

#include "evaluator.h"
#include "quiesce.h"
#include "ranks.h"

#include <string.h>

/* Positions of a job; of a list of jobs, which other ranks are sent; and of a set where an evaluation is a process. */
enum { BLOCK = 256, LIST = 200000, SET = 10000 };

/* Some of the positions, of a list or of a set. */
struct part {
    struct match_all all;
    enum evaluation_kind kind; /* EVALUATION_KINDS: of another process */
    size_t first;              /* its place in the whole */
};

/* ---- a job ---- */

/* Counts the matches of an organism in a block: jobs go block by block. */
static bool match_block(struct job *job, void *result, struct error *err)
{
    const struct part *part = job->context;
    const struct param_table *table = evaluation_tables[part->kind];
    const size_t organisms = (size_t)part->all.organisms, o = job->number % organisms;
    const struct match_all *m = &part->all;
    const struct evaluation e = evaluation_from(table, m->values + o * (size_t)table->count);
    const size_t first = job->number / organisms * BLOCK;
    int32_t *matched = result;
    (void)err;
    for (size_t i = first; i < first + BLOCK && i < m->count; i++) {
        struct position p = m->positions[i].position;
        uint64_t nodes = 0;
        *matched += epd_has_best(&m->positions[i], one_ply_search(&p, &e, m->leaf, &nodes));
    }
    return !job_is_stopped(job);
}

static void describe(struct plan *p, void *context)
{
    struct part *part = context;
    struct match_all *m = &part->all;
    const size_t weights = (size_t)evaluation_tables[part->kind]->count;
    m->positions = plan_array(p, m->positions, m->count, sizeof *m->positions);
    m->values = plan_array(p, m->values, (size_t)m->organisms * weights, sizeof *m->values);
}

const struct job_kind match_all_job = {.result_size = sizeof(int32_t),
                                       .work = match_block,
                                       .name = "match moves",
                                       .context_size = sizeof(struct part),
                                       .describe = describe};

/* ---- all of them ---- */

/* Where sums of matches go. */
struct totals {
    const struct match_all *whole;
    const struct part *part;
    const struct compiled_watcher *watcher;
    int64_t *matched;
};

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
    const size_t organisms = (size_t)t->whole->organisms, o = number % organisms;
    const int32_t *matched = result;
    t->matched[o] += *matched;
    if (o + 1 == organisms)
        tell(t, (number / organisms + 1) * BLOCK);
    return true;
}

/* Adds the matches of an own evaluation on a part, by jobs on all ranks. */
static enum jobs_end match_list(struct totals *t, int threads, struct error *err)
{
    const size_t blocks = (t->part->all.count + BLOCK - 1) / BLOCK;
    const struct jobs_batch batch = {.count = blocks * (size_t)t->whole->organisms,
                                     .stop = compiled_stop(t->watcher),
                                     .taker = t,
                                     .take = take_block};
    return jobs_run_once(&match_all_job, t->part, threads, &batch, err);
}

/* Adds the matches on a part, of one set in this process. */
static enum jobs_end match_set(struct totals *t, int threads, struct error *err)
{
    const struct match_all *m = &t->part->all;
    const struct compiled_watcher stop_only = {.stop = compiled_stop(t->watcher)};
    const struct compiled_settings settings = {
        .leaf = m->leaf, .source = m->source, .threads = threads, .watcher = &stop_only};
    struct compiled_set *set = compiled_create(m->positions, m->count, &settings, err);
    const bool good =
        set != NULL && compiled_match(set, m->values, m->organisms, threads, NULL, t->matched, err);
    if (good)
        tell(t, m->count);
    compiled_destroy(set);
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
