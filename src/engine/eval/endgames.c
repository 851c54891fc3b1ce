#include "endgames.h"

#include "kpk_index.h"
#include "sets.h"

/* Parts of ENDGAME_WHOLE. */
enum { DRAWN = 0, NEARLY_DRAWN = 4, ONE_WING = 13, ENDGAME_WHOLE = 16, PAWNS_ALONE = 24 };

/* The last ply without a capture or pawn move, and those in which scores fade. */
enum { LAST = 100, FADING = LAST - ENDGAME_SAFE };

/* Most pieces, kings and pawns not counted, of the endings below. */
enum { PIECES = 6 };

/* The pieces of a side but its king and pawns. */
static Bitboard pieces_of(const struct position *p, enum color side)
{
    return p->by_color[side] & ~(p->by_kind[PAWN] | p->by_kind[KING]);
}

/* What the pieces of a side are worth, in pawns. */
static int worth(const struct position *p, enum color side)
{
    return 3 * bits_count(p->by_color[side] & (p->by_kind[KNIGHT] | p->by_kind[BISHOP])) +
           5 * bits_count(position_pieces(p, side, ROOK)) +
           9 * bits_count(position_pieces(p, side, QUEEN));
}

/* ---- the endings ---- */

/* True if all pieces of the strong side are bishops that do not control the corner, or there are none,
 * all its pawns stand on one rook's file, and the other king is in that corner or beside it. */
static bool holds_the_corner(const struct position *p, enum color strong)
{
    const Bitboard pawns = position_pieces(p, strong, PAWN), pieces = pieces_of(p, strong);
    const bool on_a = (pawns & ~file_bits(0)) == 0, on_h = (pawns & ~file_bits(7)) == 0;
    if (pawns == 0 || !(on_a || on_h))
        return false;
    const int corner = square_at(on_a ? 0 : 7, strong == WHITE ? 7 : 0);
    const Bitboard same = (LIGHT_SQUARES & bit(corner)) != 0 ? LIGHT_SQUARES : ~LIGHT_SQUARES;
    return (pieces & ~p->by_kind[BISHOP]) == 0 && (pieces & same) == 0 &&
           square_distance(position_king(p, color_other(strong)), corner) <= 1;
}

/* True if each side has one bishop, on squares of different colours, and no other piece. */
static bool opposite_bishops(const struct position *p)
{
    const Bitboard white = pieces_of(p, WHITE), black = pieces_of(p, BLACK), all = white | black;
    return (all & ~p->by_kind[BISHOP]) == 0 && bits_count(white) == 1 && bits_count(black) == 1 &&
           bits_count(all & LIGHT_SQUARES) == 1;
}

/* King and pawn against king: who wins, of every position: 24 KiB, computed at build (gen_kpk.c). */
extern const uint32_t kpk_table[KPK_POSITIONS / 32];

/* True if the side with the pawn wins with best play. The board has exactly two kings and a pawn. */
static bool kpk_is_won(const struct position *p)
{
    const enum color strong = position_pieces(p, WHITE, PAWN) != 0 ? WHITE : BLACK;
    const int pawn = bits_first(p->by_kind[PAWN]);
    const int flip = (strong == WHITE ? 0 : 56) ^ (square_file(pawn) > 3 ? 7 : 0);
    const int index = kpk_index(pawn ^ flip, position_king(p, strong) ^ flip,
                                position_king(p, color_other(strong)) ^ flip,
                                (enum color)(p->side != (uint8_t)strong));
    return (kpk_table[index / 32] >> (index % 32) & 1) != 0;
}

static int part_without_pawns(const struct position *p, enum color strong)
{
    const int own = worth(p, strong), others = worth(p, color_other(strong));
    const Bitboard pieces = pieces_of(p, strong);
    if (own <= 3 || (own == 6 && (pieces & ~p->by_kind[KNIGHT]) == 0 && others == 0))
        return DRAWN;
    return own - others <= 3 ? NEARLY_DRAWN : ENDGAME_WHOLE;
}

/* The part with pawns, by those of the strong side, from one on, and by whether all stand on one wing. The numbers are those
 * with which scores in own games told their results best (experiments/endgame_parts.py). */
static int part_with_pawns(const struct position *p, enum color strong)
{
    static const int8_t of_bishops[2][4] = {{3, 5, 7, 9}, {0, 3, 4, 7}},
                        of_rooks[2][4] = {{10, 13, 16, 16}, {10, 9, 9, 10}};
    const Bitboard pieces = pieces_of(p, WHITE) | pieces_of(p, BLACK), pawns = p->by_kind[PAWN];
    const Bitboard left = file_bits(0) | file_bits(1) | file_bits(2) | file_bits(3);
    const bool one_wing = (pawns & left) == 0 || (pawns & ~left) == 0;
    const int count = bits_count(position_pieces(p, strong, PAWN)),
              place = count < 4 ? count - 1 : 3;
    if (pieces == 0)
        return PAWNS_ALONE;
    if (opposite_bishops(p))
        return of_bishops[one_wing][place];
    if (pieces == p->by_kind[ROOK] && bits_count(pieces) == 2 &&
        bits_count(pieces & p->by_color[strong]) == 1)
        return of_rooks[one_wing][place];
    return one_wing ? ONE_WING : ENDGAME_WHOLE;
}

/* The part of its advantage that a side keeps. */
static int endgame_part(const struct position *p, enum color strong)
{
    const Bitboard pieces = pieces_of(p, WHITE) | pieces_of(p, BLACK);
    if (bits_count(pieces) > PIECES)
        return ENDGAME_WHOLE;
    if (position_pieces(p, strong, PAWN) == 0)
        return part_without_pawns(p, strong);
    if (pieces == 0 && bits_count(p->by_kind[PAWN]) == 1)
        return kpk_is_won(p) ? ENDGAME_WHOLE : DRAWN;
    return holds_the_corner(p, strong) ? DRAWN : part_with_pawns(p, strong);
}

int32_t endgame_score(const struct position *p, int32_t score)
{
    const enum color strong = score > 0 ? (enum color)p->side : color_other((enum color)p->side);
    const int late = p->halfmove <= ENDGAME_SAFE ? 0
                     : p->halfmove < LAST        ? p->halfmove - ENDGAME_SAFE
                                                 : FADING;
    if (score == 0)
        return 0;
    score = score * endgame_part(p, strong) / ENDGAME_WHOLE;
    return score * (2 * FADING - late) / (2 * FADING);
}
