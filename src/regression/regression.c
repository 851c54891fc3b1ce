#include "regression.h"

#include "gradient.h"
#include "softmax.h"
#include "stream.h"
#include "texel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The range of scales to search, in centipawns. */
static const double least_scale = 5, most_scale = 50000;

const struct regression_method *const regression_methods[] = {
    &softmax_method, &softmax_misses_method, &texel_method, &texel_entropy_method, NULL};

/* A regression: the gradient, and its settings. */
struct regression {
    struct gradient gradient;
    const struct regression_settings *settings;
};

int regression_coordinates(const struct compiled_set *set)
{
    return compiled_table(set)->count + 1;
}

/* ---- the gradient ---- */

bool regression_gradient(const struct compiled_set *set, const struct regression_method *method,
                         const double *x, int threads, double *loss, double *by, struct error *err)
{
    struct gradient g;
    if (!gradient_begin(&g, set, method, 0, 0, threads, err))
        return false;
    bool good = gradient_of_all(&g, x, loss, err);
    memcpy(by, g.by, (size_t)g.coordinates * sizeof *by);
    gradient_finish(&g);
    return good;
}

/* The ranges to keep to. */
static const struct param_table *table_of(const struct regression *r)
{
    return r->settings->table != NULL ? r->settings->table
                                      : compiled_table(r->gradient.problem.set);
}

/* Adds the prior's part of the mean loss, and of its gradient. */
static void add_prior(struct regression *r, const double *x, double *loss)
{
    const struct param_table *table = table_of(r);
    const double prior = r->settings->prior;
    if (prior <= 0)
        return;
    const double strength =
        1 / (prior * prior * (double)compiled_positions(r->gradient.problem.set));
    for (int t = 0; t < table->count; t++) {
        const double away = x[t] - table->params[t].initial;
        *loss += 0.5 * strength * away * away;
        r->gradient.by[t] += strength * away;
    }
}

/* ---- the scale ---- */

/* The mean loss with the scale's coordinate set to `at`. */
static bool loss_at(struct regression *r, double *x, double at, double *loss, struct error *err)
{
    x[r->gradient.coordinates - 1] = at;
    return gradient_of_all(&r->gradient, x, loss, err);
}

/* Sets the last coordinate of `x` to the best scale for its weights, by golden-section search. */
static bool fit_scale(struct regression *r, double *x, struct error *err)
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
    x[r->gradient.coordinates - 1] = 0.5 * (low + high);
    return good;
}

/* ---- the descent ---- */

/* The current point, and Adam's moments: coordinates each, in one block of memory. */
struct descent {
    double *x, *mean, *square;
};

static bool descent_init(struct descent *d, const struct regression *r, struct error *err)
{
    const size_t n = (size_t)r->gradient.coordinates;
    d->x = calloc(3 * n, sizeof *d->x);
    if (d->x == NULL)
        return error_set(err, "no memory for %zu coordinates", n);
    d->mean = d->x + n;
    d->square = d->mean + n;
    return true;
}

static void descent_finish(struct descent *d)
{
    free(d->x);
}

/* By how much the sizes of steps, in units of the weights, are multiplied: a given scale, relative to that of
 * the method. The larger the scale, the finer are the weights. */
static double unit_of(const struct regression_settings *s)
{
    return s->scale > 0 && s->method->first_scale > 0 ? s->scale / s->method->first_scale : 1;
}

/* The initial step size of a weight, in units of the weight: a 256th of its range, but 0.8 to 8 times `unit`.
 * Constants do not change. */
static double weight_rate(const struct param *p, double unit)
{
    const double part = ((double)p->max - p->min + 1) / 256;
    return regression_constant(p) ? 0 : fmin(fmax(part, 0.8 * unit), 8 * unit);
}

/* The initial step size of a coordinate: units of the weight, or a fraction of e for the scale. */
static double first_rate(const struct regression *r, int c)
{
    const struct param_table *table = table_of(r);
    if (c == table->count)
        return r->settings->scale > 0 ? 0 : 0.02;
    return weight_rate(&table->params[c], unit_of(r->settings));
}

/* One step of Adam, projected onto the table's ranges. Constants and a given scale do not
 * change. */
static void adam_step(struct descent *d, const struct regression *r, int step)
{
    const struct param_table *table = table_of(r);
    for (int c = 0; c < r->gradient.coordinates; c++) {
        double rate = first_rate(r, c) * (1 - 0.95 * step / r->settings->steps);
        if (rate <= 0)
            continue;
        d->mean[c] = 0.9 * d->mean[c] + 0.1 * r->gradient.by[c];
        d->square[c] = 0.99 * d->square[c] + 0.01 * r->gradient.by[c] * r->gradient.by[c];
        double m = d->mean[c] / (1 - pow(0.9, step + 1));
        double v = d->square[c] / (1 - pow(0.99, step + 1));
        d->x[c] -= rate * m / (sqrt(v) + 1e-12);
        if (c < table->count)
            d->x[c] = fmin(fmax(d->x[c], table->params[c].min), table->params[c].max);
    }
}

