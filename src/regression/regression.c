#include "regression.h"

#include "jobs.h"
#include "stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Positions a job: of a gradient, whose sums are added in job order, and of a measurement. */
enum { BLOCK = 256, MEASURED = 64 };

/* The range of scales to search, in centipawns. */
static const double least_scale = 5, most_scale = 50000;

const struct regression_method *const regression_methods[] = {
    &softmax_method, &softmax_misses_method, &texel_method, &texel_entropy_method, NULL};

/* A fit. A batch is some blocks of consecutive positions; each epoch takes all, newly shuffled. */
struct regression {
    const struct compiled_set *set;
    const struct regression_settings *settings;
    const struct param_table *table; /* the ranges to keep to */
    struct job_kind kind;
    struct jobs *jobs;
    int coordinates;
    double *x;  /* the point, and behind it the numbers of a batch's blocks; owned */
    double *by; /* the latest gradient; owned, with Adam's moments behind it */
    double *mean, *square;
    double positions; /* of the latest batch */
    double loss;      /* their mean */
    uint32_t *order;  /* of all blocks, in this epoch; owned */
    size_t blocks;    /* in the set */
    size_t per_batch; /* the last batch of an epoch may have fewer */
    size_t next;      /* the first block of the next batch, in `order` */
    uint64_t epoch;
};

void regression_point(const struct compiled_set *set, const int32_t *weights, double scale,
                      double *x)
{
    const int count = set->table.count;
    for (int t = 0; t < count; t++)
        x[t] = weights[t];
    x[count] = log(1 / scale);
}

/* ---- the gradient ---- */

/* Sums the losses and gradients of a block's positions: the result is the loss, then the gradient. */
static bool sum_block(struct job *job, void *result, struct error *err)
{
    const struct regression *r = job->context;
    const double *x = job->block;
    double *sum = result;
    (void)err;
    const size_t positions = r->set->count,
                 first = (size_t)x[(size_t)r->coordinates + job->number] * BLOCK;
    for (size_t i = first; i < first + BLOCK && i < positions; i++)
        r->settings->method->add(r->settings->method, r->set, i, x, &sum[0], sum + 1);
    return true;
}

static bool add_sum(void *taker, size_t number, void *result)
{
    struct regression *r = taker;
    const double *part = result;
    (void)number;
    r->loss += part[0] / r->positions;
    for (int c = 0; c < r->coordinates; c++)
        r->by[c] += part[1 + c] / r->positions;
    return true;
}

/* Computes the mean loss and its gradient over some blocks, of which the last of the set may be short. */
static bool find_gradient(struct regression *r, const uint32_t *blocks, size_t count,
                          struct error *err)
{
    const size_t size = (size_t)r->coordinates * sizeof *r->x;
    size_t positions = count * BLOCK;
    const struct jobs_batch batch = {.count = count,
                                     .block = r->x,
                                     .block_size = size + count * sizeof *r->x,
                                     .taker = r,
                                     .take = add_sum};
    for (size_t i = 0; i < count; i++) {
        r->x[(size_t)r->coordinates + i] = blocks[i];
        if (blocks[i] == r->blocks - 1)
            positions -= r->blocks * BLOCK - r->set->count;
    }
    r->positions = (double)positions;
    r->loss = 0;
    memset(r->by, 0, size);
    return jobs_run(r->jobs, &batch, err) == JOBS_DONE;
}

static void put_in_order(struct regression *r)
{
    for (size_t i = 0; i < r->blocks; i++)
        r->order[i] = (uint32_t)i;
}

/* The same over all positions, which end the epoch. */
static bool find_whole_gradient(struct regression *r, struct error *err)
{
    put_in_order(r);
    r->next = r->blocks;
    return find_gradient(r, r->order, r->blocks, err);
}

/* Begins an epoch: puts the blocks into a new random order. */
static void shuffle(struct regression *r)
{
    struct stream s;
    stream_init(&s, r->settings->seed, STREAM_BATCHES, r->epoch++, 0);
    put_in_order(r);
    for (size_t i = r->blocks; i > 1; i--) {
        const size_t other = stream_below(&s, i);
        const uint32_t block = r->order[i - 1];
        r->order[i - 1] = r->order[other];
        r->order[other] = block;
    }
    r->next = 0;
}

static bool find_batch_gradient(struct regression *r, struct error *err)
{
    if (r->per_batch >= r->blocks)
        return find_whole_gradient(r, err);
    if (r->next >= r->blocks)
        shuffle(r);
    const size_t left = r->blocks - r->next, first = r->next;
    const size_t count = left < r->per_batch ? left : r->per_batch;
    r->next += count;
    return find_gradient(r, r->order + first, count, err);
}

static void add_prior(struct regression *r)
{
    const double prior = r->settings->prior;
    if (prior <= 0)
        return;
    const double strength = 1 / (prior * prior * (double)r->set->count);
    for (int t = 0; t < r->table->count; t++) {
        const double away = r->x[t] - r->table->params[t].initial;
        r->loss += 0.5 * strength * away * away;
        r->by[t] += strength * away;
    }
}

