/* Matching: the moves that organisms choose, on several threads. */
#include "compiled.h"

#include "compiled_set.h"
#include "jobs.h"

#include <assert.h>
#include <string.h>

/* Positions in a block. Their leaves stay in the second-level cache while all groups are
 * replayed. */
enum { BLOCK = 64 };

/* Organisms in a batch. */
enum { ORGANISMS = 256 };

/* The input of a batch: rows of values. Job n counts the matches of all its organisms on block n of
 * the positions `first` to `end` - 1. */
struct match_block {
    int64_t count;
    uint64_t first, end;
    int32_t values[];
};

struct compiled_matcher {
    const struct compiled_set *set;
    const struct replay *replay;
    struct jobs *jobs;
    struct match_block *block; /* room for ORGANISMS */
};

/* Bytes of a block of `count` organisms. */
static size_t block_size(const struct compiled_set *set, int count)
{
    return sizeof(struct match_block) + (size_t)count * (size_t)set->table.count * sizeof(int32_t);
}

/* ---- groups ---- */

/* Bytes of the packed weights of a group. */
static size_t lanes_size(const struct compiled_set *set)
{
    return set->places.columns * 2 * REPLAY_LANES *
           (set->wide_weights ? sizeof(int32_t) : sizeof(int16_t));
}

static struct replay_weights weights_of(const struct compiled_set *set, void *lanes)
{
    if (set->wide_weights)
        return (struct replay_weights){.wide = lanes};
    return (struct replay_weights){.narrow = lanes};
}

/* Packs the weights of one organism as 16-bit pairs. */
static void pack_narrow(const struct weight_places *p, const int32_t *values, int lane,
                        int16_t (*lanes)[REPLAY_LANES][2])
{
    for (size_t i = 0; i < 2 * p->columns; i++)
        lanes[i / 2][lane][i % 2] = (int16_t)values[p->weight_at[i]];
}

static void pack_wide(const struct weight_places *p, const int32_t *values, int lane,
                      int32_t (*lanes)[2][REPLAY_LANES])
{
    for (size_t i = 0; i < 2 * p->columns; i++)
        lanes[i / 2][i % 2][lane] = values[p->weight_at[i]];
}

/* Packs `count` organisms, rows of one value per weight, to memory aligned to 64 bytes. */
static void pack(const struct compiled_set *set, const int32_t *values, int count, void *lanes)
{
    const int weights = set->table.count;
    memset(lanes, 0, lanes_size(set));
    for (int lane = 0; lane < count; lane++, values += weights) {
        for (int i = 0; i < weights; i++)
            assert(values[i] >= set->table.params[i].min && values[i] <= set->table.params[i].max);
        if (set->wide_weights)
            pack_wide(&set->places, values, lane, lanes);
        else
            pack_narrow(&set->places, values, lane, lanes);
    }
}

/* What a packed group plays in position i. */
static void choose(const struct compiled_set *set, size_t i, const struct replay *replay,
                   void *lanes, struct replayed *played)
{
    const struct replay_tree tree = compiled_tree(set, i);
    const struct replay_weights weights = weights_of(set, lanes);
    replay->choose(&tree, &weights, played);
}

/* Allocates the packed weights of a group; free() releases them. NULL with the reason. */
static void *create_lanes(const struct compiled_set *set, struct error *err)
{
    enum { LINE = 64 };
    size_t size = (lanes_size(set) + LINE - 1) / LINE * LINE;
    void *lanes = aligned_alloc(LINE, size);
    if (lanes == NULL)
        error_set(err, "no memory for the weights of a group");
    return lanes;
}

/* Counts the matches of one packed group on one block. */
static void match_group(const struct compiled_set *set, const struct replay *replay,
                        struct compiled_part block, int count, void *lanes, int32_t *matched)
{
    for (size_t i = block.first; i < block.first + block.count; i++) {
        struct replayed played;
        choose(set, i, replay, lanes, &played);
        const uint8_t *right = set->right + set->positions[i].first_move;
        for (int lane = 0; lane < count; lane++)
            matched[lane] += right[played.choice[lane]];
    }
}

/* The positions of a job. */
static struct compiled_part positions_of(const struct match_block *b, size_t job)
{
    const size_t first = b->first + job * BLOCK, left = b->end - first;
    return (struct compiled_part){first, left < BLOCK ? left : BLOCK};
}

/* Adds the matches of organisms, rows of values, on a part of the set. `lanes` is for one group. */
static void match_part(const struct compiled_set *set, const struct replay *replay,
                       struct compiled_part part, const int32_t *values, int organisms, void *lanes,
                       int32_t *matched)
{
    for (int first = 0; first < organisms; first += REPLAY_LANES) {
        int count = organisms - first < REPLAY_LANES ? organisms - first : REPLAY_LANES;
        const int32_t *rows = values + (size_t)first * (size_t)set->table.count;
        pack(set, rows, count, lanes);
        match_group(set, replay, part, count, lanes, matched + first);
    }
}

/* Counts the matches on a block of positions; the result is one int32_t per organism. The worker is
 * the packed weights of a group. */
static bool match_positions(struct job *job, void *result, struct error *err)
{
    const struct compiled_matcher *m = job->context;
    const struct match_block *b = job->block;
    (void)err;
    match_part(m->set, m->replay, positions_of(b, job->number), b->values, (int)b->count,
               job->worker, result);
    return true;
}

static void *begin_matching(const void *matcher, struct error *err)
{
    const struct compiled_matcher *m = matcher;
    return create_lanes(m->set, err);
}

static const struct job_kind match_job = {.result_size = ORGANISMS * sizeof(int32_t),
                                          .begin = begin_matching,
                                          .finish = free,
                                          .work = match_positions,
                                          .name = "moves matched"};

