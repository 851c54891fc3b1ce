/* Evolution strategy with covariance matrix adaptation, (mu/mu_w, lambda) (Hansen and Ostermeier
 * 2001). The settings are those of Hansen 2016 ("The CMA evolution strategy: a tutorial", Table 1,
 * positive weights only). Two methods: cma-es with a whole matrix, sep-cma-es with its diagonal, for
 * many genes.
 *
 * Generation 0 gives the initial mean: the weighted mean of its better half, or its best organism
 * if it has seeds. A step from a measured generation:
 *
 *   1  Move the mean to the weighted mean of the better half.
 *   2  Update the step-size path, a fading sum of isotropic steps of the mean. A long path means
 *      that the steps are too short.
 *   3  Update the covariance matrix from the evolution path and the better half (rank one and rank
 *      mu).
 *   4  Adapt the step size to the length of the step-size path. Increase it if fitness is flat.
 *   5  Limit the standard deviation of each coordinate to between a fifth of a cell, so that
 *      integer genes keep changing, and the whole range.
 *   6  Draw the next organisms from the normal distribution.
 *
 * Coordinates outside [0, 1] are reflected at the bounds. The fitness landscape is therefore
 * continued symmetrically, and neither penalties nor repairs distort the distribution. */
#include "box.h"
#include "methods.h"
#include "operators.h"
#include "optimiser.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most coordinates of a whole matrix. The matrices of so many take 25 MB, and each decomposition
 * seconds. */
enum { MOST_GENES = 1024 };

/* The smallest standard deviation of a coordinate, in cells. */
#define LEAST_SPREAD 0.2

/* ---- the covariance matrix ---- */

/* The strategy draws from a normal distribution with a covariance matrix sigma^2 C. The shape is C. */
struct cma;

/* A form of the matrix C. Vectors have `n` numbers. */
struct cma_shape {
    /* How much faster C may learn than a whole matrix of n x n. */
    double (*speed)(int n);
    /* Allocates C, which begins as the identity. False without memory; destroy what there is then too. */
    bool (*create)(struct cma *t);
    void (*destroy)(struct cma *t);
    /* Writes C^(-1/2) v, and C^(1/2) v. `out` is not v. Both use C as it was last settled. */
    void (*whiten)(const struct cma *t, const double *v, double *out);
    void (*colour)(const struct cma *t, const double *v, double *out);
    void (*scale)(struct cma *t, double factor);                /* C = factor C */
    void (*add)(struct cma *t, double weight, const double *v); /* C = C + weight v v' */
    void (*stretch)(struct cma *t, int i, double factor);       /* coordinate i by a factor */
    double (*variance)(const struct cma *t, int i);             /* C_ii */
    void (*settle)(struct cma *t, int generation);              /* C has changed */
};

struct cma {
    const struct cma_shape *shape;
    void *form; /* of the shape */
    struct box box;
    int n, mu;
    double *weights; /* of the better half, best first; they sum to 1 */
    double mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi;
    double sigma;
    double *mean, *path_sigma, *path_c;
    double *points;         /* the organisms before reflection, a row each */
    double *shift, *turned; /* scratch: a vector each */
    double *memory;         /* the block that holds all of these */
    struct rank *ranking;   /* scratch */
};

/* The shape of CMA-ES as a whole matrix (Hansen and Ostermeier 2001): it learns which coordinates change
 * together. Its eigenvectors are computed when it has changed enough, at a cost that grows with the cube
 * of the number of coordinates. */
struct full {
    double *covariance;     /* n x n */
    double *axes, *lengths; /* its eigenvectors by column, the square roots of its eigenvalues */
    double *decomposed;     /* scratch: n x n */
    double *turned;         /* scratch: a vector */
    gsl_eigen_symmv_workspace workspace;
    double memory[]; /* all of these; GSL's own functions would end the program without memory */
};

static double full_speed(int n)
{
    (void)n;
    return 1;
}

