#include "uci_show.h"

#include <inttypes.h>

/* The letter of the piece on a square, lower case for Black; a blank if the square is empty. */
static char piece_at(const struct position *p, int square)
{
    static const char letters[2][NO_KIND + 2] = {"PNBRQK ", "pnbrqk "};
    return letters[p->by_color[BLACK] >> square & 1][p->board[square]];
}

static void add_rank(const struct position *p, int rank, struct uci_text *text)
{
    for (int file = 0; file < 8; file++)
        uci_text_add(text, " | %c", piece_at(p, square_at(file, rank)));
    uci_text_add(text, " | %d\n", rank + 1);
}

void uci_show_board(const struct position *p, struct uci_text *text)
{
    static const char line[] = " +---+---+---+---+---+---+---+---+\n";
    char fen[FEN_MAX];
    uci_text_add(text, "\n%s", line);
    for (int rank = 7; rank >= 0; rank--) {
        add_rank(p, rank, text);
        uci_text_add(text, "%s", line);
    }
    position_to_fen(p, fen);
    uci_text_add(text,
                 "   a   b   c   d   e   f   g   h\n\nFen: %s\nKey: %016" PRIX64 "\nCheckers:", fen,
                 p->key);
    for (Bitboard set = position_checkers(p); set != 0;) {
        int square = bits_pop(&set);
        uci_text_add(text, " %c%d", 'a' + square_file(square), square_rank(square) + 1);
    }
    uci_text_add(text, "\n");
}

void uci_show_terms_head(struct uci_text *text)
{
    uci_text_add(text, "\n%-33s %6s %7s %11s\n", "Term (from White's side)", "count", "weight",
                 "centipawns");
}

int32_t uci_show_term(const char *name, int count, int32_t weight, int32_t scale,
                      struct uci_text *text)
{
    int32_t share = count * weight;
    uci_text_add(text, "%-33s %+6d %7" PRId32 " %+11.*f\n", name, count, weight, scale > 1 ? 2 : 0,
                 (double)share / scale);
    return share;
}

void uci_show_endgame(int32_t added, struct uci_text *text)
{
    uci_text_add(text, "%-33s %6s %7s %+11.2f\n", "endings and the fifty-move clock", "", "",
                 (double)added);
}

void uci_show_score(const struct position *p, int32_t score, int32_t shown, struct uci_text *text)
{
    bool white = p->side == WHITE;
    uci_text_add(text, "\nFinal evaluation %+.2f (white side), %+.2f (side to move: %s)\n",
                 score / 100.0, (white ? score : -score) / 100.0, white ? "white" : "black");
    if (shown != score)
        uci_text_add(text, "Shown in a game %+.2f (white side)\n", shown / 100.0);
}
