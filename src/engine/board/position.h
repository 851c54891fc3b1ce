/* A chess position as a value: copy it, compare it, throw it away.
 *
 * Invariants: exactly one king a side; no pawn on the first or last rank; the side not to move is
 * not in check; `castling` names only rights whose king and rook stand at home; `ep` is the square
 * behind a pawn that has just moved two squares, and only when capturing there is legal, so that
 * two positions repeat exactly when their keys are equal (FIDE 9.2). `key` is the Zobrist key of
 * pieces, side, castling and ep, kept up to date by every move. */
#ifndef GRAYLING_POSITION_H
#define GRAYLING_POSITION_H

#include "chess.h"
#include "error.h"

struct position {
    Bitboard by_kind[6];
    Bitboard by_color[2];
    uint64_t key;
    uint8_t board[64]; /* enum kind on each square, NO_KIND where empty; colour: by_color */
    uint8_t side;      /* enum color to move */
    uint8_t castling;  /* enum castling bits */
    uint8_t ep;        /* en passant square or NO_SQUARE */
    uint8_t halfmove;  /* plies since a capture or pawn move, at most 255 */
    uint16_t fullmove; /* counts from 1, after Black's move */
};

/* What a move destroys; filled by make, read by unmake. */
struct undo {
    uint64_t key;
    uint8_t captured; /* enum kind, NO_KIND when none */
    uint8_t castling, ep, halfmove;
};

enum { FEN_MAX = 128 }; /* bytes for position_to_fen, the final NUL included */

#define FEN_START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* ---- life cycle: text in and out ---- */

/* Reads a FEN: four fields, and the two counters if they are there (else 0 and 1). Anything after
 * is left to the caller through `*rest` (may be NULL, and then nothing may follow). The reason of
 * a failure names the field and the column (from 1). A castling right whose king or rook is not at
 * home is dropped, as real suites have such; so is an ep square that no pawn can legally use, while
 * one that no pawn has just passed is an error. Kings, pawns and promoted pieces must be as many as
 * a game can bring about, so that MAX_MOVES holds for every position. */
bool position_from_fen(struct position *p, const char *fen, const char **rest, struct error *err);

/* Writes the position as a FEN of six fields and returns its length. */
int position_to_fen(const struct position *p, char fen[FEN_MAX]);

/* ---- moving ---- */

/* Plays a legal move. The caller keeps `undo` for position_unmake. */
void position_make(struct position *p, Move m, struct undo *undo);
void position_unmake(struct position *p, Move m, const struct undo *undo);

/* Passes the turn; the side to move must not be in check. Nothing repeats across a null move:
 * halfmove starts again from 0. */
void position_make_null(struct position *p, struct undo *undo);
void position_unmake_null(struct position *p, const struct undo *undo);

/* ---- asking ---- */

static inline Bitboard position_pieces(const struct position *p, enum color side, enum kind kind)
{
    return p->by_kind[kind] & p->by_color[side];
}

static inline Bitboard position_occupied(const struct position *p)
{
    return p->by_color[WHITE] | p->by_color[BLACK];
}

static inline int position_king(const struct position *p, enum color side)
{
    return bits_first(position_pieces(p, side, KING));
}

/* All pieces of both colours that attack `square` when the board is occupied as given. */
Bitboard position_attackers(const struct position *p, int square, Bitboard occupied);

/* The pieces that give check to the side to move. */
Bitboard position_checkers(const struct position *p);

static inline bool position_in_check(const struct position *p)
{
    return position_checkers(p) != 0;
}

/* Neither side can mate by any sequence of legal moves that keeps only this material: bare kings,
 * a single minor piece, or bishops that all stand on one colour. */
bool position_insufficient_material(const struct position *p);

/* The key that the position will mostly have after a legal move: exact but for castling,
 * promotions, lost rights and en passant. Enough to fetch memory early. */
uint64_t position_key_hint(const struct position *p, Move m);

/* The same position with colours exchanged, top to bottom. */
struct position position_mirrored(const struct position *p);

/* The Zobrist key computed from scratch; equals p->key always (tests rely on it). */
uint64_t position_compute_key(const struct position *p);

#endif
