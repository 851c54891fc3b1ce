/* FEN: what is read comes back, what is wrong is named. */
#include "position.h"

#include "position_of.h"
#include "random_chess.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Texts, and how they are written again; NULL: as they were. K and Q are the outermost rooks; files name any.
 * What standard chess can say is written so. */
static const char *const accepted[][2] = {
    {FEN_START, NULL},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", NULL},
    {"8/8/8/8/8/8/8/K1k5 b - - 99 200", NULL},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", NULL},
    {"r3k2r/8/8/8/8/8/8/4K3 b kq - 12 40", NULL},
    {"4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
    {"  4k3/8/8/8/8/8/8/4K3  w  -\t-  7  9 \r\n", "4k3/8/8/8/8/8/8/4K3 w - - 7 9"},
    {"4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
    {"4k3/8/8/8/8/8/8/4K2R w qK - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"},
    /* Nobody can take on d6. */
    {"4k3/8/8/3p4/8/8/8/4K3 w - d6 0 2", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 2"},
    {"4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2", "4k3/8/8/K2pP2r/8/8/8/8 w - - 0 2"},
    {"1r2k2r/8/8/8/8/8/8/R4K1R w KQkq - 0 1", "1r2k2r/8/8/8/8/8/8/R4K1R w k - 0 1"},
    {"1r2k2r/7p/8/8/8/8/8/5R1K b kq - 0 1", "1r2k2r/7p/8/8/8/8/8/5R1K b k - 0 1"},
    {"5rk1/8/8/8/8/8/8/5RK1 b KQkq - 0 1", "5rk1/8/8/8/8/8/8/5RK1 b - - 0 1"},
    {"nrbbqkrn/8/8/8/8/8/8/NRBBQKRN w KQkq - 0 1", "nrbbqkrn/8/8/8/8/8/8/NRBBQKRN w GBgb - 0 1"},
    {"1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1", "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1"},
    {"rkrbbqnn/8/8/8/8/8/8/RNNBBRKR b KQk - 0 1", "rkrbbqnn/8/8/8/8/8/8/RNNBBRKR b HAc - 0 1"},
    {"r3k1rr/8/8/8/8/8/8/R3K1RR w GQgq - 0 1", "r3k1rr/8/8/8/8/8/8/R3K1RR w GAga - 0 1"},
    {"r3k2r/8/8/8/8/8/8/R3K2R w AHah - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
    {"4k3/8/8/8/8/8/8/RR2K2R w HB - 0 1", NULL},
};

Test(fen, is_read_as_found_and_comes_back)
{
    for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++) {
        struct position p = position_of(accepted[i][0]);
        char fen[FEN_MAX];
        cr_assert_eq((size_t)position_to_fen(&p, fen), strlen(fen));
        cr_assert_str_eq(fen, accepted[i][1] != NULL ? accepted[i][1] : accepted[i][0]);
    }
}

Test(fen, random_positions_come_back_bit_for_bit)
{
    struct stream s = seeded(3);
    for (int i = 0; i < 5000; i++) {
        struct position p = random_position(&s, i % 200), again;
        char fen[FEN_MAX];
        position_to_fen(&p, fen);
        cr_assert(position_from_fen(&again, fen, NULL, NULL), "%s", fen);
        cr_assert_eq(memcmp(&p, &again, sizeof p), 0, "%s", fen);
    }
}

Test(fen, leaves_what_follows_to_the_caller)
{
    static const char *const cases[][2] = {
        {"4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; id \"1\";", "bm Kd2; id \"1\";"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 3 4 bm Kd2;", "bm Kd2;"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 3 4; [1-0]", "; [1-0]"},
        {"4k3/8/8/8/8/8/8/4K3 w - - | 35 | 1.0", "| 35 | 1.0"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0.5", "0.5"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 3 4 [0.5]\n", "[0.5]\n"},
        {"4k3/8/8/8/8/8/8/4K3 w - -\r\n", ""},
    };
    for (int i = 0; i < 7; i++) {
        struct position p;
        const char *rest;
        struct error err;
        cr_assert(position_from_fen(&p, cases[i][0], &rest, &err), "%s", err.text);
        cr_assert_str_eq(rest, cases[i][1]);
    }
}

#define BARE "4k3/8/8/8/8/8/8/4K3"

/* Texts that are refused, and where: "FEN column ...". The armies are those that no game brings about. */
static const char *const refused[][2] = {
    {"", "1, pieces: missing, expected eight ranks"},
    {"4k3/8/8/9/8/8/8/4K3 w - -",
     "9, pieces: '9' in rank 5, expected one of PNBRQKpnbrqk or 1 to 8"},
    {"4k3/8/ppppppppp/8/8/8/8/4K3 w - -", "15, pieces: rank 6 has more than 8 squares"},
    {"4k3/7/8/8/8/8/8/4K3 w - -", "6, pieces: rank 7 has 7 of 8 squares"},
    {"4k3/8/8/8 w - -", "10, pieces: ends after rank 5, expected '/' and 4 more"},
    {"4k3/8/8/8/8/8/8/4K3/8 w - -", "20, pieces: '/' after rank 1, expected a space"},
    {BARE, "20, side to move: missing, expected w or b"},
    {BARE " W - -", "21, side to move: 'W', expected w or b"},
    {BARE " white - -", "22, side to move: 'h' follows, expected a space"},
    {BARE " w", "22, castling: missing, expected some of KQkq or -"},
    {"4k3/8/8/8/8/8/8/4K2R w Kx -",
     "25, castling: 'x', expected some of KQkq, files of rooks or -"},
    {"4k3/8/8/8/8/8/8/4K2R w KK -", "25, castling: K appears twice"},
    {"4k3/8/8/8/8/8/8/4K2R w G -", "24, castling: G, but White has no rook on g1"},
    {"8/4k2r/8/8/8/8/8/4K2R w Kh -", "26, castling: h, but Black's king is not on rank 8"},
    {"4k3/8/8/8/8/8/8/4KR1R w KF -",
     "26, castling: F is a second rook on that side of White's king"},
    {"4k3/8/8/8/8/8/8/4KR1R w FK -",
     "26, castling: K is a second rook on that side of White's king"},
    {BARE " w -", "24, en passant: missing, expected a square or -"},
    {BARE " w - x6", "25, en passant: 'x', expected a square on rank 6 or -"},
    {BARE " w - e3", "26, en passant: '3', expected rank 6, since White is to move"},
    {BARE " b - e", "26, en passant: the end, expected rank 3, since Black is to move"},
    {BARE " w - d6", "25, en passant: no pawn has just passed over d6"},
    {BARE " w - - x 1", "27, halfmove clock: 'x', expected a number"},
    {BARE " w - - 300 1", "27, halfmove clock: 300 is more than 255"},
    {BARE " w - - 99999999999999999999999999 1",
     "27, halfmove clock: 99999999999999999999 is more than 255"},
    {BARE " w - - 0 65536", "29, move number: 65536 is more than 65535"},
    {BARE " w - - 3 4 bm Kd2;", "31, move number: 'b' follows, expected the end"},
    {BARE " w - - 3", "28, move number: missing, expected a number"},
    {BARE " \x01 - -", "21, side to move: byte 0x01, expected w or b"},
    {"8/8/8/8/8/8/8/4K3 w - -", "1, pieces: Black has 0 kings, expected one"},
    {"4k3/8/8/8/8/8/8/K3K3 w - -", "1, pieces: White has 2 kings, expected one"},
    {"4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - -", "1, pieces: White has 9 pawns, expected at most 8"},
    {"4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - -",
     "1, pieces: White's promoted pieces (1) are more than its missing pawns (0)"},
    {"P3k3/8/8/8/8/8/8/4K3 w - -", "1, pieces: a pawn on the first or last rank"},
    {"4k3/8/8/8/8/8/8/p3K3 w - -", "1, pieces: a pawn on the first or last rank"},
    {"4k3/4R3/8/8/8/8/8/4K3 w - -", "23, side to move: Black is in check, though White is to move"},
    {"4k3/3K4/8/8/8/8/8/8 b - -", "21, side to move: White is in check, though Black is to move"},
};

Test(fen, names_the_field_and_the_column_of_what_is_wrong)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct position p;
        struct error err = {""};
        cr_assert_not(position_from_fen(&p, refused[i][0], NULL, &err), "%s", refused[i][0]);
        cr_assert_eq(strncmp(err.text, "FEN column ", 11), 0);
        cr_assert_str_eq(err.text + 11, refused[i][1]);
    }
}

/* Every truncation and every changed byte of a FEN is read or refused, and never worse. */
Test(fen, survives_any_damage)
{
    const char *whole = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 10 20";
    char fen[FEN_MAX];
    struct position p;
    for (size_t at = 0; at < strlen(whole); at++)
        for (int byte = 0; byte < 256; byte++) {
            struct error err = {""};
            strcpy(fen, whole);
            fen[at] = (char)byte;
            bool read = position_from_fen(&p, fen, NULL, &err);
            cr_assert_eq(read, err.text[0] == '\0');
        }
}
