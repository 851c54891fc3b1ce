/* The table of ranges: what goes in comes out, at any ply, until the table is emptied. */
#include "beal_tree.h"

#include <criterion/criterion.h>

static struct range_table new_table(void)
{
    struct range_table t;
    struct error err = {""};
    cr_assert(range_table_create(&t, 1, &err), "%s", err.text);
    return t;
}

static const struct range_entry sample = {
    .fat = {-300, 100, 500}, .bound = BOUND_EXACT, .depth = 7, .move = 1234};

Test(range_table, gives_back_what_it_was_given)
{
    struct range_table t = new_table();
    range_table_store(&t, 42, 3, &sample);
    struct range_entry e = range_table_probe(&t, 42, 9);
    cr_expect(e.fat.lower == -300 && e.fat.value == 100 && e.fat.upper == 500);
    cr_expect(e.bound == BOUND_EXACT && e.depth == 7 && e.move == 1234);
    range_table_destroy(&t);
}

Test(range_table, knows_nothing_of_other_positions)
{
    struct range_table t = new_table();
    range_table_store(&t, 42, 3, &sample);
    struct range_entry e = range_table_probe(&t, 43, 3);
    cr_expect(e.fat.lower == -INFINITE_SCORE && e.fat.upper == INFINITE_SCORE);
    cr_expect(e.bound == BOUND_NONE && e.move == NO_MOVE);
    range_table_clear(&t);
    cr_expect_eq(range_table_probe(&t, 42, 3).bound, BOUND_NONE);
    range_table_destroy(&t);
}

/* The epoch comes round after 65,535 clearings. */
Test(range_table, stays_empty_when_epochs_are_used_up)
{
    struct range_table t = new_table();
    range_table_store(&t, 42, 3, &sample);
    for (int i = 0; i < 65536; i++) {
        range_table_clear(&t);
        cr_assert_eq(range_table_probe(&t, 42, 3).bound, BOUND_NONE);
    }
    range_table_destroy(&t);
}

Test(range_table, mates_count_from_the_position)
{
    struct range_table t = new_table();
    struct range_entry e = sample;
    e.fat = (struct fat_value){-INFINITE_SCORE, MATE - 9, MATE - 5};
    range_table_store(&t, 7, 4, &e);
    e = range_table_probe(&t, 7, 6);
    cr_expect_eq(e.fat.value, MATE - 11, "mate in 5 from the position, 6 plies from the root");
    cr_expect_eq(e.fat.upper, MATE - 7);
    cr_expect_eq(e.fat.lower, -INFINITE_SCORE, "no bound is no mate");
    e.fat = (struct fat_value){-MATE + 6, -MATE + 8, INFINITE_SCORE};
    range_table_store(&t, 8, 6, &e);
    e = range_table_probe(&t, 8, 0);
    cr_expect(e.fat.lower == -MATE && e.fat.value == -MATE + 2 && e.fat.upper == INFINITE_SCORE);
    range_table_destroy(&t);
}

Test(range_table, an_entry_without_a_move_keeps_the_one_that_was_known)
{
    struct range_table t = new_table();
    struct range_entry e = sample;
    range_table_store(&t, 42, 3, &e);
    e.move = NO_MOVE;
    e.depth = 8;
    range_table_store(&t, 42, 3, &e);
    e = range_table_probe(&t, 42, 3);
    cr_expect(e.move == 1234 && e.depth == 8);
    range_table_destroy(&t);
}

/* Keys that differ in their low bits alone share a bucket. */
Test(range_table, the_least_deep_gives_way)
{
    struct range_table t = new_table();
    struct range_entry e = sample;
    for (int i = 0; i < 5; i++) {
        e.depth = i == 2 ? 1 : 10 + i;
        range_table_store(&t, (uint64_t)i, 0, &e);
    }
    cr_expect_eq(range_table_probe(&t, 2, 0).bound, BOUND_NONE);
    for (int i = 0; i < 5; i++)
        cr_expect(i == 2 || range_table_probe(&t, (uint64_t)i, 0).depth == 10 + i);
    range_table_destroy(&t);
}

Test(range_table, what_was_cleared_gives_way_first)
{
    struct range_table t = new_table();
    struct range_entry e = sample;
    for (uint64_t key = 0; key < 4; key++)
        range_table_store(&t, key, 0, &e);
    range_table_clear(&t);
    e.depth = 1;
    for (uint64_t key = 4; key < 8; key++)
        range_table_store(&t, key, 0, &e);
    for (uint64_t key = 4; key < 8; key++)
        cr_expect_eq(range_table_probe(&t, key, 0).depth, 1);
    range_table_destroy(&t);
}
