/* The fitness of phase 3 (david-2014, section IV; Bjoernsson and Marsland 2003): the total number
 * of nodes that an organism searches to find the right moves of a suite of tactical positions. An
 * unsolved position costs the limit.
 *
 * The organisms are parameters of our search, or options of another engine behind UCI (solver.h).
 *
 *   1. Values measured before are not searched again.
 *   2. The searches of all organisms are one list, organism by organism, so that organisms finish
 *      one after another. Within an organism, the positions that cost most so far come first, so
 *      that the list ends with short searches.
 *   3. Each search is a job. A worker clears its engine before each. Where another engine crashes,
 *      hangs or plays an illegal move, the position costs the limit, and the engine is started anew.
 *   4. Costs are integers and are added per organism, so the order of the list does not change a
 *      sum. */
#include "count.h"
#include "engine_fault.h"
#include "epd.h"
#include "fitness_kinds.h"
#include "jobs.h"
#include "param.h"
#include "recipe.h"
#include "solver.h"
#include "space_engine.h"
#include "suite.h"
#include "values.h"
#include "wide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values measured before: different genes can have the same effect ---- */

/* Owned by the caller; a zeroed one is empty. All calls have the same table. */
struct known_values {
    int32_t *values;  /* owned: rows of table->count */
    int64_t *measure; /* owned: the value of each row */
    size_t count, room;
};

/* True if organisms with these parameters behave alike: they differ at most in inactive ones. */
static bool known_values_alike(const struct param_table *table, const int32_t *a, const int32_t *b)
{
    for (int i = 0; i < table->count; i++)
        if (a[i] != b[i] && inactive_by(table, a, i) < 0)
            return false;
    return true;
}

/* Returns the objective value of these parameters, or -1. */
static int64_t known_values_find(const struct known_values *k, const struct param_table *table,
                                 const int32_t *values)
{
    for (size_t i = 0; i < k->count; i++)
        if (known_values_alike(table, k->values + i * (size_t)table->count, values))
            return k->measure[i];
    return -1;
}

/* Makes room for one more row. */
static bool grow(struct known_values *k, size_t genes)
{
    size_t room = k->room == 0 ? 16 : 2 * k->room;
    if (k->count < k->room)
        return true;
    int32_t *values = realloc(k->values, room * genes * sizeof *values);
    if (values != NULL)
        k->values = values;
    int64_t *measure = realloc(k->measure, room * sizeof *measure);
    if (measure != NULL)
        k->measure = measure;
    if (values == NULL || measure == NULL)
        return false;
    k->room = room;
    return true;
}

/* Remembers an objective value. If memory is short it is forgotten, which only costs time. */
static void known_values_add(struct known_values *k, const struct param_table *table,
                             const int32_t *values, int64_t measure)
{
    const size_t genes = (size_t)table->count;
    if (!grow(k, genes))
        return;
    memcpy(k->values + k->count * genes, values, genes * sizeof *values);
    k->measure[k->count++] = measure;
}

static void known_values_free(struct known_values *k)
{
    free(k->values);
    free(k->measure);
    *k = (struct known_values){0};
}

/* ---- test positions, in the order in which they are searched: those that cost most come first ---- */

/* Positions with their right moves. Zeroed it is empty; test_set_free frees it. */
struct test_set {
    struct dataset positions;
    int *order;     /* indices of positions, in search order */
    int64_t *spent; /* nodes or milliseconds that each position has cost all organisms so far */
};

/* Lines of files without a test position. */
struct left_out {
    size_t count;
    struct error first;
};

/* ---- files ---- */

static bool read_file(struct test_set *set, const char *path, struct left_out *left_out,
                      struct error *err)
{
    struct suite file;
    if (!suite_load(&file, path, err))
        return false;
    if (left_out->count == 0 && file.left_out_count > 0)
        left_out->first = file.left_out[0];
    left_out->count += file.left_out_count;
    bool read = true;
    for (size_t i = 0; read && i < file.positions.count; i++)
        read = dataset_append(&set->positions, &file.positions.items[i], err);
    suite_free(&file);
    return read;
}

/* Appends the test positions of files, and counts the lines left out. Fails if there is no position. */
static bool test_set_read(struct test_set *set, const char paths[][RECIPE_PATH], int count,
                          struct left_out *left_out, struct error *err)
{
    for (int i = 0; i < count; i++)
        if (!read_file(set, paths[i], left_out, err))
            return false;
    return count == 0 || set->positions.count > 0 ||
           error_set(err, "%s: no position with bm or am to learn from", paths[0]);
}

