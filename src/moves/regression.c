#include "regression.h"

#include "jobs.h"
#include "softmax.h"
#include "stream.h"
#include "texel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SUMMED = 256,  /* positions per gradient job; the sums are added in job order */
    MEASURED = 64, /* positions per loss job */
};

/* The range of scales to search, in centipawns. */
static const double least_scale = 5, most_scale = 50000;

const struct regression_method *const regression_methods[] = {&softmax_method, &texel_method,
                                                              &texel_entropy_method, NULL};

/* ---- the gradient ---- */

/* Data shared by all workers. */
struct problem {
    const struct compiled_set *set;
    const struct regression_method *method;
};

/* The number of jobs of this many positions each. */
static size_t job_count(const struct compiled_set *set, size_t positions)
{
    return (compiled_positions(set) + positions - 1) / positions;
}

/* Sums the gradients of a job's positions; the block is x. */
static bool sum_gradients(struct job *job, void *result, struct error *err)
{
    const struct problem *p = job->context;
    const size_t positions = compiled_positions(p->set), first = job->number * SUMMED;
    (void)err;
    for (size_t i = first; i < first + SUMMED && i < positions; i++)
        p->method->add(p->set, i, job->block, result);
    return true;
}

static const struct job_kind gradient_job = {.result_size = sizeof(struct regression_gradient),
                                             .work = sum_gradients};

/* The sum over a gradient's jobs. */
struct sum {
    struct regression_gradient *mean;
    double positions;
};

static bool add_sum(void *taker, size_t number, void *result)
{
    const struct sum *s = taker;
    const struct regression_gradient *part = result;
    (void)number;
    for (int c = 0; c < REGRESSION_COORDINATES; c++)
        s->mean->by[c] += part->by[c] / s->positions;
    s->mean->loss += part->loss / s->positions;
    return true;
}

/* A regression: the problem, its settings, and the job list of gradients. */
struct regression {
    struct problem problem;
    const struct regression_settings *settings;
    struct jobs *jobs;
};

static bool begin(struct regression *r, const struct compiled_set *set,
                  const struct regression_method *method, int threads, struct error *err)
{
    *r = (struct regression){.problem = {set, method}};
    r->jobs = jobs_create(&gradient_job, &r->problem, threads, err);
    return r->jobs != NULL;
}

static void finish(struct regression *r)
{
    jobs_destroy(r->jobs);
}

/* The mean loss and its gradient at x. */
static bool gradient_at(struct regression *r, const double x[REGRESSION_COORDINATES],
                        struct regression_gradient *mean, struct error *err)
{
    struct sum sum = {mean, (double)compiled_positions(r->problem.set)};
    const struct jobs_batch batch = {.count = job_count(r->problem.set, SUMMED),
                                     .block = x,
                                     .block_size = REGRESSION_COORDINATES * sizeof *x,
                                     .taker = &sum,
                                     .take = add_sum};
    *mean = (struct regression_gradient){{0}, 0};
    return jobs_run(r->jobs, &batch, err) == JOBS_DONE;
}

bool regression_gradient(const struct compiled_set *set, const struct regression_method *method,
                         const double x[REGRESSION_COORDINATES], int threads,
                         struct regression_gradient *mean, struct error *err)
{
    struct regression r;
    bool good = begin(&r, set, method, threads, err) && gradient_at(&r, x, mean, err);
    finish(&r);
    return good;
}

/* ---- the scale ---- */

/* The mean loss with the scale's coordinate set to `at`. */
static bool loss_at(struct regression *r, double x[REGRESSION_COORDINATES], double at, double *loss,
                    struct error *err)
{
    struct regression_gradient mean;
    x[EVAL_TERMS] = at;
    if (!gradient_at(r, x, &mean, err))
        return false;
    *loss = mean.loss;
    return true;
}

/* Sets the last coordinate of `x` to the best scale for its weights, by golden-section search. */
static bool fit_scale(struct regression *r, double x[REGRESSION_COORDINATES], struct error *err)
{
    const double golden = 0.6180339887498949, close = 1e-4;
    double low = -log(most_scale), high = -log(least_scale);
    double left = high - golden * (high - low), right = low + golden * (high - low);
    double loss_left, loss_right;
    bool good = loss_at(r, x, left, &loss_left, err) && loss_at(r, x, right, &loss_right, err);
    while (good && high - low > close) {
        if (loss_left <= loss_right) {
            high = right;
            right = left;
            loss_right = loss_left;
            left = high - golden * (high - low);
            good = loss_at(r, x, left, &loss_left, err);
        } else {
            low = left;
            left = right;
            loss_left = loss_right;
            right = low + golden * (high - low);
            good = loss_at(r, x, right, &loss_right, err);
        }
    }
    x[EVAL_TERMS] = 0.5 * (low + high);
    return good;
}

