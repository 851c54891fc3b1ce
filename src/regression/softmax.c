/* Softmax regression on the moves played.
 *
 * The classes are a position's legal moves. The logit of a move is its minimax value over its quiescence tree,
 * divided by a temperature. The loss is the negative log-likelihood of the moves played, in nats. If a position has
 * several right moves (bm), it is that of any of them: the probability is the sum of theirs. The data is that of
 * phase 1 of the genetic algorithm, which gets one bit per position where this method gets a gradient. */
#include "regression.h"

#include <assert.h>
#include <math.h>

/* Lowest logit relative to the best; lower ones are clamped. */
static const double lowest_logit = -50;

/* The moves of a position, with their shares of the probability: logits are beta * value. */
struct classes {
    struct principal_leaf leaves[MAX_MOVES];
    double share[MAX_MOVES]; /* times `total` */
    double beta, best, total;
    double right; /* the share of the right moves, times `total` */
    double logit; /* of the last of them */
    int count, rights;
};

static void find_shares(const struct compiled_set *set, size_t i, const double *x,
                        struct classes *c)
{
    c->count = compiled_principal(set, i, x, c->leaves);
    c->beta = exp(x[set->table.count]);
    c->best = -INFINITY;
    c->total = c->right = c->logit = 0;
    c->rights = 0;
    for (int m = 0; m < c->count; m++)
        c->best = fmax(c->best, c->leaves[m].value);
    for (int m = 0; m < c->count; m++) {
        const double logit = fmax(lowest_logit, c->beta * (c->leaves[m].value - c->best));
        c->total += c->share[m] = exp(logit);
        if (!c->leaves[m].right)
            continue;
        c->right += c->share[m];
        c->logit = logit;
        c->rights++;
    }
    assert(c->rights > 0);
}

/* Adds `factor` times the gradient of minus the log-likelihood of one position's right moves, none if the best
 * is a mate. Low logits keep that which is not clamped: a move that is far too bad still pulls. */
static void add_gradient(const struct compiled_set *set, size_t i, const struct classes *c,
                         double factor, double *by)
{
    const int scale = set->table.count;
    double by_value[MAX_MOVES];
    if (fabs(c->best) > EVAL_LIMIT)
        return;
    for (int m = 0; m < c->count; m++) {
        const double wanted =
            c->leaves[m].right ? c->share[m] / c->right : 0; /* 1 if it is alone */
        double pull = factor * (c->share[m] / c->total - wanted);
        by_value[m] = 0;
        if (fabs(pull) < 1e-9 || fabs(c->leaves[m].value) > EVAL_LIMIT)
            continue;
        by_value[m] = c->beta * pull;
        by[scale] += c->beta * pull * (c->leaves[m].value - c->best);
    }
    compiled_add_gradient(set, i, c->leaves, by_value, c->count, by);
}

/* Adds one position's loss and gradient, which is a multiple of that of the likelihood. */
static void add(const struct regression_method *method, const struct compiled_set *set, size_t i,
                const double *x, double *loss, double *by)
{
    const bool misses = !method->likelihood;
    struct classes c;
    find_shares(set, i, x, &c);
    const double hit = c.right / c.total;
    *loss += misses ? 1 - hit : log(c.total) - (c.rights == 1 ? c.logit : log(c.right));
    if (by != NULL)
        add_gradient(set, i, &c, misses ? hit : 1, by);
}

#define OF_MOVES                                                                                   \
    .scale = "temperature", .need = EPD_NEED_BEST, .first_scale = 50, .steps = 150, .add = add

const struct regression_method softmax_method = {
    .name = "softmax",
    .likelihood = true,
    .loss = "nats a move",
    OF_MOVES,
};

/* The same with another loss: the share of the probability that the right moves do not get. At a low temperature
 * these are the moves that a 1-ply search misses. The loss is bounded, and has many minima, and the lower the
 * temperature the better it looks: begin with a fit of the likelihood, at about a tenth of its temperature. */
const struct regression_method softmax_misses_method = {
    .name = "softmax-misses",
    .loss = "misses a move",
    OF_MOVES,
    .needs_scale = true,
};
