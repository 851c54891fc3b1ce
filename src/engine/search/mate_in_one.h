/* A cheap filter for mates in one. */
#ifndef GRAYLING_MATE_IN_ONE_H
#define GRAYLING_MATE_IN_ONE_H

#include "movegen.h"

/* Whether the legal move `m` gives check and leaves the king no evident flight, that is, no
 * adjacent square that is unattacked after the move. Every mate passes this test; most moves that
 * pass it do not mate. `c` was computed for this position. */
bool may_mate(const struct position *p, const struct check_squares *c, Move m);

/* Lists the moves that may mate: the quiet ones, then those of `captures`. */
void mate_candidates(const struct position *p, const struct check_squares *c,
                     const struct move_list *captures, struct move_list *list);

#endif
