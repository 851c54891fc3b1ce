/* Generates legal moves only: pins and checks are resolved during generation. */
#ifndef GRAYLING_MOVEGEN_H
#define GRAYLING_MOVEGEN_H

#include "position.h"

/* ---- checks ---- */

/* Squares and pieces that can give check to the king of the side not to move. A move gives check if the piece
 * reaches a square from which its kind attacks the king, or leaves a line between the king and an own slider;
 * only castling, en passant and promotion need an extra test. */
struct check_squares {
    Bitboard by_kind[6];  /* squares from which a piece of this kind would attack the king */
    Bitboard discoverers; /* own pieces that alone block an own slider from the king */
    int king;             /* the enemy king's square */
};

/* Computes `c` for the side to move. */
void check_squares_find(const struct position *p, struct check_squares *c);

/* Whether the legal move `m` gives check. `c` was computed for this position. */
bool move_gives_check(const struct position *p, const struct check_squares *c, Move m);

/* ---- moves ---- */

struct move_list {
    int count;
    Move moves[MAX_MOVES];
};

/* All legal moves, in a fixed order for a given position. */
void movegen_legal(const struct position *p, struct move_list *list);

/* The moves that quiescence chooses from: all legal captures (en passant and capturing promotions
 * to any piece included) and promotions to a queen. */
void movegen_captures(const struct position *p, struct move_list *list);

/* The other legal moves: quiet ones, castling, and quiet underpromotions. */
void movegen_quiets(const struct position *p, struct move_list *list);

/* The moves of movegen_quiets that give check, in the same order. `checks` was computed for this position. Never
 * tests a move that cannot give check. True only if movegen_quiets lists other moves too; it may be false even so. */
bool movegen_quiet_checks(const struct position *p, const struct check_squares *checks,
                          struct move_list *list);

/* The legal moves from `from` to `to`, which cost much less than all: for parsing a move. */
void movegen_between(const struct position *p, Bitboard from, Bitboard to, struct move_list *list);

/* The number of legal moves; does not list them. */
int movegen_count(const struct position *p);

/* Whether there is a legal move; if not, the position is mate or stalemate. */
bool movegen_any(const struct position *p);

/* Whether a pawn that cannot be pinned can step forward: a legal move, unless in check. */
bool movegen_pawn_steps(const struct position *p);

/* Whether `m`, which may be any value, is legal: a move from a hash table or another position. */
bool movegen_is_legal(const struct position *p, Move m);

/* The canonical order, by from, to and promotion, breaks ties between equally good root moves. */
static inline int move_order(Move m)
{
    return move_from(m) << 9 | move_to(m) << 3 | (move_is_promotion(m) ? move_promotion(m) : 0);
}

/* Sorts a list into the canonical order. */
void movegen_sort(struct move_list *list);

/* Counts the leaves at `depth` plies (perft). Moves of the last ply are counted, not made. */
uint64_t perft(const struct position *p, int depth);

/* Asked at each position more than a ply above the leaves, with the leaves counted so far; true ends the count. */
typedef bool perft_stop(void *context, uint64_t leaves);

/* The same count, which `stop` may end. False if it did; `*leaves` is then what was counted. */
bool perft_until(const struct position *p, int depth, perft_stop *stop, void *context,
                 uint64_t *leaves);

#endif
