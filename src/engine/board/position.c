#include "position.h"

#include "attacks.h"
#include "sets.h"

#include <assert.h>

/* ---- pieces on the board, without the key ---- */

/* Moves a piece to an empty square. */
INLINE void shift(struct position *p, enum color us, enum kind kind, int from, int to)
{
    Bitboard both = bit(from) | bit(to);
    p->by_kind[kind] ^= both;
    p->by_color[us] ^= both;
    p->board[from] = NO_KIND;
    p->board[to] = (uint8_t)kind;
}

/* Puts a piece on an empty square. */
INLINE void put(struct position *p, enum color us, enum kind kind, int square)
{
    p->by_kind[kind] ^= bit(square);
    p->by_color[us] ^= bit(square);
    p->board[square] = (uint8_t)kind;
}

INLINE void lift(struct position *p, enum color us, enum kind kind, int square)
{
    p->by_kind[kind] ^= bit(square);
    p->by_color[us] ^= bit(square);
    p->board[square] = NO_KIND;
}

/* Changes the kind of the piece on `square`: a promotion, or its reversal. */
INLINE void change(struct position *p, enum kind old, enum kind new, int square)
{
    p->by_kind[old] ^= bit(square);
    p->by_kind[new] ^= bit(square);
    p->board[square] = (uint8_t) new;
}

/* ---- en passant ---- */

/* Whether a pawn of `us` can legally capture en passant on `ep` the pawn that `them` just moved two
 * squares. Only sliders can make the capture illegal: `us` was not in check before the double push,
 * and the pawn that made it is captured. */
static bool passing_is_legal(const struct position *p, enum color us, int ep, Bitboard takers)
{
    Bitboard after = position_occupied(p) ^ bit(square_ahead(color_other(us), ep)) ^ bit(ep);
    while (takers != 0)
        if ((sliders_attacking(p, position_king(p, us), after ^ bit(bits_pop(&takers))) &
             p->by_color[color_other(us)]) == 0)
            return true;
    return false;
}

/* Sets the en passant square after `us` moved a pawn two squares to `to`, if it can be used. */
INLINE void set_passed(struct position *p, enum color us, int to)
{
    enum color them = color_other(us);
    int ep = square_ahead(them, to);
    Bitboard takers = pawn_attacks(us, ep) & position_pieces(p, them, PAWN);
    if (takers != 0 && passing_is_legal(p, them, ep, takers)) {
        p->ep = (uint8_t)ep;
        p->key ^= zobrist_ep[square_file(ep)];
    }
}

/* Clears the en passant square. */
INLINE void clear_passed(struct position *p)
{
    if (p->ep != NO_SQUARE) {
        p->key ^= zobrist_ep[square_file(p->ep)];
        p->ep = NO_SQUARE;
    }
}

/* ---- moving ---- */

/* Removes the captured piece, if any, and returns its kind. */
INLINE enum kind make_capture(struct position *p, Move m, enum color us)
{
    if (!move_is_capture(m))
        return NO_KIND;
    enum color them = color_other(us);
    int square = move_flag(m) == EN_PASSANT ? square_ahead(them, move_to(m)) : move_to(m);
    enum kind captured = p->board[square];
    lift(p, them, captured, square);
    p->key ^= zobrist_piece[them][captured][square];
    return captured;
}

INLINE int castling_rook(const struct position *p, Move m, enum color us)
{
    return bits_first(position_castling_rook(p, us, move_from(m), move_flag(m)));
}

/* Castles or, with the squares exchanged, takes it back. In Chess960 one may go where the other stands, or stay. */
INLINE void castle(struct position *p, enum color us, int king, int king_to, int rook, int rook_to)
{
    lift(p, us, KING, king);
    lift(p, us, ROOK, rook);
    put(p, us, KING, king_to);
    put(p, us, ROOK, rook_to);
}

/* Takes away the castling rights of these rooks. */
INLINE void lose_castling(struct position *p, Bitboard rooks)
{
    Bitboard lost = p->castling & rooks;
    p->castling ^= lost;
    while (lost != 0)
        p->key ^= zobrist_castling[bits_pop(&lost)];
}

INLINE void make_pawn_effects(struct position *p, Move m, enum color us)
{
    int to = move_to(m);
    p->halfmove = 0;
    if (move_flag(m) == DOUBLE_PUSH) {
        set_passed(p, us, to);
    } else if (move_is_promotion(m)) {
        enum kind promoted = move_promotion(m);
        change(p, PAWN, promoted, to);
        p->key ^= zobrist_piece[us][PAWN][to] ^ zobrist_piece[us][promoted][to];
    }
}

INLINE void make(struct position *p, Move m, struct undo *undo, const enum color us)
{
    int from = move_from(m), to = move_to(m);
    enum kind kind = p->board[from];
    assert(kind != NO_KIND && (p->by_color[us] & bit(from)) != 0);
    undo->key = p->key;
    undo->castling = p->castling;
    undo->ep = p->ep;
    undo->halfmove = p->halfmove;

    clear_passed(p);
    enum kind captured = make_capture(p, m, us);
    undo->captured = (uint8_t)captured;
    if (move_is_castling(m)) {
        const int rook = castling_rook(p, m, us), rook_to = move_castled_rook(m);
        castle(p, us, from, to, rook, rook_to);
        p->key ^= zobrist_piece[us][ROOK][rook] ^ zobrist_piece[us][ROOK][rook_to];
    } else {
        shift(p, us, kind, from, to);
    }
    p->key ^= zobrist_piece[us][kind][from] ^ zobrist_piece[us][kind][to] ^ zobrist_black;
    p->halfmove = captured != NO_KIND ? 0 : (uint16_t)(p->halfmove + (p->halfmove < UINT8_MAX));
    p->side = (uint8_t)color_other(us);
    p->fullmove += us == BLACK;

    if (kind == PAWN)
        make_pawn_effects(p, m, us);
    lose_castling(p, kind == KING ? rank_bits(us == WHITE ? 0 : 7) | bit(to) : bit(from) | bit(to));
}