/* Keeps the first `count` positions, or all if `count` is 0. */
static void test_set_keep(struct test_set *set, int count)
{
    if (count > 0 && (size_t)count < set->positions.count)
        set->positions.count = (size_t)count;
}

/* Moves every second position to the held-out ones. */
static bool test_set_split(struct test_set *set, struct test_set *held_out, struct error *err)
{
    struct dataset *all = &set->positions;
    size_t kept = 0;
    if (all->count < 2)
        return error_set(err, "data.split: cannot split a single position");
    for (size_t i = 0; i < all->count; i++)
        if (i % 2 == 0)
            all->items[kept++] = all->items[i];
        else if (!dataset_append(&held_out->positions, &all->items[i], err))
            return false;
    all->count = kept;
    return true;
}

/* Begins with the positions in file order and no cost; then they no longer change. ---- order ---- */
static bool test_set_begin(struct test_set *set, struct error *err)
{
    size_t count = set->positions.count;
    set->order = calloc(count + 1, sizeof *set->order);
    set->spent = calloc(count + 1, sizeof *set->spent);
    if (set->order == NULL || set->spent == NULL)
        return error_set(err, "no memory for %zu positions", count);
    for (size_t i = 0; i < count; i++)
        set->order[i] = (int)i;
    return true;
}

/* Sorts the positions by cost, highest first, stable for equal costs. Insertion sort, because the order changes little between generations. */
static void test_set_sort(struct test_set *set)
{
    for (int i = 1; i < (int)set->positions.count; i++) {
        int position = set->order[i], to = i;
        for (; to > 0; to--) {
            int before = set->order[to - 1];
            if (set->spent[before] > set->spent[position] ||
                (set->spent[before] == set->spent[position] && before < position))
                break;
            set->order[to] = before;
        }
        set->order[to] = position;
    }
}

static void test_set_free(struct test_set *set)
{
    dataset_free(&set->positions);
    free(set->order);
    free(set->spent);
}

struct nodes_to_solution {
    struct fitness base; /* first member, so that a struct fitness * points to it */
    struct space space;
    int limit;
    enum recipe_definition definition;
    enum recipe_scale scale;
    enum recipe_cost cost;
    int hash;
    struct evaluation evaluation; /* of our engines */
    struct engine_setup setup;    /* of another engine */
    struct solver_settings solver;
    struct test_set train, held_out; /* held_out may be empty */
    struct jobs *jobs;               /* runs searches */
    struct known_values known;
    struct left_out skipped;
};

/* An organism being measured. */
struct task {
    const int32_t *values;
    int same_as; /* earlier organism of the batch with the same values, or -1 */
    int left;    /* positions still to be searched */
    int64_t measure;
    struct engine_faults faults; /* in its searches so far */
};

/* A batch being measured. */
struct work {
    struct nodes_to_solution *m;
    struct test_set *set;
    const struct fitness_watcher *watcher;
    int64_t *outcomes; /* of one organism, by position; may be NULL */
    struct task *tasks;
    int task_count;
    int *searched; /* the tasks to search */
    int searched_count;
    int reported; /* tasks reported to the observer */
    bool reports;
    bool stopped; /* the observer asked to stop */
};

/* The input of a batch of searches. Job n searches position order[n % positions] for organism n /
 * positions; the organisms' values follow the order. */
struct block {
    char fault_folder[FAULT_FOLDER];
    bool held_out;
    int32_t numbers[];
};

/* The result of a search. */
struct cost {
    int64_t spent;           /* nodes or milliseconds, at most the limit */
    enum engine_fault fault; /* of another engine */
};

/* ---- costs ---- */

/* The objective value of one search of this many nodes or milliseconds. */
static int64_t scaled(const struct nodes_to_solution *m, int64_t spent)
{
    return m->scale == SCALE_LOG ? log_nodes((uint64_t)spent) : spent;
}

/* What a search spent until the solution; the limit if there is none. */
static int64_t spent_of(const struct nodes_to_solution *m, const struct solved *s)
{
    const struct solve_moment *moment = m->definition == DEFINITION_FIRST ? &s->first : &s->stable;
    const int64_t limit = m->limit;
    int64_t spent =
        m->cost == COST_TIME ? 1 + (int64_t)(moment->seconds * 1000) : (int64_t)moment->nodes;
    return moment->nodes == 0 || spent > limit ? limit : spent;
}

/* The number of genes of an organism. */
static size_t genes_of(const struct nodes_to_solution *m)
{
    return (size_t)m->space.table.count;
}

/* ---- a search ---- */

static void *begin_solver(const void *context, struct error *err)
{
    const struct nodes_to_solution *m = context;
    return solver_create(&m->solver, err);
}

