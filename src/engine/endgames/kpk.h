/* King and pawn against king: who wins, of every position. The table is computed at build (gen_kpk.c),
 * 24 KiB of constant data. */
#ifndef GRAYLING_KPK_H
#define GRAYLING_KPK_H

#include "position.h"

/* True if the side with the pawn wins with best play. The board has exactly two kings and a pawn. */
bool kpk_is_won(const struct position *p);

#endif