static bool full_create(struct cma *t)
{
    size_t n = (size_t)t->n, square = n * n;
    struct full *f = t->form = calloc(1, sizeof *f + (6 * n + 3 * square) * sizeof(double));
    if (f == NULL)
        return false;
    f->workspace = (gsl_eigen_symmv_workspace){.size = n};
    f->covariance = f->memory;
    f->axes = f->covariance + square;
    f->decomposed = f->axes + square;
    f->lengths = f->decomposed + square;
    f->turned = f->lengths + n;
    f->workspace.d = f->turned + n;
    f->workspace.sd = f->workspace.d + n;
    f->workspace.gc = f->workspace.sd + n;
    f->workspace.gs = f->workspace.gc + n;
    for (size_t i = 0; i < n; i++) {
        f->covariance[i * n + i] = f->axes[i * n + i] = 1;
        f->lengths[i] = 1;
    }
    return true;
}

static void full_destroy(struct cma *t)
{
    free(t->form);
}

/* Returns the coordinate of v along axis k. */
static double full_along(const struct full *f, int n, const double *v, int k)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += f->axes[i * n + k] * v[i];
    return sum;
}

/* Writes the vector that has the coordinates `turned` along the axes. */
static void full_turn_back(const struct full *f, int n, double *out)
{
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        for (int k = 0; k < n; k++)
            out[i] += f->axes[i * n + k] * f->turned[k];
    }
}

static void full_whiten(const struct cma *t, const double *v, double *out)
{
    const struct full *f = t->form;
    for (int k = 0; k < t->n; k++)
        f->turned[k] = full_along(f, t->n, v, k) / f->lengths[k];
    full_turn_back(f, t->n, out);
}

/* For independent normal numbers v: C^(1/2) but for a rotation, which does not change their
 * distribution. */
static void full_colour(const struct cma *t, const double *v, double *out)
{
    const struct full *f = t->form;
    for (int k = 0; k < t->n; k++)
        f->turned[k] = f->lengths[k] * v[k];
    full_turn_back(f, t->n, out);
}

static void full_scale(struct cma *t, double factor)
{
    struct full *f = t->form;
    for (int i = 0; i < t->n * t->n; i++)
        f->covariance[i] *= factor;
}

static void full_add(struct cma *t, double weight, const double *v)
{
    struct full *f = t->form;
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < t->n; j++)
            f->covariance[i * t->n + j] += weight * v[i] * v[j];
}

/* Correlations stay as they are. */
static void full_stretch(struct cma *t, int i, double factor)
{
    struct full *f = t->form;
    for (int j = 0; j < t->n; j++) {
        f->covariance[i * t->n + j] *= factor;
        f->covariance[j * t->n + i] *= factor;
    }
}

static double full_variance(const struct cma *t, int i)
{
    const struct full *f = t->form;
    return f->covariance[i * t->n + i];
}

/* Computes the axes and their lengths, unless the matrix has hardly changed since (Hansen 2016). */
static void full_settle(struct cma *t, int generation)
{
    struct full *f = t->form;
    size_t n = (size_t)t->n;
    int fresh = (int)fmax(1, 0.1 / (t->n * (t->c_1 + t->c_mu)));
    if (generation % fresh != 0)
        return;
    memcpy(f->decomposed, f->covariance, n * n * sizeof *f->covariance);
    gsl_vector_view values = gsl_vector_view_array(f->lengths, n);
    gsl_matrix_view vectors = gsl_matrix_view_array(f->axes, n, n);
    gsl_matrix_view matrix = gsl_matrix_view_array(f->decomposed, n, n);
    gsl_eigen_symmv(&matrix.matrix, &values.vector, &vectors.matrix, &f->workspace);
    for (size_t i = 0; i < n; i++)
        f->lengths[i] = sqrt(fmax(f->lengths[i], 1e-14));
}

static const struct cma_shape cma_full = {.speed = full_speed,
                                          .create = full_create,
                                          .destroy = full_destroy,
                                          .whiten = full_whiten,
                                          .colour = full_colour,
                                          .scale = full_scale,
                                          .add = full_add,
                                          .stretch = full_stretch,
                                          .variance = full_variance,
                                          .settle = full_settle};

