/* Matches on many positions, which are compiled a few at a time and forgotten: the compiling is most of the
 * work, and a job like the matching. */
#include "compiled_set.h"

#include "modern.h"
#include "own_evaluators.h"
#include "plan.h"

#include <string.h>

/* Positions of a job; of a list of jobs, which other ranks are sent; and of a set where an evaluation begins
 * with a process. */
enum { BLOCK = 256, LIST = 200000, SET = 10000 };

/* What all jobs have in common. */
struct all_matches {
    const struct epd *positions;
    size_t count;
    enum leaf leaf;
    const struct evaluator_source *source;
    const int32_t *values; /* rows of the organisms */
    int organisms;
};

/* The evaluations that every rank has. */
static const struct evaluator_source *const own[] = {NULL, &modern_evaluator_source};

/* The number of an own evaluation; -1 if it is none. */
static int own_number(const struct evaluator_source *source)
{
    for (int i = 0; i < (int)(sizeof own / sizeof own[0]); i++)
        if (own[i] == source)
            return i;
    return -1;
}

/* The number of weights of an own evaluation. */
static size_t own_weights(int number)
{
    return (size_t)(number == 0 ? eval_table.count : modern_eval_table.count);
}

/* ---- a job ---- */

/* Compiles a block of positions and counts its matches: the result is one int32_t per organism. */
static bool match_block(struct job *job, void *result, struct error *err)
{
    const struct all_matches *a = job->context;
    const size_t first = job->number * BLOCK, left = a->count - first;
    const struct compiled_part all = {0, left < BLOCK ? left : BLOCK};
    struct compiled_set *set =
        compiled_create(a->positions + first, all.count, a->leaf, a->source, 1, err);
    void *lanes = set == NULL ? NULL : compiled_create_lanes(set, err);
    if (lanes != NULL)
        compiled_match_part(set, replay_best(), all, a->values, a->organisms, lanes, result);
    free(lanes);
    compiled_destroy(set);
    return lanes != NULL;
}

static struct job_kind kind_of(const struct all_matches *a)
{
    return (struct job_kind){.result_size = (size_t)a->organisms * sizeof(int32_t),
                             .work = match_block};
}

/* ---- on other ranks ---- */

/* What another rank matches. */
struct shared_matches {
    struct all_matches all;
    struct job_kind kind;
    struct epd *positions;
    int32_t *values;
    struct jobs *jobs;
};

/* Creates the list on all ranks. */
static struct jobs *share(const struct all_matches *a, const struct job_kind *kind, int threads,
                          struct error *err)
{
    struct plan_writer w;
    const int source = own_number(a->source);
    plan_begin(&w);
    plan_put(&w, a, sizeof *a);
    plan_put(&w, &source, sizeof source);
    plan_put(&w, a->positions, a->count * sizeof *a->positions);
    plan_put(&w, a->values, (size_t)a->organisms * own_weights(source) * sizeof *a->values);
    return plan_create_jobs(&w, match_all_builder.name, kind, a, threads, err);
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
    int source;
    plan_get(r, &s->all, sizeof s->all);
    plan_get(r, &source, sizeof source);
    source = source == 1;
    s->positions = plan_get_array(r, s->all.count, sizeof *s->positions);
    s->values =
        plan_get_array(r, (size_t)s->all.organisms * own_weights(source), sizeof *s->values);
    s->all.positions = s->positions;
    s->all.values = s->values;
    s->all.source = own[source];
    s->kind = kind_of(&s->all);
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
    if (read_plan(s, &r, err) && (s->jobs = jobs_create(&s->kind, &s->all, threads, err)) != NULL)
        return s;
    destroy(s);
    return NULL;
}

const struct ranks_builder match_all_builder = {"match moves", build, destroy};

/* ---- here ---- */

/* Where sums of matches go. */
struct totals {
    int organisms;
    int64_t *matched;
};

static bool add_block(void *taker, size_t number, void *result)
{
    const struct totals *t = taker;
    const int32_t *matched = result;
    (void)number;
    for (int o = 0; o < t->organisms; o++)
        t->matched[o] += matched[o];
    return true;
}

/* Adds the matches on some positions, by jobs on all ranks. */
static bool match_list(const struct all_matches *a, int threads, struct totals *totals,
                       struct error *err)
{
    const struct job_kind kind = kind_of(a);
    const struct jobs_batch batch = {
        .count = (a->count + BLOCK - 1) / BLOCK, .taker = totals, .take = add_block};
    struct jobs *jobs = share(a, &kind, threads, err);
    bool good = jobs != NULL && jobs_run(jobs, &batch, err) == JOBS_DONE;
    jobs_destroy(jobs);
    return good;
}

/* Adds the matches on some positions, of one set in this process. */
static bool match_set(const struct all_matches *a, int threads, struct totals *totals,
                      struct error *err)
{
    int32_t *part = calloc((size_t)a->organisms, sizeof *part);
    struct compiled_set *set =
        part != NULL ? compiled_create(a->positions, a->count, a->leaf, a->source, threads, err)
                     : NULL;
    bool good = part != NULL || error_set(err, "no memory for %d sets of weights", a->organisms);
    good = good && set != NULL &&
           compiled_match(set, a->values, a->organisms, threads, NULL, part, err);
    if (good)
        add_block(totals, 0, part);
    compiled_destroy(set);
    free(part);
    return good;
}

bool compiled_match_all(const struct epd *positions, size_t count, enum leaf leaf,
                        const struct evaluator_source *source, const int32_t *values, int organisms,
                        int threads, int64_t *matched, struct error *err)
{
    const bool shared = own_number(source) >= 0;
    const size_t most = shared ? LIST : SET;
    struct totals totals = {organisms, matched};
    bool good = true;
    memset(matched, 0, (size_t)organisms * sizeof *matched);
    for (size_t first = 0; good && first < count; first += most) {
        const size_t left = count - first;
        const struct all_matches a = {
            positions + first, left < most ? left : most, leaf, source, values, organisms};
        good = (shared ? match_list : match_set)(&a, threads, &totals, err);
    }
    return good;
}
