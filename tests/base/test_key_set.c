/* Sets of keys: what was added is there, and nothing else is. */
#include "key_set.h"

#include <criterion/criterion.h>

Test(key_set, an_empty_one_has_nothing)
{
    struct key_set set = {.count = 0};
    cr_expect_not(key_set_has(&set, 0));
    cr_expect_not(key_set_has(&set, 17));
    key_set_free(&set);
}

Test(key_set, keeps_each_key_once)
{
    struct key_set set = {.count = 0};
    for (int round = 0; round < 2; round++)
        for (uint64_t i = 1; i <= 5000; i++) {
            cr_assert_eq(key_set_has(&set, i * 3), round > 0);
            cr_assert(key_set_add(&set, i * 3));
        }
    cr_expect_eq(set.count, 5000);
    for (uint64_t i = 1; i < 15000; i++)
        cr_expect_eq(key_set_has(&set, i), i % 3 == 0);
    key_set_free(&set);
    cr_expect_not(key_set_has(&set, 3));
}

/* Keys that would all fall into one slot, and those at the ends. */
Test(key_set, bears_keys_of_any_kind)
{
    struct key_set set = {.count = 0};
    for (uint64_t i = 0; i < 64; i++)
        cr_assert(key_set_add(&set, i << 58));
    cr_expect(key_set_add(&set, UINT64_MAX) && key_set_has(&set, UINT64_MAX));
    cr_expect_eq(set.count, 65);
    cr_expect(key_set_has(&set, 0) && key_set_has(&set, UINT64_C(63) << 58));
    cr_expect_not(key_set_has(&set, 2));
    key_set_free(&set);
}