/* Runs the descent, one step per gradient, until it is done or stopped. */
static bool descend(struct regression *r, const struct regression_watcher *watcher,
                    struct descent *d, bool *stopped, struct error *err)
{
    const int steps = r->settings->steps;
    for (int step = 0; step < steps; step++) {
        double loss;
        *stopped = watcher->stop != NULL && *watcher->stop != 0;
        if (*stopped)
            return true;
        if (!gradient_of_batch(&r->gradient, d->x, &loss, err))
            return false;
        add_prior(r, d->x, &loss);
        adam_step(d, r, step);
        if (watcher->step != NULL)
            watcher->step(watcher->context, step + 1, steps, loss);
    }
    return true;
}

/* ---- the fit ---- */

static void set_weights(double *x, const int32_t *weights, int count)
{
    for (int t = 0; t < count; t++)
        x[t] = weights[t];
}

static bool is_initial(const struct param_table *table, const int32_t *weights)
{
    for (int t = 0; t < table->count; t++)
        if (weights[t] != table->params[t].initial)
            return false;
    return true;
}

/* Sets the start point. The scale is the given one, the method's, or fitted. */
static bool start(struct regression *r, struct descent *d, struct error *err)
{
    const struct regression_settings *settings = r->settings;
    const struct param_table *table = table_of(r);
    double scale = is_initial(table, settings->start) ? settings->method->first_scale : 0;
    if (settings->scale > 0)
        scale = settings->scale;
    set_weights(d->x, settings->start, table->count);
    if (scale <= 0)
        return fit_scale(r, d->x, err);
    d->x[table->count] = log(1 / scale);
    return true;
}

int32_t regression_round(const struct param *p, double x)
{
    const int32_t step = param_step(p);
    const int64_t value = p->min + step * (int64_t)lround((x - p->min) / step);
    return (int32_t)(value <= p->max ? value : value - step);
}

/* Descends, rounds the weights that changed, and fits the scale to the rounded weights. */
static bool solve(struct regression *r, const struct regression_watcher *watcher, struct descent *d,
                  int32_t *weights, struct regression_fit *fit, struct error *err)
{
    const struct regression_settings *settings = r->settings;
    const struct param_table *table = table_of(r);
    if (!start(r, d, err) || !descend(r, watcher, d, &fit->stopped, err))
        return false;
    for (int t = 0; t < table->count; t++) {
        const struct param *p = &table->params[t];
        const bool fitted = settings->steps > 0 && !regression_constant(p);
        weights[t] = fitted ? regression_round(p, d->x[t]) : settings->start[t];
    }
    set_weights(d->x, weights, table->count);
    if (!fit->stopped && settings->scale <= 0 && !fit_scale(r, d->x, err))
        return false;
    fit->scale = settings->scale > 0 ? settings->scale : exp(-d->x[table->count]);
    return true;
}

bool regression_run(const struct compiled_set *set, const struct regression_settings *settings,
                    const struct regression_watcher *watcher, int32_t *weights,
                    struct regression_fit *fit, struct error *err)
{
    static const struct regression_watcher nobody = {0};
    const struct regression_method *method = settings->method;
    struct regression r;
    struct descent d = {NULL};
    *fit = (struct regression_fit){.stopped = false};
    if (compiled_positions(set) == 0)
        return error_set(err, "no positions to learn from");
    if ((method->check != NULL && !method->check(set, err)) ||
        !gradient_begin(&r.gradient, set, method, settings->batch, settings->seed,
                        settings->threads, err))
        return false;
    r.settings = settings;
    bool good = descent_init(&d, &r, err) &&
                solve(&r, watcher != NULL ? watcher : &nobody, &d, weights, fit, err);
    descent_finish(&d);
    gradient_finish(&r.gradient);
    return good;
}

void regression_random_start(const struct param_table *table, uint64_t seed, int32_t *weights)
{
    struct stream s;
    stream_init(&s, seed, STREAM_REGRESSION, 0, 0);
    for (int t = 0; t < table->count; t++) {
        const struct param *p = &table->params[t];
        const uint64_t step = (uint64_t)param_step(p);
        const uint64_t values = (uint64_t)((int64_t)p->max - p->min) / step + 1;
        const int32_t drawn = (int32_t)(p->min + (int64_t)(step * stream_below(&s, values)));
        weights[t] = regression_constant(p) ? p->initial : drawn;
    }
}

void regression_initial_start(const struct param_table *table, int32_t *weights)
{
    for (int t = 0; t < table->count; t++)
        weights[t] = table->params[t].initial;
}
