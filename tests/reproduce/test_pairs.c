/* Pairs of methods: the counts, their p-values, and the star where many pairs are corrected for. */
#include "pairs.h"

#include <criterion/criterion.h>
#include <string.h>

enum { METHODS = 3 };

static const char *const names[] = {"a", "b", "c"};

/* So many positions that these methods solve. */
static void add(struct pairs *p, int count, bool a, bool b, bool c)
{
    for (int i = 0; i < count; i++)
        pairs_add(p, (const bool[]){a, b, c}, METHODS);
}

/* a and b: 8 to 1; a and c: 13 to 0; b and c: 6 to 0. */
static struct pairs counted(void)
{
    struct pairs p = {0};
    add(&p, 20, true, true, true);
    add(&p, 8, true, false, false);
    add(&p, 5, true, true, false);
    add(&p, 1, false, true, false);
    return p;
}

Test(pairs, count_what_each_solves_alone)
{
    struct pairs p = counted();
    cr_expect_eq(p.positions, 34);
    const int expected[METHODS][METHODS] = {{0, 8, 13}, {1, 0, 6}, {0, 0, 0}};
    for (int a = 0; a < METHODS; a++)
        for (int b = 0; b < METHODS; b++)
            cr_expect_eq(p.alone[a][b], expected[a][b], "%d %d", a, b);
}

/* 2 x 10 / 512, 2 / 8192 and 2 / 64. All are below 0.05 alone, but the last, as one of two that are
 * left, is 0.0625. */
Test(pairs, have_a_row_each_and_a_star_after_the_correction)
{
    static const char *const cells[] = {"8 : 1 (p = 0.039)", "13 : 0 (p = 0.00024) *",
                                        "6 : 0 (p = 0.031)"};
    static const char *const labels[] = {"a : b", "a : c", "b : c"};
    struct grid g;
    struct pairs p = counted();
    pairs_begin(&g, "a table", "limit", names, METHODS);
    pairs_column(&g, "100 nodes", &p, METHODS, 34);
    pairs_column(&g, "5 s", &p, METHODS, 35);
    cr_expect_str_eq(g.title, "a table: pairs of methods");
    cr_assert_eq(g.row_count, 3);
    cr_assert_eq(g.columns, 2);
    cr_expect_str_eq(g.heads[0], "100 nodes");
    cr_expect_str_eq(g.heads[1], "5 s (34 positions)", "a part of the row");
    for (int i = 0; i < 3; i++) {
        cr_expect_str_eq(g.rows[i].label, labels[i]);
        cr_expect_str_eq(g.rows[i].cells[0], cells[i]);
    }
}
