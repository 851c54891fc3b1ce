#include "extension.h"

#include "attacks.h"

enum { LONGEST = 4 }; /* no extension beyond this multiple of the iteration */

/* Whether the move captures on the square of the last capture. */
static bool is_recapture(const struct tree *t, const struct node *n, Move m)
{
    const struct frame *before = tree_frame_const(t, n->ply - 1);
    return n->ply > 0 && before->capture && move_to(m) == move_to(before->move);
}

/* The squares in front of a pawn on its file and the adjacent files. */
static Bitboard front_span(enum color us, int square)
{
    Bitboard files = file_bits(square_file(square));
    files |= (files & ~file_bits(0)) >> 1 | (files & ~file_bits(7)) << 1;
    return us == WHITE ? files & ~(Bitboard)0 << 1 << (square | 7)
                       : files & ~(~(Bitboard)0 << (square & 56));
}

/* Whether a pawn reaches the sixth or seventh rank with no enemy pawn in its front span. */
static bool is_passed_push(const struct position *p, Move m)
{
    int to = move_to(m), rank = square_rank(square_relative(to, p->side));
    return p->board[move_from(m)] == PAWN && (rank == 5 || rank == 6) &&
           (front_span(p->side, to) & position_pieces(p, color_other(p->side), PAWN)) == 0;
}

int extension_of(const struct tree *t, const struct node *n, Move m, bool gives_check)
{
    if (n->ply >= LONGEST * t->iteration)
        return 0;
    int sum = m == n->hit.move ? n->singular : 0;
    if (gives_check)
        sum += param(t, CHECK_EXTENSION);
    if (n->only_reply)
        sum += param(t, ONE_REPLY_EXTENSION);
    if (n->mate_threat)
        sum += param(t, MATE_THREAT_EXTENSION);
    if (param(t, RECAPTURE_EXTENSION) != 0 && is_recapture(t, n, m))
        sum += param(t, RECAPTURE_EXTENSION);
    if (param(t, PASSED_PAWN_EXTENSION) != 0 && is_passed_push(&t->position, m))
        sum += param(t, PASSED_PAWN_EXTENSION);
    return sum < PLY ? sum : PLY;
}
