/* Mates in one, as cheap as they can be had. */
#ifndef GRAYLING_MATE_IN_ONE_H
#define GRAYLING_MATE_IN_ONE_H

#include "movegen.h"

/* Whether the legal move `m` gives check and the king has no evident flight: a square beside it
 * that no piece attacks once the move is made. Only such moves can mate; most of them do not. `c`
 * was found for this very position. */
bool may_mate(const struct position *p, const struct check_squares *c, Move m);

/* Lists the moves that may mate: the quiet ones, then those of `captures`. */
void mate_candidates(const struct position *p, const struct check_squares *c,
                     const struct move_list *captures, struct move_list *list);

#endif