/* ---- the scale ---- */

/* The mean loss with the scale's coordinate set to `at`. */
static bool loss_at(struct regression *r, double at, double *loss, struct error *err)
{
    r->x[r->table->count] = at;
    bool good = find_whole_gradient(r, err);
    *loss = r->loss;
    return good;
}

/* Sets the last coordinate to the best scale for the weights, by golden-section search. */
static bool fit_scale(struct regression *r, struct error *err)
{
    const double golden = 0.6180339887498949, close = 1e-4;
    double low = -log(most_scale), high = -log(least_scale);
    double left = high - golden * (high - low), right = low + golden * (high - low);
    double loss_left, loss_right;
    bool good = loss_at(r, left, &loss_left, err) && loss_at(r, right, &loss_right, err);
    while (good && high - low > close) {
        if (loss_left <= loss_right) {
            high = right;
            right = left;
            loss_right = loss_left;
            left = high - golden * (high - low);
            good = loss_at(r, left, &loss_left, err);
        } else {
            low = left;
            left = right;
            loss_left = loss_right;
            right = low + golden * (high - low);
            good = loss_at(r, right, &loss_right, err);
        }
    }
    r->x[r->table->count] = 0.5 * (low + high);
    return good;
}

/* ---- the descent ---- */

/* The initial step size: of a weight a 256th of its range, but 0.8 to 8 units, finer at a larger
 * given scale; of the scale a fraction of e. Constants and a given scale do not change. */
static double first_rate(const struct regression *r, int c)
{
    const struct regression_settings *s = r->settings;
    const double usual = s->method->first_scale;
    const double unit = s->scale > 0 && usual > 0 ? s->scale / usual : 1;
    if (c == r->table->count)
        return s->scale > 0 ? 0 : 0.02;
    const struct param *p = &r->table->params[c];
    const double part = ((double)p->max - p->min + 1) / 256;
    return regression_constant(p) ? 0 : fmin(fmax(part, 0.8 * unit), 8 * unit);
}

/* One step of Adam, projected onto the table's ranges. */
static void adam_step(struct regression *r, int step)
{
    for (int c = 0; c < r->coordinates; c++) {
        double rate = first_rate(r, c) * (1 - 0.95 * step / r->settings->steps);
        if (rate <= 0)
            continue;
        r->mean[c] = 0.9 * r->mean[c] + 0.1 * r->by[c];
        r->square[c] = 0.99 * r->square[c] + 0.01 * r->by[c] * r->by[c];
        double m = r->mean[c] / (1 - pow(0.9, step + 1));
        double v = r->square[c] / (1 - pow(0.99, step + 1));
        r->x[c] -= rate * m / (sqrt(v) + 1e-12);
        if (c < r->table->count)
            r->x[c] = fmin(fmax(r->x[c], r->table->params[c].min), r->table->params[c].max);
    }
}

/* Runs the descent, one step per gradient, until it is done or stopped. */
static bool descend(struct regression *r, const struct regression_watcher *watcher, bool *stopped,
                    struct error *err)
{
    const int steps = r->settings->steps;
    for (int step = 0; step < steps; step++) {
        *stopped = watcher->stop != NULL && *watcher->stop != 0;
        if (*stopped)
            return true;
        if (!find_batch_gradient(r, err))
            return false;
        add_prior(r);
        adam_step(r, step);
        if (watcher->step != NULL)
            watcher->step(watcher->context, step + 1, steps, r->loss);
    }
    return true;
}

/* ---- the fit ---- */

static bool is_initial(const struct param_table *table, const int32_t *weights)
{
    for (int t = 0; t < table->count; t++)
        if (weights[t] != table->params[t].initial)
            return false;
    return true;
}

/* Begins at the start weights with the given scale, the method's, or a fitted one; then fits. */
static bool solve(struct regression *r, const struct regression_watcher *watcher, int32_t *weights,
                  struct regression_fit *fit, struct error *err)
{
    const struct regression_settings *s = r->settings;
    const struct param_table *table = r->table;
    const double scale = s->scale > 0                  ? s->scale
                         : is_initial(table, s->start) ? s->method->first_scale
                                                       : 0;
    regression_point(r->set, s->start, scale > 0 ? scale : 1, r->x);
    if ((scale <= 0 && !fit_scale(r, err)) || !descend(r, watcher, &fit->stopped, err))
        return false;
    for (int t = 0; t < table->count; t++) {
        const struct param *p = &table->params[t];
        const bool fitted = s->steps > 0 && !regression_constant(p);
        weights[t] = fitted ? param_at(p, param_nearest(p, r->x[t])) : s->start[t];
        r->x[t] = weights[t];
    }
    if (!fit->stopped && s->scale <= 0 && !fit_scale(r, err))
        return false;
    fit->scale = s->scale > 0 ? s->scale : exp(-r->x[table->count]);
    return true;
}

