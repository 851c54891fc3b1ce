/* Pruning: the weights that matter least go first, and the rest is fitted again. */
#include "planted.h"

#include <string.h>

enum { POSITIONS = 150, KEEP = 12 };

/* A fit of the planted player, and what pruning it needs. */
static struct pruning {
    struct compiled_set *set;
    struct param rows[EVAL_TERMS];
    struct param_table table;
    struct regression_settings settings;
    struct regression_fit fit;
    int32_t weights[EVAL_TERMS];
} p;
static struct error err;

static void begin(void)
{
    struct eval_weights start = eval_initial_weights();
    p.set = planted_set(&softmax_method, 100, 5, POSITIONS);
    memcpy(p.rows, eval_table.params, sizeof p.rows);
    p.table = eval_table;
    p.table.params = p.rows;
    p.settings = (struct regression_settings){.method = &softmax_method,
                                              .start = start.value,
                                              .table = &p.table,
                                              .steps = 20,
                                              .scale = 100,
                                              .threads = 2};
    cr_assert(regression_run(p.set, &p.settings, NULL, p.weights, &p.fit, &err), "%s", err.text);
}

static void end(void)
{
    compiled_destroy(p.set);
}

TestSuite(prune, .init = begin, .fini = end, .timeout = 120);

static double loss_of(void)
{
    struct regression_loss loss;
    cr_assert(regression_measure(p.set, &softmax_method, p.weights, p.fit.scale, 2, &loss, &err));
    return loss.mean;
}

static void prune(int keep)
{
    const struct prune_watcher nobody = {0};
    cr_assert(prune_run(p.set, &p.settings, p.rows, keep, &nobody, p.weights, &p.fit, &err), "%s",
              err.text);
}

Test(prune, saliency_is_the_loss_of_a_weight_that_goes)
{
    double saliency[EVAL_TERMS], greatest = 0;
    int best = 0;
    cr_assert(prune_saliency(p.set, &softmax_method, p.weights, p.fit.scale, 2, saliency, &err));
    for (int t = 0; t < EVAL_TERMS; t++) {
        cr_assert(saliency[t] >= 0);
        if (p.weights[t] == 0)
            cr_assert(saliency[t] == 0);
        best = saliency[t] > greatest ? t : best;
        greatest = saliency[t] > greatest ? saliency[t] : greatest;
    }
    double before = loss_of();
    cr_assert(best >= KNIGHT_VALUE && best <= QUEEN_VALUE, "%s", eval_table.params[best].name);
    p.weights[best] = 0;
    cr_assert(loss_of() > before + 0.1);
}

/* Adds the products of the derivatives of each position, in the mean. */
static void add_information(double h[EVAL_TERMS][EVAL_TERMS])
{
    double x[EVAL_TERMS + 1];
    for (int t = 0; t < EVAL_TERMS; t++)
        x[t] = p.weights[t];
    x[EVAL_TERMS] = -log(p.fit.scale);
    for (size_t i = 0; i < POSITIONS; i++) {
        double loss = 0, by[EVAL_TERMS + 1] = {0};
        softmax_method.add(&softmax_method, p.set, i, x, &loss, by);
        for (int a = 0; a < EVAL_TERMS; a++)
            for (int b = 0; b < EVAL_TERMS; b++)
                h[a][b] += by[a] * by[b] / POSITIONS;
    }
}

/* Half the weight's square times the mean over positions of the squared derivative. */
Test(prune, saliency_is_that_of_the_definition)
{
    double saliency[EVAL_TERMS], h[EVAL_TERMS][EVAL_TERMS] = {{0}};
    cr_assert(prune_saliency(p.set, &softmax_method, p.weights, p.fit.scale, 2, saliency, &err));
    add_information(h);
    for (int t = 0; t < EVAL_TERMS; t++) {
        const double expected = 0.5 * p.weights[t] * p.weights[t] * h[t][t];
        cr_expect_float_eq(saliency[t], expected, 1e-9 * expected + 1e-15, "%s: %g, not %g",
                           eval_table.params[t].name, saliency[t], expected);
    }
}

/* Inverts in place, by Gauss and Jordan; the matrix is positive definite. */
static void invert(int n, double m[EVAL_TERMS][EVAL_TERMS])
{
    for (int at = 0; at < n; at++) {
        const double pivot = m[at][at];
        m[at][at] = 1;
        for (int k = 0; k < n; k++)
            m[at][k] /= pivot;
        for (int i = 0; i < n; i++) {
            const double by = m[i][at];
            if (i == at)
                continue;
            m[i][at] = 0;
            for (int k = 0; k < n; k++)
                m[i][k] -= by * m[at][k];
        }
    }
}

