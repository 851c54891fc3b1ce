/* The fitness of phase 3 (david-2014, section IV; Bjoernsson and Marsland 2003): the total number of nodes that an
 * organism searches to find the right moves of a suite of tactical positions. An unsolved position costs the limit.
 *
 * The organisms are parameters of our search, or options of another engine behind UCI (solve.h).
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
#include "fitness.h"
#include "jobs.h"
#include "param.h"
#include "recipe.h"
#include "solve.h"
#include "space_engine.h"
#include "suite.h"
#include "values.h"
#include "wide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An organism that was measured, or is being measured. */
struct measured_values {
    int left; /* positions still to be searched */
    int64_t measure;
    struct engine_faults faults; /* in its searches, until they are counted */
};

/* What a position has cost all organisms so far, in nodes or milliseconds. */
struct spent {
    int64_t spent;
    int position;
};

/* Positions with their right moves, and the organisms that were measured on them. */
struct test_set {
    struct dataset positions;
    struct spent *order; /* of the positions, in search order: those that cost most come first */
    int32_t *values;     /* of the organisms: rows of genes */
    struct measured_values *known; /* and what they cost */
    int known_count, known_room;
};

struct nodes_to_solution {
    struct fitness base; /* first member, so that a struct fitness * points to it */
    struct fitness_method method;
    struct recipe recipe;
    struct space space;
    struct evaluation evaluation; /* of our engines */
    struct engine_setup setup;    /* of another engine */
    struct solver_settings solver;
    struct test_set train, held_out; /* held_out may be empty */
    struct jobs *jobs;               /* runs searches */
    size_t left_out;                 /* lines of the files without a test position */
    struct error first_left_out;
};

/* A batch being measured. */
struct work {
    struct nodes_to_solution *m;
    struct test_set *set;
    const struct fitness_watcher *watcher;
    int64_t *outcomes; /* of one organism, by position; may be NULL */
    int *rows;         /* of the organisms, in set->known */
    int count;         /* organisms */
    int first;         /* the first row to search */
    int reported;      /* organisms reported to the observer */
    bool stopped;      /* the observer asked to stop */
};

/* The input of a batch of searches. Job n searches position order[n % positions] for organism n /
 * positions; the organisms' values follow the order. */
struct block {
    bool held_out;
    int32_t numbers[];
};

/* The result of a search. */
struct cost {
    int64_t spent;           /* nodes or milliseconds, at most the limit */
    enum engine_fault fault; /* of another engine; its report follows, if there is one */
};

/* ---- costs ---- */

/* The objective value of one search of this many nodes or milliseconds. */
static int64_t scaled(const struct nodes_to_solution *m, int64_t spent)
{
    return m->recipe.scale == SCALE_LOG ? log_nodes((uint64_t)spent) : spent;
}

/* What a search spent until the solution; the limit if there is none. */
static int64_t spent_of(const struct nodes_to_solution *m, const struct solved *s)
{
    const struct solve_moment *moment =
        m->recipe.definition == DEFINITION_FIRST ? &s->first : &s->stable;
    const int64_t limit = m->recipe.limit;
    int64_t spent = m->recipe.cost == COST_TIME ? 1 + (int64_t)(moment->seconds * 1000)
                                                : (int64_t)moment->nodes;
    return moment->nodes == 0 || spent > limit ? limit : spent;
}

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

static bool search_position(struct job *job, void *result, struct error *err)
{
    const struct nodes_to_solution *m = job->context;
    const struct block *b = job->block;
    const struct dataset *positions = b->held_out ? &m->held_out.positions : &m->train.positions;
    const size_t organism = job->number / positions->count, at = job->number % positions->count;
    const int32_t *values = b->numbers + positions->count + organism * genes_of(m);
    const struct epd *epd = &positions->items[b->numbers[at]];
    const struct solve_limits limits = {
        .nodes = m->recipe.cost == COST_TIME ? 0 : (uint64_t)m->recipe.limit,
        .movetime = m->recipe.cost == COST_TIME ? m->recipe.limit : 0,
        .until_first = m->recipe.definition == DEFINITION_FIRST,
        .stop = job->stop};
    struct cost *cost = result;
    struct solved s;
    char *log, fen[FEN_MAX];
    if (!solver_solve(job->worker, values, epd, &limits, &s, &log, err))
        return false;
    cost->spent = spent_of(m, &s);
    cost->fault = engine_fault_of(s.fault);
    if (cost->fault != FAULT_NONE && !s.abandoned) {
        position_to_fen(&epd->position, fen);
        cost = engine_fault_report(job, sizeof *cost, &m->space.table, values, cost->fault, fen,
                                   log, err);
    }
    free(log);
    return cost != NULL && !s.abandoned;
}

