#include "softmax.h"

#include "replay.h"

#include <math.h>

/* Lowest logit relative to the best; lower ones are clamped. */
static const double lowest_logit = -50;

static struct compiled_set *compile(const struct epd *positions, size_t count, int threads,
                                    struct error *err)
{
    return compiled_create(positions, count, LEAF_QUIESCENCE, threads, err);
}

/* Adds one position's loss and gradient: logits are beta * value. */
static bool add(const struct compiled_set *set, size_t i, const double x[REGRESSION_COORDINATES],
                struct regression_gradient *g)
{
    struct principal_leaf leaves[MAX_MOVES];
    double share[MAX_MOVES];
    int n = compiled_principal(set, i, x, leaves), target = 0;
    double beta = exp(x[EVAL_TERMS]), best = -INFINITY, total = 0;
    if (n == 0)
        return false;
    for (int m = 0; m < n; m++) {
        best = fmax(best, leaves[m].value);
        target = leaves[m].right ? m : target;
    }
    for (int m = 0; m < n; m++)
        total += share[m] = exp(fmax(lowest_logit, beta * (leaves[m].value - best)));
    g->loss += log(total) - fmax(lowest_logit, beta * (leaves[target].value - best));
    for (int m = 0; m < n; m++) {
        double pull = share[m] / total - (m == target);
        if (fabs(pull) < 1e-9 || fabs(leaves[m].value) > EVAL_LIMIT)
            continue;
        for (int t = 0; t < EVAL_TERMS; t++)
            g->by[t] += beta * pull * leaves[m].view * leaves[m].row->low[t];
        g->by[EVAL_TERMS] += beta * pull * (leaves[m].value - best);
    }
    return true;
}

const struct regression_method softmax_method = {
    .name = "softmax",
    .loss = "nats a move",
    .scale = "temperature",
    .need = EPD_NEED_BEST,
    .first_scale = 50,
    .steps = 150,
    .compile = compile,
    .add = add,
};
