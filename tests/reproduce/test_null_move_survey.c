/* Counts over positions: the sum of single searches, for any number of threads. */
#include "null_move_survey.h"

#include <criterion/criterion.h>

static const char *const lines[] = {
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -",
    "8/8/8/2k5/1pP5/1K6/8/8 w - -", /* passing is as good as any move, or better */
    "4k3/8/8/8/8/8/8/r3K2Q w - -",  /* in check */
    "7k/5Q2/6K1/8/8/8/8/8 b - -",   /* stalemate */
    "4k3/8/8/3q4/8/2N5/8/4K3 w - -"};
enum { LINES = sizeof lines / sizeof lines[0] };

static struct null_move_survey new_survey(struct epd positions[LINES], int threads)
{
    for (int i = 0; i < LINES; i++)
        cr_assert(epd_parse(lines[i], &positions[i], NULL));
    return (struct null_move_survey){.positions = positions,
                                     .count = LINES,
                                     .settings = {.order = 2, .weights = eval_material_weights()},
                                     .hash_mib = 1,
                                     .threads = threads};
}

Test(null_move_survey, branching_is_the_sum_of_the_searches)
{
    struct epd positions[LINES];
    struct error err = {""};
    struct beal_branching sum = {0}, one, two;
    struct null_move_survey s = new_survey(positions, 1), t = new_survey(positions, 2);
    struct beal *b = beal_create(&s.settings, 1, &err);
    for (int i = 0; i < LINES; i++) {
        beal_clear(b);
        struct beal_result r =
            beal_search(b, &positions[i].position, &(struct search_limits){.nodes = 5000}, NULL);
        sum.interior += r.branching.interior;
        sum.moves += r.branching.moves;
        sum.selected += r.branching.selected;
    }
    beal_destroy(b);
    cr_assert(null_move_branching(&s, 5000, &one, &err), "%s", err.text);
    cr_assert(null_move_branching(&t, 5000, &two, &err), "%s", err.text);
    cr_expect(one.interior == sum.interior && one.moves == sum.moves &&
              one.selected == sum.selected);
    cr_expect(two.interior == sum.interior && two.moves == sum.moves &&
              two.selected == sum.selected);
    cr_expect(sum.selected > 0 && sum.interior > 0 && sum.moves > sum.selected);
}

Test(null_move_survey, assumption_is_counted_where_one_may_pass)
{
    struct epd positions[LINES];
    struct error err = {""};
    struct assumption_count c;
    struct null_move_survey s = new_survey(positions, 2);
    cr_assert(null_move_assumption(&s, 1, &c, &err), "%s", err.text);
    cr_expect_eq(c.left_out, 2);
    cr_expect_eq(c.less + c.equal + c.more, 3);
    cr_expect_geq(c.less, 2, "two have something to take");
}

Test(null_move_survey, gives_up_when_asked)
{
    struct epd positions[LINES];
    struct error err = {""};
    struct beal_branching sum;
    volatile sig_atomic_t stop = 1;
    struct null_move_survey s = new_survey(positions, 1);
    s.stop = &stop;
    cr_expect(null_move_branching(&s, UINT64_C(1000000000000), &sum, &err));
    cr_expect_leq(sum.interior, 1000);
}