/* Call finish even on failure. */
static bool begin(struct regression *r, const struct compiled_set *set,
                  const struct regression_settings *settings, struct error *err)
{
    const size_t blocks = (set->count + BLOCK - 1) / BLOCK,
                 coordinates = (size_t)regression_coordinates(set),
                 batch = ((size_t)settings->batch + BLOCK - 1) / BLOCK;
    *r = (struct regression){
        .set = set,
        .settings = settings,
        .table = settings->table != NULL ? settings->table : &set->table,
        .kind = {.result_size = (coordinates + 1) * sizeof(double), .work = sum_block},
        .coordinates = (int)coordinates,
        .x = calloc(coordinates + blocks, sizeof *r->x),
        .by = calloc(3 * coordinates, sizeof *r->by),
        .order = calloc(blocks + 1, sizeof *r->order),
        .blocks = blocks,
        .per_batch = settings->batch > 0 ? batch : blocks,
        .next = blocks};
    if (r->x == NULL || r->by == NULL || r->order == NULL)
        return error_set(err, "no memory for a gradient");
    r->mean = r->by + coordinates;
    r->square = r->mean + coordinates;
    r->jobs = jobs_create(&r->kind, r, settings->threads, err);
    return r->jobs != NULL;
}

static void finish(struct regression *r)
{
    jobs_destroy(r->jobs);
    free(r->x);
    free(r->by);
    free(r->order);
}

bool regression_run(const struct compiled_set *set, const struct regression_settings *settings,
                    const struct regression_watcher *watcher, int32_t *weights,
                    struct regression_fit *fit, struct error *err)
{
    static const struct regression_watcher nobody = {0};
    const struct regression_method *method = settings->method;
    struct regression r;
    *fit = (struct regression_fit){.stopped = false};
    if (set->count == 0)
        return error_set(err, "no positions to learn from");
    if (method->check != NULL && !method->check(set, err))
        return false;
    bool good = begin(&r, set, settings, err) &&
                solve(&r, watcher != NULL ? watcher : &nobody, weights, fit, err);
    finish(&r);
    return good;
}

void regression_random_start(const struct param_table *table, uint64_t seed, int32_t *weights)
{
    struct stream s;
    stream_init(&s, seed, STREAM_REGRESSION, 0, 0);
    for (int t = 0; t < table->count; t++) {
        const struct param *p = &table->params[t];
        const uint32_t step = (uint32_t)stream_below(&s, (uint64_t)param_steps(p) + 1);
        weights[t] = regression_constant(p) ? p->initial : param_at(p, step);
    }
}

/* ---- losses ---- */

/* The loss of a position, and its game. */
struct position_loss {
    uint64_t game; /* 0: unknown; treated as a game of its own */
    size_t index;
    double loss;
};

/* Orders by game, then by the order of the set. */
static int compare_losses(const void *left, const void *right)
{
    const struct position_loss *a = left, *b = right;
    if (a->game != b->game)
        return a->game < b->game ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Mean and standard error of the losses; sorts them. */
static struct regression_loss summarise(struct position_loss *losses, size_t count)
{
    struct regression_loss loss = {0};
    double squares = 0, game_sum = 0;
    for (size_t i = 0; i < count; i++)
        loss.mean += losses[i].loss;
    loss.mean /= (double)(count > 0 ? count : 1);
    qsort(losses, count, sizeof *losses, compare_losses);
    for (size_t i = 0; i < count; i++) {
        game_sum += losses[i].loss - loss.mean;
        if (i + 1 < count && losses[i].game != 0 && losses[i].game == losses[i + 1].game)
            continue;
        squares += game_sum * game_sum;
        game_sum = 0;
    }
    loss.error = sqrt(squares) / (double)(count > 0 ? count : 1);
    return loss;
}

/* What is measured, and where each position's loss goes. */
struct measurement {
    const struct compiled_set *set;
    const struct regression_method *method;
    double x[EVALUATOR_WEIGHTS_MAX + 1];
    struct position_loss *losses;
};

static bool measure_losses(struct job *job, void *result, struct error *err)
{
    const struct measurement *m = job->context;
    const size_t positions = m->set->count, first = job->number * MEASURED;
    (void)result, (void)err;
    for (size_t i = first; i < first + MEASURED && i < positions; i++) {
        struct position_loss *l = &m->losses[i];
        *l = (struct position_loss){.game = m->set->positions[i].epd.game, .index = i};
        m->method->add(m->method, m->set, i, m->x, &l->loss, NULL);
    }
    return true;
}

bool regression_measure(const struct compiled_set *set, const struct regression_method *method,
                        const int32_t *weights, double scale, int threads,
                        struct regression_loss *loss, struct error *err)
{
    static const struct job_kind kind = {.work = measure_losses};
    const size_t positions = set->count;
    const struct jobs_batch batch = {.count = (positions + MEASURED - 1) / MEASURED};
    struct measurement m = {set, method, .losses = calloc(positions + 1, sizeof *m.losses)};
    if (m.losses == NULL)
        return error_set(err, "no memory for the losses of %zu positions", positions);
    regression_point(set, weights, scale, m.x);
    const bool good = jobs_run_once(&kind, &m, threads, &batch, err) == JOBS_DONE;
    if (good)
        *loss = summarise(m.losses, positions);
    free(m.losses);
    return good;
}
