/* The optimal brain surgeon: what a removal costs, and how the others make up for it. */
#include "planted.h"
#include "softmax.h"
#include "surgeon.h"

#include <math.h>
#include <string.h>

enum { WEIGHTS = 3 };

/* Four times the inverse of {{2, 1, 0}, {1, 2, 1}, {0, 1, 2}}. */
static const double inverse[WEIGHTS][WEIGHTS] = {{3, -2, 1}, {-2, 4, -2}, {1, -2, 3}};

/* The memory of a surgeon over three weights. */
struct operation {
    int weight[WEIGHTS];
    bool stays[WEIGHTS];
    double value[WEIGHTS], c[WEIGHTS][WEIGHTS];
};

/* A surgeon over three weights with the indices 5, 6 and 7 and the values 3, 2 and 4. */
static struct surgeon made(struct operation *o)
{
    *o = (struct operation){.weight = {5, 6, 7}, .value = {3, 2, 4}};
    memcpy(o->c, inverse, sizeof inverse);
    return (struct surgeon){WEIGHTS, o->weight, o->value, o->stays, o->c[0], WEIGHTS};
}

static void near(double x, double expected)
{
    cr_expect(fabs(x - expected) <= 1e-12, "%.12g, expected %.12g", x, expected);
}

/* Costs are w^2 / C: 9 / 3, 4 / 4, 16 / 3. The second goes, and the others move by its value times a half. */
Test(surgeon, removes_the_weight_that_costs_least_and_moves_the_others)
{
    struct operation o;
    struct surgeon s = made(&o);
    cr_assert_eq(surgeon_remove(&s), 6);
    cr_assert(s.left == 2 && s.weight[0] == 5 && s.weight[1] == 7);
    near(s.value[0], 4);
    near(s.value[1], 5);
}

/* Of {{2, 0}, {0, 2}}. */
Test(surgeon, keeps_the_inverse_of_what_is_left)
{
    struct operation o;
    struct surgeon s = made(&o);
    surgeon_remove(&s);
    near(o.c[0][0], 2);
    near(o.c[0][1], 0);
    near(o.c[1][0], 0);
    near(o.c[1][1], 2);
}

/* The second would cost least, then the third. */
Test(surgeon, leaves_what_must_stay)
{
    struct operation o;
    struct surgeon s = made(&o);
    s.stays[1] = true;
    cr_assert_eq(surgeon_remove(&s), 5); /* 9 / 3 before 16 / 3 */
    cr_assert_eq(surgeon_remove(&s), 7);
    cr_assert(s.left == 1 && s.weight[0] == 6 && s.stays[0]);
}

Test(surgeon, removes_all_in_turn)
{
    struct operation o;
    struct surgeon s = made(&o);
    cr_assert_eq(surgeon_remove(&s), 6);
    cr_assert_eq(surgeon_remove(&s), 5); /* 4^2 / 2 before 5^2 / 2 */
    cr_assert_eq(surgeon_remove(&s), 7);
    cr_assert_eq(s.left, 0);
}

/* Of two weights that always count together, one stands for both after a removal; a diagonal would
 * see two that matter. */
Test(surgeon, a_weight_takes_over_for_its_twin)
{
    int weight[2] = {0, 1};
    double value[2] = {10, 30};
    /* The information {{1, 1}, {1, 1}}, with 0.01 on the diagonal. */
    double c[2][2] = {{1.01 / 0.0201, -1 / 0.0201}, {-1 / 0.0201, 1.01 / 0.0201}};
    bool stays[2] = {false, false};
    struct surgeon s = {2, weight, value, stays, c[0], 2};
    cr_assert_eq(surgeon_remove(&s), 0);
    cr_assert_eq(s.weight[0], 1);
    near(s.value[0], 30 + 10 / 1.01);
}

/* Adds the products of the derivatives of each position, in the mean. */
static void add_information(const struct compiled_set *set, const double *x,
                            double h[EVAL_TERMS][EVAL_TERMS])
{
    const size_t positions = compiled_positions(set);
    for (size_t i = 0; i < positions; i++) {
        double loss = 0, by[EVAL_TERMS + 1] = {0};
        softmax_method.add(set, i, x, &loss, by);
        for (int a = 0; a < EVAL_TERMS; a++)
            for (int b = 0; b < EVAL_TERMS; b++)
                h[a][b] += by[a] * by[b] / (double)positions;
    }
}

/* The product of row `i` of C and column `k` of H. */
static double product(const struct surgeon *s, double h[EVAL_TERMS][EVAL_TERMS], int i, int k)
{
    double sum = 0;
    for (int m = 0; m < s->left; m++)
        sum += s->inverse[i * s->stride + m] * h[s->weight[m]][s->weight[k]];
    return sum;
}

/* C is the inverse of the information and the prior, for the weights that are no constants. */
Test(surgeon, begins_with_the_inverse_of_the_information)
{
    enum { POSITIONS = 100, SCALE = 100, PRIOR = 5 };
    const struct eval_weights w = eval_initial_weights();
    const struct regression_settings settings = {
        .method = &softmax_method, .prior = PRIOR, .threads = 2};
    struct compiled_set *set = planted_set(&softmax_method, SCALE, 5, POSITIONS);
    struct surgeon s;
    struct error err;
    double x[EVAL_TERMS + 1], h[EVAL_TERMS][EVAL_TERMS] = {{0}};
    for (int t = 0; t < EVAL_TERMS; t++)
        x[t] = w.value[t];
    x[EVAL_TERMS] = -log(SCALE);
    add_information(set, x, h);
    for (int t = 0; t < EVAL_TERMS; t++)
        h[t][t] += 1.0 / (PRIOR * PRIOR * POSITIONS);
    cr_assert(surgeon_begin(&s, set, &settings, eval_table.params, w.value, SCALE, &err), "%s",
              err.text);
    cr_assert_eq(s.left, EVAL_TERMS - 1); /* the pawn is a constant */
    for (int i = 0; i < s.left; i++)
        for (int k = 0; k < s.left; k++) {
            const double expected = i == k ? 1 : 0, found = product(&s, h, i, k);
            cr_expect_float_eq(found, expected, 1e-4, "%d, %d: %g", i, k, found);
        }
    surgeon_finish(&s);
    compiled_destroy(set);
}
