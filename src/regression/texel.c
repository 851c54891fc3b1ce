#include "texel.h"

#include <math.h>

/* Largest logit, in value / K; larger ones are clamped and have no slope. */
static const double largest_logit = 40;

/* A loss and its derivative by the logit. */
struct slope {
    double loss, by;
};

static struct compiled_set *compile(const struct epd *positions, size_t count,
                                    const struct evaluator_source *source, int threads,
                                    const struct compiled_watcher *watcher, struct error *err)
{
    return compiled_create_values(positions, count, LEAF_QUIESCENCE, source, threads, watcher, err);
}

static struct slope squared_error(double logit, double result)
{
    double p = 1 / (1 + exp(-logit)), off = p - result;
    return (struct slope){off * off, 2 * off * p * (1 - p)};
}

static struct slope cross_entropy(double logit, double result)
{
    double loss = log1p(exp(-fabs(logit))) + fmax(logit, 0) - result * logit;
    return (struct slope){loss, 1 / (1 + exp(-logit)) - result};
}

/* Adds one position's loss and gradient: the logit is beta * value. */
static bool add(const struct compiled_set *set, size_t i, const double *x,
                struct slope (*slope_of)(double logit, double result), double *loss, double *by)
{
    struct principal_leaf leaf;
    compiled_value(set, i, x, &leaf);
    const int scale = compiled_table(set)->count;
    double beta = exp(x[scale]),
           logit = fmin(fmax(beta * leaf.value, -largest_logit), largest_logit);
    struct slope s = slope_of(logit, epd_points(compiled_epd(set, i)));
    *loss += s.loss;
    if (by == NULL || fabs(leaf.value) > EVAL_LIMIT || fabs(logit) >= largest_logit)
        return true;
    compiled_add_gradient(set, i, &leaf, &(double){s.by * beta}, 1, by);
    by[scale] += s.by * logit;
    return true;
}

static bool add_squared(const struct compiled_set *set, size_t i, const double *x, double *loss,
                        double *by)
{
    return add(set, i, x, squared_error, loss, by);
}

static bool add_entropy(const struct compiled_set *set, size_t i, const double *x, double *loss,
                        double *by)
{
    return add(set, i, x, cross_entropy, loss, by);
}

/* Fails if all results are draws: a larger K is then always better, for any weights. Wins alone are
 * enough: values change their sign with the side to move, so all zeros is not a solution. */
static bool check(const struct compiled_set *set, struct error *err)
{
    for (size_t i = 0; i < compiled_positions(set); i++)
        if (compiled_epd(set, i)->result != PGN_DRAW)
            return true;
    return error_set(err, "all %zu results are draws; wins and losses are required too",
                     compiled_positions(set));
}

const struct regression_method texel_method = {
    .name = "texel",
    .loss = "squared error of the result",
    .scale = "K",
    .need = EPD_NEED_RESULT,
    .steps = 400,
    .compile = compile,
    .add = add_squared,
    .check = check,
};

const struct regression_method texel_entropy_method = {
    .name = "texel-entropy",
    .likelihood = true,
    .loss = "nats a result",
    .scale = "K",
    .need = EPD_NEED_RESULT,
    .steps = 400,
    .compile = compile,
    .add = add_entropy,
    .check = check,
};
