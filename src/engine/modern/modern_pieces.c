/* Squares: where pieces stand. The two wings are alike. Pawns and kings are in modern_pawns.c.
 * Worth 64, 5 % of the time (modern_sink.h). */
#include "modern_sink.h"

INLINE void squares_side(struct sink *e, const struct modern_facts *f)
{
    for (const struct modern_piece *piece = f->piece[OWN]; piece->kind != KING; piece++)
        add(e, T_SQUARE + piece->kind * SIZE_SQUARES + square_wing(piece->square), 1);
}

MODERN_GROUP(squares, squares_side)

/* Mobility: the squares to which a piece can go without being taken by a pawn, from a table for
 * each kind; those where it is not lost, from another; and those it attacks, all and those that
 * nothing cheaper attacks. Worth 59, 7 % of the time (modern_sink.h). */

/* The pieces of a kind, from `next` on. */
INLINE void mobility_terms(struct sink *e, const struct modern_facts *f, int kind, int table,
                           int safe_table, Bitboard cheaper, const struct modern_piece **next)
{
    const Bitboard *enemy = f->attacks[ENEMY];
    Bitboard room = ~enemy[PAWN] & ~(f->pawns->pawns[OWN] | bit(f->king[OWN]));
    Bitboard held = ~f->position->by_color[OWN] & (~f->attacked[ENEMY] | f->twice[OWN]);
    int reach = 0, safe_reach = 0;
    for (; (*next)->kind == kind; (*next)++) {
        Bitboard attacks = (*next)->attacks;
        add(e, table + bits_count(attacks & room), 1);
        add(e, safe_table + bits_count(attacks & held & ~cheaper), 1);
        reach += bits_count(attacks);
        safe_reach += bits_count(attacks & ~cheaper);
    }
    add(e, T_REACH + kind - KNIGHT, reach);
    add(e, T_SAFE_REACH + kind - KNIGHT, safe_reach);
}

INLINE void mobility_side(struct sink *e, const struct modern_facts *f)
{
    const Bitboard *enemy = f->attacks[ENEMY];
    Bitboard pawns = enemy[PAWN], minors = pawns | enemy[KNIGHT] | enemy[BISHOP];
    const struct modern_piece *next = f->piece[OWN];
    mobility_terms(e, f, KNIGHT, T_KNIGHT_MOBILITY, T_KNIGHT_SAFE, pawns, &next);
    mobility_terms(e, f, BISHOP, T_BISHOP_MOBILITY_TO, T_BISHOP_SAFE, pawns, &next);
    mobility_terms(e, f, ROOK, T_ROOK_MOBILITY_TO, T_ROOK_SAFE, minors, &next);
    mobility_terms(e, f, QUEEN, T_QUEEN_MOBILITY_TO, T_QUEEN_SAFE, minors | enemy[ROOK], &next);
}

MODERN_GROUP(mobility, mobility_side)

/* Control: squares of each rank and file that a kind's pieces attack. Worth 45, 7 % of the time (modern_sink.h). */

INLINE void control_side(struct sink *e, const struct modern_facts *f)
{
    for (int kind = KNIGHT; kind <= QUEEN; kind++) {
        int by_rank = T_CONTROL_RANK + (kind - KNIGHT) * SIZE_RANKS;
        int by_file = T_CONTROL_FILE + (kind - KNIGHT) * SIZE_FILES;
        Bitboard attacks = f->attacks[OWN][kind];
        if (attacks == 0)
            continue;
        for (int rank = 0; rank < SIZE_RANKS; rank++)
            add(e, by_rank + rank, bits_count(attacks & rank_relative(OWN, rank)));
        for (int file = 0; file < SIZE_FILES; file++)
            add(e, by_file + file, bits_count(attacks & files_squares(0x80u >> file | 1u << file)));
    }
}

MODERN_GROUP(control, control_side)

/* What pieces like: outposts, colours, files, and to be near a king. Worth 58, 12 % of the time (modern_sink.h). */

/* The squares of the ranks 4 to 6 that no enemy pawn can ever attack. */
INLINE Bitboard outposts(const struct modern_facts *f)
{
    Bitboard ranks = rank_relative(OWN, 3) | rank_relative(OWN, 4) | rank_relative(OWN, 5);
    return ranks & ~f->pawns->spans[ENEMY];
}

INLINE void minor_terms(struct sink *e, const struct modern_facts *f,
                        const struct modern_piece *piece)
{
    int minor = piece->kind - KNIGHT;
    Bitboard at = bit(piece->square), own = f->position->by_color[OWN], posts = outposts(f);
    if ((posts & at) != 0)
        add(e, T_OUTPOST + 2 * minor + ((f->attacks[OWN][PAWN] & at) != 0), 1);
    else
        add(e, T_OUTPOST_REACH + minor,
            (piece->attacks & posts & f->attacks[OWN][PAWN] & ~own) != 0);
    add(e, T_MINOR_BEHIND_PAWN + minor, (ahead(OWN, at) & f->pawns->pawns[OWN]) != 0);
}

