#include "kpk.h"

#include "kpk_index.h"

extern const uint32_t kpk_table[KPK_POSITIONS / 32];

bool kpk_is_won(const struct position *p)
{
    const enum color strong = position_pieces(p, WHITE, PAWN) != 0 ? WHITE : BLACK;
    const int pawn = bits_first(p->by_kind[PAWN]);
    const int flip = (strong == WHITE ? 0 : 56) ^ (square_file(pawn) > 3 ? 7 : 0);
    const int index = kpk_index(pawn ^ flip, position_king(p, strong) ^ flip,
                                position_king(p, color_other(strong)) ^ flip,
                                (enum color)(p->side != (uint8_t)strong));
    return (kpk_table[index / 32] >> (index % 32) & 1) != 0;
}
