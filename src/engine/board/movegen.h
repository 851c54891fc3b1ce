/* Legal moves, and only legal moves: pins and checks are resolved while generating. */
#ifndef GRAYLING_MOVEGEN_H
#define GRAYLING_MOVEGEN_H

#include "checks.h"

struct move_list {
    int count;
    Move moves[MAX_MOVES];
};

/* All legal moves, in an order that is fixed for a given position. */
void movegen_legal(const struct position *p, struct move_list *list);

/* The legal captures (en passant included, and those that promote to any piece) and promotions to a
 * queen; the quiescence search chooses among these. */
void movegen_captures(const struct position *p, struct move_list *list);

/* The legal moves that movegen_captures leaves out: quiet moves, castling and quiet promotions to
 * less than a queen. The two together are all legal moves, each once. */
void movegen_quiets(const struct position *p, struct move_list *list);

/* Of the moves that movegen_quiets lists those that give check, in the same order; `checks` was
 * found for this very position. Looks at no move that cannot. */
void movegen_quiet_checks(const struct position *p, const struct check_squares *checks,
                          struct move_list *list);

/* The legal moves from any of the squares `from` to any of the squares `to`: what reading a move
 * from text needs, and much cheaper than all moves. */
void movegen_between(const struct position *p, Bitboard from, Bitboard to, struct move_list *list);

/* How many legal moves there are, without listing them. */
int movegen_count(const struct position *p);

/* Whether there is a legal move at all (else it is mate or stalemate). */
bool movegen_any(const struct position *p);

/* Whether `m`, any value at all, is one of the legal moves: what a move from a hash table or of
 * another position needs. Looks at this one move, without generating any. */
bool movegen_is_legal(const struct position *p, Move m);

/* The canonical order of moves, by from, to, promotion: the smaller comes first. Ties between
 * equally good root moves are decided by it. */
static inline int move_order(Move m)
{
    return move_from(m) << 9 | move_to(m) << 3 | (move_is_promotion(m) ? move_promotion(m) : 0);
}

/* Sorts a list into the canonical order. */
void movegen_sort(struct move_list *list);

/* Leaf positions at `depth` plies (perft), the last ply counted, not made. */
uint64_t perft(const struct position *p, int depth);

#endif
