/* Singular extension (Anantharaman, Campbell and Hsu 1990), in the form that tests only the hash
 * move. If all other moves stay well below its value in a search of half the depth, the hash move
 * is extended by one ply. If the node fails high without the hash move, the node is cut. Where the
 * hash move would fail high, and another move comes near it, the hash move is searched less deep by
 * SINGULAR_REDUCTION quarter plies. Part of the modern search. */
#ifndef GRAYLING_SINGULAR_H
#define GRAYLING_SINGULAR_H

#include "tree.h"

/* Searches the node without its hash move, and records the extension of a singular hash move in the
 * node. True if the node is cut, at `*value`. */
bool singular_extend(struct tree *t, struct node *n, int32_t *value);

#endif
