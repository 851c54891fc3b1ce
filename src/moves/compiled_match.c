/* Measuring: what organisms have in positions, on several threads. */
#include "compiled.h"

#include "compiled_set.h"
#include "jobs.h"

#include <assert.h>
#include <string.h>

/* Positions in a block, whose leaves fit the second-level cache; organisms in a batch. */
enum { BLOCK = 64, ORGANISMS = 256 };

/* The input of a batch: rows of values, for positions `first` to `end` - 1 by blocks. */
struct measured_block {
    int64_t count;
    uint64_t first, end;
    int32_t values[];
};

struct compiled_matcher {
    const struct compiled_set *set;
    const struct replay *replay;
    compiled_loss *loss;
    const void *context;
    struct jobs *jobs;
    struct measured_block *block; /* room for ORGANISMS */
};

static size_t block_size(const struct compiled_set *set, int count)
{
    return sizeof(struct measured_block) +
           (size_t)count * (size_t)set->table.count * sizeof(int32_t);
}

/* ---- groups ---- */

/* Lanes of a group of `count` organisms. */
static int lanes_of(int count)
{
    return (count + REPLAY_STEP - 1) / REPLAY_STEP * REPLAY_STEP;
}

/* The most organisms of a group: the more, the less a leaf costs each; but the weights of all columns
 * should fit the first-level cache. */
static int largest_group(const struct compiled_set *set)
{
    enum { MANY_COLUMNS = 64 };
    return set->places.columns < MANY_COLUMNS ? REPLAY_LANES : REPLAY_LANES / 2;
}

static size_t lanes_size(const struct compiled_set *set, int lanes)
{
    return set->places.columns * 2 * (size_t)lanes *
           (set->largest_weight > INT16_MAX ? sizeof(int32_t) : sizeof(int16_t));
}

/* Allocates the packed weights of a group; free() releases them. NULL with the reason. */
static void *create_lanes(const struct compiled_set *set, struct error *err)
{
    enum { LINE = 64 };
    void *lanes = aligned_alloc(LINE, lanes_size(set, largest_group(set)));
    return lanes != NULL ? lanes : error_null(err, "no memory for the weights of a group");
}

/* Packs `count` organisms, rows of one value per weight, to memory of create_lanes(). */
static struct replay_weights pack(const struct compiled_set *set, const int32_t *values, int count,
                                  void *memory)
{
    const struct weight_places *p = &set->places;
    const int weights = set->table.count, lanes = lanes_of(count);
    const bool fits = set->largest_weight <= INT16_MAX;
    int32_t *wide = memory;
    int16_t *narrow = memory;
    memset(memory, 0, lanes_size(set, lanes));
    for (int lane = 0; lane < count; lane++, values += weights) {
        for (int i = 0; i < weights; i++)
            assert(values[i] >= set->table.params[i].min && values[i] <= set->table.params[i].max);
        for (size_t i = 0; i < 2 * p->columns; i++)
            if (fits)
                narrow[2 * (i / 2 * (size_t)lanes + (size_t)lane) + i % 2] =
                    (int16_t)values[p->weight_at[i]];
            else
                wide[i * (size_t)lanes + (size_t)lane] = values[p->weight_at[i]];
    }
    return fits ? (struct replay_weights){.lanes = lanes, .narrow = narrow}
                : (struct replay_weights){.lanes = lanes, .wide = wide};
}

/* The value of a position for the side to move. In a set of values it is that of the move before. */
static double value_of(const struct compiled_set *set, size_t i, int32_t played)
{
    const bool before = set->roots[set->positions[i].first_root].move == NO_MOVE;
    return (before ? -1 : 1) * compiled_score(set, played);
}

static void add_position(const struct compiled_matcher *m, size_t i, int count,
                         const struct replay_weights *weights, int64_t *sums)
{
    const struct compiled_position *at = &m->set->positions[i];
    const struct replay_root *roots = m->set->roots + at->first_root;
    const struct replay_tree tree = compiled_tree(m->set, i);
    struct replayed played;
    m->replay->choose(&tree, weights, &played);
    for (int lane = 0; lane < count; lane++)
        sums[lane] += m->loss == NULL
                          ? roots[played.choice[lane]].right
                          : m->loss(m->context, &at->epd, value_of(m->set, i, played.value[lane]));
}

/* ---- jobs ---- */

/* Measures on a block: one sum per organism. The worker is memory for the weights of a group. */
static bool measure_block(struct job *job, void *result, struct error *err)
{
    const struct compiled_matcher *m = job->context;
    const struct measured_block *b = job->block;
    const size_t first = b->first + job->number * BLOCK;
    int64_t *sums = result;
    (void)err;
    const int group = largest_group(m->set);
    for (int o = 0; o < b->count; o += group) {
        const int count = (int)b->count - o < group ? (int)b->count - o : group;
        const struct replay_weights weights =
            pack(m->set, b->values + (size_t)o * (size_t)m->set->table.count, count, job->worker);
        for (size_t i = first; i < first + BLOCK && i < b->end; i++)
            add_position(m, i, count, &weights, sums + o);
    }
    return true;
}

