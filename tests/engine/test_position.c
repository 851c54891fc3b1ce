/* Positions: making and taking back, keys, and what can be asked of them. */
#include "position.h"

#include "position_of.h"
#include "random_chess.h"

#include <criterion/criterion.h>
#include <string.h>

/* Finds the legal move between two squares (the first, of promotions: to a queen). */
static Move move_between(const struct position *p, int from, int to)
{
    struct move_list list;
    movegen_between(p, bit(from), bit(to), &list);
    cr_assert_neq(list.count, 0);
    return list.moves[0];
}

/* Makes the move between two squares and compares the FEN. */
static void check_move(const char *before, int from, int to, const char *after)
{
    struct position p = position_of(before), start = p;
    struct undo undo;
    char fen[FEN_MAX];
    Move m = move_between(&p, from, to);
    position_make(&p, m, &undo);
    position_to_fen(&p, fen);
    cr_assert_str_eq(fen, after);
    cr_assert_eq(p.key, position_compute_key(&p));
    position_unmake(&p, m, &undo);
    cr_assert_eq(memcmp(&p, &start, sizeof p), 0);
}

/* The invariants of position.h. */
static void check_invariants(const struct position *p)
{
    Bitboard all = 0;
    for (int kind = PAWN; kind <= KING; kind++) {
        cr_assert_eq(all & p->by_kind[kind], 0);
        all |= p->by_kind[kind];
    }
    cr_assert_eq(all, position_occupied(p));
    cr_assert_eq(p->by_color[WHITE] & p->by_color[BLACK], 0);
    for (int square = 0; square < 64; square++)
        cr_assert((all & bit(square)) == 0 ? p->board[square] == NO_KIND
                                           : (p->by_kind[p->board[square]] & bit(square)) != 0);
    cr_assert_eq(bits_count(position_pieces(p, WHITE, KING)), 1);
    cr_assert_eq(bits_count(position_pieces(p, BLACK, KING)), 1);
    cr_assert_eq(p->by_kind[PAWN] & (rank_bits(0) | rank_bits(7)), 0);
    cr_assert_eq(p->key, position_compute_key(p));
}

/* en passant is noted exactly when a legal move uses it. */
static void check_ep(const struct position *p)
{
    struct move_list list;
    bool used = false;
    movegen_legal(p, &list);
    for (int i = 0; i < list.count; i++)
        used |= move_flag(list.moves[i]) == EN_PASSANT;
    cr_assert_eq(used, p->ep != NO_SQUARE);
}

Test(position, moves_keep_the_invariants_and_are_taken_back_exactly)
{
    struct stream s = seeded(1);
    for (int i = 0; i < 2000; i++) {
        struct position p = random_position(&s, 1 + i % 150);
        struct move_list list;
        movegen_legal(&p, &list);
        check_invariants(&p);
        check_ep(&p);
        for (int j = 0; j < list.count; j++) {
            struct position next = p;
            struct undo undo;
            position_make(&next, list.moves[j], &undo);
            check_invariants(&next);
            position_unmake(&next, list.moves[j], &undo);
            cr_assert_eq(memcmp(&next, &p, sizeof p), 0);
        }
    }
}