INLINE void bishop_terms(struct sink *e, const struct modern_facts *f,
                         const struct modern_piece *piece)
{
    Bitboard colour = LIGHT_SQUARES ^ ((LIGHT_SQUARES >> piece->square & 1) - 1);
    add(e, T_BISHOP_OWN_PAWNS, bits_count(f->pawns->pawns[OWN] & colour));
    add(e, T_BISHOP_ENEMY_PAWNS, bits_count(f->pawns->pawns[ENEMY] & colour));
}

INLINE void rook_terms(struct sink *e, const struct modern_facts *f,
                       const struct modern_piece *piece)
{
    int file = square_file(piece->square), king = square_file(f->king[ENEMY]);
    int away = file > king ? file - king : king - file, near = (away <= 1) * (2 - away);
    int own = f->pawns->files[OWN] >> file & 1, enemy = f->pawns->files[ENEMY] >> file & 1;
    int openness = (1 - own) * (2 - enemy); /* no branch to predict */
    add(e, T_ROOK_FILE + SIZE_NEARNESS * openness + near, 1);
    add(e, T_ROOK_QUEEN_FILE, (file_bits(file) & position_pieces(f->position, ENEMY, QUEEN)) != 0);
}

/* Rooks together, and those that the own king shuts in. */
INLINE void rooks_terms(struct sink *e, const struct modern_facts *f)
{
    Bitboard rooks = position_pieces(f->position, OWN, ROOK), king = bit(f->king[OWN]);
    Bitboard home = rank_relative(OWN, 0);
    bool may_castle = (f->position->castling & rooks) != 0;
    bool left = (king & home & files_squares(0x0e)) != 0 &&
                (rooks & home & files_squares(0x03) & (king - 1)) != 0;
    bool right = (king & home & files_squares(0x70)) != 0 &&
                 (rooks & home & files_squares(0xc0) & ~(king - 1)) != 0;
    add(e, T_ROOKS_DOUBLED, (fill_ahead(OWN, ahead(OWN, rooks)) & rooks) != 0);
    add(e, T_ROOK_SHUT_IN, !may_castle && (left || right));
}

/* The pieces of a kind, from `next` on. */
INLINE void kind_terms(struct sink *e, const struct modern_facts *f, int kind,
                       const struct modern_piece **next)
{
    int row = (kind - KNIGHT) * SIZE_DISTANCES;
    for (; (*next)->kind == kind; (*next)++) {
        const struct modern_piece *piece = *next;
        add(e, T_TROPISM + row + distance(piece->square, f->king[ENEMY]), 1);
        add(e, T_TROPISM_OWN + row + distance(piece->square, f->king[OWN]), 1);
        if (kind <= BISHOP)
            minor_terms(e, f, piece);
        if (kind == BISHOP)
            bishop_terms(e, f, piece);
        if (kind == ROOK)
            rook_terms(e, f, piece);
    }
}

INLINE void pieces_side(struct sink *e, const struct modern_facts *f)
{
    const struct modern_piece *next = f->piece[OWN];
    kind_terms(e, f, KNIGHT, &next);
    kind_terms(e, f, BISHOP, &next);
    kind_terms(e, f, ROOK, &next);
    kind_terms(e, f, QUEEN, &next);
    rooks_terms(e, f);
}

MODERN_GROUP(pieces, pieces_side)

/* Lines: pieces between a slider and a king or a queen, and how much of the zone around the enemy
 * king lies behind something. Worth 11, 8 % of the time (modern_sink.h). */

/* The pieces that alone stand between a target and an own slider on a line with it. */
INLINE Bitboard alone_between(const struct modern_facts *f, int target)
{
    const struct position *p = f->position;
    Bitboard found = 0, sliders = sliders_attacking(p, target, 0) & p->by_color[OWN];
    while (sliders != 0) {
        Bitboard between = between_table[target][bits_pop(&sliders)] & f->occupied;
        found |= between & -(Bitboard)!bits_many(between); /* no branch to predict */
    }
    return found;
}

/* Squares of the zone on the sliders' lines, from `next` on, that they do not reach. */
INLINE void xray_term(struct sink *e, const struct modern_facts *f, int kind,
                      const struct modern_piece **next)
{
    Bitboard zone = f->zone[ENEMY];
    int hidden = 0;
    for (; (*next)->kind == kind; (*next)++)
        hidden += bits_count(piece_attacks(kind, (*next)->square, 0) & ~(*next)->attacks & zone);
    add(e, T_XRAY + 2 * (kind - KNIGHT) + f->queen[OWN], hidden);
}

INLINE void pins_side(struct sink *e, const struct modern_facts *f)
{
    const struct position *p = f->position;
    const struct modern_piece *slider = modern_first(f, OWN, BISHOP);
    Bitboard enemies = p->by_color[ENEMY], queens = position_pieces(p, ENEMY, QUEEN);
    Bitboard before_king = alone_between(f, f->king[ENEMY]) & ~p->by_kind[KING];
    add_by_kind(e, f, T_PINNED, before_king & enemies);
    add_by_kind(e, f, T_DISCOVERY, before_king & ~enemies);
    xray_term(e, f, BISHOP, &slider);
    xray_term(e, f, ROOK, &slider);
    xray_term(e, f, QUEEN, &slider);
    while (queens != 0)
        add_by_kind(e, f, T_PINNED_QUEEN,
                    alone_between(f, bits_pop(&queens)) & enemies & ~p->by_kind[KING]);
}

MODERN_GROUP(pins, pins_side)
