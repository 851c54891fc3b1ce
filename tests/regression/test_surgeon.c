/* The optimal brain surgeon: what a removal costs, and how the others make up for it. */
#include "planted.h"
#include "softmax.h"
#include "surgeon.h"

#include <math.h>
#include <string.h>

enum { WEIGHTS = 3 };

/* Four times the inverse of {{2, 1, 0}, {1, 2, 1}, {0, 1, 2}}. */
static const double inverse[WEIGHTS][WEIGHTS] = {{3, -2, 1}, {-2, 4, -2}, {1, -2, 3}};

/* A surgeon over three weights with the indices 5, 6 and 7; the memory is the caller's. */
static struct surgeon made(int weight[WEIGHTS], double value[WEIGHTS], double c[WEIGHTS][WEIGHTS])
{
    for (int i = 0; i < WEIGHTS; i++)
        weight[i] = 5 + i;
    memcpy(c, inverse, sizeof inverse);
    return (struct surgeon){WEIGHTS, weight, value, c[0], WEIGHTS};
}

static void near(double x, double expected)
{
    cr_expect(fabs(x - expected) <= 1e-12, "%.12g, expected %.12g", x, expected);
}

/* Costs are w^2 / C: 9 / 3, 4 / 4, 16 / 3. The second goes, and the others move by its value times a half. */
Test(surgeon, removes_the_weight_that_costs_least_and_moves_the_others)
{
    int weight[WEIGHTS];
    double value[WEIGHTS] = {3, 2, 4}, c[WEIGHTS][WEIGHTS];
    struct surgeon s = made(weight, value, c);
    cr_assert_eq(surgeon_remove(&s), 6);
    cr_assert(s.left == 2 && s.weight[0] == 5 && s.weight[1] == 7);
    near(s.value[0], 4);
    near(s.value[1], 5);
}

/* Of {{2, 0}, {0, 2}}. */
Test(surgeon, keeps_the_inverse_of_what_is_left)
{
    int weight[WEIGHTS];
    double value[WEIGHTS] = {3, 2, 4}, c[WEIGHTS][WEIGHTS];
    struct surgeon s = made(weight, value, c);
    surgeon_remove(&s);
    near(c[0][0], 2);
    near(c[0][1], 0);
    near(c[1][0], 0);
    near(c[1][1], 2);
}

Test(surgeon, removes_all_in_turn)
{
    int weight[WEIGHTS];
    double value[WEIGHTS] = {3, 2, 4}, c[WEIGHTS][WEIGHTS];
    struct surgeon s = made(weight, value, c);
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
    struct surgeon s = {2, weight, value, c[0], 2};
    cr_assert_eq(surgeon_remove(&s), 0);
    cr_assert_eq(s.weight[0], 1);
    near(s.value[0], 30 + 10 / 1.01);
}
