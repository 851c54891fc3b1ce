/* Which moves give check: the same as playing each and looking. */
#include "checks.h"
#include "movegen.h"

#include "random_chess.h"

#include <criterion/criterion.h>

/* How many moves of each sort gave check. */
struct seen {
    int plain, castling, en_passant, promotion, moves;
};

static void count(struct seen *seen, Move m)
{
    if (move_is_castling(m))
        seen->castling++;
    else if (move_flag(m) == EN_PASSANT)
        seen->en_passant++;
    else if (move_is_promotion(m))
        seen->promotion++;
    else
        seen->plain++;
}

/* The list of quiet checks is the list of quiet moves without those that give none. */
static void check_list(const struct position *p, const struct check_squares *c)
{
    struct move_list quiets, checks;
    char fen[FEN_MAX];
    int next = 0;
    position_to_fen(p, fen);
    movegen_quiets(p, &quiets);
    bool others = movegen_quiet_checks(p, c, &checks);
    for (int i = 0; i < quiets.count; i++) {
        if (!move_gives_check(p, c, quiets.moves[i]))
            continue;
        cr_assert_lt(next, checks.count, "checks are missing in %s", fen);
        cr_assert_eq(checks.moves[next++], quiets.moves[i], "in %s", fen);
    }
    cr_assert_eq(next, checks.count, "more than the checks in %s", fen);
    cr_assert(!others || quiets.count > checks.count, "nothing but checks in %s", fen);
}

/* Compares every legal move of a position with what playing it shows. */
static void check_moves(const struct position *p, struct seen *seen)
{
    struct check_squares c;
    struct move_list legal;
    check_squares_find(p, &c);
    check_list(p, &c);
    movegen_legal(p, &legal);
    for (int i = 0; i < legal.count; i++) {
        Move m = legal.moves[i];
        struct position next = *p;
        struct undo undo;
        char fen[FEN_MAX];
        position_make(&next, m, &undo);
        bool check = position_in_check(&next);
        position_to_fen(p, fen);
        cr_assert_eq(move_gives_check(p, &c, m), check, "%04x in %s", (unsigned)m, fen);
        seen->moves++;
        if (check)
            count(seen, m);
    }
}

static void walk(const struct position *p, int depth, struct seen *seen)
{
    struct move_list legal;
    check_moves(p, seen);
    if (depth == 0)
        return;
    movegen_legal(p, &legal);
    for (int i = 0; i < legal.count; i++) {
        struct position next = *p;
        struct undo undo;
        position_make(&next, legal.moves[i], &undo);
        walk(&next, depth - 1, seen);
    }
}

Test(checks, playing_the_moves_of_random_games_shows_the_same)
{
    struct stream s;
    struct seen seen = {0};
    stream_init(&s, 11, STREAM_TEST, 0, 0);
    for (int i = 0; i < 5000; i++) {
        struct position p = random_position(&s, i % 300);
        check_moves(&p, &seen);
    }
    cr_assert_gt(seen.plain, 5000);
}

/* Each brings about what games seldom do: checks by castling, en passant with discoveries along a
 * file, a rank and a diagonal, promotions that look through the square they came from. */
Test(checks, walking_through_special_positions_shows_the_same)
{
    static const char *const special[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "8/8/8/8/8/8/8/R3K1k1 w Q - 0 1",
        "8/8/8/8/8/8/8/1k2K2R w K - 0 1",
        "8/4P3/8/8/4k3/8/8/4K3 w - - 0 1",
        "3n4/4P3/8/8/7k/8/8/4K3 w - - 0 1",
        "8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1",
        "k7/8/8/2PpP3/8/8/8/4K2B w - d6 0 1",
        "8/6k1/8/3pP3/8/2B5/8/4K3 w - d6 0 1",
        "6k1/8/8/3pP3/8/1B6/8/4K3 w - d6 0 1",
        "4k3/8/8/3pP3/8/8/8/4RK2 w - d6 0 1",
        "8/2k5/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "8/8/8/8/8/8/8/1RK2k2 w B - 0 1",
        "r1k4r/8/8/8/8/8/8/1R3KR1 w GBha - 0 1",
    };
    struct seen seen = {0};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        struct position p;
        cr_assert(position_from_fen(&p, special[i], NULL, NULL), "%s", special[i]);
        struct position mirrored = position_mirrored(&p);
        walk(&p, 2, &seen);
        walk(&mirrored, 2, &seen);
    }
    cr_assert_gt(seen.castling, 20);
    cr_assert_gt(seen.en_passant, 10);
    cr_assert_gt(seen.promotion, 100);
}

Test(checks, names_the_king_and_the_pieces_that_discover)
{
    struct position p;
    struct check_squares c;
    cr_assert(position_from_fen(&p, "4k3/8/8/B3N3/8/8/4R3/4K3 w - - 0 1", NULL, NULL));
    check_squares_find(&p, &c);
    cr_assert_eq(c.king, 60);
    cr_assert_eq(c.discoverers, bit(36));
    cr_assert_eq(c.by_kind[PAWN], bit(51) | bit(53));
    cr_assert_eq(c.by_kind[KING], 0);
}