INLINE void unmake(struct position *p, Move m, const struct undo *undo, const enum color us)
{
    int from = move_from(m), to = move_to(m);
    p->castling = undo->castling;
    if (move_is_promotion(m))
        change(p, move_promotion(m), PAWN, to);
    if (move_is_castling(m))
        castle(p, us, to, from, move_castled_rook(m), castling_rook(p, m, us));
    else
        shift(p, us, p->board[to], to, from);
    if (undo->captured != NO_KIND) {
        const enum color them = color_other(us);
        put(p, them, undo->captured, move_flag(m) == EN_PASSANT ? square_ahead(them, to) : to);
    }
    p->key = undo->key;
    p->ep = undo->ep;
    p->halfmove = undo->halfmove;
    p->fullmove -= us == BLACK;
    p->side = (uint8_t)us;
}

void position_make(struct position *p, Move m, struct undo *undo)
{
    if (p->side == WHITE)
        make(p, m, undo, WHITE);
    else
        make(p, m, undo, BLACK);
}

void position_unmake(struct position *p, Move m, const struct undo *undo)
{
    if (p->side == BLACK)
        unmake(p, m, undo, WHITE);
    else
        unmake(p, m, undo, BLACK);
}

void position_make_null(struct position *p, struct undo *undo)
{
    *undo = (struct undo){p->key, p->castling, NO_KIND, p->ep, p->halfmove};
    clear_passed(p);
    p->side ^= 1;
    p->key ^= zobrist_black;
    p->halfmove = 0;
}

void position_unmake_null(struct position *p, const struct undo *undo)
{
    p->side ^= 1;
    p->key = undo->key;
    p->ep = undo->ep;
    p->halfmove = undo->halfmove;
}

/* ---- queries ---- */

bool position_is_chess960(const struct position *p)
{
    const Bitboard corners = bit(0) | bit(7) | bit(56) | bit(63);
    for (enum color side = WHITE; side <= BLACK; side++)
        if ((p->castling & p->by_color[side]) != 0 && square_file(position_king(p, side)) != 4)
            return true;
    return (p->castling & ~corners) != 0;
}

Bitboard position_attackers(const struct position *p, int square, Bitboard occupied)
{
    return (pawn_attacks(WHITE, square) & position_pieces(p, BLACK, PAWN)) |
           (pawn_attacks(BLACK, square) & position_pieces(p, WHITE, PAWN)) |
           (knight_attacks(square) & p->by_kind[KNIGHT]) |
           (king_attacks(square) & p->by_kind[KING]) | sliders_attacking(p, square, occupied);
}

Bitboard position_checkers(const struct position *p)
{
    int king = position_king(p, p->side);
    return position_attackers(p, king, position_occupied(p)) & p->by_color[p->side ^ 1];
}

bool position_insufficient_material(const struct position *p)
{
    if ((p->by_kind[PAWN] | p->by_kind[ROOK] | p->by_kind[QUEEN]) != 0)
        return false;
    Bitboard bishops = p->by_kind[BISHOP], knights = p->by_kind[KNIGHT];
    if (knights != 0)
        return bishops == 0 && !bits_many(knights);
    return (bishops & LIGHT_SQUARES) == 0 || (bishops & ~LIGHT_SQUARES) == 0;
}

uint64_t position_key_hint(const struct position *p, Move m)
{
    int from = move_from(m), to = move_to(m);
    enum color us = (enum color)p->side;
    const uint64_t *piece = zobrist_piece[us][p->board[from]];
    uint64_t key = p->key ^ zobrist_black ^ piece[from] ^ piece[to];
    if (p->board[to] != NO_KIND)
        key ^= zobrist_piece[color_other(us)][p->board[to]][to];
    return p->ep == NO_SQUARE ? key : key ^ zobrist_ep[square_file(p->ep)];
}

uint64_t position_key_null(const struct position *p)
{
    uint64_t key = p->key ^ zobrist_black;
    return p->ep == NO_SQUARE ? key : key ^ zobrist_ep[square_file(p->ep)];
}

uint64_t position_compute_key(const struct position *p)
{
    uint64_t key = 0;
    for (Bitboard set = p->castling; set != 0;)
        key ^= zobrist_castling[bits_pop(&set)];
    for (Bitboard set = position_occupied(p); set != 0;) {
        int square = bits_pop(&set);
        enum color color = (p->by_color[BLACK] & bit(square)) != 0 ? BLACK : WHITE;
        key ^= zobrist_piece[color][p->board[square]][square];
    }
    if (p->ep != NO_SQUARE)
        key ^= zobrist_ep[square_file(p->ep)];
    return p->side == BLACK ? key ^ zobrist_black : key;
}