static const struct job_kind search_job = {.result_size = sizeof(struct cost),
                                           .begin = begin_solver,
                                           .finish = finish_solver,
                                           .work = search_position,
                                           .name = "nodes to solution"};

/* ---- a batch ---- */

/* Reports organisms up to the first unfinished one. Their faults count now, not if they are stopped. */
static void report_finished(struct work *w)
{
    const struct fitness_watcher *watcher = w->watcher;
    while (!w->stopped && w->reported < w->count && w->set->known[w->rows[w->reported]].left == 0) {
        struct measured_values *done = &w->set->known[w->rows[w->reported]];
        engine_faults_join(&w->m->base.faults, &done->faults);
        done->faults = (struct engine_faults){{0}};
        int index = w->reported++;
        w->stopped =
            watcher->measured != NULL && !watcher->measured(watcher->context, index, done->measure);
    }
}

static bool add_cost(void *taker, size_t number, void *result)
{
    struct work *w = taker;
    const size_t count = w->set->positions.count;
    const struct cost *cost = result;
    struct measured_values *of = &w->set->known[(size_t)w->first + number / count];
    struct spent *position = &w->set->order[number % count];
    const int64_t value = scaled(w->m, cost->spent);
    of->measure += value;
    of->left--;
    engine_faults_add(&of->faults, cost->fault);
    if (cost->fault != FAULT_NONE)
        engine_fault_keep(w->m->base.fault_folder, cost->fault, (const char *)(cost + 1));
    position->spent += cost->spent;
    if (w->outcomes != NULL)
        w->outcomes[position->position] = value;
    if (of->left == 0)
        report_finished(w);
    fitness_tell_worked(w->watcher, (int64_t)number + 1,
                        (int64_t)count * (w->set->known_count - w->first));
    return !w->stopped;
}

/* Searches for the organisms from row `first` on; false if stopped or failed. */
static bool search_all(struct work *w)
{
    struct fitness *f = &w->m->base;
    const struct test_set *set = w->set;
    const size_t positions = set->positions.count, genes = genes_of(w->m);
    const size_t organisms = (size_t)(set->known_count - w->first);
    const size_t size = sizeof(struct block) + (positions + organisms * genes) * sizeof(int32_t);
    struct block *b = malloc(size);
    if (b == NULL)
        return error_set(&f->failed, "no memory for the values of %zu organisms", organisms);
    b->held_out = set == &w->m->held_out;
    for (size_t i = 0; i < positions; i++)
        b->numbers[i] = set->order[i].position;
    memcpy(b->numbers + positions, set->values + (size_t)w->first * genes,
           organisms * genes * sizeof *b->numbers);
    const struct jobs_batch batch = {
        .count = organisms * positions,
        .block = b,
        .block_size = size,
        .stop = w->watcher->stop,
        .taker = w,
        .take = add_cost,
    };
    bool done = !w->stopped && jobs_run(w->m->jobs, &batch, &f->failed) == JOBS_DONE;
    free(b);
    return done && !w->stopped;
}

/* The row of an organism, perhaps a new one; -1 without memory. Inactive genes may differ. */
static int row_of(struct test_set *set, const struct param_table *table, const int32_t *values)
{
    const size_t genes = (size_t)table->count;
    for (int row = 0; row < set->known_count; row++) {
        const int32_t *other = set->values + (size_t)row * genes;
        bool alike = true;
        for (int i = 0; alike && i < table->count; i++)
            alike = other[i] == values[i] || inactive_by(table, other, i) >= 0;
        if (alike)
            return row;
    }
    if (set->known_count == set->known_room) {
        const size_t room = 2 * (size_t)set->known_room + 16;
        int32_t *more = realloc(set->values, room * genes * sizeof *more);
        set->values = more != NULL ? more : set->values;
        struct measured_values *known = realloc(set->known, room * sizeof *known);
        set->known = known != NULL ? known : set->known;
        if (more == NULL || known == NULL)
            return -1;
        set->known_room = (int)room;
    }
    memcpy(set->values + (size_t)set->known_count * genes, values, genes * sizeof *values);
    set->known[set->known_count] = (struct measured_values){.left = (int)set->positions.count};
    return set->known_count++;
}

