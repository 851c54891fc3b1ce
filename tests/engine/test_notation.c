/* Move text: what is written reads back, what is found in the wild is understood, and what is
 * wrong or ambiguous is refused in words. */
#include "notation.h"

#include "position_of.h"
#include "random_chess.h"

#include <criterion/criterion.h>
#include <string.h>

static const char illegal[] = "is not a legal move here";
static const char no_move[] = "is not a move, expected one such as Nf3, exd5 or g1f3";
static const char many_queens[] = "1k6/8/8/Q6Q/8/8/8/Q2K3Q w - - 0 1";
static const char open_castling[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
static const char king_beside_rook[] = "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1";
static const char between_rooks[] = "1r2k1r1/6p1/8/8/8/8/8/1R3KR1 w GBgb - 0 1";
static const char promoting[] = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";

/* Texts, separated by |, and the move in UCI that each of them is, or why it is refused. */
static const struct {
    const char *fen, *texts, *result;
} found[] = {
    {FEN_START,
     "Nf3|Nf3+|Nf3!?|Nf3#|Nxf3|Ngf3|N1f3|Ng1f3|Ng1-f3|Ng1xf3|g1f3|g1-f3|Nf3 ?|Nf3++|Nf3 !!=|"
     "N-f3|N:f3",
     "g1f3"},
    {FEN_START, "e4|e2e4|e2-e4|Pe4|Pe2-e4|e4!|e4=", "e2e4"},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6|ed6|e:d6|exd6 e.p.|exd6e.p.+?|exd6 ep|e5xd6|e5d6",
     "e5d6"},
    {promoting, "axb8=Q+|axb8Q|axb8(Q)|axb8/Q|ab8=Q|axb8=q|a7xb8q|a7b8q|a7b8Q", "a7b8q"},
    {promoting, "a8=B|a8b", "a7a8b"},
    {promoting, "a8N!", "a7a8n"},
    {open_castling, "O-O|0-0|o-o|O-O+|0-0!|e1g1|Ke1g1|Kg1|e1h1", "e1g1"},
    {open_castling, "O-O-O|0-0-0|O-O-O#|e1c1|Ke1-c1|e1a1", "e1c1"},
    {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "0-0-0", "e8c8"},
    /* In Chess960 a king may go to the square beside him, or castle to it. */
    {between_rooks, "O-O|f1g1", "f1g1"},
    {between_rooks, "O-O-O|f1c1", "f1b1"},
    {king_beside_rook, "Kg1|f1g1", "f1g1"},
    {king_beside_rook, "f1h1", "f1h1"},
    /* A pawn is not taken for a bishop. */
    {"4k3/8/8/8/8/2p5/1P6/B3K3 w - - 0 1", "bxc3", "b2c3"},
    {"4k3/8/8/8/8/2p5/1P6/B3K3 w - - 0 1", "Bxc3", illegal},
    /* What cannot be played, by a pinned knight, is not ambiguous. */
    {"4k3/4r3/8/1N6/8/4N3/8/4K3 w - - 0 1", "Nd4", "b5d4"},
    {"4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Ne2", "g1e2"},
    {FEN_START, "e5|Nd2|O-O|exd3|e7e5|Ke2|e4=Q|a1a1|Ne2", illegal},
    {open_castling, "e1h1q", illegal},
    {FEN_START, "", no_move},
    {FEN_START, "--|Z0|0000|O|O-O-O-O|OO|e9|i4|Nf|Xf3|e4e|1-0|*|NNf3|e4=K|g1f3x| Nf3|$5|Nf3e.p.x",
     no_move},
    {"4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "Nd2", "is ambiguous: it could be Nbd2 or Nfd2"},
    {many_queens, "Qae5", "is ambiguous: it could be Q1e5+ or Qa5e5+"},
    {promoting, "a8", "is ambiguous: it could be a8=Q or a8=R"},
    {promoting, "a7b8", "is ambiguous: it could be axb8=Q+ or axb8=R+"},
};

Test(notation, reads_moves_as_found_and_never_guesses)
{
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++)
        for (const char *at = found[i].texts; at != NULL; at = strchr(at, '|')) {
            const struct position p = position_of(found[i].fen);
            const int length = (int)strcspn(at += *at == '|', "|");
            struct error err = {""};
            char uci[UCI_MAX];
            Move m;
            const bool read = move_from_text(&p, at, length, &m, &err);
            if (read)
                move_to_uci(&p, m, uci);
            else
                cr_assert_eq(strncmp(err.text + 1, at, (size_t)length), 0, "%s", err.text);
            cr_expect_str_eq(read ? uci : err.text + length + 3, found[i].result, "%s", at);
        }
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

/* A piece is told no more exactly than needed. */
Test(notation, writes_san)
{
    static const struct {
        const char *fen, *uci, *san;
    } moves[] = {
        {FEN_START, "g1f3", "Nf3"},
        {FEN_START, "e2e4", "e4"},
        {open_castling, "e1g1", "O-O"},
        {open_castling, "e1c1", "O-O-O"},
        {open_castling, "h1h8", "Rxh8+"},
        {"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
        {promoting, "a7b8q", "axb8=Q+"},
        {promoting, "a7a8n", "a8=N"},
        {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"},
        {"4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "b1d2", "Nbd2"},
        {"4k3/8/8/1N6/8/8/8/1N1K4 w - - 0 1", "b1c3", "N1c3"},
        {many_queens, "a1e5", "Q1e5+"},
        {many_queens, "a5e5", "Qa5e5+"},
        {many_queens, "h5e5", "Qhe5+"},
        {many_queens, "h1e4", "Qe4"},
        /* The other knight is pinned. */
        {"4k3/4r3/8/8/8/8/4N3/N3K3 w - - 0 1", "a1c2", "Nc2"},
        {"4k3/4r3/8/8/4N3/8/8/N3K3 w - - 0 1", "a1b3", "Nb3"},
        {"4k3/4r3/8/1N6/8/4N3/8/4K3 w - - 0 1", "b5d4", "Nd4"},
        {king_beside_rook, "f1h1", "O-O"},
        {king_beside_rook, "f1g1", "Kg1"},
        {"8/8/8/8/8/8/8/1RK2k2 w B - 0 1", "c1b1", "O-O-O+"},
    };
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        const struct position p = position_of(moves[i].fen);
        char san[SAN_MAX];
        Move m;
        cr_assert(move_from_text(&p, moves[i].uci, (int)strlen(moves[i].uci), &m, NULL));
        cr_assert_eq((size_t)move_to_san(&p, m, san), strlen(moves[i].san));
        cr_assert_str_eq(san, moves[i].san);
    }
}

Test(notation, writes_uci)
{
    const struct position p = position_of(open_castling);
    const Move castling = move_make(4, 2, CASTLE_LONG);
    char uci[UCI_MAX];
    cr_assert_eq(move_to_uci(&p, NO_MOVE, uci), 4);
    cr_assert_str_eq(uci, "0000");
    cr_assert_eq(move_to_uci960(&p, castling, uci), 4);
    cr_assert_str_eq(uci, "e1a1");
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