static void finish_solver(void *worker)
{
    solver_destroy(worker);
}

/* Keeps the report of a fault. */
static void keep_fault(const struct nodes_to_solution *m, const struct block *b,
                       const int32_t *values, const struct epd *epd, enum engine_fault fault,
                       const char *log)
{
    char fen[FEN_MAX];
    position_to_fen(&epd->position, fen);
    engine_fault_keep(b->fault_folder, &m->space.table, values, fault, fen, log);
}

/* Searches a position for an organism. */
static bool search_position(struct job *job, void *result, struct error *err)
{
    const struct nodes_to_solution *m = job->context;
    const struct block *b = job->block;
    const struct dataset *positions = b->held_out ? &m->held_out.positions : &m->train.positions;
    const size_t organism = job->number / positions->count, at = job->number % positions->count;
    const int32_t *values = b->numbers + positions->count + organism * genes_of(m);
    const struct epd *epd = &positions->items[b->numbers[at]];
    const struct solve_limits limits = {.nodes = m->cost == COST_TIME ? 0 : (uint64_t)m->limit,
                                        .movetime = m->cost == COST_TIME ? m->limit : 0,
                                        .until_first = m->definition == DEFINITION_FIRST,
                                        .stop = job->stop};
    struct cost *cost = result;
    struct solved s;
    char *log;
    if (!solver_set(job->worker, values, err) ||
        !solver_solve(job->worker, epd, &limits, &s, &log, err))
        return false;
    cost->fault = engine_fault_of(s.fault);
    if (cost->fault != FAULT_NONE && !s.abandoned)
        keep_fault(m, b, values, epd, cost->fault, log);
    free(log);
    cost->spent = spent_of(m, &s);
    return !s.abandoned;
}

static const struct job_kind search_job = {.result_size = sizeof(struct cost),
                                           .begin = begin_solver,
                                           .finish = finish_solver,
                                           .work = search_position};

/* ---- a batch ---- */

static bool is_done(const struct work *w, int task)
{
    const struct task *t = &w->tasks[task];
    return t->left == 0 && (t->same_as < 0 || w->tasks[t->same_as].left == 0);
}

/* Completes the tasks up to the first unfinished one and reports them. Their faults count now: an organism that is
 * stopped before is searched again. */
static void report_finished(struct work *w)
{
    const struct fitness_watcher *watcher = w->watcher;
    while (!w->stopped && w->reported < w->task_count && is_done(w, w->reported)) {
        struct task *t = &w->tasks[w->reported];
        if (t->same_as >= 0)
            t->measure = w->tasks[t->same_as].measure;
        engine_faults_join(&w->m->base.faults, &t->faults);
        int index = w->reported++;
        if (w->reports && watcher->measured != NULL &&
            !watcher->measured(watcher->context, index, t->measure))
            w->stopped = true;
    }
}

/* Adds the cost of a position to its organism. */
static bool add_cost(void *taker, size_t number, void *result)
{
    struct work *w = taker;
    const size_t count = w->set->positions.count;
    const struct cost *cost = result;
    struct task *t = &w->tasks[w->searched[number / count]];
    const int position = w->set->order[number % count];
    const int64_t value = scaled(w->m, cost->spent);
    t->measure += value;
    t->left--;
    engine_faults_add(&t->faults, cost->fault);
    w->set->spent[position] += cost->spent;
    if (w->outcomes != NULL)
        w->outcomes[position] = value;
    if (t->left == 0)
        report_finished(w);
    fitness_tell_worked(w->watcher, (int64_t)number + 1, (int64_t)count * w->searched_count);
    return !w->stopped;
}

/* Creates the input of the list; NULL if memory is short. */
static struct block *new_block(const struct work *w, size_t *size)
{
    const size_t positions = w->set->positions.count, genes = genes_of(w->m);
    const size_t numbers = positions + (size_t)w->searched_count * genes;
    *size = sizeof(struct block) + numbers * sizeof(int32_t);
    struct block *b = malloc(*size);
    if (b == NULL)
        return NULL;
    b->held_out = w->set == &w->m->held_out;
    memcpy(b->fault_folder, w->m->base.fault_folder, sizeof b->fault_folder);
    for (size_t i = 0; i < positions; i++)
        b->numbers[i] = w->set->order[i];
    for (int i = 0; i < w->searched_count; i++)
        memcpy(b->numbers + positions + (size_t)i * genes, w->tasks[w->searched[i]].values,
               genes * sizeof *b->numbers);
    return b;
}

