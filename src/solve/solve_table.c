#include "solve_table.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- life cycle ---- */

bool solve_table_init(struct solve_table *t, const struct solve_job *job, struct error *err)
{
    size_t count = job->position_count * (size_t)job->set_count;
    *t = (struct solve_table){.job = job, .count = count};
    t->cells = calloc(count, sizeof *t->cells);
    t->done = calloc(count, sizeof *t->done);
    t->costs = calloc(job->position_count, sizeof *t->costs);
    if (t->cells != NULL && t->done != NULL && t->costs != NULL)
        return true;
    solve_table_finish(t);
    return error_set(err, "no memory for %zu results", count);
}

void solve_table_finish(struct solve_table *t)
{
    free(t->cells);
    free(t->done);
    free(t->costs);
    *t = (struct solve_table){0};
}

void solve_table_put(struct solve_table *t, size_t number, const struct solved *solved)
{
    t->cells[number] = *solved;
    t->done_count += !t->done[number];
    t->done[number] = true;
}

/* ---- searching ---- */

static bool begin_searcher(struct searcher *s, const struct solve_job *job, struct error *err)
{
    return searcher_init(s, job->method, job->hash_mib, job->weights, err);
}

static struct solved search(const struct solve_job *job, struct searcher *s, size_t number)
{
    size_t sets = (size_t)job->set_count;
    return searcher_solve(s, &job->sets[number % sets], &job->positions[number / sets],
                          &job->limits);
}

static bool asked_to_stop(const struct solve_job *job)
{
    return job->limits.stop != NULL && *job->limits.stop != 0;
}

/* What the threads share. */
struct work {
    struct solve_table *table;
    const struct solve_watcher *watcher;
    struct error *err;
    atomic_bool failed;
};

/* Enters a result and tells of it. */
static void enter(struct work *w, size_t number, const struct solved *solved)
{
#pragma omp critical(solve_table)
    if (!w->failed) {
        solve_table_put(w->table, number, solved);
        w->failed = !w->watcher->solved(w->watcher->context, number, w->err);
    }
}

/* A search of the list, unless there is no need of it any more. */
static void do_piece(struct work *w, struct searcher *s, size_t number)
{
    const struct solve_job *job = w->table->job;
    if (w->table->done[number] || w->failed || asked_to_stop(job))
        return;
    struct solved solved = search(job, s, number);
    if (!solved.abandoned)
        enter(w, number, &solved);
}

static void finish_searchers(struct searcher *searchers, int count)
{
    for (int i = 0; i < count; i++)
        searcher_finish(&searchers[i]);
    free(searchers);
}

/* A searcher for each thread; NULL with the reason. */
static struct searcher *begin_searchers(const struct solve_job *job, struct error *err)
{
    struct searcher *searchers = calloc((size_t)job->threads, sizeof *searchers);
    if (searchers == NULL) {
        error_set(err, "no memory for %d searches at a time", job->threads);
        return NULL;
    }
    for (int i = 0; i < job->threads; i++)
        if (!begin_searcher(&searchers[i], job, err)) {
            error_prefix(err, "search %d of %d at a time: ", i + 1, job->threads);
            finish_searchers(searchers, job->threads);
            return NULL;
        }
    return searchers;
}

bool solve_table_run(struct solve_table *t, const struct solve_watcher *watcher, struct error *err)
{
    const struct solve_job *job = t->job;
    struct work w = {.table = t, .watcher = watcher, .err = err};
    struct searcher *searchers = begin_searchers(job, err);
    if (searchers == NULL)
        return false;
#pragma omp parallel num_threads(job->threads)
    {
        struct searcher *s = &searchers[omp_get_thread_num()];
#pragma omp for schedule(dynamic, 1)
        for (size_t number = 0; number < t->count; number++)
            do_piece(&w, s, number);
    }
    finish_searchers(searchers, job->threads);
    return !w.failed;
}

static bool same_moment(const struct solve_moment *a, const struct solve_moment *b)
{
    return a->nodes == b->nodes && a->depth == b->depth;
}

/* All but the times. */
static bool same_result(const struct solved *a, const struct solved *b)
{
    return a->best == b->best && a->score == b->score && a->depth == b->depth &&
           a->nodes == b->nodes && same_moment(&a->first, &b->first) &&
           same_moment(&a->stable, &b->stable);
}

bool solve_table_repeats(const struct solve_table *t, struct error *err)
{
    size_t number = 0;
    while (number < t->count && !t->done[number])
        number++;
    if (number == t->count || t->job->limits.movetime > 0)
        return true;
    struct searcher s;
    if (!begin_searcher(&s, t->job, err))
        return false;
    struct solved again = search(t->job, &s, number);
    searcher_finish(&s);
    return again.abandoned || same_result(&again, &t->cells[number]) ||
           error_set(err, "position %zu was searched otherwise, by a program of another build",
                     number / (size_t)t->job->set_count + 1);
}

/* ---- what came of it ---- */

const char *solve_count_name(enum solve_count count)
{
    return count == SOLVE_FIRST ? "first" : "stable";
}

const struct solve_moment *solve_moment_of(const struct solved *s, enum solve_count count)
{
    return count == SOLVE_FIRST ? &s->first : &s->stable;
}

static int compare_costs(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Of sorted numbers: the middle one, or the mean of the two that stand there. */
static double median(const uint64_t *sorted, size_t count)
{
    return ((double)sorted[(count - 1) / 2] + (double)sorted[count / 2]) / 2;
}

struct solve_summary solve_table_summary(struct solve_table *t, int set, enum solve_count count)
{
    const struct solve_job *job = t->job;
    size_t n = job->position_count;
    struct solve_summary s = {0};
    for (size_t i = 0; i < n; i++) {
        const struct solved *cell = &t->cells[i * (size_t)job->set_count + (size_t)set];
        const struct solve_moment *moment = solve_moment_of(cell, count);
        uint64_t limit = job->limits.nodes > 0 ? job->limits.nodes : cell->nodes;
        s.solved += moment->nodes > 0;
        t->costs[i] = solve_cost(moment, limit);
        s.total += t->costs[i];
    }
    qsort(t->costs, n, sizeof t->costs[0], compare_costs);
    s.mean = (double)s.total / (double)n;
    s.median = median(t->costs, n);
    return s;
}

struct solve_effort solve_table_effort(const struct solve_table *t, int set)
{
    struct solve_effort effort = {0};
    for (size_t i = (size_t)set; i < t->count; i += (size_t)t->job->set_count) {
        effort.nodes += t->cells[i].nodes;
        effort.seconds += t->cells[i].seconds;
    }
    return effort;
}
