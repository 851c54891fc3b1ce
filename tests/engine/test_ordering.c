/* What is learned of move ordering stays within its limits, and means what it says. */
#include "ordering.h"

#include "picker.h"
#include "random_chess.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct ordering *empty_ordering(void)
{
    struct ordering *o = calloc(1, sizeof *o);
    cr_assert_not_null(o);
    return o;
}

static struct position start(void)
{
    struct position p;
    cr_assert(position_from_fen(&p, FEN_START, NULL, NULL));
    return p;
}

/* Up to `most` quiet moves of a position; how many there are. */
static int quiet_moves(const struct position *p, Move *moves, int most)
{
    struct move_list list;
    int count = 0;
    movegen_quiets(p, &list);
    for (int i = 0; i < list.count && count < most; i++)
        moves[count++] = list.moves[i];
    return count;
}

static void assert_within(const struct ordering *o)
{
    const int16_t *all = &o->continuation[0][0][0];
    for (int i = 0; i < 2 * PIECE_SQUARES * PIECE_SQUARES; i++)
        cr_assert_leq(abs(all[i]), HISTORY_LIMIT);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 64 * 64; i++)
            cr_assert_leq(abs(o->history[side][i]), HISTORY_LIMIT);
}

/* However often and at whatever depth the same moves are rewarded and punished. */
Test(ordering, history_stays_within_its_limit)
{
    struct ordering *o = empty_ordering();
    struct position p = start();
    struct context c = {{3, 70}};
    Move moves[64];
    int count = quiet_moves(&p, moves, 64);
    for (int i = 0; i < 20000; i++) {
        ordering_reward(o, &p, &c, i % MAX_PLY, i % 401, moves[0], moves + 1, count - 1);
        int score = ordering_score(o, &p, &c, moves[0]);
        cr_assert_leq(score, 3 * HISTORY_LIMIT);
        cr_assert_gt(score, 0);
        cr_assert_geq(ordering_score(o, &p, &c, moves[1]), -3 * HISTORY_LIMIT);
        cr_assert_leq(ordering_score(o, &p, &c, moves[1]), 0);
    }
    assert_within(o);
    free(o);
}

Test(ordering, random_rewards_stay_within_the_limit)
{
    struct ordering *o = empty_ordering();
    struct stream s;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < 20000; i++) {
        struct position p = random_position(&s, 20);
        struct context c = {{(int)stream_below(&s, 8) - 1, (int)stream_below(&s, 8) - 1}};
        Move moves[64];
        int count = quiet_moves(&p, moves, 64);
        if (count > 0)
            ordering_reward(o, &p, &c, 0, (int)stream_below(&s, 401), moves[0], moves + 1,
                            count - 1);
    }
    assert_within(o);
    free(o);
}

/* What failed high comes first, deep more than shallow, and what was tried in vain last. */
Test(ordering, rewards_and_punishes)
{
    struct position p = start();
    struct context c = {{3, 70}};
    Move moves[64];
    int scores[2], count = quiet_moves(&p, moves, 64);
    cr_assert_gt(count, 3);
    for (int i = 0; i < 2; i++) {
        struct ordering *o = empty_ordering();
        ordering_reward(o, &p, &c, 0, i == 0 ? PLY : 6 * PLY, moves[0], moves + 1, 2);
        scores[i] = ordering_score(o, &p, &c, moves[0]);
        cr_assert_gt(scores[i], 0);
        cr_assert_lt(ordering_score(o, &p, &c, moves[1]), 0);
        cr_assert_lt(ordering_score(o, &p, &c, moves[2]), 0);
        cr_assert_eq(ordering_score(o, &p, &c, moves[3]), 0);
        free(o);
    }
    cr_assert_gt(scores[1], scores[0]);
}

/* After other moves, a move scores less: only the history of the move alone. */
Test(ordering, replies_depend_on_the_moves_before)
{
    struct ordering *o = empty_ordering();
    struct position p = start();
    struct context c = {{3, 70}}, other = {{4, 71}}, none = {{-1, -1}};
    Move moves[2];
    cr_assert_eq(quiet_moves(&p, moves, 2), 2);
    ordering_reward(o, &p, &c, 0, 4 * PLY, moves[0], NULL, 0);
    int here = ordering_score(o, &p, &c, moves[0]);
    cr_assert_gt(here, ordering_score(o, &p, &other, moves[0]));
    cr_assert_eq(ordering_score(o, &p, &other, moves[0]), ordering_score(o, &p, &none, moves[0]));
    free(o);
}

Test(ordering, killers_are_the_two_newest)
{
    struct ordering *o = empty_ordering();
    struct position p = start();
    struct context c = {{-1, -1}};
    Move m[3];
    cr_assert_eq(quiet_moves(&p, m, 3), 3);
    const int order[] = {0, 1, 1, 2, 1, 1};
    const int expected[][2] = {{0, -1}, {1, 0}, {1, 0}, {2, 1}, {1, 2}, {1, 2}};
    for (int i = 0; i < 6; i++) {
        ordering_reward(o, &p, &c, 9, PLY, m[order[i]], NULL, 0);
        cr_assert_eq(o->killers[9][0], m[expected[i][0]]);
        cr_assert_eq(o->killers[9][1], expected[i][1] < 0 ? NO_MOVE : m[expected[i][1]]);
    }
    cr_assert_eq(o->killers[8][0], NO_MOVE, "of one ply alone");
    free(o);
}

Test(ordering, clear_forgets_everything)
{
    struct ordering *o = empty_ordering();
    struct position p = start();
    struct context c = {{3, 70}};
    Move moves[64];
    int count = quiet_moves(&p, moves, 64);
    ordering_reward(o, &p, &c, 3, 40, moves[0], moves + 1, count - 1);
    ordering_clear(o);
    for (int i = 0; i < count; i++)
        cr_assert_eq(ordering_score(o, &p, &c, moves[i]), 0);
    cr_assert_eq(o->killers[3][0], NO_MOVE);
    free(o);
}
