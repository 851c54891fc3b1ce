/* How long a move may take. */
#include "uci_time.h"

#include <criterion/criterion.h>

static struct time_limits limits_of(int64_t left, int64_t increment, int64_t moves)
{
    const struct time_request r = {.has_clock = true,
                                   .left = left,
                                   .increment = increment,
                                   .moves = moves,
                                   .overhead = TIME_OVERHEAD};
    return time_limits_for(&r);
}

Test(uci_time, no_clock_is_no_limit)
{
    const struct time_request none = {.overhead = 10};
    struct time_limits t = time_limits_for(&none);
    cr_assert_eq(t.soft, 0);
    cr_assert_eq(t.hard, 0);
    cr_assert_not(time_is_enough(&t, 1000000, 9));
}

Test(uci_time, a_fixed_time_is_used_up_but_for_the_overhead)
{
    const struct time_request r = {.has_clock = true, .left = 50, .fixed = 1000, .overhead = 30};
    struct time_limits t = time_limits_for(&r);
    cr_assert_eq(t.hard, 970);
    cr_assert_eq(t.soft, 970);
    cr_assert_not(time_is_enough(&t, 969, 20));
    cr_assert(time_is_enough(&t, 970, 0));
}

Test(uci_time, an_overhead_leaves_half_of_a_fixed_time)
{
    const struct time_request r = {.fixed = 100, .overhead = 5000};
    cr_assert_eq(time_limits_for(&r).hard, 50);
    const struct time_request least = {.fixed = 1, .overhead = 5000};
    cr_assert_eq(time_limits_for(&least).hard, 1);
}

/* The invariants, for clocks from flagged to a year. */
Test(uci_time, limits_are_in_order_and_leave_time_on_the_clock)
{
    for (int64_t left = -50; left < INT64_C(40000000000);
         left = left < 20 ? left + 1 : left * 3 / 2)
        for (int64_t increment = 0; increment <= 100000; increment = increment * 10 + 1)
            for (int64_t moves = 0; moves < 100; moves = moves * 2 + 1) {
                struct time_limits t = limits_of(left, increment, moves);
                cr_assert_gt(t.soft, 0);
                cr_assert_leq(t.soft, t.hard);
                if (left > TIME_OVERHEAD)
                    cr_assert_leq(t.hard, left - TIME_OVERHEAD, "%lld", (long long)left);
                else
                    cr_assert_eq(t.hard, 1);
            }
}

/* A player who always takes the hard limit, and the overhead, never loses on time. */
Test(uci_time, the_hard_limit_can_be_taken_in_every_move)
{
    static const struct {
        int64_t base, increment, moves;
    } controls[] = {{200, 2, 0}, {10000, 100, 0}, {60000, 0, 40}, {1000, 0, 1}, {5400000, 0, 30}};
    for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++) {
        int64_t left = controls[i].base, moves = controls[i].moves;
        for (int ply = 0; ply < 300; ply++) {
            int64_t spent = limits_of(left, controls[i].increment, moves).hard;
            if (spent == 1)
                break; /* moves at once: only a real clock could tell */
            left -= spent + TIME_OVERHEAD;
            cr_assert_geq(left, 0, "control %zu, move %d", i, ply);
            left += controls[i].increment;
            if (controls[i].moves > 0 && --moves == 0) {
                left += controls[i].base;
                moves = controls[i].moves;
            }
        }
    }
}

Test(uci_time, the_last_move_before_the_control_may_take_all)
{
    cr_assert_eq(limits_of(1000, 0, 1).hard, 1000 - TIME_OVERHEAD);
    cr_assert_lt(limits_of(1000, 0, 2).hard, 800);
}

Test(uci_time, more_time_gives_more)
{
    cr_assert_gt(limits_of(60000, 0, 0).soft, limits_of(30000, 0, 0).soft);
    cr_assert_gt(limits_of(60000, 1000, 0).soft, limits_of(60000, 0, 0).soft);
    cr_assert_gt(limits_of(60000, 0, 10).soft, limits_of(60000, 0, 40).soft);
}

/* With little on the clock and a large increment both limits are the same. */
Test(uci_time, a_clock_is_no_fixed_time)
{
    const struct time_limits t = limits_of(1000, 2000, 0);
    cr_assert_eq(t.soft, t.hard);
    cr_assert(time_is_enough(&t, t.hard * 8 / 10, 10));
    const struct time_request fixed = {.fixed = 50};
    const struct time_limits f = time_limits_for(&fixed);
    cr_assert_not(time_is_enough(&f, f.hard * 8 / 10, 10));
    cr_assert(time_is_enough(&f, f.hard, 10));
}

Test(uci_time, a_move_that_stands_needs_less)
{
    struct time_limits t = {.soft = 1000, .hard = 5000};
    cr_assert_not(time_is_enough(&t, 1000, 0));
    cr_assert(time_is_enough(&t, 1000, 5));
    cr_assert(time_is_enough(&t, 700, 1000));
    cr_assert_not(time_is_enough(&t, 699, 1000));
}
