/* Repetition and the fifty-move rule. */
#include "game_end.h"

#include "notation.h"

#include <criterion/criterion.h>
#include <string.h>

/* Plays moves given in UCI, separated by spaces. */
static void play(struct history *h, struct position *p, const char *moves)
{
    for (const char *at = moves; *at != '\0'; at += strspn(at, " ")) {
        struct undo undo;
        Move m;
        int length = (int)strcspn(at, " ");
        cr_assert(move_from_text(p, at, length, &m, NULL), "%s", at);
        history_push(h, p);
        position_make(p, m, &undo);
        at += length;
    }
}

/* How often the current position occurred before, up to 2. */
static int repetitions(const struct history *h, const struct position *p)
{
    return history_draws(h, p, 0) ? 2 : history_draws(h, p, (int)h->count);
}

static struct position start_at(struct history *h, const char *fen)
{
    struct position p;
    cr_assert(position_from_fen(&p, fen, NULL, NULL), "%s", fen);
    history_init(h);
    return p;
}

Test(history, counts_repetitions)
{
    struct history h;
    struct position p = start_at(&h, FEN_START);
    cr_assert_eq(repetitions(&h, &p), 0);
    play(&h, &p, "g1f3 g8f6 f3g1");
    cr_assert_eq(repetitions(&h, &p), 0);
    play(&h, &p, "f6g8");
    cr_assert_eq(repetitions(&h, &p), 1);
    play(&h, &p, "b1c3 b8c6 c3b1 c6b8");
    cr_assert_eq(repetitions(&h, &p), 2);
}

/* Both kings lose a move on the way: the cycle is six plies long. */
Test(history, sees_cycles_of_any_length)
{
    struct history h;
    struct position p = start_at(&h, "4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    play(&h, &p, "e1e2 e8e7 e2d1 e7d8 d1e1 d8e8");
    cr_assert_eq(repetitions(&h, &p), 1);
}

/* To a search, once is enough from its root on, the root itself included; before it, twice. */
Test(history, a_search_draws_at_the_first_return_to_its_root)
{
    struct history h;
    struct position p = start_at(&h, FEN_START);
    play(&h, &p, "g1f3 g8f6 f3g1 f6g8");
    cr_assert(history_draws(&h, &p, 4), "the root was the first position");
    cr_assert_not(history_draws(&h, &p, 3), "the root was a move later");
    play(&h, &p, "g1f3 g8f6 f3g1 f6g8");
    cr_assert(history_draws(&h, &p, 0), "the third time");
}

Test(history, a_pawn_move_ends_what_can_repeat)
{
    struct history h;
    struct position p = start_at(&h, FEN_START);
    play(&h, &p, "g1f3 g8f6 f3g1 f6g8 e2e4 e7e5");
    cr_assert_eq(repetitions(&h, &p), 0);
    play(&h, &p, "g1f3 g8f6 f3g1 f6g8");
    cr_assert_eq(repetitions(&h, &p), 1);
}

Test(history, lost_rights_make_another_position)
{
    struct history h;
    struct position p = start_at(&h, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    play(&h, &p, "e1e2 e8e7 e2e1 e7e8");
    cr_assert_eq(repetitions(&h, &p), 0);
    play(&h, &p, "e1e2 e8e7 e2e1 e7e8");
    cr_assert_eq(repetitions(&h, &p), 1);
}

/* FIDE 9.2: a position in which en passant was possible is another; where it was not, it is not. */
Test(history, en_passant_counts_only_where_it_could_be_played)
{
    struct history h;
    struct position p = start_at(&h, "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
    play(&h, &p, "d7d5 e1e2 e8e7 e2e1 e7e8");
    cr_assert_eq(repetitions(&h, &p), 0);
    p = start_at(&h, "4k3/3p4/8/8/8/8/8/4K3 b - - 0 1");
    play(&h, &p, "d7d5 e1e2 e8e7 e2e1 e7e8");
    cr_assert_eq(repetitions(&h, &p), 1);
}

Test(history, taking_back_forgets)
{
    struct history h;
    struct position p = start_at(&h, FEN_START);
    play(&h, &p, "g1f3 g8f6 f3g1 f6g8");
    struct history other = h;
    history_pop(&h);
    history_push(&h, &p);
    cr_assert_eq(repetitions(&other, &p), 1);
    cr_assert_eq(h.count, other.count);
}

Test(history, what_came_before_the_fen_is_not_known)
{
    struct history h;
    struct position p = start_at(&h, "4k3/8/8/8/8/8/8/4K2R w - - 60 80");
    cr_assert_eq(repetitions(&h, &p), 0);
    play(&h, &p, "e1e2 e8e7 e2e1 e7e8");
    cr_assert_eq(repetitions(&h, &p), 1);
}

Test(history, goes_on_when_the_ring_is_full)
{
    struct history h;
    struct position p = start_at(&h, "4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    for (int i = 0; i < 100; i++)
        play(&h, &p, "e1e2 e8e7 e2e1 e7e8");
    cr_assert_eq(h.count, 400);
    cr_assert_eq(repetitions(&h, &p), 2);
}

Test(history, fifty_moves_are_a_hundred_plies)
{
    struct history h;
    struct position p = start_at(&h, "4k3/8/8/8/8/8/P7/4K2R w - - 98 80");
    cr_assert_not(history_fifty_moves(&p));
    play(&h, &p, "e1e2");
    cr_assert_not(history_fifty_moves(&p));
    struct position pushed = p;
    play(&h, &p, "e8e7");
    cr_assert(history_fifty_moves(&p));
    play(&h, &pushed, "e8d7 a2a3");
    cr_assert_not(history_fifty_moves(&pushed));
}
