#include "gradient.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 }; /* positions a job; the sums are added in job order */

_Static_assert(sizeof(uint64_t) == sizeof(double), "the numbers of blocks follow the point");

/* ---- the jobs ---- */

/* Sums the losses and gradients of a block's positions: the result is the loss, then the gradient. */
static bool sum_block(struct job *job, void *result, struct error *err)
{
    const struct gradient_problem *p = job->context;
    const int coordinates = regression_coordinates(p->set);
    const double *x = job->block;
    uint64_t block;
    memcpy(&block, x + coordinates + job->number, sizeof block);
    const size_t positions = compiled_positions(p->set), first = block * BLOCK;
    double *sum = result;
    (void)err;
    for (size_t i = first; i < first + BLOCK && i < positions; i++)
        p->method->add(p->set, i, x, &sum[0], sum + 1);
    return true;
}

/* The mean over the jobs. */
struct mean {
    double loss;
    double *by;
    int coordinates;
    double positions;
};

static bool add_sum(void *taker, size_t number, void *result)
{
    struct mean *mean = taker;
    const double *part = result;
    (void)number;
    mean->loss += part[0] / mean->positions;
    for (int c = 0; c < mean->coordinates; c++)
        mean->by[c] += part[1 + c] / mean->positions;
    return true;
}

/* The positions in some blocks; the last of the set may be short. */
static size_t positions_in(const struct gradient *g, const uint32_t *blocks, size_t count)
{
    size_t positions = count * BLOCK;
    for (size_t i = 0; i < count; i++)
        if (blocks[i] == g->blocks - 1)
            positions -= g->blocks * BLOCK - compiled_positions(g->problem.set);
    return positions;
}

/* Computes mean loss and gradient over some blocks. */
static bool gradient_of(struct gradient *g, const uint32_t *blocks, size_t count, const double *x,
                        double *loss, struct error *err)
{
    const size_t size = (size_t)g->coordinates * sizeof *x;
    struct mean mean = {0, g->by, g->coordinates, (double)positions_in(g, blocks, count)};
    const struct jobs_batch batch = {.count = count,
                                     .block = g->input,
                                     .block_size = size + count * sizeof(uint64_t),
                                     .taker = &mean,
                                     .take = add_sum};
    memcpy(g->input, x, size);
    for (size_t i = 0; i < count; i++)
        memcpy(g->input + g->coordinates + i, &(uint64_t){blocks[i]}, sizeof(uint64_t));
    memset(g->by, 0, size);
    bool good = jobs_run(g->jobs, &batch, err) == JOBS_DONE;
    *loss = mean.loss;
    return good;
}

/* ---- the order ---- */

static void put_in_order(struct gradient *g)
{
    for (size_t i = 0; i < g->blocks; i++)
        g->order[i] = (uint32_t)i;
}

/* Begins an epoch: puts the blocks into a new random order. */
static void shuffle(struct gradient *g)
{
    struct stream s;
    stream_init(&s, g->seed, STREAM_BATCHES, g->epoch++, 0);
    put_in_order(g);
    for (size_t i = g->blocks; i > 1; i--) {
        const size_t other = stream_below(&s, i);
        const uint32_t block = g->order[i - 1];
        g->order[i - 1] = g->order[other];
        g->order[other] = block;
    }
    g->next = 0;
}

bool gradient_of_all(struct gradient *g, const double *x, double *loss, struct error *err)
{
    put_in_order(g);
    g->next = g->blocks;
    return gradient_of(g, g->order, g->blocks, x, loss, err);
}

bool gradient_of_batch(struct gradient *g, const double *x, double *loss, struct error *err)
{
    if (g->per_batch >= g->blocks)
        return gradient_of_all(g, x, loss, err);
    if (g->next >= g->blocks)
        shuffle(g);
    const size_t left = g->blocks - g->next, first = g->next;
    const size_t count = left < g->per_batch ? left : g->per_batch;
    g->next += count;
    return gradient_of(g, g->order + first, count, x, loss, err);
}

/* ---- life cycle ---- */

bool gradient_begin(struct gradient *g, const struct compiled_set *set,
                    const struct regression_method *method, int batch, uint64_t seed, int threads,
                    struct error *err)
{
    const int coordinates = regression_coordinates(set);
    const size_t blocks = (compiled_positions(set) + BLOCK - 1) / BLOCK;
    *g = (struct gradient){
        .problem = {set, method},
        .coordinates = coordinates,
        .kind = {.result_size = ((size_t)coordinates + 1) * sizeof(double), .work = sum_block},
        .blocks = blocks,
        .per_batch = batch > 0 ? ((size_t)batch + BLOCK - 1) / BLOCK : blocks,
        .next = blocks,
        .seed = seed};
    g->by = calloc((size_t)coordinates, sizeof *g->by);
    g->input = calloc((size_t)coordinates + blocks, sizeof *g->input);
    g->order = calloc(blocks + 1, sizeof *g->order);
    if (g->by == NULL || g->input == NULL || g->order == NULL)
        error_set(err, "no memory for a gradient");
    else
        g->jobs = jobs_create(&g->kind, &g->problem, threads, err);
    if (g->jobs == NULL)
        gradient_finish(g);
    return g->jobs != NULL;
}

void gradient_finish(struct gradient *g)
{
    jobs_destroy(g->jobs);
    free(g->by);
    free(g->input);
    free(g->order);
}
