/* Repetition and the fifty-move rule. */
#include "game_end.h"

#include "notation.h"
#include "position_of.h"

#include "position_of.h"
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

/* How often the last position of each game stood before, up to 2. FIDE 9.2: where en passant or castling was
 * possible, it is another. */
Test(history, counts_repetitions)
{
#define BACK_AND_FORTH "g1f3 g8f6 f3g1 f6g8 "
#define KINGS          "e1e2 e8e7 e2e1 e7e8 "
    static const struct {
        const char *fen, *moves;
        int before;
    } games[] = {
        {FEN_START, "", 0},
        {FEN_START, "g1f3 g8f6 f3g1", 0},
        {FEN_START, BACK_AND_FORTH, 1},
        {FEN_START, BACK_AND_FORTH "b1c3 b8c6 c3b1 c6b8", 2},
        {FEN_START, BACK_AND_FORTH "e2e4 e7e5", 0},
        {FEN_START, BACK_AND_FORTH "e2e4 e7e5 " BACK_AND_FORTH, 1},
        /* Both kings lose a move on the way: the cycle is six plies long. */
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1e2 e8e7 e2d1 e7d8 d1e1 d8e8", 1},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", KINGS, 0},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", KINGS KINGS, 1},
        {"4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 " KINGS, 0},
        {"4k3/3p4/8/8/8/8/8/4K3 b - - 0 1", "d7d5 " KINGS, 1},
        /* What came before the FEN is not known. */
        {"4k3/8/8/8/8/8/8/4K2R w - - 60 80", "", 0},
        {"4k3/8/8/8/8/8/8/4K2R w - - 60 80", KINGS, 1},
    };
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        struct history h;
        struct position p = position_of(games[i].fen);
        history_init(&h);
        play(&h, &p, games[i].moves);
        cr_expect_eq(history_draws(&h, &p, 0), games[i].before == 2, "game %zu", i);
        cr_expect_eq(history_draws(&h, &p, (int)h.count), games[i].before > 0, "game %zu", i);
    }
}

/* To a search, once is enough from its root on, the root itself included; before it, twice. */
Test(history, a_search_draws_at_the_first_return_to_its_root)
{
    struct history h;
    struct position p = position_of(FEN_START);
    history_init(&h);
    play(&h, &p, BACK_AND_FORTH);
    cr_assert(history_draws(&h, &p, 4), "the root was the first position");
    cr_assert_not(history_draws(&h, &p, 3), "the root was a move later");
    history_pop(&h);
    history_push(&h, &p);
    cr_assert_not(history_draws(&h, &p, 0), "what is taken back is forgotten");
    play(&h, &p, BACK_AND_FORTH);
    cr_assert(history_draws(&h, &p, 0), "the third time");
}

Test(history, goes_on_when_the_ring_is_full)
{
    struct history h;
    struct position p = position_of("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    history_init(&h);
    for (int i = 0; i < 100; i++)
        play(&h, &p, KINGS);
    cr_assert_eq(h.count, 400);
    cr_assert(history_draws(&h, &p, 0));
}

Test(history, fifty_moves_are_a_hundred_plies)
{
    static const struct {
        const char *moves;
        bool drawn;
    } games[] = {{"", false}, {"e1e2", false}, {"e1e2 e8e7", true}, {"e1e2 e8d7 a2a3", false}};
    for (int i = 0; i < 4; i++) {
        struct history h;
        struct position p = position_of("4k3/8/8/8/8/8/P7/4K2R w - - 98 80");
        history_init(&h);
        play(&h, &p, games[i].moves);
        cr_assert_eq(history_fifty_moves(&p), games[i].drawn, "%s", games[i].moves);
    }
}
