/* Evolution strategy with covariance matrix adaptation, (mu/mu_w, lambda) (Hansen and Ostermeier
 * 2001). The settings are those of Hansen 2016 ("The CMA evolution strategy: a tutorial", Table 1,
 * positive weights only). Two methods: cma-es with a whole matrix, sep-cma-es with its diagonal, for many genes.
 *
 * Generation 0 gives the initial mean: the weighted mean of its better half, or its best organism if it has seeds. A
 * step from a measured generation:
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
 * Coordinates outside [0, 1] are reflected at the bounds. The fitness landscape is therefore continued symmetrically,
 * and neither penalties nor repairs distort the distribution. */
#include "methods.h"

#include "operators.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

/* The most coordinates of a whole matrix: 25 MB, and seconds for each decomposition. */
enum { MOST_GENES = 1024 };

/* The smallest standard deviation of a coordinate, in cells. */
#define LEAST_SPREAD 0.2

/* The strategy draws from a normal distribution with the covariance matrix sigma^2 C. */
struct cma {
    bool full; /* C is a whole matrix; false: its diagonal */
    int n, mu;
    double *weights; /* of the better half, best first; they sum to 1 */
    double mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi;
    double sigma;
    double *mean, *path_sigma, *path_c;
    double *points;                      /* the organisms before reflection, a row each */
    double *shift, *turned, *across;     /* scratch: a vector each */
    struct rank *ranking;                /* scratch */
    double *covariance;                  /* C: n x n numbers, or n */
    double *lengths;                     /* the square roots of its eigenvalues, as last settled */
    double *axes;                        /* of a whole matrix: its eigenvectors by column */
    double *decomposed;                  /* scratch: n x n */
    gsl_eigen_symmv_workspace workspace; /* GSL's own would end the program without memory */
};

/* ---- the covariance matrix ----
 *
 * The whole matrix learns which coordinates change together (Hansen and Ostermeier 2001). Its
 * eigenvectors are computed when it has changed enough, at a cost that grows with the cube of n.
 *
 * The diagonal is a spread for each coordinate, whose cost is linear (Ros and Hansen 2008, "A simple
 * modification in CMA-ES achieving linear time and space complexity"). It learns (n + 2) / 3 times as
 * fast, having so many fewer numbers to learn. */

/* Returns C_ii. */
static double *variance(const struct cma *t, int i)
{
    return &t->covariance[t->full ? i * (t->n + 1) : i];
}

/* Writes the vector that has the coordinates `across` along the axes. */
static void turn_back(const struct cma *t, double *out)
{
    for (int i = 0; i < t->n; i++) {
        out[i] = t->full ? 0 : t->across[i];
        for (int k = 0; k < t->n && t->full; k++)
            out[i] += t->axes[i * t->n + k] * t->across[k];
    }
}

/* Writes C^(-1/2) v. */
static void whiten(const struct cma *t, const double *v, double *out)
{
    for (int k = 0; k < t->n; k++) {
        double along = t->full ? 0 : v[k];
        for (int i = 0; i < t->n && t->full; i++)
            along += t->axes[i * t->n + k] * v[i];
        t->across[k] = along / t->lengths[k];
    }
    turn_back(t, out);
}

/* C^(1/2) v of independent normal numbers, but for a rotation, which changes nothing. */
static void colour(const struct cma *t, const double *v, double *out)
{
    for (int k = 0; k < t->n; k++)
        t->across[k] = t->lengths[k] * v[k];
    turn_back(t, out);
}

/* C = factor C. */
static void scale(struct cma *t, double factor)
{
    for (int i = 0; i < (t->full ? t->n * t->n : t->n); i++)
        t->covariance[i] *= factor;
}

/* C = C + weight v v'. */
static void add(struct cma *t, double weight, const double *v)
{
    for (int i = 0; i < t->n; i++) {
        if (!t->full)
            t->covariance[i] += weight * v[i] * v[i];
        for (int j = 0; j < t->n && t->full; j++)
            t->covariance[i * t->n + j] += weight * v[i] * v[j];
    }
}

/* Stretches coordinate i. Correlations stay as they are. */
static void stretch(struct cma *t, int i, double factor)
{
    if (!t->full)
        t->covariance[i] *= factor * factor;
    for (int j = 0; j < t->n && t->full; j++) {
        t->covariance[i * t->n + j] *= factor;
        t->covariance[j * t->n + i] *= factor;
    }
}

/* Computes the axes and their lengths, unless a whole matrix has hardly changed since (Hansen 2016). */
static void settle(struct cma *t, int generation)
{
    const size_t n = (size_t)t->n;
    const int fresh = (int)fmax(1, 0.1 / (t->n * (t->c_1 + t->c_mu)));
    for (int i = 0; i < t->n && !t->full; i++)
        t->lengths[i] = sqrt(t->covariance[i]);
    if (!t->full || generation % fresh != 0)
        return;
    memcpy(t->decomposed, t->covariance, n * n * sizeof *t->covariance);
    gsl_vector_view values = gsl_vector_view_array(t->lengths, n);
    gsl_matrix_view vectors = gsl_matrix_view_array(t->axes, n, n);
    gsl_matrix_view matrix = gsl_matrix_view_array(t->decomposed, n, n);
    gsl_eigen_symmv(&matrix.matrix, &values.vector, &vectors.matrix, &t->workspace);
    for (int i = 0; i < t->n; i++)
        t->lengths[i] = sqrt(fmax(t->lengths[i], 1e-14));
}

/* ---- the state ---- */

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