/* Runs all searches; false if stopped or failed. */
static bool search_all(struct work *w)
{
    struct fitness *f = &w->m->base;
    size_t size;
    struct block *block = new_block(w, &size);
    if (block == NULL)
        return error_set(&f->failed, "no memory for the values of %d organisms", w->searched_count);
    const struct jobs_batch batch = {
        .count = (size_t)w->searched_count * w->set->positions.count,
        .block = block,
        .block_size = size,
        .job_seconds = w->m->cost == COST_TIME ? (double)w->m->limit / 1000 : 0,
        .stop = w->watcher->stop,
        .taker = w,
        .take = add_cost,
    };
    bool done = !w->stopped && jobs_run(w->m->jobs, &batch, &f->failed) == JOBS_DONE;
    free(block);
    return done && !w->stopped;
}

/* ---- the organisms of a batch ---- */

/* Sets up a task: known, equal to another one of the batch, or to be searched. */
static void add_task(struct work *w, const int32_t *values, bool remembered)
{
    int index = w->task_count++;
    struct task *t = &w->tasks[index];
    const struct param_table *table = &w->m->space.table;
    int64_t measure = remembered ? known_values_find(&w->m->known, table, values) : -1;
    *t = (struct task){.values = values, .same_as = -1, .measure = measure < 0 ? 0 : measure};
    if (measure >= 0)
        return;
    for (int i = 0; i < w->searched_count && t->same_as < 0; i++)
        if (known_values_alike(table, w->tasks[w->searched[i]].values, values))
            t->same_as = w->searched[i];
    if (t->same_as >= 0)
        return;
    t->left = (int)w->set->positions.count;
    w->searched[w->searched_count++] = index;
}

/* Measures organisms on a suite; false if stopped or failed. */
static bool measure_all(struct work *w, const int32_t *genes, int count, int64_t *values)
{
    struct nodes_to_solution *m = w->m;
    for (int i = 0; i < count; i++)
        add_task(w, genes + (size_t)i * genes_of(m), w->reports);
    test_set_sort(w->set);
    report_finished(w);
    bool done = search_all(w);
    for (int i = 0; i < w->searched_count && w->reports; i++) {
        const struct task *t = &w->tasks[w->searched[i]];
        if (t->left == 0)
            known_values_add(&m->known, &m->space.table, t->values, t->measure);
    }
    for (int i = 0; i < count; i++)
        values[i] = w->tasks[i].measure;
    return done;
}

/* ---- the method ---- */

static bool measure_batch(struct fitness *f, const int32_t *genes, int count,
                          const struct fitness_watcher *watcher, int64_t *values)
{
    struct nodes_to_solution *m = (struct nodes_to_solution *)f;
    struct task tasks[POPULATION_MAX];
    int searched[POPULATION_MAX];
    struct work w = {.m = m,
                     .set = &m->train,
                     .watcher = watcher,
                     .tasks = tasks,
                     .searched = searched,
                     .reports = true};
    return measure_all(&w, genes, count, values);
}

static int64_t measure_held_out(struct fitness *f, const int32_t *genes,
                                const struct fitness_watcher *watcher)
{
    struct nodes_to_solution *m = (struct nodes_to_solution *)f;
    struct task task;
    int searched;
    int64_t value;
    struct work w = {.m = m,
                     .set = &m->held_out,
                     .watcher = watcher,
                     .outcomes = watcher->outcomes,
                     .tasks = &task,
                     .searched = &searched};
    if (m->held_out.positions.count == 0 || !measure_all(&w, genes, 1, &value))
        return -1;
    return value;
}

/* The cost of solving nothing, minus the cost of this organism: lower values have higher
 * fitness. */
static int64_t score(const struct fitness *f, int64_t value)
{
    const struct nodes_to_solution *m = (const struct nodes_to_solution *)f;
    return f->train_size * scaled(m, m->limit) - value;
}

static void describe(const struct fitness *f, char *text, size_t size)
{
    const struct nodes_to_solution *m = (const struct nodes_to_solution *)f;
    char lines[COUNTED_MAX];
    int used = snprintf(text, size, "%s%s%s, limit %d %s, hash %d MiB", m->setup.name,
                        m->setup.name[0] != '\0' ? ": " : "",
                        m->definition == DEFINITION_FIRST ? "first" : "stable", m->limit,
                        m->cost == COST_TIME ? "ms" : "nodes", m->hash);
    if (m->skipped.count > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "; %s left out, the first: %s",
                 format_things((int64_t)m->skipped.count, "line", lines), m->skipped.first.text);
}

