/* Selective extensions in parts of a ply (Anantharaman 1991; Beal and Smith 1995; david-2014, Table
 * I): for a move that gives check, the only reply to a check, a recapture, a passed pawn's push to
 * the sixth or seventh rank, and any move where passing would be mated. */
#ifndef GRAYLING_EXTENSION_H
#define GRAYLING_EXTENSION_H

#include "tree.h"

/* The quarter plies by which a move is extended: the sum of what applies, one ply at most. None in
 * a line four times as long as the iteration. */
int extension_of(const struct tree *t, const struct node *n, Move m, bool gives_check);

#endif
