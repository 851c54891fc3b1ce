#include "regression.h"

#include "softmax.h"
#include "stream.h"
#include "texel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 }; /* positions that one thread adds up; the sums of blocks are added in order */

/* Between which scales the best is looked for, in centipawns. */
static const double least_scale = 5, most_scale = 50000;

const struct regression_method *const regression_methods[] = {&softmax_method, &texel_method,
                                                              &texel_entropy_method, NULL};

/* ---- the gradient ---- */

bool regression_gradient(const struct compiled_set *set, const struct regression_method *method,
                         const double x[REGRESSION_COORDINATES], int threads,
                         struct regression_gradient *mean, struct error *err)
{
    const size_t positions = compiled_positions(set);
    const int count = (int)((positions + BLOCK - 1) / BLOCK);
    struct regression_gradient *blocks = calloc((size_t)count + 1, sizeof *blocks);
    if (blocks == NULL)
        return error_set(err, "no memory for the gradient of %zu positions", positions);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int b = 0; b < count; b++) {
        size_t first = (size_t)b * BLOCK, end = first + BLOCK;
        for (size_t i = first; i < end && i < positions; i++)
            method->add(set, i, x, &blocks[b]);
    }
    *mean = (struct regression_gradient){{0}, 0};
    for (int b = 0; b < count; b++) {
        for (int c = 0; c < REGRESSION_COORDINATES; c++)
            mean->by[c] += blocks[b].by[c] / (double)positions;
        mean->loss += blocks[b].loss / (double)positions;
    }
    free(blocks);
    return true;
}

/* ---- the scale ---- */

/* The mean loss where the scale's coordinate is `at`. */
static bool loss_at(const struct compiled_set *set, const struct regression_settings *settings,
                    double x[REGRESSION_COORDINATES], double at, double *loss, struct error *err)
{
    struct regression_gradient mean;
    x[EVAL_TERMS] = at;
    if (!regression_gradient(set, settings->method, x, settings->threads, &mean, err))
        return false;
    *loss = mean.loss;
    return true;
}

/* Puts the best scale for the weights of `x` into its last coordinate: golden-section search. */
static bool fit_scale(const struct compiled_set *set, const struct regression_settings *settings,
                      double x[REGRESSION_COORDINATES], struct error *err)
{
    const double golden = 0.6180339887498949, close = 1e-4;
    double low = -log(most_scale), high = -log(least_scale);
    double left = high - golden * (high - low), right = low + golden * (high - low);
    double loss_left, loss_right;
    bool good = loss_at(set, settings, x, left, &loss_left, err) &&
                loss_at(set, settings, x, right, &loss_right, err);
    while (good && high - low > close) {
        if (loss_left <= loss_right) {
            high = right;
            right = left;
            loss_right = loss_left;
            left = high - golden * (high - low);
            good = loss_at(set, settings, x, left, &loss_left, err);
        } else {
            low = left;
            left = right;
            loss_left = loss_right;
            right = low + golden * (high - low);
            good = loss_at(set, settings, x, right, &loss_right, err);
        }
    }
    x[EVAL_TERMS] = 0.5 * (low + high);
    return good;
}

/* ---- the descent ---- */

/* Where the descent stands, and what Adam remembers. */
struct descent {
    double x[REGRESSION_COORDINATES];
    double mean[REGRESSION_COORDINATES], square[REGRESSION_COORDINATES];
};

/* How far a coordinate goes in a step at first: centipawns, or parts of e for the scale. */
static double first_rate(const struct regression_settings *settings, int c)
{
    if (c == EVAL_TERMS)
        return settings->scale > 0 ? 0 : 0.02;
    if (eval_table.params[c].bits == 0)
        return 0;
    return eval_table.params[c].max > 127 ? 8 : 0.8;
}

/* One step of Adam, projected onto the table's ranges; constants, and a given scale, stay. */
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

