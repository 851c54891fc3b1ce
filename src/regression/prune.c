/* Which weights an evaluation needs: the weights whose removal costs least, if the others make up for them, are those
 * of the optimal brain surgeon (Hassibi and Stork 1993).
 *
 * At a fit, the loss rises by d'Hd / 2 where the weights change by d. If weight q becomes 0 and the others change for
 * the best, that is w_q^2 / (2 C_qq), where C is the inverse of H; and they change by -w_q / C_qq times column q of
 * C. H is the Fisher information, the mean over positions of the products of the derivatives, plus what a prior adds
 * to its diagonal. With the diagonal of H alone, which is optimal brain damage, no weight can stand for another. */
#include "regression.h"

#include "jobs.h"

#include <assert.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Positions in a job. */
enum { GRADIENTS = 32 };

/* The share of the weights that stays when a part is removed. */
static const double stays = 0.8;

/* Added to the diagonal, as a share of its mean: no two weights are exactly the same. */
static const double ridge = 1e-9;

/* ---- the gradient of each position ---- */

/* Takes the gradients in order. */
struct derivatives {
    const struct compiled_set *set;
    const struct regression_method *method;
    double x[EVALUATOR_WEIGHTS_MAX + 1]; /* the point */
    void (*take)(void *context, const double *by);
    void *context;
};

/* Writes the gradients of a job's positions, one after the other. */
static bool find_gradients(struct job *job, void *result, struct error *err)
{
    const struct derivatives *d = job->context;
    const size_t positions = d->set->count, first = job->number * GRADIENTS;
    double *by = result;
    (void)err;
    for (size_t i = first; i < first + GRADIENTS && i < positions; i++) {
        double loss = 0;
        d->method->add(d->method, d->set, i, d->x, &loss, by);
        by += regression_coordinates(d->set);
    }
    return true;
}

static bool take_gradients(void *taker, size_t number, void *result)
{
    const struct derivatives *d = taker;
    const int coordinates = regression_coordinates(d->set);
    (void)number;
    for (int i = 0; i < GRADIENTS; i++)
        d->take(d->context, (const double *)result + (size_t)i * (size_t)coordinates);
    return true;
}

/* Takes the gradient of each position of the set, at some weights and a scale. */
static bool each_gradient(struct derivatives *d, const int32_t *weights, double scale, int threads,
                          struct error *err)
{
    const size_t size = (size_t)regression_coordinates(d->set) * sizeof(double);
    const struct job_kind kind = {.result_size = GRADIENTS * size, .work = find_gradients};
    const size_t count = (d->set->count + GRADIENTS - 1) / GRADIENTS;
    const struct jobs_batch batch = {.count = count, .taker = d, .take = take_gradients};
    regression_point(d->set, weights, scale, d->x);
    return jobs_run_once(&kind, d, threads, &batch, err) == JOBS_DONE;
}

/* ---- saliency ---- */

struct squares {
    double *sum;
    int count;
};

static void add_squares(void *context, const double *by)
{
    const struct squares *s = context;
    for (int i = 0; i < s->count; i++)
        s->sum[i] += by[i] * by[i];
}

bool prune_saliency(const struct compiled_set *set, const struct regression_method *method,
                    const int32_t *weights, double scale, int threads, double *saliency,
                    struct error *err)
{
    struct squares s = {saliency, set->table.count};
    struct derivatives d = {set, method, .take = add_squares, .context = &s};
    memset(saliency, 0, (size_t)s.count * sizeof *saliency);
    bool good = each_gradient(&d, weights, scale, threads, err);
    for (int i = 0; i < s.count; i++)
        saliency[i] *= 0.5 * (double)weights[i] * weights[i] / (double)set->count;
    return good;
}

/* ---- the surgeon ---- */

/* Whether a weight must stay, because it cannot be 0. */
static bool must_stay(const struct param *row)
{
    return !regression_constant(row) && (row->min > 0 || row->max < 0);
}

/* A weight that is left. */
struct left {
    int index;
    double value;
    bool stays; /* it must */
};

/* What is known between removals. */
struct surgeon {
    struct left *left; /* those that are no constants, in no order; owned */
    int count;
    double *inverse; /* C, count x count; rows begin `stride` apart; owned */
    size_t stride;
    /* while the information is added up: */
    double share; /* of a position */
    int *at;      /* places among the weights that are left, and derivatives; owned */
    double *by;
};

static double *row_of(const struct surgeon *s, int i)
{
    return s->inverse + (size_t)i * s->stride;
}

/* Adds the products of one gradient's derivatives to the lower triangle. */
static void add_products(void *context, const double *gradient)
{
    const struct surgeon *s = context;
    int count = 0;
    for (int i = 0; i < s->count; i++)
        if (gradient[s->left[i].index] != 0) {
            s->at[count] = i;
            s->by[count++] = gradient[s->left[i].index];
        }
    for (int i = 0; i < count; i++) {
        double *row = row_of(s, s->at[i]);
        const double by = s->by[i] * s->share;
        for (int k = 0; k <= i; k++)
            row[s->at[k]] += by * s->by[k];
    }
}

static void add_diagonal(struct surgeon *s, double prior)
{
    double mean = 0;
    for (int i = 0; i < s->count; i++)
        mean += row_of(s, i)[i] / s->count;
    const double strength = prior > 0 ? s->share / (prior * prior) : 0;
    for (int i = 0; i < s->count; i++)
        row_of(s, i)[i] += strength + ridge * mean + 1e-300;
}

static void finish(struct surgeon *s)
{
    free(s->left);
    free(s->inverse);
    free(s->at);
    free(s->by);
}