/* The shape of CMA-ES as the diagonal of its matrix (Ros and Hansen 2008, "A simple modification in CMA-ES
 * achieving linear time and space complexity"): a spread for each coordinate. It does not learn which
 * coordinates change together. In return its cost is linear in their number, and it learns (n + 2) / 3
 * times as fast, having so many fewer numbers to learn. */
static double separable_speed(int n)
{
    return (n + 2) / 3.0;
}

static bool separable_create(struct cma *t)
{
    double *variances = t->form = calloc((size_t)t->n, sizeof *variances);
    for (int i = 0; variances != NULL && i < t->n; i++)
        variances[i] = 1;
    return variances != NULL;
}

static void separable_destroy(struct cma *t)
{
    free(t->form);
}

static void separable_whiten(const struct cma *t, const double *v, double *out)
{
    const double *variances = t->form;
    for (int i = 0; i < t->n; i++)
        out[i] = v[i] / sqrt(variances[i]);
}

static void separable_colour(const struct cma *t, const double *v, double *out)
{
    const double *variances = t->form;
    for (int i = 0; i < t->n; i++)
        out[i] = v[i] * sqrt(variances[i]);
}

static void separable_scale(struct cma *t, double factor)
{
    double *variances = t->form;
    for (int i = 0; i < t->n; i++)
        variances[i] *= factor;
}

static void separable_add(struct cma *t, double weight, const double *v)
{
    double *variances = t->form;
    for (int i = 0; i < t->n; i++)
        variances[i] += weight * v[i] * v[i];
}

static void separable_stretch(struct cma *t, int i, double factor)
{
    double *variances = t->form;
    variances[i] *= factor * factor;
}

static double separable_variance(const struct cma *t, int i)
{
    const double *variances = t->form;
    return variances[i];
}

static void separable_settle(struct cma *t, int generation)
{
    (void)t, (void)generation;
}

static const struct cma_shape cma_separable = {.speed = separable_speed,
                                               .create = separable_create,
                                               .destroy = separable_destroy,
                                               .whiten = separable_whiten,
                                               .colour = separable_colour,
                                               .scale = separable_scale,
                                               .add = separable_add,
                                               .stretch = separable_stretch,
                                               .variance = separable_variance,
                                               .settle = separable_settle};

/* ---- settings ---- */

static bool fits(const struct genome *genome, struct error *err)
{
    int n = 0;
    for (int i = 0; i < genome->count; i++)
        n += genome->genes[i].bits > 0;
    if (n <= MOST_GENES)
        return true;
    return error_set(
        err,
        "optimiser cma-es: %d genes; it decomposes a matrix of genes x genes, which "
        "would take %.0f MB and time that grows with the cube of their number; it takes "
        "at most %d genes; sep-cma-es, genetic, evolution-strategy and spsa take any number",
        n, 3.0 * n * n * sizeof(double) / 1e6, MOST_GENES);
}

/* ---- life cycle ---- */

/* Weights and rates (Hansen 2016, Table 1). A shape with fewer numbers to learn learns faster. */
static void set_rates(struct cma *t, int lambda)
{
    double n = t->n, squares = 0, speed = t->shape->speed(t->n);
    recombination_weights(t->weights, t->mu, lambda);
    for (int i = 0; i < t->mu; i++)
        squares += t->weights[i] * t->weights[i];
    double mu_eff = t->mu_eff = 1 / squares;
    t->c_sigma = (mu_eff + 2) / (n + mu_eff + 5);
    t->d_sigma = 1 + 2 * fmax(0, sqrt((mu_eff - 1) / (n + 1)) - 1) + t->c_sigma;
    t->c_c = (4 + mu_eff / n) / (n + 4 + 2 * mu_eff / n);
    t->c_1 = fmin(1, speed * 2 / ((n + 1.3) * (n + 1.3) + mu_eff));
    t->c_mu =
        fmin(1 - t->c_1, speed * 2 * (mu_eff - 2 + 1 / mu_eff) / ((n + 2) * (n + 2) + mu_eff));
    t->chi = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
}

