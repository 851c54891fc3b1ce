/* Move text: what is written reads back, what is found in the wild is understood, and what is
 * wrong or ambiguous is refused in words. */
#include "notation.h"

#include "position_of.h"
#include "random_chess.h"

#include <criterion/criterion.h>
#include <string.h>

/* Each text is read as the move whose UCI text is given. */
static void check_read(const char *fen, const char *text, const char *expected)
{
    struct position p = position_of(fen);
    struct error err = {""};
    char uci[UCI_MAX];
    Move m;
    cr_assert(move_from_text(&p, text, (int)strlen(text), &m, &err), "%s: %s", text, err.text);
    move_to_uci(&p, m, uci);
    cr_assert_str_eq(uci, expected, "%s read as %s", text, uci);
}

static void check_refused(const char *fen, const char *text, const char *reason)
{
    struct position p = position_of(fen);
    struct error err = {""};
    Move m;
    cr_assert_not(move_from_text(&p, text, (int)strlen(text), &m, &err), "%s", text);
    cr_assert_str_eq(err.text, reason, "%s: %s", text, err.text);
}

/* A move in UCI is written as this SAN. */
static void check_written(const char *fen, const char *uci, const char *expected)
{
    struct position p = position_of(fen);
    char san[SAN_MAX];
    Move m;
    cr_assert(move_from_text(&p, uci, (int)strlen(uci), &m, NULL), "%s", uci);
    int length = move_to_san(&p, m, san);
    cr_assert_str_eq(san, expected);
    cr_assert_eq((size_t)length, strlen(san));
}

/* Every legal move of the position keeps its identity through SAN and UCI, and no two share a
 * text. */
static void check_round_trip(const struct position *p)
{
    struct move_list list;
    char san[MAX_MOVES][SAN_MAX], uci[UCI_MAX];
    movegen_legal(p, &list);
    for (int i = 0; i < list.count; i++) {
        Move m = NO_MOVE;
        int length = move_to_san(p, list.moves[i], san[i]);
        cr_assert(move_from_text(p, san[i], length, &m, NULL), "%s", san[i]);
        cr_assert_eq(m, list.moves[i], "%s", san[i]);
        length = move_to_uci(p, list.moves[i], uci);
        cr_assert(move_from_text(p, uci, length, &m, NULL), "%s", uci);
        cr_assert_eq(m, list.moves[i], "%s", uci);
        for (int j = 0; j < i; j++)
            cr_assert_str_neq(san[i], san[j]);
    }
}

Test(notation, moves_of_random_games_read_back)
{
    struct stream s = seeded(6);
    for (int i = 0; i < 2000; i++) {
        struct position p = random_position(&s, i % 200);
        check_round_trip(&p);
    }
}