/* For qsort: the highest cost first; of equal ones, the first position. */
static int by_spent(const void *left, const void *right)
{
    const struct spent *a = left, *b = right;
    return a->spent != b->spent ? (a->spent > b->spent ? -1 : 1) : a->position - b->position;
}

/* Measures organisms on a suite; false if stopped or failed. */
static bool measure_all(struct work *w, const int32_t *genes, int64_t *values)
{
    struct test_set *set = w->set;
    const size_t row = genes_of(w->m);
    bool done = true;
    w->first = set->known_count;
    for (int i = 0; done && i < w->count; i++) {
        w->rows[i] = row_of(set, &w->m->space.table, genes + (size_t)i * row);
        done = w->rows[i] >= 0 || error_set(&w->m->base.failed, "no memory for %d organisms", i);
    }
    qsort(set->order, set->positions.count, sizeof *set->order, by_spent);
    if (done) {
        report_finished(w);
        done = search_all(w);
    }
    for (int i = 0; done && i < w->count; i++)
        values[i] = set->known[w->rows[i]].measure;

    /* forget what was not measured */
    int kept = w->first;
    for (int i = w->first; i < set->known_count; i++)
        if (set->known[i].left == 0) {
            memcpy(set->values + (size_t)kept * row, set->values + (size_t)i * row,
                   row * sizeof *set->values);
            set->known[kept++] = set->known[i];
        }
    set->known_count = kept;
    return done;
}

/* ---- the method ---- */

static bool measure_batch(struct fitness *f, const int32_t *genes, int count,
                          const struct fitness_watcher *watcher, int64_t *values)
{
    struct nodes_to_solution *m = (struct nodes_to_solution *)f;
    int rows[POPULATION_MAX];
    struct work w = {.m = m, .set = &m->train, .watcher = watcher, .rows = rows, .count = count};
    return measure_all(&w, genes, values);
}

static int64_t measure_held_out(struct fitness *f, const int32_t *genes,
                                const struct fitness_watcher *watcher)
{
    struct nodes_to_solution *m = (struct nodes_to_solution *)f;
    struct fitness_watcher quiet = *watcher;
    int row;
    int64_t value;
    struct work w = {.m = m,
                     .set = &m->held_out,
                     .watcher = &quiet,
                     .outcomes = watcher->outcomes,
                     .rows = &row,
                     .count = 1};
    quiet.measured = NULL;
    m->held_out.known_count = 0; /* the outcomes of each position are wanted */
    return m->held_out.positions.count > 0 && measure_all(&w, genes, &value) ? value : -1;
}

/* The cost of solving nothing, minus the cost of this organism. */
static int64_t score(const struct fitness *f, int64_t value)
{
    const struct nodes_to_solution *m = (const struct nodes_to_solution *)f;
    return f->train_size * scaled(m, m->recipe.limit) - value;
}

static void describe(const struct fitness *f, char *text, size_t size)
{
    const struct nodes_to_solution *m = (const struct nodes_to_solution *)f;
    char lines[COUNTED_MAX];
    int used =
        snprintf(text, size, "%s%s%s, limit %d %s, hash %d MiB", m->setup.name,
                 m->setup.name[0] != '\0' ? ": " : "",
                 m->recipe.definition == DEFINITION_FIRST ? "first" : "stable", m->recipe.limit,
                 m->recipe.cost == COST_TIME ? "ms" : "nodes", m->recipe.hash);
    if (m->left_out > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "; %s left out, the first: %s",
                 format_things((int64_t)m->left_out, "line", lines), m->first_left_out.text);
}

static void free_set(struct test_set *set)
{
    dataset_free(&set->positions);
    free(set->order);
    free(set->values);
    free(set->known);
}

static void destroy(struct fitness *f)
{
    struct nodes_to_solution *m = (struct nodes_to_solution *)f;
    jobs_destroy(m->jobs);
    free_set(&m->train);
    free_set(&m->held_out);
    engine_setup_free(&m->setup);
    space_free(&m->space);
    free(m);
}

