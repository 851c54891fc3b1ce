#include "surgeon.h"

#include "gradient.h"

#include <assert.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Positions in a job. */
enum { GRADIENTS = 32 };

/* Added to the diagonal, as a share of its mean: no two weights are exactly the same. */
static const double ridge = 1e-9;

/* ---- the information ---- */

/* Writes the gradients of a job's positions, one after the other. The block is x. */
static bool find_gradients(struct job *job, void *result, struct error *err)
{
    const struct gradient_problem *p = job->context;
    const size_t count = (size_t)regression_coordinates(p->set);
    const size_t positions = compiled_positions(p->set), first = job->number * GRADIENTS;
    double *by = result;
    (void)err;
    for (size_t i = first; i < first + GRADIENTS && i < positions; i++, by += count) {
        double loss = 0;
        p->method->add(p->set, i, job->block, &loss, by);
    }
    return true;
}

/* Where gradients are added up. */
struct information {
    struct surgeon *s;
    size_t coordinates;
    double share; /* of a position */
    int *at;      /* scratch: places among the weights that are left, and derivatives */
    double *by;
};

/* Adds the products of one gradient's derivatives to the lower triangle. */
static void add_products(struct information *f, const double *gradient)
{
    const struct surgeon *s = f->s;
    int count = 0;
    for (int i = 0; i < s->left; i++)
        if (gradient[s->weight[i]] != 0) {
            f->at[count] = i;
            f->by[count++] = gradient[s->weight[i]];
        }
    for (int i = 0; i < count; i++) {
        double *row = s->inverse + (size_t)f->at[i] * (size_t)s->stride;
        const double by = f->by[i] * f->share;
        for (int k = 0; k <= i; k++)
            row[f->at[k]] += by * f->by[k];
    }
}

static bool take_gradients(void *taker, size_t number, void *result)
{
    struct information *f = taker;
    const double *gradient = result;
    (void)number;
    for (int i = 0; i < GRADIENTS; i++, gradient += f->coordinates)
        add_products(f, gradient);
    return true;
}

/* Writes the information at x to the lower triangle of s->inverse. */
static bool find_information(struct surgeon *s, const struct gradient_problem *p, const double *x,
                             int threads, struct error *err)
{
    const size_t coordinates = (size_t)regression_coordinates(p->set);
    const size_t positions = compiled_positions(p->set);
    struct information f = {s, coordinates, 1 / (double)positions,
                            calloc((size_t)s->left, sizeof *f.at),
                            calloc((size_t)s->left, sizeof *f.by)};
    const struct job_kind kind = {.result_size = GRADIENTS * coordinates * sizeof *x,
                                  .work = find_gradients};
    const struct jobs_batch batch = {.count = (positions + GRADIENTS - 1) / GRADIENTS,
                                     .block = x,
                                     .block_size = coordinates * sizeof *x,
                                     .taker = &f,
                                     .take = take_gradients};
    bool good = f.at != NULL && f.by != NULL
                    ? jobs_run_here(&kind, p, threads, &batch, err) == JOBS_DONE
                    : error_set(err, "no memory for %d weights", s->left);
    free(f.at);
    free(f.by);
    return good;
}

/* Adds the prior's part and the ridge. */
static void add_diagonal(struct surgeon *s, double prior, size_t positions)
{
    double mean = 0;
    const size_t step = (size_t)s->stride + 1, left = (size_t)s->left;
    for (size_t i = 0; i < left; i++)
        mean += s->inverse[i * step] / (double)left;
    const double strength = prior > 0 ? 1 / (prior * prior * (double)positions) : 0;
    for (size_t i = 0; i < left; i++)
        s->inverse[i * step] += strength + ridge * mean + 1e-300;
}