/* Of the weights that need not stay, the one whose square over C_qq is least; the others move by its value
 * times column q of C over C_qq. Nothing is fitted afterwards. */
static void expect_removal(void)
{
    int index[EVAL_TERMS], n = 0, q = -1;
    double h[EVAL_TERMS][EVAL_TERMS] = {{0}}, c[EVAL_TERMS][EVAL_TERMS], least = INFINITY;
    int32_t before[EVAL_TERMS];
    const double prior = p.settings.prior;
    memcpy(before, p.weights, sizeof before);
    add_information(h);
    for (int t = 0; t < EVAL_TERMS; t++)
        if (!regression_constant(&p.rows[t]))
            index[n++] = t;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++)
            c[i][k] = h[index[i]][index[k]];
        c[i][i] += 1 / (prior * prior * POSITIONS);
    }
    invert(n, c);
    for (int i = 0; i < n; i++) {
        const double w = before[index[i]], cost = w * w / c[i][i];
        if (p.rows[index[i]].min > 0 || cost >= least)
            continue;
        least = cost;
        q = i;
    }
    prune(n - 1);
    for (int i = 0; i < n; i++) {
        const int t = index[i];
        const double moved = before[t] - before[index[q]] * c[q][i] / c[q][q],
                     there = fmin(fmax(moved, eval_table.params[t].min), eval_table.params[t].max);
        cr_expect_float_eq(p.weights[t], i == q ? 0 : there, 0.51, "%s: %d, not %g",
                           eval_table.params[t].name, p.weights[t], there);
    }
    cr_expect_eq(p.rows[index[q]].bits, 0);
}

Test(prune, the_weight_that_costs_least_goes_and_the_others_make_up_for_it)
{
    p.settings.prior = 30;
    p.settings.steps = 0;
    for (int t = 0; t < EVAL_TERMS; t++)
        p.weights[t] += p.rows[t].bits > 0 && p.weights[t] == 0 ? 3 : 0;
    for (int i = 0; i < 3; i++)
        expect_removal();
}

Test(prune, the_pieces_stay_and_the_rest_is_zero)
{
    int left = 0;
    double before = loss_of();
    prune(KEEP);
    for (int t = 0; t < EVAL_TERMS; t++) {
        bool gone = p.rows[t].bits == 0 && eval_table.params[t].bits > 0;
        left += p.rows[t].bits > 0;
        cr_assert(!gone || p.weights[t] == 0);
    }
    cr_assert_eq(left, KEEP);
    for (int t = KNIGHT_VALUE; t <= QUEEN_VALUE; t++)
        cr_assert(p.weights[t] > 100, "%s", eval_table.params[t].name);
    cr_assert(loss_of() < before + 0.2, "%f after %f", loss_of(), before);
}

/* A fifth of four weights is less than one. */
Test(prune, a_few_weights_may_stay)
{
    int left = 0;
    p.settings.steps = 2;
    prune(2);
    for (int t = 0; t < EVAL_TERMS; t++)
        left += p.rows[t].bits > 0;
    cr_assert_eq(left, 2);
}

Test(prune, nothing_goes_if_enough_may_stay)
{
    int32_t before[EVAL_TERMS];
    memcpy(before, p.weights, sizeof before);
    prune(EVAL_TERMS);
    cr_assert(memcmp(before, p.weights, sizeof before) == 0);
}

/* A rook's connection is worth little to the player, but not 0 if its range says so. */
Test(prune, a_weight_that_cannot_be_zero_stays)
{
    p.rows[ROOK_CONNECTED].min = 5;
    p.weights[ROOK_CONNECTED] = 6;
    p.rows[KNIGHT_VALUE].min = 50;
    p.settings.steps = 2;
    prune(2);
    cr_assert(p.rows[ROOK_CONNECTED].bits > 0 && p.weights[ROOK_CONNECTED] >= 5);
    cr_assert(p.rows[KNIGHT_VALUE].bits > 0 && p.weights[KNIGHT_VALUE] >= 50);
    cr_assert_not(prune_run(p.set, &p.settings, p.rows, 1, &(struct prune_watcher){0}, p.weights,
                            &p.fit, &err));
    cr_assert_str_eq(
        err.text,
        "cannot prune to 1: 2 weights must stay, because their ranges exclude 0 (the first "
        "is KNIGHT_VALUE, from 50 to 2047); expected 2 or more");
}
