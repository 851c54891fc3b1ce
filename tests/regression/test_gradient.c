/* Batches of positions. */
#include "gradient.h"
#include "planted.h"
#include "softmax.h"
#include "texel.h"

#include <criterion/criterion.h>
#include <string.h>

enum { SCALE = 300, BLOCKS = 4, POSITIONS = 256 * (BLOCKS - 1) + 40 };

/* Computes the mean losses of an epoch's batches. Returns their number. */
static int epoch(struct gradient *g, const double *x, double losses[BLOCKS])
{
    int batches = 0;
    do {
        struct error err;
        cr_assert(batches < BLOCKS);
        cr_assert(gradient_of_batch(g, x, &losses[batches++], &err), "%s", err.text);
    } while (g->next < g->blocks);
    return batches;
}

static bool are_same(const double *a, const double *b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/* True if each of some losses is among others, in any order. */
static bool have_same(const double *a, const double *b, int count)
{
    for (int i = 0; i < count; i++) {
        bool found = false;
        for (int j = 0; j < count; j++)
            found = found || a[i] == b[j];
        if (!found)
            return false;
    }
    return true;
}

/* An epoch has each position once; the next has another order; threads change nothing. */
Test(gradient, an_epoch_has_each_position_once)
{
    struct compiled_set *set = planted_set(&texel_method, SCALE, 1, POSITIONS);
    struct gradient one, other, all;
    struct error err;
    double x[EVAL_TERMS + 1], first[BLOCKS], losses[BLOCKS], whole;
    int different = 0;
    for (int t = 0; t < EVAL_TERMS; t++)
        x[t] = eval_table.params[t].initial;
    x[EVAL_TERMS] = -log(SCALE);
    cr_assert(gradient_begin(&one, set, &texel_method, 256, 5, 1, &err), "%s", err.text);
    cr_assert(gradient_begin(&other, set, &texel_method, 200, 5, 3, &err), "%s", err.text);
    cr_assert(gradient_begin(&all, set, &texel_method, 0, 5, 2, &err), "%s", err.text);
    cr_expect_eq(epoch(&one, x, first), BLOCKS);
    for (int e = 0; e < 6; e++) {
        cr_expect_eq(epoch(&one, x, losses), BLOCKS);
        cr_expect(have_same(first, losses, BLOCKS), "the same blocks");
        different += !are_same(first, losses, BLOCKS);
    }
    cr_expect_gt(different, 2, "in other orders");
    cr_expect_eq(epoch(&other, x, losses), BLOCKS);
    cr_expect(are_same(first, losses, BLOCKS), "a batch is rounded up to blocks, with any threads");
    cr_assert(gradient_of_batch(&all, x, &whole, &err));
    cr_assert(gradient_of_all(&one, x, &losses[0], &err));
    cr_expect_eq(whole, losses[0], "a batch of all");
    gradient_finish(&one);
    gradient_finish(&other);
    gradient_finish(&all);
    compiled_destroy(set);
}

/* The means of two batches, each times its positions, are that of all. */
Test(gradient, batches_add_up_to_all)
{
    struct compiled_set *set = planted_set(&softmax_method, SCALE, 2, POSITIONS);
    struct gradient g;
    struct error err;
    double x[EVAL_TERMS + 1], loss, whole, sum = 0, by[EVAL_TERMS + 1] = {0};
    for (int t = 0; t < EVAL_TERMS; t++)
        x[t] = eval_table.params[t].initial;
    x[EVAL_TERMS] = -log(SCALE);
    cr_assert(gradient_begin(&g, set, &softmax_method, 512, 1, 2, &err), "%s", err.text);
    for (int b = 0; b < 2; b++) {
        cr_assert(gradient_of_batch(&g, x, &loss, &err));
        size_t positions = 512;
        for (size_t i = 2 * (size_t)b; i < 2 * (size_t)b + 2; i++)
            positions -= g.order[i] == BLOCKS - 1 ? 256 - 40 : 0;
        sum += loss * (double)positions / POSITIONS;
        for (int c = 0; c <= EVAL_TERMS; c++)
            by[c] += g.by[c] * (double)positions / POSITIONS;
    }
    cr_assert(gradient_of_all(&g, x, &whole, &err));
    cr_expect_float_eq(sum, whole, 1e-9);
    for (int c = 0; c <= EVAL_TERMS; c++)
        cr_expect_float_eq(by[c], g.by[c], 1e-9);
    gradient_finish(&g);
    compiled_destroy(set);
}