struct compiled_matcher *compiled_matcher_create(const struct compiled_set *set,
                                                 const struct replay *replay, int threads,
                                                 struct error *err)
{
    struct compiled_matcher *m = calloc(1, sizeof *m);
    if (m == NULL || (m->block = malloc(block_size(set, ORGANISMS))) == NULL) {
        error_set(err, "no memory to match moves");
        compiled_matcher_destroy(m);
        return NULL;
    }
    m->set = set;
    m->replay = replay != NULL ? replay : replay_best();
    m->jobs = jobs_create(&match_job, m, threads, err);
    if (m->jobs != NULL)
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

/* Sums of a batch's matches, and who follows: `done` positions of `total` before this batch. */
struct tally {
    int count;
    int32_t *matched;
    const struct compiled_watcher *watcher; /* may be NULL */
    int64_t done, total, positions;
    struct compiled_part part;
};

static bool add_matches(void *taker, size_t number, void *result)
{
    const struct tally *t = taker;
    const int32_t *matched = result;
    int64_t end = ((int64_t)number + 1) * BLOCK;
    for (int o = 0; o < t->count; o++)
        t->matched[o] += matched[o];
    if (t->watcher != NULL && t->watcher->done != NULL)
        t->watcher->done(t->watcher->context, t->done + (end < t->positions ? end : t->positions),
                         t->total);
    return true;
}

/* Matches one batch of organisms; the tally says where the sums go. */
static bool match_batch(struct compiled_matcher *m, const int32_t *values, struct tally *tally,
                        struct error *err)
{
    const int count = tally->count;
    const size_t size = block_size(m->set, count);
    m->block->count = count;
    m->block->first = tally->part.first;
    m->block->end = tally->part.first + tally->part.count;
    const size_t jobs = (tally->part.count + BLOCK - 1) / BLOCK;
    const struct jobs_batch batch = {
        .count = jobs,
        .block = m->block,
        .block_size = size,
        .taker = tally,
        .take = add_matches,
        .stop = compiled_stop(tally->watcher),
    };
    memcpy(m->block->values, values, size - sizeof *m->block);
    memset(tally->matched, 0, (size_t)count * sizeof *tally->matched);
    return jobs_run(m->jobs, &batch, err) == JOBS_DONE;
}

bool compiled_matcher_run(struct compiled_matcher *m, const struct compiled_part *part,
                          const int32_t *values, int organisms, int32_t *matched,
                          const struct compiled_watcher *watcher, struct error *err)
{
    const struct compiled_part all = {0, m->set->count};
    part = part != NULL ? part : &all;
    const int64_t positions = (int64_t)part->count;
    const size_t weights = (size_t)m->set->table.count;
    assert(part->first + part->count <= m->set->count);
    struct tally tally = {.watcher = watcher,
                          .part = *part,
                          .positions = positions,
                          .total = positions * ((organisms + ORGANISMS - 1) / ORGANISMS)};
    for (int first = 0; first < organisms; first += ORGANISMS, tally.done += positions) {
        tally.count = organisms - first < ORGANISMS ? organisms - first : ORGANISMS;
        tally.matched = matched + first;
        if (!match_batch(m, values + (size_t)first * weights, &tally, err))
            return false;
    }
    return true;
}

bool compiled_match(const struct compiled_set *set, const int32_t *values, int organisms,
                    int threads, const struct replay *replay, int32_t *matched, struct error *err)
{
    struct compiled_matcher *m = compiled_matcher_create(set, replay, threads, err);
    bool good = m != NULL && compiled_matcher_run(m, NULL, values, organisms, matched, NULL, err);
    compiled_matcher_destroy(m);
    return good;
}

bool compiled_choices(const struct compiled_set *set, const int32_t *values,
                      const struct replay *replay, Move *choices, struct error *err)
{
    void *lanes = create_lanes(set, err);
    if (lanes == NULL)
        return false;
    if (replay == NULL)
        replay = replay_best();
    pack(set, values, 1, lanes);
    for (size_t i = 0; i < set->count; i++) {
        struct replayed played;
        choose(set, i, replay, lanes, &played);
        choices[i] = set->moves[set->positions[i].first_move + (size_t)played.choice[0]];
    }
    free(lanes);
    return true;
}

static_assert((int)VALUE_GROUP == (int)REPLAY_LANES, "a group fills the lanes");

struct value_group {
    const struct compiled_set *set;
    const struct replay *replay;
    void *lanes;
    int count;
};

struct value_group *value_group_create(const struct compiled_set *set, const struct replay *replay,
                                       struct error *err)
{
    struct value_group *g = calloc(1, sizeof *g);
    void *lanes = create_lanes(set, err);
    if (g == NULL || lanes == NULL) {
        error_set(err, "no memory for the weights of a group");
        free(g);
        free(lanes);
        return NULL;
    }
    *g = (struct value_group){set, replay != NULL ? replay : replay_best(), lanes, 0};
    return g;
}

void value_group_destroy(struct value_group *g)
{
    if (g == NULL)
        return;
    free(g->lanes);
    free(g);
}

void value_group_set(struct value_group *g, const int32_t *weights, int count)
{
    assert(count >= 1 && count <= VALUE_GROUP);
    pack(g->set, weights, count, g->lanes);
    g->count = count;
}

void value_group_read(struct value_group *g, size_t i, double values[VALUE_GROUP])
{
    struct replayed played;
    choose(g->set, i, g->replay, g->lanes, &played);
    for (int lane = 0; lane < g->count; lane++)
        values[lane] = -compiled_score(g->set, played.value[lane]);
}