static void *begin_measuring(const void *matcher, struct error *err)
{
    const struct compiled_matcher *m = matcher;
    return create_lanes(m->set, err);
}

static const struct job_kind measure_job = {.result_size = ORGANISMS * sizeof(int64_t),
                                            .begin = begin_measuring,
                                            .finish = free,
                                            .work = measure_block,
                                            .name = "moves matched"};

struct compiled_matcher *compiled_matcher_create(const struct compiled_set *set,
                                                 const struct replay *replay, compiled_loss *loss,
                                                 const void *context, int threads,
                                                 struct error *err)
{
    struct compiled_matcher *m = calloc(1, sizeof *m);
    if (m != NULL)
        *m = (struct compiled_matcher){set,  replay != NULL ? replay : replay_best(), loss, context,
                                       NULL, malloc(block_size(set, ORGANISMS))};
    if (m == NULL || m->block == NULL)
        error_set(err, "no memory to match moves");
    else if ((m->jobs = jobs_create(&measure_job, m, threads, err)) != NULL)
        return m;
    compiled_matcher_destroy(m);
    return NULL;
}

void compiled_matcher_destroy(struct compiled_matcher *m)
{
    if (m == NULL)
        return;
    jobs_destroy(m->jobs);
    free(m->block);
    free(m);
}

/* A batch of organisms. */
struct tally {
    const struct compiled_watcher *watcher; /* may be NULL */
    int64_t *sums;
    int count, before, all; /* organisms: of these, before them, in all */
    int64_t positions;
};

/* Tells the watcher how many positions are done as if all organisms were in step. */
static bool add_sums(void *taker, size_t number, void *result)
{
    const struct tally *t = taker;
    const int64_t *sums = result, end = ((int64_t)number + 1) * BLOCK;
    const int64_t done = end < t->positions ? end : t->positions;
    for (int o = 0; o < t->count; o++)
        t->sums[o] += sums[o];
    if (t->watcher != NULL && t->watcher->done != NULL)
        t->watcher->done(t->watcher->context, (t->before * t->positions + t->count * done) / t->all,
                         t->positions);
    return true;
}

bool compiled_matcher_run(struct compiled_matcher *m, const struct compiled_part *part,
                          const int32_t *values, int organisms, int64_t *sums,
                          const struct compiled_watcher *watcher, struct error *err)
{
    const struct compiled_part all = {0, m->set->count};
    part = part != NULL ? part : &all;
    assert(part->first + part->count <= m->set->count);
    m->block->first = part->first;
    m->block->end = part->first + part->count;
    for (int first = 0; first < organisms; first += ORGANISMS) {
        const int count = organisms - first < ORGANISMS ? organisms - first : ORGANISMS;
        const size_t size = block_size(m->set, count);
        struct tally tally = {watcher, sums + first, count, first, organisms, (int64_t)part->count};
        const struct jobs_batch batch = {.count = (part->count + BLOCK - 1) / BLOCK,
                                         .block = m->block,
                                         .block_size = size,
                                         .taker = &tally,
                                         .take = add_sums,
                                         .stop = compiled_stop(watcher)};
        m->block->count = count;
        memcpy(m->block->values, values + (size_t)first * (size_t)m->set->table.count,
               size - sizeof *m->block);
        if (jobs_run(m->jobs, &batch, err) != JOBS_DONE)
            return false;
    }
    return true;
}

bool compiled_match(const struct compiled_set *set, const int32_t *values, int organisms,
                    int threads, const struct replay *replay, int64_t *matched, struct error *err)
{
    struct compiled_matcher *m = compiled_matcher_create(set, replay, NULL, NULL, threads, err);
    bool good = m != NULL && compiled_matcher_run(m, NULL, values, organisms, matched, NULL, err);
    compiled_matcher_destroy(m);
    return good;
}

bool compiled_choices(const struct compiled_set *set, const int32_t *values,
                      const struct replay *replay, Move *choices, double *scores, struct error *err)
{
    void *lanes = create_lanes(set, err);
    if (lanes == NULL)
        return false;
    const struct replay_weights weights = pack(set, values, 1, lanes);
    if (replay == NULL)
        replay = replay_best();
    for (size_t i = 0; i < set->count; i++) {
        const struct replay_tree tree = compiled_tree(set, i);
        struct replayed played;
        replay->choose(&tree, &weights, &played);
        if (choices != NULL)
            choices[i] = set->roots[set->positions[i].first_root + (size_t)played.choice[0]].move;
        if (scores != NULL)
            scores[i] = value_of(set, i, played.value[0]);
    }
    free(lanes);
    return true;
}