/* Begins with the weights that `rows` do not make constants, at a fit. Call finish even on failure. */
static bool begin(struct surgeon *s, const struct compiled_set *set,
                  const struct regression_settings *settings, const struct param *rows,
                  const int32_t *weights, double scale, struct error *err)
{
    const int count = set->table.count;
    struct derivatives d = {set, settings->method, .take = add_products, .context = s};
    *s = (struct surgeon){.share = 1 / (double)set->count,
                          .left = calloc((size_t)count, sizeof *s->left),
                          .at = calloc((size_t)count, sizeof *s->at),
                          .by = calloc((size_t)count, sizeof *s->by)};
    for (int i = 0; s->left != NULL && i < count; i++)
        if (!regression_constant(&rows[i]))
            s->left[s->count++] = (struct left){i, weights[i], must_stay(&rows[i])};
    s->stride = (size_t)s->count;
    s->inverse = calloc(s->stride * s->stride + 1, sizeof *s->inverse);
    if (s->left == NULL || s->at == NULL || s->by == NULL || s->inverse == NULL)
        return error_set(err, "no memory for %d weights", count);
    if (!each_gradient(&d, weights, scale, settings->threads, err))
        return false;
    add_diagonal(s, settings->prior);
    gsl_matrix_view m = gsl_matrix_view_array(s->inverse, s->stride, s->stride);
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    bool good = gsl_linalg_cholesky_decomp1(&m.matrix) == GSL_SUCCESS &&
                gsl_linalg_cholesky_invert(&m.matrix) == GSL_SUCCESS;
    gsl_set_error_handler(before);
    return good || error_set(err, "the information of %d weights has no inverse", s->count);
}

/* The place of the weight that costs least, of those that need not stay. One must be left. */
static int cheapest(const struct surgeon *s)
{
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < s->count; i++) {
        const double cost = s->left[i].value * s->left[i].value / row_of(s, i)[i];
        if (s->left[i].stays)
            continue;
        if (best < 0 || cost < least)
            best = i;
        least = fmin(least, cost);
    }
    assert(best >= 0);
    return best;
}

/* Removes the weight at the place q from the others, and from C. The last one takes its place. */
static void eliminate(struct surgeon *s, int q)
{
    const double *column = row_of(s, q);
    const double part = 1 / column[q];
    for (int i = 0; i < s->count; i++) {
        double *row = row_of(s, i), by = column[i] * part;
        if (i == q || by == 0)
            continue;
        s->left[i].value -= s->left[q].value * by;
        for (int k = 0; k < s->count; k++)
            row[k] -= by * column[k];
    }
    const int last = --s->count;
    s->left[q] = s->left[last];
    memmove(row_of(s, q), row_of(s, last), s->stride * sizeof *s->inverse);
    for (int i = 0; i < s->count; i++)
        row_of(s, i)[q] = row_of(s, i)[last];
}

/* ---- pruning ---- */

bool prune_check(const struct param_table *table, int keep, struct error *err)
{
    const struct param *first = NULL;
    int count = 0;
    for (int i = table->count - 1; i >= 0; i--)
        if (must_stay(&table->params[i])) {
            first = &table->params[i];
            count++;
        }
    return count <= keep ||
           error_set(
               err,
               "cannot prune to %d: %d weights must stay, because their ranges exclude 0 (the first is "
               "%s, from %d to %d); expected %d or more",
               keep, count, first->name, first->min, first->max, count);
}

static int count_left(const struct param_table *table)
{
    int left = 0;
    for (int i = 0; i < table->count; i++)
        left += !regression_constant(&table->params[i]);
    return left;
}

/* Removes weights until `keep` are left, and changes those, to whole numbers or to steps. */
static void remove_weights(struct surgeon *s, struct param *rows, int keep, bool to_steps,
                           int32_t *weights)
{
    while (s->count > keep) {
        const int q = cheapest(s);
        struct param *gone = &rows[s->left[q].index];
        weights[s->left[q].index] = gone->bits = gone->min = gone->max = gone->initial = 0;
        eliminate(s, q);
    }
    for (int i = 0; i < s->count; i++) {
        const struct param *row = &rows[s->left[i].index];
        const int32_t whole = (int32_t)lround(fmin(fmax(s->left[i].value, row->min), row->max));
        weights[s->left[i].index] = to_steps ? param_at(row, param_nearest(row, whole)) : whole;
    }
}

static bool prune_part(const struct compiled_set *set, const struct regression_settings *settings,
                       struct param *rows, int keep, const struct prune_watcher *watcher,
                       int32_t *weights, struct regression_fit *fit, struct error *err)
{
    struct regression_settings next = *settings;
    struct surgeon surgeon;
    bool begun = begin(&surgeon, set, settings, rows, weights, fit->scale, err);
    if (begun)
        remove_weights(&surgeon, rows, keep, settings->steps == 0, weights);
    finish(&surgeon);
    if (!begun)
        return false;
    if (watcher->pruned != NULL)
        watcher->pruned(watcher->context, count_left(settings->table), keep);
    next.start = weights;
    return regression_run(set, &next, &watcher->fit, weights, fit, err);
}

bool prune_run(const struct compiled_set *set, const struct regression_settings *settings,
               struct param *rows, int keep, const struct prune_watcher *watcher, int32_t *weights,
               struct regression_fit *fit, struct error *err)
{
    bool good = prune_check(settings->table, keep, err);
    for (int left; good && !fit->stopped && (left = count_left(settings->table)) > keep;) {
        const int part = (int)ceil(stays * left), most = part < left ? part : left - 1;
        good =
            prune_part(set, settings, rows, most > keep ? most : keep, watcher, weights, fit, err);
    }
    return good;
}