static bool invert(struct surgeon *s, struct error *err)
{
    gsl_matrix_view m = gsl_matrix_view_array(s->inverse, (size_t)s->left, (size_t)s->left);
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    bool good = gsl_linalg_cholesky_decomp1(&m.matrix) == GSL_SUCCESS &&
                gsl_linalg_cholesky_invert(&m.matrix) == GSL_SUCCESS;
    gsl_set_error_handler(before);
    return good || error_set(err, "the information of %d weights has no inverse", s->left);
}

/* ---- life cycle ---- */

static bool allocate(struct surgeon *s, int count, const struct param *rows, const int32_t *weights)
{
    s->weight = calloc((size_t)count, sizeof *s->weight);
    s->value = calloc((size_t)count, sizeof *s->value);
    s->stays = calloc((size_t)count, sizeof *s->stays);
    if (s->weight == NULL || s->value == NULL || s->stays == NULL)
        return false;
    for (int i = 0; i < count; i++)
        if (!regression_constant(&rows[i])) {
            s->weight[s->left] = i;
            s->value[s->left] = weights[i];
            s->stays[s->left++] = surgeon_must_stay(&rows[i]);
        }
    s->stride = s->left;
    s->inverse = calloc((size_t)s->left * (size_t)s->left + 1, sizeof *s->inverse);
    return s->inverse != NULL;
}

bool surgeon_begin(struct surgeon *s, const struct compiled_set *set,
                   const struct regression_settings *settings, const struct param *rows,
                   const int32_t *weights, double scale, struct error *err)
{
    const struct gradient_problem problem = {set, settings->method};
    const int count = compiled_table(set)->count;
    *s = (struct surgeon){0};
    double *x = calloc((size_t)count + 1, sizeof *x);
    bool good = x != NULL && allocate(s, count, rows, weights);
    if (!good)
        error_set(err, "no memory for %d weights", count);
    for (int i = 0; good && i < count; i++)
        x[i] = weights[i];
    if (good) {
        x[count] = log(1 / scale);
        good = find_information(s, &problem, x, settings->threads, err);
    }
    if (good) {
        add_diagonal(s, settings->prior, compiled_positions(set));
        good = invert(s, err);
    }
    free(x);
    if (!good)
        surgeon_finish(s);
    return good;
}

void surgeon_finish(struct surgeon *s)
{
    free(s->weight);
    free(s->value);
    free(s->stays);
    free(s->inverse);
    *s = (struct surgeon){0};
}

/* ---- removing ---- */

static double *row_of(const struct surgeon *s, int i)
{
    return s->inverse + (size_t)i * (size_t)s->stride;
}

/* The place of the weight that costs least, of those that need not stay. */
static int cheapest(const struct surgeon *s)
{
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < s->left; i++) {
        const double cost = s->value[i] * s->value[i] / row_of(s, i)[i];
        if (s->stays[i])
            continue;
        if (best < 0 || cost < least)
            best = i;
        least = fmin(least, cost);
    }
    assert(best >= 0);
    return best;
}

/* Changes the other weights, and C to the inverse without row and column q. */
static void eliminate(struct surgeon *s, int q)
{
    const double *column = row_of(s, q);
    const double part = 1 / column[q];
    for (int i = 0; i < s->left; i++) {
        double *row = row_of(s, i), by = column[i] * part;
        if (i == q || by == 0)
            continue;
        s->value[i] -= s->value[q] * by;
        for (int k = 0; k < s->left; k++)
            row[k] -= by * column[k];
    }
}

/* Puts the last weight into the place q. */
static void close_gap(struct surgeon *s, int q)
{
    const int last = --s->left;
    s->weight[q] = s->weight[last];
    s->value[q] = s->value[last];
    s->stays[q] = s->stays[last];
    memmove(row_of(s, q), row_of(s, last), (size_t)s->stride * sizeof *s->inverse);
    for (int i = 0; i < s->left; i++)
        row_of(s, i)[q] = row_of(s, i)[last];
}

int surgeon_remove(struct surgeon *s)
{
    const int q = cheapest(s), weight = s->weight[q];
    eliminate(s, q);
    close_gap(s, q);
    return weight;
}
