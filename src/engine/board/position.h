/* A chess position: a plain value that can be copied and compared.
 *
 * Invariants:
 *   - Each side has exactly one king.
 *   - No pawn stands on the first or last rank.
 *   - The side not to move is not in check.
 *   - `castling` is the set of rooks that may castle. They and their king stand on the side's first
 *     rank, with at most one of them on each side of the king. Standard chess is the case of kings on
 *     the e-file and rooks on a and h; all others are Chess960.
 *   - `ep` is the square behind a pawn that just moved two squares, set only if an en passant
 *     capture is legal. Two positions therefore repeat exactly when their keys are equal (FIDE
 *     9.2).
 *   - `key` is the Zobrist key of pieces, side, castling and ep; every move updates it. */
#ifndef GRAYLING_POSITION_H
#define GRAYLING_POSITION_H

#include "chess.h"
#include "error.h"

struct position {
    Bitboard by_kind[6];
    Bitboard by_color[2];
    Bitboard castling; /* rooks that may castle */
    uint64_t key;
    uint8_t board[64]; /* enum kind by square, NO_KIND if empty; colours are in by_color */
    uint8_t side;      /* enum color to move */
    uint8_t ep;        /* en passant square or NO_SQUARE */
    uint16_t halfmove; /* plies since a capture or pawn move, at most 255 */
    int32_t fullmove;  /* counts from 1, after Black's move */
};

/* The state that a move destroys; make fills it and unmake reads it. */
struct undo {
    uint64_t key;
    Bitboard castling;
    uint8_t captured; /* enum kind, NO_KIND when none */
    uint8_t ep;
    uint16_t halfmove;
};

enum { FEN_MAX = 128 };             /* bytes for position_to_fen, including the final NUL */
enum { FULLMOVE_MAX = UINT16_MAX }; /* of FEN and EPD; moves made from there count on */

#define FEN_START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* ---- life cycle: text in and out ---- */

/* Parses a FEN: four fields, and the two counters if present (else 0 and 1). `*rest` receives the remaining text; if
 * `rest` is NULL, nothing may follow. On failure `err` names the field and the column (from 1). Castling rights of
 * Chess960 are read as X-FEN and Shredder-FEN write them: K and Q are the outermost rook on that side of the king,
 * and a file names any rook. But a right of KQkq whose king or rook is not at home is dropped where the field is
 * hardly of Chess960, because real suites of standard chess contain such rights. An ep square that no pawn can
 * legally use is dropped too, but one that no pawn has just passed is an error. The numbers of kings, pawns and
 * promoted pieces must be possible in a game, so that MAX_MOVES holds for every position. */
bool position_from_fen(struct position *p, const char *fen, const char **rest, struct error *err);

/* Writes the position as a FEN of six fields and returns its length. The castling rights of Chess960 are
 * written as files (Shredder-FEN). A move number above FULLMOVE_MAX is written as that. */
int position_to_fen(const struct position *p, char fen[FEN_MAX]);

/* ---- moving ---- */

/* Makes a legal move. The caller keeps `undo` for position_unmake. */
void position_make(struct position *p, Move m, struct undo *undo);
void position_unmake(struct position *p, Move m, const struct undo *undo);

/* Not in check. Sets halfmove to 0, so that no repetition is found across a null move. */
void position_make_null(struct position *p, struct undo *undo);
void position_unmake_null(struct position *p, const struct undo *undo);

/* ---- queries ---- */

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

/* The rook that may castle short or long (`flag`) with a king on `king`: a set, perhaps empty. */
static inline Bitboard position_castling_rook(const struct position *p, enum color side, int king,
                                              int flag)
{
    Bitboard rooks = p->castling & rank_bits(side == WHITE ? 0 : 7), left = bit(king) - 1;
    return flag == CASTLE_SHORT ? rooks & ~left : rooks & left;
}

/* Whether a right is of Chess960 only: its king not on the e-file, or its rook in no corner. */
bool position_is_chess960(const struct position *p);

/* The kind that a move captures; NO_KIND if none. */
static inline enum kind position_captured(const struct position *p, Move m)
{
    return move_flag(m) == EN_PASSANT ? PAWN
           : move_is_capture(m)       ? (enum kind)p->board[move_to(m)]
                                      : NO_KIND;
}

/* All pieces of both colours that attack `square` under the given occupancy. */
Bitboard position_attackers(const struct position *p, int square, Bitboard occupied);

/* The pieces that give check to the side to move. */
Bitboard position_checkers(const struct position *p);

static inline bool position_in_check(const struct position *p)
{
    return position_checkers(p) != 0;
}

/* True if no sequence of legal moves leads to mate with this material: bare kings, a single minor
 * piece, or bishops that all stand on squares of one colour. */
bool position_insufficient_material(const struct position *p);

/* The key after a legal move; a guess for castling, its rights, promotions and en passant. */
uint64_t position_key_hint(const struct position *p, Move m);

uint64_t position_key_null(const struct position *p);

/* Computes the Zobrist key from scratch. Always equals p->key; tests rely on that. */
uint64_t position_compute_key(const struct position *p);

#endif