/* ---- the descent ---- */

/* The current point, and Adam's moments. */
struct descent {
    double x[REGRESSION_COORDINATES];
    double mean[REGRESSION_COORDINATES], square[REGRESSION_COORDINATES];
};

/* The initial step size of a coordinate: centipawns, or a fraction of e for the scale. */
static double first_rate(const struct regression_settings *settings, int c)
{
    if (c == EVAL_TERMS)
        return settings->scale > 0 ? 0 : 0.02;
    if (eval_table.params[c].bits == 0)
        return 0;
    return eval_table.params[c].max > 127 ? 8 : 0.8;
}

/* One step of Adam, projected onto the table's ranges. Constants and a given scale do not
 * change. */
static void adam_step(struct descent *d, const struct regression_settings *settings,
                      const struct regression_gradient *g, int step)
{
    for (int c = 0; c < REGRESSION_COORDINATES; c++) {
        double rate = first_rate(settings, c) * (1 - 0.95 * step / settings->steps);
        if (rate <= 0)
            continue;
        d->mean[c] = 0.9 * d->mean[c] + 0.1 * g->by[c];
        d->square[c] = 0.99 * d->square[c] + 0.01 * g->by[c] * g->by[c];
        double m = d->mean[c] / (1 - pow(0.9, step + 1));
        double v = d->square[c] / (1 - pow(0.99, step + 1));
        d->x[c] -= rate * m / (sqrt(v) + 1e-12);
        if (c < EVAL_TERMS)
            d->x[c] = fmin(fmax(d->x[c], eval_table.params[c].min), eval_table.params[c].max);
    }
}

/* Runs the descent, one step per gradient, until it is done or stopped. */
static bool descend(struct regression *r, const struct regression_watcher *watcher,
                    struct descent *d, bool *stopped, struct error *err)
{
    const struct regression_settings *settings = r->settings;
    for (int step = 0; step < settings->steps; step++) {
        struct regression_gradient g;
        *stopped = watcher->stop != NULL && *watcher->stop != 0;
        if (*stopped)
            return true;
        if (!gradient_at(r, d->x, &g, err))
            return false;
        adam_step(d, settings, &g, step);
        if (watcher->step != NULL)
            watcher->step(watcher->context, step + 1, settings->steps, g.loss);
    }
    return true;
}

/* ---- the fit ---- */

static void set_weights(double x[REGRESSION_COORDINATES], const struct eval_weights *w)
{
    for (int t = 0; t < EVAL_TERMS; t++)
        x[t] = w->value[t];
}

static bool same_weights(const struct eval_weights *a, const struct eval_weights *b)
{
    return memcmp(a->value, b->value, sizeof a->value) == 0;
}

/* Sets the start point. The scale is the given one, the method's, or fitted. */
static bool start(struct regression *r, struct descent *d, struct error *err)
{
    const struct regression_settings *settings = r->settings;
    const struct eval_weights initial = eval_initial_weights();
    double scale = same_weights(&settings->start, &initial) ? settings->method->first_scale : 0;
    if (settings->scale > 0)
        scale = settings->scale;
    *d = (struct descent){.x = {0}};
    set_weights(d->x, &settings->start);
    if (scale <= 0)
        return fit_scale(r, d->x, err);
    d->x[EVAL_TERMS] = log(1 / scale);
    return true;
}

/* Starts, descends, rounds the weights, and fits the scale to the rounded weights. */
static bool solve(struct regression *r, const struct regression_watcher *watcher,
                  struct regression_fit *fit, struct error *err)
{
    const struct regression_settings *settings = r->settings;
    struct descent d;
    if (!start(r, &d, err) || !descend(r, watcher, &d, &fit->stopped, err))
        return false;
    for (int t = 0; t < EVAL_TERMS; t++)
        fit->weights.value[t] = (int32_t)lround(d.x[t]);
    set_weights(d.x, &fit->weights);
    if (!fit->stopped && settings->scale <= 0 && !fit_scale(r, d.x, err))
        return false;
    fit->scale = settings->scale > 0 ? settings->scale : exp(-d.x[EVAL_TERMS]);
    return true;
}