Test(position, a_move_does_to_the_fen_what_the_rules_say)
{
    static const char castling[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 9 5";
    const int b7 = 49, b5 = 33;
    check_move(FEN_START, 12, 28, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    check_move(FEN_START, 6, 21, "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
    check_move(castling, 4, 6, "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 10 5");
    check_move("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 9 5", 60, 58,
               "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 10 6");
    check_move(castling, 7, 63, "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 5");
    check_move("1n2k3/P7/8/8/8/8/8/4K3 w - - 3 7", 48, 57, "1Q2k3/8/8/8/8/8/8/4K3 b - - 0 7");
    check_move("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 7", 36, 43, "4k3/8/3P4/8/8/8/8/4K3 b - - 0 7");
    /* A pawn is passed only when it can be taken. */
    check_move("4k3/1p6/8/P7/8/8/8/4K3 b - - 0 1", b7, b5, "4k3/8/8/Pp6/8/8/8/4K3 w - b6 0 2");
    check_move("4k3/1p6/8/3P4/8/8/8/4K3 b - - 0 1", b7, b5, "4k3/8/8/1p1P4/8/8/8/4K3 w - - 0 2");
    /* Both pawns would leave the king's rank. */
    check_move("4k3/1p6/8/K1P4r/8/8/8/8 b - - 0 1", b7, b5, "4k3/8/8/KpP4r/8/8/8/8 w - - 0 2");
    /* The capturing pawn is pinned on its file. */
    check_move("2r1k3/1p6/8/2P5/8/8/8/2K5 b - - 0 1", b7, b5, "2r1k3/8/8/1pP5/8/8/8/2K5 w - - 0 2");
    /* The step uncovers a check, which the capture would not end. */
    check_move("b3k3/1p6/8/P7/8/5K2/8/8 b - - 0 1", b7, b5, "b3k3/8/8/Pp6/8/5K2/8/8 w - - 0 2");
    /* The pawn that has just stepped gives check itself, and may be taken. */
    check_move("4k3/1p6/8/P7/K7/8/8/8 b - - 0 1", b7, b5, "4k3/8/8/Pp6/K7/8/8/8 w - b6 0 2");
    /* The halfmove clock stays at its limit. */
    check_move("4k3/8/8/8/8/8/8/4K2R w - - 255 300", 7, 6, "4k3/8/8/8/8/8/8/4K1R1 b - - 255 300");
}

Test(position, a_null_move_passes_the_turn_and_comes_back)
{
    struct position p = position_of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 4 7"), start = p;
    struct undo undo;
    position_make_null(&p, &undo);
    cr_assert_eq(p.side, BLACK);
    cr_assert_eq(p.ep, NO_SQUARE);
    cr_assert_eq(p.key, position_compute_key(&p));
    cr_assert_eq(p.key, position_key_null(&start));
    position_unmake_null(&p, &undo);
    cr_assert_eq(memcmp(&p, &start, sizeof p), 0);
}

Test(position, different_states_have_different_keys)
{
    const char *fens[] = {
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1",  "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3KR2 w Qkq - 0 1",
    };
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++)
            cr_assert_neq(position_of(fens[i]).key, position_of(fens[j]).key);
}

Test(position, attackers_are_all_that_attack)
{
    struct position p = position_of("4k3/2p1r3/8/3P1n2/1q2N3/5B2/8/K3R3 w - - 0 1");
    const int e4 = 28, d6 = 43;
    cr_assert_eq(position_attackers(&p, e4, position_occupied(&p)),
                 bit(4) | bit(21) | bit(25) | bit(52));
    cr_assert_eq(position_attackers(&p, d6, position_occupied(&p)),
                 bit(28) | bit(37) | bit(50) | bit(25));
    cr_assert_eq(position_checkers(&p), 0);
    p = position_of("4k3/8/8/8/1b6/5n2/8/r3K2R w - - 0 1");
    cr_assert_eq(position_checkers(&p), bit(25) | bit(21) | bit(0));
}

Test(position, mirrored_twice_is_itself_and_once_has_the_mirrored_moves)
{
    struct stream s = seeded(2);
    for (int i = 0; i < 2000; i++) {
        struct position p = random_position(&s, 1 + i % 150), m = position_mirrored(&p);
        struct position again = position_mirrored(&m);
        struct move_list list, mirrored;
        check_invariants(&m);
        cr_assert_eq(memcmp(&again, &p, sizeof p), 0);
        movegen_legal(&p, &list);
        movegen_legal(&m, &mirrored);
        for (int j = 0; j < list.count; j++) {
            Move move = list.moves[j];
            list.moves[j] = move_make(move_from(move) ^ 56, move_to(move) ^ 56, move_flag(move));
        }
        movegen_sort(&list);
        movegen_sort(&mirrored);
        cr_assert_eq(list.count, mirrored.count);
        cr_assert_eq(memcmp(list.moves, mirrored.moves, (size_t)list.count * sizeof(Move)), 0);
    }
}

Test(position, knows_when_nobody_can_mate)
{
    static const struct {
        const char *fen;
        bool drawn;
    } cases[] = {
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", true},      {"4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true},
        {"4k3/8/8/8/8/8/8/4KB2 b - - 0 1", true},     {"2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", true},
        {"2b1k3/8/8/8/8/3B4/8/4KB2 w - - 0 1", true}, {"4k3/8/8/8/8/8/P7/4K3 w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/4KR2 w - - 0 1", false},    {"4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", false},
        {"4k1n1/8/8/8/8/8/8/4KN2 w - - 0 1", false},  {"4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", false},
        {"4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false},   {"4k3/8/8/8/8/8/8/4KBN1 w - - 0 1", false},
        {"q3k3/8/8/8/8/8/8/4K3 w - - 0 1", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct position p = position_of(cases[i].fen);
        cr_assert_eq(position_insufficient_material(&p), cases[i].drawn, "%s", cases[i].fen);
    }
}
