#include "solve_table.h"

#include "ranks.h"

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

static struct solved search(const struct solve_job *job, void *searcher, size_t number,
                            const volatile sig_atomic_t *stop)
{
    const size_t sets = (size_t)job->set_count;
    struct solve_limits limits = job->limits;
    limits.stop = stop;
    return solve_by_method(job->method, searcher, &job->sets[number % sets],
                           &job->positions[number / sets], &limits);
}

/* A worker is a searcher of the job's method. */
void *solve_begin(const void *context, struct error *err)
{
    const struct solve_job *job = context;
    return job->method->create(job->method, job->evaluation, job->hash_mib, err);
}

/* Runs a search of the list; the block has the numbers of the searches to run. */
bool solve_work(struct job *job, void *result, struct error *err)
{
    const size_t *numbers = job->block;
    struct solved *solved = result;
    (void)err;
    *solved = search(job->context, job->worker, numbers[job->number], job->stop);
    return !solved->abandoned;
}

void solve_describe(struct plan *p, struct solve_job *job, const struct search_method *methods)
{
    const size_t own = ranks_many() ? (size_t)(job->method - methods) : 0; /* others read it */
    job->method = methods + *(const size_t *)plan_array(p, &own, 1, sizeof own);
    job->positions = plan_array(p, job->positions, job->position_count, sizeof *job->positions);
    job->sets = plan_array(p, job->sets, (size_t)job->set_count, sizeof *job->sets);
    job->evaluation = plan_array(p, job->evaluation, 1, sizeof *job->evaluation);
}

/* Context of `take`. */
struct taker {
    struct solve_table *table;
    const struct solve_watcher *watcher;
    const size_t *numbers;
    struct error *err;
    bool failed;
};

static bool take(void *taker, size_t number, void *result)
{
    struct taker *t = taker;
    solve_table_put(t->table, t->numbers[number], result);
    t->failed = !t->watcher->solved(t->watcher->context, t->numbers[number], t->err);
    return !t->failed;
}

bool solve_table_run(struct solve_table *t, const struct solve_watcher *watcher, struct error *err)
{
    const struct solve_job *job = t->job;
    size_t count = 0, *numbers = malloc((t->count + 1) * sizeof *numbers);
    if (numbers == NULL)
        return error_set(err, "no memory for %zu searches", t->count);
    for (size_t i = 0; i < t->count; i++)
        if (!t->done[i])
            numbers[count++] = i;
    struct taker taker = {.table = t, .watcher = watcher, .numbers = numbers, .err = err};
    const struct jobs_batch batch = {.count = count,
                                     .block = numbers,
                                     .block_size = count * sizeof *numbers,
                                     .stop = job->limits.stop,
                                     .taker = &taker,
                                     .take = take};
    bool good = jobs_run_once(job->method->kind, job, job->threads, &batch, err) != JOBS_FAILED &&
                !taker.failed;
    free(numbers);
    return good;
}

static bool same_moment(const struct solve_moment *a, const struct solve_moment *b)
{
    return a->nodes == b->nodes && a->depth == b->depth;
}

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
    void *searcher = solve_begin(t->job, err);
    if (searcher == NULL)
        return false;
    struct solved again = search(t->job, searcher, number, t->job->limits.stop);
    t->job->method->destroy(searcher);
    return again.abandoned || same_result(&again, &t->cells[number]) ||
           error_set(err, "position %zu has another result with this build of grayling",
                     number / (size_t)t->job->set_count + 1);
}

/* ---- summary ---- */

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
        s.nodes += cell->nodes;
        s.seconds += cell->seconds;
    }
    qsort(t->costs, n, sizeof t->costs[0], compare_costs);
    s.mean = (double)s.total / (double)n;
    s.median = ((double)t->costs[(n - 1) / 2] + (double)t->costs[n / 2]) / 2;
    return s;
}
