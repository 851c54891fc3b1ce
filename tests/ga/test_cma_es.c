/* CMA-ES against the formulas of Hansen 2016 ("The CMA evolution strategy: a tutorial"), written down a
 * second time. The model has the same random streams, so each organism lies where the model puts it. Which
 * fitness is flat is as in Hansen's program cmaes.m, not as in the tutorial's. */
#include "optimiser.h"

#include "real_genes.h"

#include <gsl/gsl_eigen.h>
#include <string.h>

enum { N = 4, LAMBDA = 10, LAMBDA_MAX = 70 };

/* The strategy with a full matrix, of which the separable form keeps the diagonal. */
struct model {
    bool separable;
    int lambda, mu; /* organisms, and those of the better half */
    double sigma, mean[N], path_sigma[N], path_c[N];
    double c[N][N], axes[N][N],
        lengths[N]; /* C, and the eigenvectors (columns) and roots of its values */
    double x[LAMBDA_MAX][N];
    double weights[LAMBDA_MAX], mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu;
};

/* ---- Table 1 ---- */

static void set_weights(struct model *m)
{
    double sum = 0, squares = 0;
    for (int k = 0; k < m->mu; k++)
        sum += m->weights[k] = log((m->lambda + 1) / 2.0) - log(k + 1);
    for (int k = 0; k < m->mu; k++) {
        m->weights[k] /= sum;
        squares += pow(m->weights[k], 2);
    }
    m->mu_eff = 1 / squares;
}

static void set_rates(struct model *m)
{
    const double n = N, mu_eff = m->mu_eff, speed = m->separable ? (n + 2) / 3 : 1;
    m->c_sigma = (mu_eff + 2) / (n + mu_eff + 5);
    m->d_sigma = 1 + m->c_sigma + 2 * fmax(0, sqrt((mu_eff - 1) / (n + 1)) - 1);
    m->c_c = (4 + mu_eff / n) / (n + 4 + 2 * mu_eff / n);
    m->c_1 = speed * 2 / (pow(n + 1.3, 2) + mu_eff);
    m->c_mu = fmin(1 - m->c_1, speed * 2 * (mu_eff - 2 + 1 / mu_eff) / (pow(n + 2, 2) + mu_eff));
}

static void model_init(struct model *m, bool separable, int lambda, double sigma)
{
    *m = (struct model){.separable = separable, .lambda = lambda, .mu = lambda / 2, .sigma = sigma};
    for (int i = 0; i < N; i++)
        m->c[i][i] = m->axes[i][i] = m->lengths[i] = 1;
    set_weights(m);
    set_rates(m);
}

/* ---- a generation ---- */

/* Draws the organisms: mean + sigma B D z. */
static void model_draw(struct model *m, uint64_t seed, int generation)
{
    for (int index = 0; index < m->lambda; index++) {
        struct stream s;
        double z[N];
        stream_init(&s, seed, STREAM_PROPOSAL, (uint64_t)generation, (uint64_t)index);
        for (int k = 0; k < N; k++)
            z[k] = gsl_ran_ugaussian(&s.rng) * m->lengths[k];
        for (int i = 0; i < N; i++) {
            m->x[index][i] = m->mean[i];
            for (int k = 0; k < N; k++)
                m->x[index][i] += m->sigma * m->axes[i][k] * z[k];
        }
    }
}

/* The mean of the better half, in the order of a ranking. */
static void weighted_mean(const struct model *m, const int *ranking, double mean[N])
{
    for (int i = 0; i < N; i++) {
        mean[i] = 0;
        for (int k = 0; k < m->mu; k++)
            mean[i] += m->weights[k] * m->x[ranking[k]][i];
    }
}

/* Writes C^(-1/2) y. */
static void whiten(const struct model *m, const double y[N], double out[N])
{
    for (int i = 0; i < N; i++)
        out[i] = 0;
    for (int k = 0; k < N; k++) {
        double along = 0;
        for (int i = 0; i < N; i++)
            along += m->axes[i][k] * y[i];
        for (int i = 0; i < N; i++)
            out[i] += m->axes[i][k] * along / m->lengths[k];
    }
}

