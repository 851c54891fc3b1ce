/* FEN: what is read comes back, what is wrong is named. */
#include "position.h"

#include "random_chess.h"
#include "shared_data.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void check_round_trip(const char *text, const char *expected)
{
    struct position p;
    struct error err;
    char fen[FEN_MAX];
    cr_assert(position_from_fen(&p, text, NULL, &err), "%s: %s", text, err.text);
    cr_assert_eq((size_t)position_to_fen(&p, fen), strlen(fen));
    cr_assert_str_eq(fen, expected);
}

static void check_refused(const char *text, const char *reason)
{
    struct position p;
    struct error err = {""};
    cr_assert_not(position_from_fen(&p, text, NULL, &err), "%s", text);
    cr_assert_str_eq(err.text, reason, "%s: %s", text, err.text);
}

Test(fen, comes_back_as_it_was)
{
    const char *fens[] = {
        FEN_START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/8/8/8/8/8/8/K1k5 b - - 99 200",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
        "r3k2r/8/8/8/8/8/8/4K3 b kq - 12 40",
    };
    for (int i = 0; i < 5; i++)
        check_round_trip(fens[i], fens[i]);
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

Test(fen, is_read_as_found)
{
    check_round_trip("4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    check_round_trip("  4k3/8/8/8/8/8/8/4K3  w  -\t-  7  9 \r\n", "4k3/8/8/8/8/8/8/4K3 w - - 7 9");
    check_round_trip("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    check_round_trip("4k3/8/8/8/8/8/8/4K2R w qK - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    /* Nobody can take on d6. */
    check_round_trip("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 2", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 2");
    check_round_trip("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2", "4k3/8/8/K2pP2r/8/8/8/8 w - - 0 2");
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

Test(fen, names_the_field_and_the_column_of_what_is_wrong)
{
    check_refused("", "FEN column 1, pieces: missing, expected eight ranks");
    check_refused("4k3/8/8/9/8/8/8/4K3 w - -",
                  "FEN column 9, pieces: '9' in rank 5, expected one of PNBRQKpnbrqk or 1 to 8");
    check_refused("4k3/8/ppppppppp/8/8/8/8/4K3 w - -",
                  "FEN column 15, pieces: rank 6 has more than 8 squares");
    check_refused("4k3/7/8/8/8/8/8/4K3 w - -", "FEN column 6, pieces: rank 7 has 7 of 8 squares");
    check_refused("4k3/8/8/8 w - -",
                  "FEN column 10, pieces: ends after rank 5, expected '/' and 4 more");
    check_refused("4k3/8/8/8/8/8/8/4K3/8 w - -",
                  "FEN column 20, pieces: '/' after rank 1, expected a space");
    check_refused("4k3/8/8/8/8/8/8/4K3", "FEN column 20, side to move: missing, expected w or b");
    check_refused("4k3/8/8/8/8/8/8/4K3 W - -", "FEN column 21, side to move: 'W', expected w or b");
    check_refused("4k3/8/8/8/8/8/8/4K3 white - -",
                  "FEN column 22, side to move: 'h' follows, expected a space");
    check_refused("4k3/8/8/8/8/8/8/4K3 w",
                  "FEN column 22, castling: missing, expected some of KQkq or -");
    check_refused("4k3/8/8/8/8/8/8/4K2R w Kx -",
                  "FEN column 25, castling: 'x', expected some of KQkq, files of rooks or -");
    check_refused("4k3/8/8/8/8/8/8/4K2R w KK -", "FEN column 25, castling: K appears twice");
    check_refused("4k3/8/8/8/8/8/8/4K2R w G -",
                  "FEN column 24, castling: G, but White has no rook on g1");
    check_refused("8/4k2r/8/8/8/8/8/4K2R w Kh -",
                  "FEN column 26, castling: h, but Black's king is not on rank 8");
    check_refused("4k3/8/8/8/8/8/8/4KR1R w KF -",
                  "FEN column 26, castling: F is a second rook on that side of White's king");
    check_refused("4k3/8/8/8/8/8/8/4KR1R w FK -",
                  "FEN column 26, castling: K is a second rook on that side of White's king");
    check_refused("4k3/8/8/8/8/8/8/4K3 w -",
                  "FEN column 24, en passant: missing, expected a square or -");
    check_refused("4k3/8/8/8/8/8/8/4K3 w - x6",
                  "FEN column 25, en passant: 'x', expected a square on rank 6 or -");
    check_refused("4k3/8/8/8/8/8/8/4K3 w - e3",
                  "FEN column 26, en passant: '3', expected rank 6, since White is to move");
    check_refused("4k3/8/8/8/8/8/8/4K3 b - e",
                  "FEN column 26, en passant: the end, expected rank 3, since Black is to move");
    check_refused("4k3/8/8/8/8/8/8/4K3 w - d6",
                  "FEN column 25, en passant: no pawn has just passed over d6");
    check_refused("4k3/8/8/8/8/8/8/4K3 w - - x 1",
                  "FEN column 27, halfmove clock: 'x', expected a number");
    check_refused("4k3/8/8/8/8/8/8/4K3 w - - 300 1",
                  "FEN column 27, halfmove clock: 300 is more than 255");
    check_refused("4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999999999 1",
                  "FEN column 27, halfmove clock: 99999999999999999999 is more than 255");
    check_refused("4k3/8/8/8/8/8/8/4K3 w - - 0 65536",
                  "FEN column 29, move number: 65536 is more than 65535");
    check_refused("4k3/8/8/8/8/8/8/4K3 w - - 3",
                  "FEN column 28, move number: missing, expected a number");
    check_refused("4k3/8/8/8/8/8/8/4K3 w - - 3 4 bm Kd2;",
                  "FEN column 31, move number: 'b' follows, expected the end");
    check_refused("4k3/8/8/8/8/8/8/4K3 \x01 - -",
                  "FEN column 21, side to move: byte 0x01, expected w or b");
}

Test(fen, refuses_armies_that_no_game_brings_about)
{
    check_refused("8/8/8/8/8/8/8/4K3 w - -",
                  "FEN column 1, pieces: Black has 0 kings, expected one");
    check_refused("4k3/8/8/8/8/8/8/K3K3 w - -",
                  "FEN column 1, pieces: White has 2 kings, expected one");
    check_refused("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - -",
                  "FEN column 1, pieces: White has 9 pawns, expected at most 8");
    check_refused(
        "4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - -",
        "FEN column 1, pieces: White's promoted pieces (1) are more than its missing pawns (0)");
    check_refused("P3k3/8/8/8/8/8/8/4K3 w - -",
                  "FEN column 1, pieces: a pawn on the first or last rank");
    check_refused("4k3/8/8/8/8/8/8/p3K3 w - -",
                  "FEN column 1, pieces: a pawn on the first or last rank");
    check_refused("4k3/4R3/8/8/8/8/8/4K3 w - -",
                  "FEN column 23, side to move: Black is in check, though White is to move");
    check_refused("4k3/3K4/8/8/8/8/8/8 b - -",
                  "FEN column 21, side to move: White is in check, though Black is to move");
}

Test(fen, drops_castling_rights_that_cannot_be)
{
    check_round_trip("1r2k2r/8/8/8/8/8/8/R4K1R w KQkq - 0 1", "1r2k2r/8/8/8/8/8/8/R4K1R w k - 0 1");
    check_round_trip("1r2k2r/7p/8/8/8/8/8/5R1K b kq - 0 1", "1r2k2r/7p/8/8/8/8/8/5R1K b k - 0 1");
    check_round_trip("5rk1/8/8/8/8/8/8/5RK1 b KQkq - 0 1", "5rk1/8/8/8/8/8/8/5RK1 b - - 0 1");
}

/* K and Q are the outermost rooks; files name any. What standard chess can say is written so. */
Test(fen, reads_castling_rights_of_chess960)
{
    static const char *const cases[][2] = {
        {"nrbbqkrn/8/8/8/8/8/8/NRBBQKRN w KQkq - 0 1",
         "nrbbqkrn/8/8/8/8/8/8/NRBBQKRN w GBgb - 0 1"},
        {"1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1", "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1"},
        {"rkrbbqnn/8/8/8/8/8/8/RNNBBRKR b KQk - 0 1", "rkrbbqnn/8/8/8/8/8/8/RNNBBRKR b HAc - 0 1"},
        {"r3k1rr/8/8/8/8/8/8/R3K1RR w GQgq - 0 1", "r3k1rr/8/8/8/8/8/8/R3K1RR w GAga - 0 1"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w AHah - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
        {"4k3/8/8/8/8/8/8/RR2K2R w HB - 0 1", "4k3/8/8/8/8/8/8/RR2K2R w HB - 0 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_round_trip(cases[i][0], cases[i][1]);
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

/* Reads each position of a suite; blank lines and comments aside. */
static int read_suite(const char *name)
{
    char line[4096];
    int count = 0;
    FILE *file = shared_data_open(name);
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        struct position p;
        struct error err;
        const char *rest;
        if (line[strspn(line, " \r\n")] == '\0' || line[0] == '#')
            continue;
        cr_assert(position_from_fen(&p, line, &rest, &err), "%s:%d: %s", name, number, err.text);
        count++;
    }
    fclose(file);
    return count;
}

Test(fen, reads_the_suites_of_the_field)
{
    shared_data_need();
    cr_assert_eq(read_suite("ecm879.epd"), 879);
    cr_assert_eq(read_suite("ecm98-corrected-770.epd"), 770);
    cr_assert_eq(read_suite("wac300_original.epd"), 300);
    cr_assert_eq(read_suite("wac300_new.epd"), 300);
    cr_assert_eq(read_suite("wcsac1001.epd"), 1001);
    cr_assert_eq(read_suite("mate4_lichess.epd"), 1000);
    cr_assert_eq(read_suite("mate5_lichess.epd"), 833);
    cr_assert_eq(read_suite("mate4_problems_chestuci.epd"), 67);
    cr_assert_eq(read_suite("mate5_problems_chestuci.epd"), 186);
    cr_assert_eq(read_suite("zugts.epd"), 30);
    cr_assert_eq(read_suite("hardzugs.epd"), 3);
    cr_assert_eq(read_suite("nullmove_senjo.epd"), 5);
    cr_assert_eq(read_suite("noob_2moves.epd"), 7314);
}