/* Goes down, a step for each gradient, unless it is stopped. */
static bool go_down(const struct compiled_set *set, const struct regression_settings *settings,
                    const struct regression_watcher *watcher, struct descent *d, bool *stopped,
                    struct error *err)
{
    for (int step = 0; step < settings->steps; step++) {
        struct regression_gradient g;
        *stopped = watcher->stop != NULL && *watcher->stop != 0;
        if (*stopped)
            return true;
        if (!regression_gradient(set, settings->method, d->x, settings->threads, &g, err))
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

/* Where to start: the scale as it is given, or as the method has it, or fitted first. */
static bool start(const struct compiled_set *set, const struct regression_settings *settings,
                  struct descent *d, struct error *err)
{
    const struct eval_weights initial = eval_initial_weights();
    double scale = same_weights(&settings->start, &initial) ? settings->method->first_scale : 0;
    if (settings->scale > 0)
        scale = settings->scale;
    *d = (struct descent){.x = {0}};
    set_weights(d->x, &settings->start);
    if (scale <= 0)
        return fit_scale(set, settings, d->x, err);
    d->x[EVAL_TERMS] = log(1 / scale);
    return true;
}

bool regression_run(const struct compiled_set *set, const struct regression_settings *settings,
                    const struct regression_watcher *watcher, struct regression_fit *fit,
                    struct error *err)
{
    static const struct regression_watcher nobody = {0};
    const struct regression_method *method = settings->method;
    struct descent d;
    *fit = (struct regression_fit){.stopped = false};
    if (compiled_positions(set) == 0)
        return error_set(err, "no positions to learn from");
    if ((method->check != NULL && !method->check(set, err)) || !start(set, settings, &d, err) ||
        !go_down(set, settings, watcher != NULL ? watcher : &nobody, &d, &fit->stopped, err))
        return false;
    for (int t = 0; t < EVAL_TERMS; t++)
        fit->weights.value[t] = (int32_t)lround(d.x[t]);
    set_weights(d.x, &fit->weights);
    if (!fit->stopped && settings->scale <= 0 && !fit_scale(set, settings, d.x, err))
        return false;
    fit->scale = settings->scale > 0 ? settings->scale : exp(-d.x[EVAL_TERMS]);
    return true;
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

/* The loss of a position, and where it comes from. */
struct piece {
    uint64_t game; /* 0: unknown, a game of its own */
    size_t index;
    double loss;
    bool counts;
};

/* By game, and within one in the order of the set. */
static int compare_pieces(const void *left, const void *right)
{
    const struct piece *a = left, *b = right;
    if (a->game != b->game)
        return a->game < b->game ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* The mean of what counts, and its standard error, from pieces that it sorts. */
static struct regression_loss summarise(struct piece *pieces, size_t count)
{
    struct regression_loss loss = {.positions = 0};
    double sum = 0, squares = 0, game_sum = 0;
    for (size_t i = 0; i < count; i++) {
        loss.positions += pieces[i].counts;
        sum += pieces[i].loss;
    }
    loss.left_out = count - loss.positions;
    if (loss.positions == 0)
        return loss;
    loss.mean = sum / (double)loss.positions;
    qsort(pieces, count, sizeof *pieces, compare_pieces);
    for (size_t i = 0; i < count; i++) {
        game_sum += pieces[i].counts ? pieces[i].loss - loss.mean : 0;
        if (i + 1 < count && pieces[i].game != 0 && pieces[i].game == pieces[i + 1].game)
            continue;
        squares += game_sum * game_sum;
        game_sum = 0;
    }
    loss.error = sqrt(squares) / (double)loss.positions;
    return loss;
}

bool regression_measure(const struct compiled_set *set, const struct regression_method *method,
                        const struct eval_weights *weights, double scale, int threads,
                        struct regression_loss *loss, struct error *err)
{
    const size_t count = compiled_positions(set);
    struct piece *pieces = calloc(count + 1, sizeof *pieces);
    double x[REGRESSION_COORDINATES];
    if (pieces == NULL)
        return error_set(err, "no memory for the losses of %zu positions", count);
    set_weights(x, weights);
    x[EVAL_TERMS] = log(1 / scale);
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads)
    for (size_t i = 0; i < count; i++) {
        struct regression_gradient one = {{0}, 0};
        bool counts = method->add(set, i, x, &one);
        pieces[i] = (struct piece){compiled_epd(set, i)->game, i, one.loss, counts};
    }
    *loss = summarise(pieces, count);
    free(pieces);
    return true;
}
