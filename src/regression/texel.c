/* Texel's method: logistic regression on game results (Österlund 2014, "Texel's Tuning Method", chess programming
 * wiki).
 *
 * The value of a position after quiescence, with stand-pat, predicts the result of its game as 1 / (1 + exp(-value /
 * K)), both from the side to move; a draw is 1/2. The loss is the squared error of the prediction, or its
 * cross-entropy in nats. K is fitted first. Österlund then keeps K fixed and fits the pawn. Here the pawn is fixed as
 * the unit of the scale, so K is fitted with the weights unless the caller gives it.
 *
 * A result says little of one position; the score of a search there says more. With a share of it in the target the
 * evaluation learns what its own deeper search finds (RootStrap: Veness, Silver, Uther and Blair 2009). */
#include "regression.h"

#include <math.h>

/* Largest logit, in value / K; larger ones are clamped and have no slope. */
static const double largest_logit = 40;

/* The chance of a win, in points, that a value promises. */
static double chance(double value, double scale)
{
    const double logit = fmin(fmax(value / scale, -largest_logit), largest_logit);
    return 1 / (1 + exp(-logit));
}

void regression_mix(struct regression_method *method, const struct epd *positions, size_t count,
                    double share)
{
    double least = INFINITY;
    method->score_share = share;
    for (double scale = 20; scale < 5000; scale *= 1.02) {
        double error = 0; /* squared, of what the scores promise */
        for (size_t i = 0; i < count; i++)
            error += pow(chance(positions[i].score, scale) - epd_points(&positions[i]), 2);
        if (error < least) {
            least = error;
            method->score_scale = scale;
        }
    }
}

/* What is predicted for a position: its result, mixed with what its score promises. */
static double target_of(const struct regression_method *method, const struct epd *epd)
{
    const double points = epd_points(epd), share = epd->has_score ? method->score_share : 0;
    return share > 0 ? points + share * (chance(epd->score, method->score_scale) - points) : points;
}

/* Adds one position's loss and gradient: the logit is beta * value. */
static void add(const struct regression_method *method, const struct compiled_set *set, size_t i,
                const double *x, double *loss, double *by)
{
    struct principal_leaf leaf;
    compiled_value(set, i, x, &leaf);
    const bool entropy = method->likelihood;
    const int scale = set->table.count;
    const double beta = exp(x[scale]), result = target_of(method, &set->positions[i].epd),
                 logit = fmin(fmax(beta * leaf.value, -largest_logit), largest_logit),
                 p = 1 / (1 + exp(-logit)), off = p - result;
    *loss += entropy ? log1p(exp(-fabs(logit))) + fmax(logit, 0) - result * logit : off * off;
    if (by == NULL || fabs(leaf.value) > EVAL_LIMIT || fabs(logit) >= largest_logit)
        return;
    const double by_logit = entropy ? off : 2 * off * p * (1 - p);
    compiled_add_gradient(set, i, &leaf, &(double){by_logit * beta}, 1, by);
    by[scale] += by_logit * logit;
}

/* Fails if all results are draws: a larger K is then always better. Wins alone suffice. */
static bool check(const struct compiled_set *set, struct error *err)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->positions[i].epd.result != PGN_DRAW)
            return true;
    return error_set(err, "all %zu results are draws; wins and losses are required too",
                     set->count);
}

#define OF_RESULTS                                                                                 \
    .scale = "K", .need = EPD_NEED_RESULT, .steps = 400, .values = true, .add = add, .check = check

const struct regression_method texel_method = {
    .name = "texel",
    .loss = "squared error of the result",
    OF_RESULTS,
};

const struct regression_method texel_entropy_method = {
    .name = "texel-entropy",
    .likelihood = true,
    .loss = "nats a result",
    OF_RESULTS,
};
