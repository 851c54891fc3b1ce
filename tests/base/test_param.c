/* Parameters: values as other engines read them, and which of them are inactive. */
#include "param.h"

#include "evaluate.h"
#include "search_params.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct param spin = {.name = "S", .type = PARAM_SPIN, .min = -10, .max = 10};
static const struct param check = {.name = "C", .type = PARAM_CHECK, .max = 1};
static const struct param combo = {
    .name = "B", .type = PARAM_COMBO, .max = 2, .choices = "Always\nFail High\nNever\n"};
static const struct param decimal = {
    .name = "D", .type = PARAM_STRING, .decimals = 2, .min = -100, .max = 400};

/* A value becomes the text, and the text the value. */
static void both_ways(const struct param *p, int32_t value, const char *expected)
{
    char text[PARAM_TEXT];
    int32_t back = 12345;
    cr_expect_str_eq(param_value_text(p, value, text), expected);
    cr_expect(param_parse_value(p, expected, &back), "%s", expected);
    cr_expect_eq(back, value, "%s is read as %d", expected, back);
}

Test(param_value, both_ways)
{
    both_ways(&spin, -7, "-7");
    both_ways(&check, 0, "false");
    both_ways(&check, 1, "true");
    both_ways(&combo, 0, "Always");
    both_ways(&combo, 1, "Fail High");
    both_ways(&combo, 2, "Never");
    both_ways(&decimal, 125, "1.25");
    both_ways(&decimal, -5, "-0.05");
    both_ways(&decimal, 0, "0.00");
}

Test(param_value, fewer_digits_are_filled)
{
    int32_t value;
    cr_assert(param_parse_value(&decimal, "1.5", &value) && value == 150);
    cr_assert(param_parse_value(&decimal, "-2", &value) && value == -200);
}

Test(param_value, what_is_no_value)
{
    static const struct {
        const struct param *p;
        const char *text;
    } wrong[] = {
        {&spin, ""},         {&spin, "1.5"},           {&spin, "x"},           {&check, "1"},
        {&check, "True"},    {&combo, "Fail"},         {&combo, "Fail Highs"}, {&combo, ""},
        {&decimal, "1.255"}, {&decimal, "1."},         {&decimal, ".5"},       {&decimal, "1.-5"},
        {&decimal, "1e2"},   {&decimal, "99999999999"}};
    int32_t value;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        cr_expect_not(param_parse_value(wrong[i].p, wrong[i].text, &value), "%s '%s'",
                      wrong[i].p->name, wrong[i].text);
}

/* The parameter that makes `gene` inactive where one other has a value and the rest have their
 * maximum; -1 none. */
static int because(enum search_param gene, enum search_param other, int32_t value)
{
    int32_t values[SEARCH_PARAMS];
    for (int i = 0; i < SEARCH_PARAMS; i++)
        values[i] = search_all_table.params[i].max;
    values[other] = value;
    return inactive_by(&search_all_table, values, gene);
}

Test(inactive, the_reason_is_named)
{
    cr_assert_eq(because(LMR_BASE, LMR_USE, 0), (int)LMR_USE);
    cr_assert_eq(because(LMR_BASE, LMR_USE, 1), -1);
    cr_assert_eq(because(FUTILITY_THRESHOLD_3, FUTILITY_DEPTH, 2), (int)FUTILITY_DEPTH);
    cr_assert_eq(because(FUTILITY_THRESHOLD_2, FUTILITY_DEPTH, 2), -1);
    cr_assert_eq(because(MATE_THREAT_EXTENSION, NULL_MOVE_USE, 0), (int)NULL_MOVE_USE);
    cr_assert_eq(because(MULTI_CUT_DEPTH, MULTI_CUT_MOVES, 6), (int)MULTI_CUT_MOVES,
                 "fewer moves than the 7 cuts");
    cr_assert_eq(because(MULTI_CUT_DEPTH, MULTI_CUT_MOVES, 7), -1);
    cr_assert_eq(because(CHECK_EXTENSION, LMR_USE, 0), -1, "has no switch");
}

Test(inactive, a_parameter_that_the_table_does_not_have_is_no_reason)
{
    const struct param lone = {"LMR_BASE", 7, 0, 127, 50, 1, "LMR_USE >= 1", ""};
    const struct param_table table = {"test", &lone, 1};
    cr_assert_eq(inactive_by(&table, &(int32_t){5}, 0), -1);
    cr_assert_eq(inactive_by(&eval_table, eval_initial_weights().value, 5), -1);
}

Test(inactive, conditions_are_told_from_other_texts)
{
    const char *good[] = {NULL, "", "A >= 1", "A >= -3 && B >= A", "A  >= 1 &&  B >= 2"};
    const char *bad[] = {" ",           "A", "A > 1", "A >=", ">= 1", "A >= 1 &&", "A >= 1 B >= 2",
                         "A >= 1 && B", "7"};
    struct param p = {"A", 3, 0, 7, 0, 1, NULL, ""};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        p.active_if = good[i];
        cr_expect(param_check(&p, NULL), "%s", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        p.active_if = bad[i];
        cr_expect_not(param_check(&p, NULL), "%s", bad[i]);
    }
}

Test(inactive, the_first_comparison_that_does_not_hold_is_the_reason)
{
    const char *condition = "A >= 2 && MISSING >= 9 && B >= A && B >= MISSING && C >= -3";
    const struct param params[] = {{"A", 3, 0, 7, 0, 1, NULL, ""},
                                   {"B", 3, 0, 7, 0, 1, "", ""},
                                   {"C", 4, -8, 7, 0, 1, NULL, ""},
                                   {"D", 3, 0, 7, 0, 1, condition, ""}};
    const struct param_table table = {"test", params, 4};
    cr_assert_eq(inactive_by(&table, (int32_t[]){1, 0, -8, 0}, 3), 0);
    cr_assert_eq(inactive_by(&table, (int32_t[]){2, 1, -8, 0}, 3), 1);
    cr_assert_eq(inactive_by(&table, (int32_t[]){2, 2, -4, 0}, 3), 2);
    cr_assert_eq(inactive_by(&table, (int32_t[]){2, 2, -3, 0}, 3), -1);
    cr_assert_eq(inactive_by(&table, (int32_t[]){0, 0, 0, 0}, 0), -1);
    cr_assert_eq(inactive_by(&table, (int32_t[]){0, 0, 0, 0}, 1), -1);
}

/* Whether every word of a condition that begins with a letter is a parameter of the table. */
static bool names_parameters(const struct param_table *table, const char *condition)
{
    char text[200], *rest = text;
    snprintf(text, sizeof text, "%s", condition);
    for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;)
        if (isalpha((unsigned char)word[0]) && param_find(table, word) < 0)
            return false;
    return true;
}

Test(inactive, a_condition_of_the_search_reads_its_parameters)
{
    int conditions = 0;
    for (int i = 0; i < SEARCH_PARAMS; i++) {
        const struct param *p = &search_all_table.params[i];
        cr_assert(names_parameters(&search_all_table, p->active_if), "%s: %s", p->name,
                  p->active_if);
        conditions += p->active_if[0] != '\0';
    }
    cr_assert_gt(conditions, 20, "only %d parameters have a condition", conditions);
}