static const char many_queens[] = "1k6/8/8/Q6Q/8/8/8/Q2K3Q w - - 0 1";
static const char open_castling[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

Test(notation, writes_san)
{
    check_written(FEN_START, "g1f3", "Nf3");
    check_written(FEN_START, "e2e4", "e4");
    check_written(open_castling, "e1g1", "O-O");
    check_written(open_castling, "e1c1", "O-O-O");
    check_written(open_castling, "h1h8", "Rxh8+");
    check_written("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+");
    check_written("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6");
    check_written("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q+");
    check_written("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N");
    check_written("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#");
}

Test(notation, says_which_piece_no_more_than_needed)
{
    check_written("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "b1d2", "Nbd2");
    check_written("4k3/8/8/1N6/8/8/8/1N1K4 w - - 0 1", "b1c3", "N1c3");
    check_written(many_queens, "a1e5", "Q1e5+");
    check_written(many_queens, "a5e5", "Qa5e5+");
    check_written(many_queens, "h5e5", "Qhe5+");
    check_written(many_queens, "h1e4", "Qe4");
    /* The other knight is pinned. */
    check_written("4k3/4r3/8/8/8/8/4N3/N3K3 w - - 0 1", "a1c2", "Nc2");
    check_written("4k3/4r3/8/8/4N3/8/8/N3K3 w - - 0 1", "a1b3", "Nb3");
    check_written("4k3/4r3/8/1N6/8/4N3/8/4K3 w - - 0 1", "b5d4", "Nd4");
}

Test(notation, writes_no_move_as_zeros)
{
    struct position p = position_of(FEN_START);
    char uci[UCI_MAX];
    cr_assert_eq(move_to_uci(&p, NO_MOVE, uci), 4);
    cr_assert_str_eq(uci, "0000");
}

Test(notation, reads_pieces_as_found)
{
    const char *const texts[] = {"Nf3",   "Nf3+",  "Nf3!?",   "Nf3#",   "Nxf3", "Ngf3",
                                 "N1f3",  "Ng1f3", "Ng1-f3",  "Ng1xf3", "g1f3", "g1-f3",
                                 "Nf3 ?", "Nf3++", "Nf3 !!=", "N-f3",   "N:f3"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check_read(FEN_START, texts[i], "g1f3");
}

Test(notation, reads_pawns_as_found)
{
    const char *const pushes[] = {"e4", "e2e4", "e2-e4", "Pe4", "Pe2-e4", "e4!", "e4="};
    const char *passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    const char *const captures[] = {"exd6",       "ed6",     "e:d6",  "exd6 e.p.",
                                    "exd6e.p.+?", "exd6 ep", "e5xd6", "e5d6"};
    for (size_t i = 0; i < sizeof pushes / sizeof pushes[0]; i++)
        check_read(FEN_START, pushes[i], "e2e4");
    for (size_t i = 0; i < sizeof captures / sizeof captures[0]; i++)
        check_read(passing, captures[i], "e5d6");
}

Test(notation, reads_promotions_as_found)
{
    const char *fen = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    const char *const texts[] = {"axb8=Q+", "axb8Q",  "axb8(Q)", "axb8/Q", "ab8=Q",
                                 "axb8=q",  "a7xb8q", "a7b8q",   "a7b8Q"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check_read(fen, texts[i], "a7b8q");
    check_read(fen, "a8=B", "a7a8b");
    check_read(fen, "a8b", "a7a8b");
    check_read(fen, "a8N!", "a7a8n");
}

Test(notation, reads_castling_as_found)
{
    const char *const shorts[] = {"O-O", "0-0", "o-o", "O-O+", "0-0!", "e1g1", "Ke1g1", "Kg1"};
    const char *const longs[] = {"O-O-O", "0-0-0", "O-O-O#", "e1c1", "Ke1-c1"};
    for (size_t i = 0; i < sizeof shorts / sizeof shorts[0]; i++)
        check_read(open_castling, shorts[i], "e1g1");
    for (size_t i = 0; i < sizeof longs / sizeof longs[0]; i++)
        check_read(open_castling, longs[i], "e1c1");
    check_read("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "0-0-0", "e8c8");
}

/* In Chess960 a king may go to the square beside him, or castle to it. */
Test(notation, castling_of_chess960_takes_the_rook)
{
    const char *fen = "1r2k1r1/6p1/8/8/8/8/8/1R3KR1 w GBgb - 0 1";
    struct position p = position_of(open_castling);
    char uci[UCI_MAX];
    Move m;
    check_read(fen, "O-O", "f1g1");
    check_read(fen, "f1g1", "f1g1");
    check_read(fen, "O-O-O", "f1b1");
    check_read(fen, "f1c1", "f1b1");
    check_read("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "Kg1", "f1g1");
    check_read("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "f1g1", "f1g1");
    check_read("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "f1h1", "f1h1");
    check_written("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "f1h1", "O-O");
    check_written("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "f1g1", "Kg1");
    check_written("8/8/8/8/8/8/8/1RK2k2 w B - 0 1", "c1b1", "O-O-O+");
    check_read(open_castling, "e1h1", "e1g1");
    check_read(open_castling, "e1a1", "e1c1");
    cr_assert(move_from_text(&p, "e1c1", 4, &m, NULL));
    cr_assert_eq(move_to_uci960(&p, m, uci), 4);
    cr_assert_str_eq(uci, "e1a1");
    check_refused(open_castling, "e1h1q", "\"e1h1q\" is not a legal move here");
}

Test(notation, a_pawn_is_not_taken_for_a_bishop)
{
    const char *fen = "4k3/8/8/8/8/2p5/1P6/B3K3 w - - 0 1";
    check_read(fen, "bxc3", "b2c3");
    check_refused(fen, "Bxc3", "\"Bxc3\" is not a legal move here");
}

Test(notation, refuses_what_is_no_move_text)
{
    const char *const texts[] = {"",     "--",   "Z0",    "0000", "O",   "O-O-O-O", "OO",
                                 "e9",   "i4",   "Nf",    "Xf3",  "e4e", "1-0",     "*",
                                 "NNf3", "e4=K", "g1f3x", " Nf3", "$5",  "Nf3e.p.x"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char reason[128];
        snprintf(reason, sizeof reason,
                 "\"%s\" is not a move, expected one such as Nf3, exd5 or g1f3", texts[i]);
        check_refused(FEN_START, texts[i], reason);
    }
}

Test(notation, refuses_illegal_moves)
{
    const char *const texts[] = {"e5", "Nd2", "O-O", "exd3", "e7e5", "Ke2", "e4=Q", "a1a1", "Ne2"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char reason[64];
        snprintf(reason, sizeof reason, "\"%s\" is not a legal move here", texts[i]);
        check_refused(FEN_START, texts[i], reason);
    }
}

Test(notation, never_guesses)
{
    check_refused("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "Nd2",
                  "\"Nd2\" is ambiguous: it could be Nbd2 or Nfd2");
    check_refused(many_queens, "Qae5", "\"Qae5\" is ambiguous: it could be Q1e5+ or Qa5e5+");
    check_refused("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8",
                  "\"a8\" is ambiguous: it could be a8=Q or a8=R");
    check_refused("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8",
                  "\"a7b8\" is ambiguous: it could be axb8=Q+ or axb8=R+");
}

/* Only the pinned knight's move is left out: what cannot be played is not ambiguous. */
Test(notation, a_pin_resolves_an_ambiguity)
{
    check_read("4k3/4r3/8/1N6/8/4N3/8/4K3 w - - 0 1", "Nd4", "b5d4");
    check_read("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Ne2", "g1e2");
}

Test(notation, reads_no_further_than_the_length)
{
    struct position p = position_of(FEN_START);
    Move m;
    cr_assert(move_from_text(&p, "e4 e5 Nf3", 2, &m, NULL));
    cr_assert_eq(move_to(m), 28);
}

/* Any three bytes, and any byte within a move: read or refused, and never worse. */
Test(notation, survives_any_bytes)
{
    struct stream s = seeded(7);
    struct position p = position_of("r3k2r/8/8/3pP3/8/8/P7/R3K2R w KQkq d6 0 1");
    const char alphabet[] = "abcdefgh12345678NBRQKPO0ox=+-#(). \x80";
    for (int i = 0; i < 300000; i++) {
        char text[8];
        struct error err = {""};
        Move m;
        int length = (int)stream_below(&s, 8);
        for (int j = 0; j < length; j++)
            text[j] = alphabet[stream_below(&s, sizeof alphabet)];
        bool read = move_from_text(&p, text, length, &m, &err);
        cr_assert_eq(read, err.text[0] == '\0');
        if (read)
            cr_assert(movegen_is_legal(&p, m));
    }
}
