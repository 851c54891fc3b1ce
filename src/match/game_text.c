#include "game_text.h"

#include "notation.h"

void game_text_write(FILE *out, const struct game *g)
{
    char fen[FEN_MAX], uci[UCI_MAX];
    struct position p = g->start;
    position_to_fen(&p, fen);
    fprintf(out, "start    %s\nmoves   ", fen);
    for (int i = 0; i < g->plies; i++) {
        struct undo undo;
        move_to_uci(&p, g->moves[i].move, uci);
        fprintf(out, " %s", uci);
        position_make(&p, g->moves[i].move, &undo);
    }
    position_to_fen(&p, fen);
    fprintf(out, "\nposition %s\n", fen);
}