/* Allocates one block of memory and divides it into the vectors. */
static bool allocate(struct cma *t, int lambda)
{
    size_t n = (size_t)t->n, rows = (size_t)lambda * n;
    double *next = t->memory = calloc((size_t)t->mu + 5 * n + rows, sizeof *next);
    t->ranking = calloc((size_t)lambda, sizeof *t->ranking);
    if (next == NULL || t->ranking == NULL || !t->shape->create(t))
        return false;
    t->weights = next;
    t->mean = next += t->mu;
    t->path_sigma = next += n;
    t->path_c = next += n;
    t->shift = next += n;
    t->turned = next += n;
    t->points = next + n;
    return true;
}

static bool create(struct optimiser *o, const struct cma_shape *shape, struct error *err)
{
    struct cma *t = calloc(1, sizeof *t);
    o->state = t;
    if (t == NULL)
        return error_set(err, "no memory for CMA-ES");
    if (!box_create(&t->box, o->genome, err))
        return false;
    t->shape = shape;
    t->n = t->box.count;
    t->mu = o->population / 2;
    t->sigma = o->settings.cma_es.sigma;
    if (t->n == 0)
        return true;
    if (!allocate(t, o->population))
        return error_set(err, "no memory for CMA-ES in %d dimensions", t->n);
    set_rates(t, o->population);
    return true;
}

static bool create_full(struct optimiser *o, struct error *err)
{
    return create(o, &cma_full, err);
}

static bool create_separable(struct optimiser *o, struct error *err)
{
    return create(o, &cma_separable, err);
}

static void destroy(struct optimiser *o)
{
    struct cma *t = o->state;
    box_destroy(&t->box);
    if (t->form != NULL)
        t->shape->destroy(t);
    free(t->memory);
    free(t->ranking);
    free(t);
}

/* ---- update from a generation ---- */

/* Returns the point of the organism at a place of the ranking, from 0. */
static const double *point_of(const struct cma *t, int place)
{
    return box_row(&t->box, t->points, t->ranking[place].index);
}

/* Step 1: moves the mean to the weighted mean of the better half. `shift` is the move in units of
 * the step size. */
static void move_mean(struct cma *t)
{
    for (int i = 0; i < t->n; i++) {
        double mean = 0;
        for (int k = 0; k < t->mu; k++)
            mean += t->weights[k] * point_of(t, k)[i];
        t->shift[i] = (mean - t->mean[i]) / t->sigma;
        t->mean[i] = mean;
    }
}

/* Step 2: adds the shift, multiplied by the inverse square root of the covariance matrix, to the
 * step-size path. Returns the length of the path relative to the expected length of a random one,
 * which it has if the step size is right. */
static double follow_path(struct cma *t)
{
    double gain = sqrt(t->c_sigma * (2 - t->c_sigma) * t->mu_eff), squares = 0;
    t->shape->whiten(t, t->shift, t->turned);
    for (int i = 0; i < t->n; i++) {
        t->path_sigma[i] = (1 - t->c_sigma) * t->path_sigma[i] + gain * t->turned[i];
        squares += t->path_sigma[i] * t->path_sigma[i];
    }
    return sqrt(squares) / t->chi;
}

/* Step 3: updates the evolution path, which stalls while the step size grows fast, and the
 * covariance matrix. The steps of the better half are relative to the old mean. */
static void adapt_covariance(struct cma *t, double length, int generation)
{
    int n = t->n;
    double settled = sqrt(1 - pow(1 - t->c_sigma, 2.0 * generation));
    double h = length / settled < 1.4 + 2 / (n + 1.0) ? 1 : 0;
    double gain = h * sqrt(t->c_c * (2 - t->c_c) * t->mu_eff);
    for (int i = 0; i < n; i++)
        t->path_c[i] = (1 - t->c_c) * t->path_c[i] + gain * t->shift[i];
    t->shape->scale(t, 1 - t->c_1 - t->c_mu + (1 - h) * t->c_1 * t->c_c * (2 - t->c_c));
    t->shape->add(t, t->c_1, t->path_c);
    for (int k = 0; k < t->mu; k++) {
        for (int i = 0; i < n; i++) /* the step from the old mean */
            t->turned[i] = (point_of(t, k)[i] - t->mean[i]) / t->sigma + t->shift[i];
        t->shape->add(t, t->c_mu * t->weights[k], t->turned);
    }
}