static void destroy(struct fitness *f)
{
    if (f == NULL)
        return;
    struct nodes_to_solution *m = (struct nodes_to_solution *)f;
    jobs_destroy(m->jobs);
    known_values_free(&m->known);
    test_set_free(&m->train);
    test_set_free(&m->held_out);
    engine_setup_free(&m->setup);
    space_free(&m->space);
    free(m);
}

/* By enum recipe_scale; then that of the time. */
static const struct fitness_method methods[] = {
    [SCALE_LINEAR] = {.name = "nodes_to_solution",
                      .value = &objective_nodes,
                      .work = "search",
                      .measure_batch = measure_batch,
                      .measure_held_out = measure_held_out,
                      .score = score,
                      .describe = describe,
                      .destroy = destroy},
    [SCALE_LOG] = {.name = "log_nodes_to_solution",
                   .value = &objective_log_nodes,
                   .work = "search",
                   .measure_batch = measure_batch,
                   .measure_held_out = measure_held_out,
                   .score = score,
                   .describe = describe,
                   .destroy = destroy},
    [SCALE_LOG + 1] = {.name = "time_to_solution",
                       .value = &objective_time,
                       .work = "search",
                       .measure_batch = measure_batch,
                       .measure_held_out = measure_held_out,
                       .score = score,
                       .describe = describe,
                       .destroy = destroy},
};

/* ---- the data ---- */

static bool load_suites(struct nodes_to_solution *m, const struct recipe *r, struct error *err)
{
    struct test_set *train = &m->train, *held_out = &m->held_out;
    if (!test_set_read(train, r->train, r->train_count, &m->skipped, err))
        return false;
    test_set_keep(train, r->first);
    return test_set_read(held_out, r->held_out, r->held_out_count, &m->skipped, err) &&
           (r->split == SPLIT_NONE || test_set_split(train, held_out, err)) &&
           test_set_begin(train, err) && test_set_begin(held_out, err);
}

/* Loads the parameters that evolve: the paper's, or those of the space file's kind. */
static bool load_space(struct nodes_to_solution *m, const struct recipe *r, struct error *err)
{
    bool loaded = r->space[0] == '\0' ? space_of_table(&search_table, &m->space, err)
                                      : space_read(r->space, search_tables, &m->space, err);
    if (!loaded)
        return false;
    if (strcmp(m->space.table.kind, space_kind_trace) == 0)
        return error_set(err, "%s: weights of an evaluation do not search; expected kind: uci",
                         r->space);
    if (m->space.table.command != NULL && r->evaluation[0] != '\0')
        return error_set(err,
                         "fitness.evaluation: %s has an evaluation of its own; leave the key out",
                         m->space.table.command);
    if (m->space.table.command == NULL && m->cost == COST_TIME)
        return error_set(err, "fitness.cost: time is for another engine; our nodes repeat exactly");
    m->base.space = m->space.table;
    return true;
}

/* Creates the job list of searches. Our engines all have the same evaluation. */
static bool create_jobs(struct nodes_to_solution *m, const char *evaluation, struct error *err)
{
    if (!values_evaluation(evaluation, &m->evaluation, err))
        return false;
    if (m->space.table.command != NULL &&
        !space_engine_setup(&m->space.table, m->hash, &m->setup, err))
        return false;
    m->solver = (struct solver_settings){&m->base.space,
                                         m->space.table.command == NULL ? NULL : &m->setup.settings,
                                         m->hash, &m->evaluation};
    m->jobs = jobs_create(&search_job, m, m->base.threads, err);
    return m->jobs != NULL;
}

static const struct fitness_method *method_of(const struct recipe *r)
{
    return &methods[r->cost == COST_TIME ? SCALE_LOG + 1 : (int)r->scale];
}

struct fitness *nodes_to_solution_create(const struct recipe *recipe, int threads,
                                         struct error *err)
{
    struct nodes_to_solution *m = calloc(1, sizeof *m);
    if (m == NULL) {
        error_set(err, "no memory for the fitness");
        return NULL;
    }
    m->base = (struct fitness){.method = method_of(recipe), .threads = threads};
    m->limit = recipe->limit;
    m->definition = recipe->definition;
    m->scale = recipe->scale;
    m->cost = recipe->cost;
    m->hash = recipe->hash;
    if (!load_space(m, recipe, err) || !load_suites(m, recipe, err) ||
        !create_jobs(m, recipe->evaluation, err)) {
        destroy(&m->base);
        return NULL;
    }
    m->base.approximate = m->solver.engine != NULL;
    m->base.train_size = (int64_t)m->train.positions.count;
    m->base.held_out_size = (int64_t)m->held_out.positions.count;
    return &m->base;
}
