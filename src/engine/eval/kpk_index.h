/* The order of the table of king and pawn against king. The pawn is White's and stands on the files a
 * to d; other positions are mirrored. For this room alone. */
#ifndef GRAYLING_KPK_INDEX_H
#define GRAYLING_KPK_INDEX_H

#include "chess.h"

enum { KPK_PAWNS = 24, KPK_POSITIONS = KPK_PAWNS * 64 * 64 * 2 };

/* The index of a position; `side` is to move. */
static inline int kpk_index(int pawn, int white_king, int black_king, enum color side)
{
    const int place = 4 * (square_rank(pawn) - 1) + square_file(pawn);
    return ((place * 64 + white_king) * 64 + black_king) * 2 + (int)side;
}

#endif
