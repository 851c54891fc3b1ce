/* Build-time program that writes kpk_table.c: a bit for each position of king and pawn against king, 1
 * if the pawn's side wins. By retrograde analysis: positions that are decided at once, then all whose
 * moves lead to decided ones, until nothing changes. What stays open is a draw. */
#include "kpk_index.h"

#include <stdio.h>
#include <stdlib.h>

enum state { OPEN, WON, DRAWN, IMPOSSIBLE };

struct kpk {
    int pawn, kings[2];
    enum color side;
};

static unsigned char states[KPK_POSITIONS];

/* ---- the board ---- */

static bool pawn_attacks(int pawn, int square)
{
    return square_rank(square) == square_rank(pawn) + 1 &&
           abs(square_file(square) - square_file(pawn)) == 1;
}

static bool is_possible(const struct kpk *k)
{
    return square_distance(k->kings[WHITE], k->kings[BLACK]) > 1 && k->kings[WHITE] != k->pawn &&
           k->kings[BLACK] != k->pawn &&
           !(k->side == WHITE && pawn_attacks(k->pawn, k->kings[BLACK]));
}

/* The state of a position, which may be an impossible one. */
static enum state look_up(const struct kpk *k)
{
    return is_possible(k)
               ? (enum state)states[kpk_index(k->pawn, k->kings[WHITE], k->kings[BLACK], k->side)]
               : IMPOSSIBLE;
}

/* ---- moves ---- */

/* Notes the states that the king's moves of the side to move lead to. The black king may take an undefended pawn. */
static void add_king_moves(const struct kpk *k, bool found[IMPOSSIBLE + 1])
{
    const int from = k->kings[k->side];
    for (int to = 0; to < 64; to++) {
        struct kpk next = *k;
        if (square_distance(from, to) != 1)
            continue;
        next.kings[k->side] = to;
        next.side = color_other(k->side);
        if (k->side == BLACK && to == k->pawn) {
            found[DRAWN] |= square_distance(k->kings[WHITE], to) > 1;
        } else
            found[look_up(&next)] = true;
    }
}

/* True if the pawn, one step from promotion, promotes and is not taken. */
static bool promotes(const struct kpk *k)
{
    const int to = k->pawn + 8;
    if (square_rank(k->pawn) != 6 || to == k->kings[WHITE] || to == k->kings[BLACK])
        return false;
    return square_distance(k->kings[BLACK], to) > 1 || square_distance(k->kings[WHITE], to) == 1;
}

/* The same of the pawn's moves that do not promote. */
static void add_pawn_moves(const struct kpk *k, bool found[IMPOSSIBLE + 1])
{
    for (int steps = 1; steps <= (square_rank(k->pawn) == 1 ? 2 : 1); steps++) {
        struct kpk next = *k;
        next.pawn += 8 * steps;
        next.side = BLACK;
        if (square_rank(next.pawn) == 7 || next.pawn == k->kings[WHITE] ||
            next.pawn == k->kings[BLACK])
            return;
        found[look_up(&next)] = true;
    }
}

/* The state that follows from the positions after a move. */
static enum state follow(const struct kpk *k)
{
    bool found[IMPOSSIBLE + 1] = {false};
    if (k->side == WHITE && promotes(k))
        return WON;
    add_king_moves(k, found);
    if (k->side == WHITE) {
        add_pawn_moves(k, found);
        return found[WON] ? WON : found[OPEN] ? OPEN : DRAWN;
    }
    /* no move: a pawn and a king do not mate here, so it is stalemate */
    return found[DRAWN] ? DRAWN : found[OPEN] ? OPEN : found[WON] ? WON : DRAWN;
}

/* ---- the table ---- */

/* Decides what can be decided. Returns whether anything was. */
static bool pass(void)
{
    bool changed = false;
    struct kpk k;
    for (int i = 0; i < KPK_POSITIONS; i++) {
        const int place = i / (2 * 64 * 64);
        k.pawn = square_at(place % 4, 1 + place / 4);
        k.kings[WHITE] = i / (2 * 64) % 64;
        k.kings[BLACK] = i / 2 % 64;
        k.side = (enum color)(i % 2);
        if (states[i] != OPEN || !is_possible(&k))
            continue;
        states[i] = (unsigned char)follow(&k);
        changed = changed || states[i] != OPEN;
    }
    return changed;
}

static void print_table(FILE *out)
{
    fputs("#include \"kpk_index.h\"\n\n#include <stdint.h>\n\n"
          "extern const uint32_t kpk_table[KPK_POSITIONS / 32];\n"
          "const uint32_t kpk_table[KPK_POSITIONS / 32] = {\n",
          out);
    for (int i = 0; i < KPK_POSITIONS; i += 32) {
        uint32_t word = 0;
        for (int b = 0; b < 32; b++)
            word |= (uint32_t)(states[i + b] == WON) << b;
        fprintf(out, "0x%08x,%s", (unsigned)word, i / 32 % 8 == 7 ? "\n" : " ");
    }
    fputs("};\n", out);
}

int main(int argc, char **argv)
{
    FILE *out = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (out == NULL) {
        fputs("usage: gen_kpk OUTPUT.c\n", stderr);
        return 1;
    }
    while (pass())
        ;
    print_table(out);
    return fclose(out) == 0 ? 0 : 1;
}