static void add_outer(struct model *m, double weight, const double v[N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            m->c[i][j] += i == j || !m->separable ? weight * v[i] * v[j] : 0;
}

/* Step-size path, evolution path and covariance matrix. Returns the length of the step-size path by its
 * expectation. */
static double adapt(struct model *m, const int *ranking, const double old[N], int generation)
{
    double y[N], white[N], squares = 0;
    for (int i = 0; i < N; i++)
        y[i] = (m->mean[i] - old[i]) / m->sigma;
    whiten(m, y, white);
    for (int i = 0; i < N; i++) {
        m->path_sigma[i] = (1 - m->c_sigma) * m->path_sigma[i] +
                           sqrt(m->c_sigma * (2 - m->c_sigma) * m->mu_eff) * white[i];
        squares += pow(m->path_sigma[i], 2);
    }
    double length = sqrt(squares) / (sqrt(N) * (1 - 1 / (4.0 * N) + 1 / (21.0 * N * N)));
    double settled = sqrt(1 - pow(1 - m->c_sigma, 2 * generation));
    bool stalls = length / settled >= 1.4 + 2 / (N + 1.0);
    for (int i = 0; i < N; i++)
        m->path_c[i] = (1 - m->c_c) * m->path_c[i] +
                       (stalls ? 0 : sqrt(m->c_c * (2 - m->c_c) * m->mu_eff) * y[i]);
    double keep = 1 - m->c_1 - m->c_mu + (stalls ? m->c_1 * m->c_c * (2 - m->c_c) : 0);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            m->c[i][j] *= keep;
    add_outer(m, m->c_1, m->path_c);
    for (int k = 0; k < m->mu; k++) {
        for (int i = 0; i < N; i++)
            y[i] = (m->x[ranking[k]][i] - old[i]) / m->sigma;
        add_outer(m, m->c_mu * m->weights[k], y);
    }
    return length;
}

/* Keeps each deviation between a fifth of a cell and the range, and the mean variance of C at 1. */
static void hold_spread(struct model *m, const double cells[N])
{
    double trace = 0;
    for (int i = 0; i < N; i++) {
        double spread = m->sigma * sqrt(m->c[i][i]);
        double by = fmin(1, fmax(spread, 0.2 / cells[i])) / spread;
        for (int j = 0; j < N; j++) {
            m->c[i][j] *= by;
            m->c[j][i] *= by;
        }
        trace += m->c[i][i];
    }
    m->sigma *= sqrt(trace / N);
    for (int i = 0; i < N; i++) {
        m->path_c[i] /= sqrt(trace / N);
        for (int j = 0; j < N; j++)
            m->c[i][j] /= trace / N;
    }
}

/* The eigenvectors of C, and the roots of its eigenvalues. */
static void decompose(struct model *m)
{
    double copy[N][N];
    memcpy(copy, m->c, sizeof copy);
    for (int i = 0; i < N && m->separable; i++)
        m->lengths[i] = sqrt(m->c[i][i]);
    if (m->separable)
        return;
    gsl_eigen_symmv_workspace *w = gsl_eigen_symmv_alloc(N);
    gsl_vector_view values = gsl_vector_view_array(m->lengths, N);
    gsl_matrix_view axes = gsl_matrix_view_array(m->axes[0], N, N);
    gsl_matrix_view matrix = gsl_matrix_view_array(copy[0], N, N);
    gsl_eigen_symmv(&matrix.matrix, &values.vector, &axes.matrix, w);
    gsl_eigen_symmv_free(w);
    for (int i = 0; i < N; i++)
        m->lengths[i] = sqrt(m->lengths[i]);
}

static void model_update(struct model *m, const int *ranking, bool flat, int generation,
                         const double cells[N])
{
    double old[N];
    memcpy(old, m->mean, sizeof old);
    weighted_mean(m, ranking, m->mean);
    double length = adapt(m, ranking, old, generation), rate = m->c_sigma / m->d_sigma;
    m->sigma *= exp(fmin(1, rate * (length - 1))) * (flat ? exp(0.2 + rate) : 1);
    hold_spread(m, cells);
    decompose(m);
}

/* ---- the two side by side ---- */

/* A coordinate mirrored at the bounds. */
static double mirrored(double x)
{
    while (x < 0 || x > 1)
        x = x < 0 ? -x : 2 - x;
    return x;
}

/* Each generation ranks the organisms by how near they are to a valley that runs across the genes. */
static double height(const double x[N])
{
    double along = x[0] + x[2] - x[3], across = x[0] - x[2];
    return pow(along - 0.3, 2) + 20 * pow(across - 0.1, 2) + pow(x[1] - 0.6, 2);
}

/* How many of the best organisms have the same fitness: in some generations all, a quarter and one more
 * than that, which is flat too, or a quarter and one, which is not. */
static int equals_of(int generation, int lambda)
{
    switch (generation % 8) {
    case 2:
        return lambda / 4 + 1;
    case 4:
        return lambda / 4 + 2;
    case 5:
        return lambda;
    default:
        return 0;
    }
}

/* The number of organisms before this one, by falling fitness and then by index. */
static int place_of(const struct optimiser *o, int index)
{
    int place = 0;
    for (int i = 0; i < o->population; i++) {
        int64_t fitness = o->organisms[i].fitness, own = o->organisms[index].fitness;
        place += fitness > own || (fitness == own && i < index);
    }
    return place;
}

/* Writes the fitness and the ranking. Returns whether the generation is flat. */
static bool measure(struct optimiser *o, const struct model *m, int ranking[LAMBDA_MAX])
{
    const int equals = equals_of(o->generation, o->population);
    for (int i = 0; i < o->population; i++) {
        int higher = 0;
        for (int j = 0; j < o->population; j++)
            higher += height(m->x[j]) < height(m->x[i]);
        o->organisms[i].fitness = higher < equals ? 100 : 100 - higher;
    }
    for (int i = 0; i < o->population; i++)
        ranking[place_of(o, i)] = i;
    return equals > o->population / 4 + 1;
}

/* Runs both for some generations. */
static void run_both(enum optimiser_kind kind, int lambda, double sigma, int coarse, bool seeded,
                     int generations)
{
    struct problem p;
    struct model m;
    double cells[N];
    int ranking[LAMBDA_MAX];
    struct optimiser_settings s = optimiser_default_settings(kind);
    s.population = lambda;
    s.cma_es.sigma = sigma;
    make_real(&p, N);
    make_coarse(&p, coarse);
    for (int i = 0; i < N; i++)
        cells[i] = ldexp(1, p.params[i].bits);
    model_init(&m, kind == OPTIMISER_SEP_CMA_ES, lambda, sigma);
    struct optimiser o = start_real(&p, &s);
    if (seeded)
        seed_real(&o, 0.25);
    for (int i = 0; i < o.population; i++)
        real_point(&o, i, m.x[i]);
    for (int t = 0; t < generations; t++) {
        bool flat = measure(&o, &m, ranking);
        if (t > 0)
            model_update(&m, ranking, flat, t, cells);
        else if (seeded)
            memcpy(m.mean, m.x[ranking[0]], sizeof m.mean);
        else
            weighted_mean(&m, ranking, m.mean);
        optimiser_step(&o);
        model_draw(&m, o.seed, t + 1);
        for (int i = 0; i < lambda; i++) {
            double x[N];
            for (int k = 0; k < N; k++)
                x[k] = mirrored(m.x[i][k]);
            expect_real(&o, i, x);
        }
    }
    optimiser_destroy(&o);
}

/* With seeds it begins at the best organism. So many organisms as LAMBDA_MAX determine the matrix that nothing of the
 * one before is left. Steps far beyond the bounds are mirrored, and limited to the range. Genes of four values keep
 * changing, a fifth of a cell at least, while the others converge. The separable one keeps the diagonal. */
Test(cma_es, is_the_strategy_of_the_tutorial)
{
    static const struct {
        int lambda;
        double sigma;
        int coarse;
        bool seeded;
        int generations;
    } cases[] = {{LAMBDA, 0.3, 0, false, 40},    {LAMBDA, 0.01, 0, true, 10},
                 {LAMBDA_MAX, 0.1, 0, true, 10}, {LAMBDA, 1, 0, false, 12},
                 {LAMBDA, 0.02, 1, true, 30},    {LAMBDA, 0.02, N, true, 30}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int k = 0; k < 2; k++)
            run_both(k == 0 ? OPTIMISER_CMA_ES : OPTIMISER_SEP_CMA_ES, cases[i].lambda,
                     cases[i].sigma, cases[i].coarse, cases[i].seeded, cases[i].generations);
}

/* ---- many genes ---- */

/* Returns the cosine between the difference of two organisms and that of the normal numbers which they were
 * drawn from: 1 while the axes are those of the genes. */
static double cosine(const struct optimiser *o)
{
    struct stream first, second;
    double x[GENES_MAX], y[GENES_MAX], product = 0, squares_x = 0, squares_z = 0;
    const uint64_t generation = (uint64_t)o->generation;
    stream_init(&first, o->seed, STREAM_PROPOSAL, generation, 0);
    stream_init(&second, o->seed, STREAM_PROPOSAL, generation, 1);
    real_point(o, 0, x);
    real_point(o, 1, y);
    for (int i = 0; i < o->genome->count; i++) {
        double z = gsl_ran_ugaussian(&first.rng) - gsl_ran_ugaussian(&second.rng);
        product += z * (x[i] - y[i]);
        squares_x += pow(x[i] - y[i], 2);
        squares_z += pow(z, 2);
    }
    return product / sqrt(squares_x * squares_z);
}

/* With 60 genes and two organisms c_1 is 2 / (61.3^2 + 1), and c_mu 0. The axes may be as old as
 * 1 / (10 n (c_1 + c_mu)) generations, that is 3. */
Test(cma_es, decomposes_its_matrix_when_it_has_changed_enough)
{
    struct problem p;
    struct optimiser_settings s = optimiser_default_settings(OPTIMISER_CMA_ES);
    s.population = 2;
    s.cma_es.sigma = 0.01;
    make_real(&p, 60);
    struct optimiser o = start_real(&p, &s);
    seed_real(&o, 0.5);
    for (int t = 0; t < 4; t++) {
        measure_one(&o, t % 2, 2);
        optimiser_step(&o);
        if (o.generation <= 3)
            cr_expect_gt(cosine(&o), 1 - 1e-9, "generation %d: %g", o.generation, cosine(&o));
        else
            cr_expect_lt(cosine(&o), 1 - 1e-6, "generation %d: %g", o.generation, cosine(&o));
    }
    optimiser_destroy(&o);
}
