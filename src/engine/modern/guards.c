/* Guards: what defends what, what nothing defends, and what is attacked twice. Worth 26, 7 % of
 * the time (modern_sink.h). */
#include "modern_sink.h"

/* Each kind of defender of each own kind. */
INLINE void protections(struct sink *e, const struct modern_facts *f, enum color us)
{
    for (int own = PAWN; own <= QUEEN; own++) {
        Bitboard pieces = position_pieces(f->position, us, own);
        for (int kind = PAWN; kind <= KING; kind++)
            add(e, T_PROTECTED + kind * SIZE_KINDS + own,
                bits_count(f->attacks[us][kind] & pieces));
    }
}

/* Counts the pieces of a set by kind: it has several in most positions, so there is no branch to
 * predict. */
INLINE void count_by_kind(struct sink *e, const struct modern_facts *f, int term, Bitboard set)
{
    for (int kind = PAWN; kind <= QUEEN; kind++)
        add_turn(e, term + 2 * kind, bits_count(set & f->position->by_kind[kind]));
}

INLINE void side(struct sink *e, const struct modern_facts *f, enum color us)
{
    enum color them = color_other(us);
    Bitboard victims = f->position->by_color[them] & ~bit(f->king[them]);
    protections(e, f, us);
    count_by_kind(e, f, T_LOOSE, victims & ~f->attacked[them]);
    count_by_kind(e, f, T_TWICE, victims & f->twice[us]);
}

MODERN_GROUP(guards, side)
