/* Endings that weights cannot express. */
#include "endgames.h"
#include "movegen.h"
#include "position_of.h"
#include "random_chess.h"
#include "thorough.h"

#include <criterion/criterion.h>

enum { ENDGAME_WHOLE = 16 };

/* The part of its advantage that a side keeps. */
static int part_of(const struct position *p, enum color strong)
{
    struct position fresh = *p;
    fresh.halfmove = 0;
    const int score = p->side == (uint8_t)strong ? 1600 : -1600;
    return ENDGAME_WHOLE * endgame_score(&fresh, score) / score;
}

/* True if the side with the only pawn wins. */
static bool kpk_is_won(const struct position *p)
{
    return part_of(p, position_pieces(p, WHITE, PAWN) != 0 ? WHITE : BLACK) != 0;
}

/* ---- king and pawn against king ---- */

/* Positions of the textbooks. */
Test(endgames, king_and_pawn_against_king)
{
    static const struct {
        const char *fen;
        bool won;
    } known[] = {
        {"4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true}, /* the king on the sixth rank, before its pawn */
        {"4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true}, /* whoever moves */
        {"4k3/8/8/4K3/4P3/8/8/8 w - - 0 1", true}, /* the king takes the opposition */
        {"4k3/8/8/4K3/4P3/8/8/8 b - - 0 1", false}, /* the other king takes it */
        {"4k3/8/3K4/3P4/8/8/8/8 w - - 0 1", true},
        {"8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", false}, /* without the opposition */
        {"8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", true},  /* with it */
        {"8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", false}, /* the defender stands before the pawn */
        {"k7/8/K7/P7/8/8/8/8 w - - 0 1", false},    /* a rook's pawn */
        {"7k/8/7K/7P/8/8/8/8 b - - 0 1", false},
        {"8/8/8/8/P7/8/8/K6k w - - 0 1", true},    /* the king is outside the square */
        {"8/8/8/4k3/P7/8/8/K7 b - - 0 1", false},  /* it is inside */
        {"8/8/8/3pk3/8/3K4/8/8 w - - 0 1", false}, /* Black's pawn, and White's opposition */
        {"8/8/8/8/3p4/3k4/8/3K4 w - - 0 1", true},
        {"8/8/8/8/8/8/1kP5/4K3 b - - 0 1", false}, /* the pawn falls */
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct position p = position_of(known[i].fen), m = position_mirrored(&p);
        cr_expect_eq(kpk_is_won(&p), known[i].won, "%s", known[i].fen);
        cr_expect_eq(kpk_is_won(&m), known[i].won, "%s, colours exchanged", known[i].fen);
    }
}

/* A random legal position of two kings and a pawn. */
static struct position random_kpk(struct stream *s)
{
    for (;;) {
        struct position p;
        char fen[FEN_MAX], board[64] = {0};
        const int pawn = 8 + (int)stream_below(s, 48),
                  kings[2] = {(int)stream_below(s, 64), (int)stream_below(s, 64)};
        if (kings[0] == kings[1] || kings[0] == pawn || kings[1] == pawn)
            continue;
        board[pawn] = stream_below(s, 2) == 0 ? 'P' : 'p';
        board[kings[0]] = 'K';
        board[kings[1]] = 'k';
        size_t at = 0;
        for (int rank = 7; rank >= 0; rank--)
            for (int file = 0; file < 8; file++) {
                const char c = board[8 * rank + file];
                fen[at++] = c == 0 ? '1' : c;
                if (file == 7 && rank > 0)
                    fen[at++] = '/';
            }
        strcpy(fen + at, stream_below(s, 2) == 0 ? " w - - 0 1" : " b - - 0 1");
        if (position_from_fen(&p, fen, NULL, NULL))
            return p;
    }
}

/* Whether the side with the pawn wins after a move, by the table where the pawn is still one. */
static bool is_won_after(struct position p, Move m, enum color strong)
{
    struct undo undo;
    struct move_list list;
    position_make(&p, m, &undo);
    if (p.by_kind[PAWN] != 0)
        return kpk_is_won(&p);
    if (bits_count(position_occupied(&p)) == 2)
        return false;
    movegen_legal(&p, &list); /* promoted: to win the piece must live, and not be stalemate */
    for (int i = 0; i < list.count; i++)
        if ((bit(move_to(list.moves[i])) & p.by_color[strong]) != 0)
            return false;
    const bool stalemate = list.count == 0 && !position_in_check(&p);
    return (p.by_kind[QUEEN] | p.by_kind[ROOK]) != 0 && !stalemate;
}

/* Every value follows from those after its moves, which the generator of moves lists. */
Test(endgames, the_table_follows_from_the_moves)
{
    struct stream s = seeded(1);
    for (int i = 0; i < thorough(20000, 1000000); i++) {
        const struct position p = random_kpk(&s);
        const enum color strong = position_pieces(&p, WHITE, PAWN) != 0 ? WHITE : BLACK;
        const bool own = (enum color)p.side == strong;
        struct move_list list;
        char fen[FEN_MAX];
        bool any_won = false, all_won = true;
        movegen_legal(&p, &list);
        for (int m = 0; m < list.count; m++) {
            const bool won = is_won_after(p, list.moves[m], strong);
            any_won = any_won || won;
            all_won = all_won && won;
        }
        position_to_fen(&p, fen);
        cr_assert_eq(kpk_is_won(&p), own ? any_won : all_won && list.count > 0, "%s", fen);
    }
}

/* ---- other endings ---- */

static void expect_part(const char *fen, int part)
{
    const struct position p = position_of(fen), m = position_mirrored(&p);
    cr_expect_eq(part_of(&p, WHITE), part, "%s: %d", fen, part_of(&p, WHITE));
    cr_expect_eq(part_of(&m, BLACK), part, "%s, colours exchanged", fen);
}

/* White's advantage. */
Test(endgames, parts)
{
    expect_part("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", ENDGAME_WHOLE);
    expect_part("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", 0);
    expect_part("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", 0);
    expect_part("4k3/p7/8/8/8/8/8/1N2K1N1 w - - 0 1", 0);
    expect_part("4k3/8/8/8/8/8/8/2B1K1N1 w - - 0 1", ENDGAME_WHOLE);
    expect_part("3bk3/8/8/8/8/8/8/R3K3 w - - 0 1", 4);
    expect_part("3rk3/8/8/8/8/8/8/R1B1K3 w - - 0 1", 4);
    expect_part("3bk3/8/8/8/8/8/8/Q3K3 w - - 0 1", ENDGAME_WHOLE);
    expect_part("k7/8/8/P7/8/8/8/2B1K3 w - - 0 1", 0);   /* h6 is dark, a8 is light */
    expect_part("k7/8/8/P7/8/8/8/4KB2 w - - 0 1", 13);   /* the right bishop */
    expect_part("8/8/2k5/P7/8/8/8/2B1K3 w - - 0 1", 13); /* the king is away */
    expect_part("1k6/8/P7/P7/8/8/8/4K3 w - - 0 1", 0);
    expect_part("1k6/8/P7/1P6/8/8/8/4K3 w - - 0 1", 24);
    expect_part("2b1k3/5p2/8/4PP2/8/8/8/2B1K3 w - - 0 1", 3);
    expect_part("2b1k3/5p2/8/P3P3/8/8/8/2B1K3 w - - 0 1", 5);
    expect_part("2b1k3/5p2/8/4PP2/8/8/8/3BK3 w - - 0 1", 13);
    expect_part("2bnk3/5p2/8/4PP2/8/8/8/2B1K3 w - - 0 1", 13);
    expect_part("2bnk3/5p2/8/P3P3/8/8/8/2B1K3 w - - 0 1", ENDGAME_WHOLE);
    expect_part("3rk3/5p2/8/4PP2/8/8/8/R3K3 w - - 0 1", 9);
    expect_part("3rk3/5p2/8/PP2PP2/8/8/8/R3K3 w - - 0 1", ENDGAME_WHOLE);
    expect_part("3rk3/5p2/8/PP2PP2/8/8/8/RR2K3 w - - 0 1", ENDGAME_WHOLE);
    expect_part("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", ENDGAME_WHOLE);
    expect_part("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", 0);
    expect_part(FEN_START, ENDGAME_WHOLE);
}

/* The score belongs to the side to move, and fades. */
Test(endgames, scores)
{
    struct position p = position_of("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    cr_expect_eq(endgame_score(&p, 480), 480);
    p.halfmove = 40;
    cr_expect_eq(endgame_score(&p, 480), 480);
    p.halfmove = 70;
    cr_expect_eq(endgame_score(&p, 480), 360);
    cr_expect_eq(endgame_score(&p, -480), 0); /* Black has no pawn and no piece */
    p.halfmove = 100;
    cr_expect_eq(endgame_score(&p, 480), 240);
    p = position_of("2b1k3/5p2/8/4PP2/8/8/8/2B1K3 b - - 0 1");
    cr_expect_eq(endgame_score(&p, -160), -30);
    cr_expect_eq(endgame_score(&p, 0), 0);
}