/* Step 4. Fitness is flat if the best organism is no better than one a quarter down the ranking, as in
 * Hansen's program cmaes.m. The tutorial's own program looks further down, at 0.7 of the ranking. */
static void adapt_step_size(struct cma *t, double length, int lambda)
{
    double rate = t->c_sigma / t->d_sigma;
    int quarter = 1 + lambda / 4 < lambda ? 1 + lambda / 4 : lambda - 1;
    t->sigma *= exp(fmin(1, rate * (length - 1)));
    if (t->ranking[0].fitness == t->ranking[quarter].fitness)
        t->sigma *= exp(0.2 + rate);
}

/* Step 5. Then normalises step size and matrix, so that the mean variance in the matrix is 1. */
static void hold_spread(struct cma *t)
{
    double trace = 0;
    for (int i = 0; i < t->n; i++) {
        double spread = t->sigma * sqrt(t->shape->variance(t, i));
        double least = fmin(1, LEAST_SPREAD * box_cell(&t->box, i));
        t->shape->stretch(t, i, clamp(spread, least, 1) / spread);
        trace += t->shape->variance(t, i);
    }
    double scale = sqrt(trace / t->n);
    t->sigma *= scale;
    t->shape->scale(t, 1 / (scale * scale));
    for (int i = 0; i < t->n; i++)
        t->path_c[i] /= scale;
}

/* Steps 1 to 5. */
static void update(const struct optimiser *o, struct cma *t)
{
    move_mean(t);
    double length = follow_path(t);
    adapt_covariance(t, length, o->generation);
    adapt_step_size(t, length, o->population);
    hold_spread(t);
    t->shape->settle(t, o->generation);
}

/* Sets the initial mean from generation 0. */
static void begin(const struct optimiser *o, struct cma *t)
{
    for (int i = 0; i < o->population; i++)
        box_decode(&t->box, o->organisms[i].chromosome, box_row(&t->box, t->points, i));
    if (o->seed_count > 0)
        memcpy(t->mean, point_of(t, 0), (size_t)t->n * sizeof *t->mean);
    else
        move_mean(t);
}

/* ---- drawing a generation ---- */

/* Reflects a coordinate at the bounds of the box. */
static double reflect(double x)
{
    double t = fmod(fabs(x), 2);
    return t > 1 ? 2 - t : t;
}

/* Step 6 for one organism. */
static void sample(struct optimiser *o, struct cma *t, int index)
{
    struct stream s;
    double *point = box_row(&t->box, t->points, index);
    stream_init(&s, o->seed, STREAM_PROPOSAL, (uint64_t)o->generation + 1, (uint64_t)index);
    for (int k = 0; k < t->n; k++)
        t->shift[k] = gsl_ran_ugaussian(&s.rng);
    t->shape->colour(t, t->shift, t->turned);
    for (int i = 0; i < t->n; i++) {
        point[i] = t->mean[i] + t->sigma * t->turned[i];
        t->shift[i] = reflect(point[i]);
    }
    box_encode(&t->box, t->shift, o->organisms[index].chromosome);
}

static void step(struct optimiser *o)
{
    struct cma *t = o->state;
    ranking_sort(t->ranking, o->organisms, o->population);
    if (o->generation == 0)
        begin(o, t);
    else
        update(o, t);
    for (int i = 0; i < o->population; i++)
        sample(o, t, i);
}

const struct optimiser_method cma_es_method = {.name = "cma-es",
                                               .fewest = 2,
                                               .converges = true,
                                               .fits = fits,
                                               .create = create_full,
                                               .step = step,
                                               .destroy = destroy};

const struct optimiser_method sep_cma_es_method = {.name = "sep-cma-es",
                                                   .fewest = 2,
                                                   .converges = true,
                                                   .create = create_separable,
                                                   .step = step,
                                                   .destroy = destroy};
