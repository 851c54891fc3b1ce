/* Singular extension (Anantharaman, Campbell and Hsu 1990), in the form that tests the hash move
 * alone: when all other moves stay well below its value in a search of half the depth, it is
 * extended by a ply; when even without it the node fails high, the node is cut. Part of the modern
 * search. */
#ifndef GRAYLING_SINGULAR_H
#define GRAYLING_SINGULAR_H

#include "tree.h"

/* Searches the node without its hash move, and notes on the node the extension of a singular one.
 * True when the node is cut instead, at `*value`. */
bool singular_extend(struct tree *t, struct node *n, int32_t *value);

#endif