/* ---- the data ---- */

/* Appends the test positions of files, and counts the lines left out. Fails if there is no position. */
static bool read_suites(struct nodes_to_solution *m, struct test_set *set,
                        const char paths[][RECIPE_PATH], int count, struct error *err)
{
    bool good = true;
    for (int k = 0; good && k < count; k++) {
        struct suite file;
        if (!suite_load(&file, paths[k], err))
            return false;
        if (m->left_out == 0 && file.left_out_count > 0)
            m->first_left_out = file.left_out[0];
        m->left_out += file.left_out_count;
        for (size_t i = 0; good && i < file.positions.count; i++)
            good = dataset_append(&set->positions, &file.positions.items[i], err);
        suite_free(&file);
    }
    return good && (count == 0 || set->positions.count > 0 ||
                    error_set(err, "%s: no position with bm or am to learn from", paths[0]));
}

/* Moves every second position to the held-out ones. */
static bool split(struct test_set *set, struct test_set *held_out, struct error *err)
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

/* Begins with the positions in file order and no cost; then they no longer change. */
static bool begin_order(struct test_set *set, struct error *err)
{
    size_t count = set->positions.count;
    set->order = calloc(count + 1, sizeof *set->order);
    for (size_t i = 0; set->order != NULL && i < count; i++)
        set->order[i].position = (int)i;
    return set->order != NULL || error_set(err, "no memory for %zu positions", count);
}

static bool load_suites(struct nodes_to_solution *m, struct error *err)
{
    const struct recipe *r = &m->recipe;
    struct test_set *train = &m->train, *held_out = &m->held_out;
    if (!read_suites(m, train, r->train, r->train_count, err))
        return false;
    if (r->first > 0 && (size_t)r->first < train->positions.count)
        train->positions.count = (size_t)r->first;
    return read_suites(m, held_out, r->held_out, r->held_out_count, err) &&
           (r->split == SPLIT_NONE || split(train, held_out, err)) && begin_order(train, err) &&
           begin_order(held_out, err);
}

/* Loads the parameters that evolve: the paper's, or those of the space file's kind. */
static bool load_space(struct nodes_to_solution *m, struct error *err)
{
    const struct recipe *r = &m->recipe;
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
    if (m->space.table.command == NULL && m->recipe.cost == COST_TIME)
        return error_set(err, "fitness.cost: time is for another engine; our nodes repeat exactly");
    m->base.space = m->space.table;
    return true;
}

/* Creates the job list of searches. Our engines all have the same evaluation. */
static bool create_jobs(struct nodes_to_solution *m, struct error *err)
{
    if (!values_evaluation(m->recipe.evaluation, &m->evaluation, err))
        return false;
    if (m->space.table.command != NULL &&
        !space_engine_setup(&m->space.table, m->recipe.hash, &m->setup, err))
        return false;
    m->solver = (struct solver_settings){&m->base.space,
                                         m->space.table.command == NULL ? NULL : &m->setup.settings,
                                         m->recipe.hash, &m->evaluation};
    m->jobs = jobs_create(&search_job, m, m->base.threads, err);
    return m->jobs != NULL;
}

struct fitness *nodes_to_solution_create(const struct recipe *recipe, int threads,
                                         struct error *err)
{
    struct nodes_to_solution *m = calloc(1, sizeof *m);
    if (m == NULL)
        return error_null(err, "no memory for the fitness");
    m->method =
        (struct fitness_method){.name = recipe->cost == COST_TIME    ? "time_to_solution"
                                        : recipe->scale == SCALE_LOG ? "log_nodes_to_solution"
                                                                     : "nodes_to_solution",
                                .value = objective_value_of(recipe),
                                .work = "search",
                                .measure_batch = measure_batch,
                                .measure_held_out = measure_held_out,
                                .score = score,
                                .describe = describe,
                                .destroy = destroy};
    m->base = (struct fitness){.method = &m->method, .threads = threads};
    m->recipe = *recipe;
    if (!load_space(m, err) || !load_suites(m, err) || !create_jobs(m, err)) {
        destroy(&m->base);
        return NULL;
    }
    m->base.approximate = m->solver.engine != NULL;
    m->base.train_size = (int64_t)m->train.positions.count;
    m->base.held_out_size = (int64_t)m->held_out.positions.count;
    return &m->base;
}
