/* Control: how many squares of each rank and file the pieces of a kind attack. Worth 45, 7 % of
 * the time (modern_sink.h). */
#include "modern_sink.h"

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    for (int kind = KNIGHT; kind <= QUEEN; kind++) {
        int by_rank = T_CONTROL_RANK + (kind - KNIGHT) * SIZE_RANKS;
        int by_file = T_CONTROL_FILE + (kind - KNIGHT) * SIZE_FILES;
        Bitboard attacks = f->attacks[us][kind];
        for (int rank = 0; rank < SIZE_RANKS; rank++)
            add(e, by_rank + rank, bits_count(attacks & rank_relative(us, rank)));
        for (int file = 0; file < SIZE_FILES; file++)
            add(e, by_file + file, bits_count(attacks & files_squares(0x80u >> file | 1u << file)));
    }
}

MODERN_GROUP(control, side)
