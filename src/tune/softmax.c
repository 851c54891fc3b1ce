#include "softmax.h"

#include "replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The weights, and the inverse temperature as one more coordinate. */
enum { COORDINATES = EVAL_TERMS + 1, BLOCK = 256 };

struct gradient {
    double by[COORDINATES];
    double loss;
};

/* Adds one position's loss and gradient: logits are beta * value. */
static void add_position(const struct compiled_set *set, size_t i, const double *x,
                         struct gradient *g)
{
    struct principal_leaf leaves[MAX_MOVES];
    double share[MAX_MOVES];
    int n = compiled_principal(set, i, x, leaves), target = 0;
    double beta = exp(x[EVAL_TERMS]), best = -INFINITY, total = 0;
    if (n == 0)
        return;
    for (int m = 0; m < n; m++) {
        best = fmax(best, leaves[m].value);
        target = leaves[m].right ? m : target;
    }
    for (int m = 0; m < n; m++)
        total += share[m] = exp(fmax(-50, beta * (leaves[m].value - best)));
    g->loss += log(total) - fmax(-50, beta * (leaves[target].value - best));
    for (int m = 0; m < n; m++) {
        double pull = share[m] / total - (m == target);
        if (fabs(pull) < 1e-9 || fabs(leaves[m].value) > EVAL_LIMIT)
            continue;
        for (int t = 0; t < EVAL_TERMS; t++)
            g->by[t] += beta * pull * leaves[m].view * leaves[m].row->low[t];
        g->by[EVAL_TERMS] += beta * pull * (leaves[m].value - best);
    }
}

/* The gradient over the whole set, blocks summed in order. */
static struct gradient full_gradient(const struct compiled_set *set, const double *x,
                                     struct gradient *blocks, int threads)
{
    const int count = (int)((compiled_positions(set) + BLOCK - 1) / BLOCK);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int b = 0; b < count; b++) {
        size_t first = (size_t)b * BLOCK, end = first + BLOCK;
        memset(&blocks[b], 0, sizeof blocks[b]);
        for (size_t i = first; i < end && i < compiled_positions(set); i++)
            add_position(set, i, x, &blocks[b]);
    }
    struct gradient sum = {{0}, 0};
    for (int b = 0; b < count; b++) {
        for (int c = 0; c < COORDINATES; c++)
            sum.by[c] += blocks[b].by[c] / (double)compiled_positions(set);
        sum.loss += blocks[b].loss / (double)compiled_positions(set);
    }
    return sum;
}

/* One step of Adam, projected onto the table's ranges; constants stay. */
static void adam_step(double *x, double *mean, double *square, const struct gradient *g, int step,
                      int steps)
{
    for (int c = 0; c < COORDINATES; c++) {
        bool weight = c < EVAL_TERMS;
        if (weight && eval_table.params[c].bits == 0)
            continue;
        double rate = weight ? (eval_table.params[c].max > 127 ? 8 : 0.8) : 0.02;
        rate *= 1 - 0.95 * step / steps;
        mean[c] = 0.9 * mean[c] + 0.1 * g->by[c];
        square[c] = 0.99 * square[c] + 0.01 * g->by[c] * g->by[c];
        double m = mean[c] / (1 - pow(0.9, step + 1)), v = square[c] / (1 - pow(0.99, step + 1));
        x[c] -= rate * m / (sqrt(v) + 1e-12);
        if (weight)
            x[c] = fmin(fmax(x[c], eval_table.params[c].min), eval_table.params[c].max);
    }
}

struct softmax_fit softmax_regression(const struct compiled_set *set, int steps, int threads)
{
    double x[COORDINATES], mean[COORDINATES] = {0}, square[COORDINATES] = {0};
    struct gradient *blocks = calloc(compiled_positions(set) / BLOCK + 1, sizeof *blocks);
    struct softmax_fit fit = {.weights = eval_initial_weights()};
    if (blocks == NULL)
        return fit;
    for (int t = 0; t < EVAL_TERMS; t++)
        x[t] = fit.weights.value[t];
    x[EVAL_TERMS] = log(0.02);
    for (int step = 0; step < steps; step++) {
        struct gradient g = full_gradient(set, x, blocks, threads);
        fit.loss = g.loss;
        adam_step(x, mean, square, &g, step, steps);
    }
    for (int t = 0; t < EVAL_TERMS; t++)
        fit.weights.value[t] = (int32_t)lround(x[t]);
    fit.temperature = exp(-x[EVAL_TERMS]);
    free(blocks);
    return fit;
}