static void create(struct optimiser *o)
{
    struct cma *t = o->state;
    const size_t n = (size_t)o->box.count, lambda = (size_t)o->population;
    t->full = o->settings.kind == OPTIMISER_CMA_ES;
    t->n = o->box.count;
    t->mu = o->population / 2;
    t->sigma = o->settings.cma_es.sigma;
    double **const vectors[] = {&t->mean,   &t->path_sigma, &t->path_c, &t->shift,
                                &t->turned, &t->across,     &t->lengths};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = optimiser_array(o, n, sizeof(double));
    t->weights = optimiser_array(o, lambda, sizeof *t->weights);
    t->points = optimiser_array(o, lambda * n, sizeof *t->points);
    t->ranking = optimiser_array(o, lambda, sizeof *t->ranking);
    t->covariance = optimiser_array(o, t->full ? n * n : n, sizeof *t->covariance);
    if (!t->full)
        return;
    t->axes = optimiser_array(o, n * n, sizeof *t->axes);
    t->decomposed = optimiser_array(o, n * n, sizeof *t->decomposed);
    t->workspace = (gsl_eigen_symmv_workspace){.size = n,
                                               .d = optimiser_array(o, n, sizeof(double)),
                                               .sd = optimiser_array(o, n, sizeof(double)),
                                               .gc = optimiser_array(o, n, sizeof(double)),
                                               .gs = optimiser_array(o, n, sizeof(double))};
}

/* Weights and rates (Hansen 2016, Table 1). */
static void set_rates(struct cma *t, int lambda)
{
    double n = t->n, squares = 0, speed = t->full ? 1 : (t->n + 2) / 3.0;
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

/* ---- update from a generation ---- */

/* Returns the point of the organism at a place of the ranking, from 0. */
static const double *point_of(const struct cma *t, int place)
{
    return t->points + (size_t)t->ranking[place].index * (size_t)t->n;
}

/* Step 1. `shift` is the move of the mean in units of the step size. */
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

/* Step 2: adds the whitened shift to the step-size path. Returns the length of the path relative to
 * that of a random one, which it has if the step size is right. */
static double follow_path(struct cma *t)
{
    double gain = sqrt(t->c_sigma * (2 - t->c_sigma) * t->mu_eff), squares = 0;
    whiten(t, t->shift, t->turned);
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
    scale(t, 1 - t->c_1 - t->c_mu + (1 - h) * t->c_1 * t->c_c * (2 - t->c_c));
    add(t, t->c_1, t->path_c);
    for (int k = 0; k < t->mu; k++) {
        for (int i = 0; i < n; i++) /* the step from the old mean */
            t->turned[i] = (point_of(t, k)[i] - t->mean[i]) / t->sigma + t->shift[i];
        add(t, t->c_mu * t->weights[k], t->turned);
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
static void hold_spread(const struct box *box, struct cma *t)
{
    double trace = 0;
    for (int i = 0; i < t->n; i++) {
        double spread = t->sigma * sqrt(*variance(t, i));
        double least = fmin(1, LEAST_SPREAD * box_cell(box, i));
        stretch(t, i, clamp(spread, least, 1) / spread);
        trace += *variance(t, i);
    }
    double by = sqrt(trace / t->n);
    t->sigma *= by;
    scale(t, 1 / (by * by));
    for (int i = 0; i < t->n; i++)
        t->path_c[i] /= by;
}

static void begin(struct optimiser *o)
{
    struct cma *t = o->state;
    set_rates(t, o->population);
    ranking_sort(t->ranking, o->organisms, o->population);
    for (int i = 0; i < t->n; i++) {
        *variance(t, i) = t->lengths[i] = 1;
        if (t->full)
            t->axes[i * (t->n + 1)] = 1;
    }
    for (int i = 0; i < o->population; i++)
        box_decode(&o->box, o->organisms[i].chromosome, box_row(&o->box, t->points, i));
    if (o->seed_count > 0)
        memcpy(t->mean, point_of(t, 0), (size_t)t->n * sizeof *t->mean);
    else
        move_mean(t);
}

/* Steps 1 to 5. */
static void learn(struct optimiser *o)
{
    struct cma *t = o->state;
    ranking_sort(t->ranking, o->organisms, o->population);
    move_mean(t);
    double length = follow_path(t);
    adapt_covariance(t, length, o->generation);
    adapt_step_size(t, length, o->population);
    hold_spread(&o->box, t);
    settle(t, o->generation);
}

/* Step 6. */
static void place(struct optimiser *o, int index, double *point)
{
    struct stream s;
    struct cma *t = o->state;
    double *before = box_row(&o->box, t->points, index);
    proposal_stream(o, &s, index);
    for (int k = 0; k < t->n; k++)
        t->shift[k] = gsl_ran_ugaussian(&s.rng);
    colour(t, t->shift, t->turned);
    for (int i = 0; i < t->n; i++) {
        before[i] = t->mean[i] + t->sigma * t->turned[i];
        double turns = fmod(fabs(before[i]), 2); /* reflected at the bounds of the box */
        point[i] = turns > 1 ? 2 - turns : turns;
    }
}

const struct optimiser_method cma_es_method = {.name = "cma-es",
                                               .converges = true,
                                               .state = sizeof(struct cma),
                                               .fits = fits,
                                               .create = create,
                                               .begin = begin,
                                               .learn = learn,
                                               .place = place};

const struct optimiser_method sep_cma_es_method = {.name = "sep-cma-es",
                                                   .converges = true,
                                                   .state = sizeof(struct cma),
                                                   .create = create,
                                                   .begin = begin,
                                                   .learn = learn,
                                                   .place = place};