bool regression_run(const struct compiled_set *set, const struct regression_settings *settings,
                    const struct regression_watcher *watcher, struct regression_fit *fit,
                    struct error *err)
{
    static const struct regression_watcher nobody = {0};
    const struct regression_method *method = settings->method;
    struct regression r;
    *fit = (struct regression_fit){.stopped = false};
    if (compiled_positions(set) == 0)
        return error_set(err, "no positions to learn from");
    if ((method->check != NULL && !method->check(set, err)) ||
        !begin(&r, set, method, settings->threads, err))
        return false;
    r.settings = settings;
    bool good = solve(&r, watcher != NULL ? watcher : &nobody, fit, err);
    finish(&r);
    return good;
}

struct eval_weights regression_random_start(uint64_t seed)
{
    struct eval_weights w;
    struct stream s;
    stream_init(&s, seed, STREAM_REGRESSION, 0, 0);
    for (int t = 0; t < EVAL_TERMS; t++) {
        const struct param *p = &eval_table.params[t];
        w.value[t] = p->min + (int32_t)stream_below(&s, (uint64_t)(p->max - p->min) + 1);
    }
    return w;
}

/* ---- the loss ---- */

/* The loss of a position, and its game. */
struct position_loss {
    uint64_t game; /* 0: unknown; treated as a game of its own */
    size_t index;
    double loss;
    bool counts;
};

/* Orders by game, then by the order of the set. */
static int compare_losses(const void *left, const void *right)
{
    const struct position_loss *a = left, *b = right;
    if (a->game != b->game)
        return a->game < b->game ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Mean and standard error of the counted losses; sorts them. */
static struct regression_loss summarise(struct position_loss *losses, size_t count)
{
    struct regression_loss loss = {.positions = 0};
    double sum = 0, squares = 0, game_sum = 0;
    for (size_t i = 0; i < count; i++) {
        loss.positions += losses[i].counts;
        sum += losses[i].loss;
    }
    loss.left_out = count - loss.positions;
    if (loss.positions == 0)
        return loss;
    loss.mean = sum / (double)loss.positions;
    qsort(losses, count, sizeof *losses, compare_losses);
    for (size_t i = 0; i < count; i++) {
        game_sum += losses[i].counts ? losses[i].loss - loss.mean : 0;
        if (i + 1 < count && losses[i].game != 0 && losses[i].game == losses[i + 1].game)
            continue;
        squares += game_sum * game_sum;
        game_sum = 0;
    }
    loss.error = sqrt(squares) / (double)loss.positions;
    return loss;
}

/* Computes the losses of a job's positions; the block is x. */
static bool measure_losses(struct job *job, void *result, struct error *err)
{
    const struct problem *p = job->context;
    const size_t positions = compiled_positions(p->set), first = job->number * MEASURED;
    struct position_loss *losses = result;
    (void)err;
    for (size_t i = first; i < first + MEASURED && i < positions; i++) {
        struct regression_gradient one = {{0}, 0};
        bool counts = p->method->add(p->set, i, job->block, &one);
        losses[i - first] =
            (struct position_loss){compiled_epd(p->set, i)->game, i, one.loss, counts};
    }
    return true;
}

static const struct job_kind loss_job = {.result_size = MEASURED * sizeof(struct position_loss),
                                         .work = measure_losses};

/* Stores a job's losses; `taker` has room for those of all jobs. */
static bool take_losses(void *taker, size_t number, void *result)
{
    struct position_loss *losses = taker;
    memcpy(losses + number * MEASURED, result, MEASURED * sizeof *losses);
    return true;
}

bool regression_measure(const struct compiled_set *set, const struct regression_method *method,
                        const struct eval_weights *weights, double scale, int threads,
                        struct regression_loss *loss, struct error *err)
{
    const struct problem problem = {set, method};
    const size_t count = job_count(set, MEASURED);
    struct position_loss *losses = calloc(count * MEASURED + 1, sizeof *losses);
    double x[REGRESSION_COORDINATES];
    const struct jobs_batch batch = {
        .count = count, .block = x, .block_size = sizeof x, .taker = losses, .take = take_losses};
    if (losses == NULL)
        return error_set(err, "no memory for the losses of %zu positions", compiled_positions(set));
    set_weights(x, weights);
    x[EVAL_TERMS] = log(1 / scale);
    bool good = jobs_run_here(&loss_job, &problem, threads, &batch, err) == JOBS_DONE;
    if (good)
        *loss = summarise(losses, compiled_positions(set));
    free(losses);
    return good;
}
