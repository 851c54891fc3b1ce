/* Fractional extensions (Anantharaman 1991; Beal and Smith 1995; david-2014, Table I): for a move
 * that gives check, the only reply to a check, a recapture, a passed pawn's push to the sixth or
 * seventh rank, and any move at a node whose null move was answered by mate. */
#ifndef GRAYLING_EXTENSION_H
#define GRAYLING_EXTENSION_H

#include "tree.h"

/* The extension of a move in quarter plies: the sum of those that apply, at most one ply. 0 in a
 * line four times as long as the iteration. */
int extension_of(const struct tree *t, const struct node *n, Move m, bool gives_check);

#endif
