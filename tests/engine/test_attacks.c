/* The tables that are generated at build, against what a slow walk over the board finds. */
#include "attacks.h"
#include "random_chess.h"
#include "stream.h"

#include <criterion/criterion.h>

/* Walks from `square` until the edge or an occupied square. */
static Bitboard walk(int square, int file_step, int rank_step, Bitboard occupied)
{
    Bitboard seen = 0;
    int file = square % 8 + file_step, rank = square / 8 + rank_step;
    for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += file_step, rank += rank_step) {
        seen |= bit(rank * 8 + file);
        if ((occupied >> (rank * 8 + file) & 1) != 0)
            break;
    }
    return seen;
}

static Bitboard slow_rook(int square, Bitboard occupied)
{
    return walk(square, 1, 0, occupied) | walk(square, -1, 0, occupied) |
           walk(square, 0, 1, occupied) | walk(square, 0, -1, occupied);
}

static Bitboard slow_bishop(int square, Bitboard occupied)
{
    return walk(square, 1, 1, occupied) | walk(square, -1, 1, occupied) |
           walk(square, 1, -1, occupied) | walk(square, -1, -1, occupied);
}

/* The squares whose distance from `square` is these many files and ranks, in either order. */
static Bitboard leap(int square, int a, int b)
{
    Bitboard seen = 0;
    for (int to = 0; to < 64; to++) {
        int files = abs(to % 8 - square % 8), ranks = abs(to / 8 - square / 8);
        if ((files == a && ranks == b) || (files == b && ranks == a))
            seen |= bit(to);
    }
    return seen;
}

Test(attacks, sliders_see_what_a_walk_sees_on_random_boards)
{
    struct stream s = seeded(1);
    for (int square = 0; square < 64; square++)
        for (int i = 0; i < 2000; i++) {
            Bitboard occupied = stream_bits(&s) & (i % 2 == 0 ? stream_bits(&s) : ~(Bitboard)0);
            cr_assert_eq(rook_attacks(square, occupied), slow_rook(square, occupied));
            cr_assert_eq(bishop_attacks(square, occupied), slow_bishop(square, occupied));
        }
}

Test(attacks, sliders_see_to_the_edge_of_an_empty_board_and_no_further_than_a_full_one)
{
    for (int square = 0; square < 64; square++) {
        const Bitboard full = ~(Bitboard)0;
        cr_assert_eq(rook_attacks(square, 0), slow_rook(square, 0));
        cr_assert_eq(bishop_attacks(square, 0), slow_bishop(square, 0));
        cr_assert_eq(queen_attacks(square, full), king_attacks(square));
    }
}

Test(attacks, leapers_leap)
{
    for (int square = 0; square < 64; square++) {
        cr_assert_eq(knight_attacks(square), leap(square, 1, 2));
        cr_assert_eq(king_attacks(square), leap(square, 0, 1) | leap(square, 1, 1));
    }
}

Test(attacks, pawns_capture_forward_one_at_a_time_and_as_a_set)
{
    for (int square = 0; square < 64; square++) {
        Bitboard diagonal = leap(square, 1, 1);
        Bitboard above = square / 8 == 7 ? 0 : ~(Bitboard)0 << (square / 8 * 8 + 8);
        cr_assert_eq(pawn_attacks(WHITE, square), diagonal & above);
        cr_assert_eq(pawn_attacks(BLACK, square), diagonal & ~above & ~rank_bits(square / 8));
        cr_assert_eq(pawns_attacks(WHITE, bit(square)), pawn_attacks(WHITE, square));
        cr_assert_eq(pawns_attacks(BLACK, bit(square)), pawn_attacks(BLACK, square));
    }
}

/* Two squares are in line when one is seen from the other; both walks meet in between. */
Test(attacks, between_and_line_are_what_lies_in_line)
{
    for (int a = 0; a < 64; a++)
        for (int b = 0; b < 64; b++) {
            Bitboard between = 0, line = 0;
            if ((slow_rook(a, 0) & bit(b)) != 0) {
                between = slow_rook(a, bit(b)) & slow_rook(b, bit(a));
                line = (slow_rook(a, 0) & slow_rook(b, 0)) | bit(a) | bit(b);
            } else if ((slow_bishop(a, 0) & bit(b)) != 0) {
                between = slow_bishop(a, bit(b)) & slow_bishop(b, bit(a));
                line = (slow_bishop(a, 0) & slow_bishop(b, 0)) | bit(a) | bit(b);
            }
            cr_assert_eq(between_table[a][b] & ~between, 0, "between %d and %d", a, b);
            cr_assert_eq(line_table[a][b] & ~line, 0, "line %d and %d", a, b);
            cr_assert_eq(between_table[a][b], between_table[b][a]);
            cr_assert_eq(line_table[a][b], line_table[b][a]);
            cr_assert_eq(line_table[a][b] != 0, line != 0);
        }
}

/* Keys that are equal, or few bits apart, would let different positions look the same. */
Test(attacks, zobrist_keys_differ)
{
    uint64_t keys[2 * 6 * 64 + 25];
    int count = 0;
    for (int i = 0; i < 2 * 6 * 64; i++)
        keys[count++] = zobrist_piece[i / 384][i / 64 % 6][i % 64];
    for (int i = 0; i < 8; i++)
        keys[count++] = zobrist_ep[i];
    for (int file = 0; file < 8; file++) {
        keys[count++] = zobrist_castling[file];
        keys[count++] = zobrist_castling[56 + file];
    }
    keys[count++] = zobrist_black;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            cr_assert_geq(bits_count(keys[i] ^ keys[j]), 8);
}
