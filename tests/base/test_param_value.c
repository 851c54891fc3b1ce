/* Values as other engines read them. */
#include "param.h"

#include <criterion/criterion.h>

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
