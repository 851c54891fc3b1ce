/* Which moves may mate: all that do, and few that do not. */
#include "mate_in_one.h"

#include "random_chess.h"

#include <criterion/criterion.h>

static bool is_mate(const struct position *p, Move m)
{
    struct position after = *p;
    struct undo undo;
    position_make(&after, m, &undo);
    return position_in_check(&after) && !movegen_any(&after);
}

static bool has(const struct move_list *list, Move m)
{
    for (int i = 0; i < list->count; i++)
        if (list->moves[i] == m)
            return true;
    return false;
}

Test(mate_in_one, every_mate_is_a_candidate)
{
    struct stream s;
    int mates = 0, checks = 0, candidates = 0;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < 20000; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 200));
        struct move_list all, captures, list;
        struct check_squares c;
        check_squares_find(&p, &c);
        movegen_legal(&p, &all);
        movegen_captures(&p, &captures);
        mate_candidates(&p, &c, &captures, &list);
        for (int j = 0; j < all.count; j++) {
            Move m = all.moves[j];
            bool mate = is_mate(&p, m);
            cr_assert(!mate || may_mate(&p, &c, m));
            cr_assert_eq(has(&list, m), may_mate(&p, &c, m));
            mates += mate;
            checks += move_gives_check(&p, &c, m);
        }
        candidates += list.count;
    }
    cr_assert_gt(mates, 200, "%d", mates);
    cr_assert_lt(2 * candidates, checks, "%d of %d checks", candidates, checks);
}

/* Flights that a line through the king covers, and one that the moved piece leaves open. */
Test(mate_in_one, lines_go_through_the_king)
{
    struct position p;
    struct check_squares c;
    struct move_list list;
    position_from_fen(&p, "7k/R7/1R6/8/8/8/8/4K3 w - -", NULL, NULL);
    check_squares_find(&p, &c);
    movegen_legal(&p, &list);
    for (int i = 0; i < list.count; i++)
        cr_expect_eq(may_mate(&p, &c, list.moves[i]), is_mate(&p, list.moves[i]));
}
