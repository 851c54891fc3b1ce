/* Two methods on the same positions: how many each solves that the other does not, and whether that is
 * more than chance (statistics.h). */
#ifndef GRAYLING_PAIRS_H
#define GRAYLING_PAIRS_H

#include "grid.h"

#include <stdbool.h>
#include <stddef.h>

enum { PAIRS_METHODS = 8 };

struct pairs {
    int positions;
    int alone[PAIRS_METHODS][PAIRS_METHODS]; /* [a][b]: solved by a and not by b */
};

/* Adds a position: which methods solve it. */
void pairs_add(struct pairs *p, const bool *solved, int methods);

/* Begins a grid with a row for each pair of methods. Its title is that of the table, and that the rows
 * are pairs; its note tells how to read it. */
void pairs_begin(struct grid *g, const char *title, const char *corner, const char *const *names,
                 int methods);

/* Fills the next column: "12 : 5 (p = 0.14)", with a star where the difference is
 * significant at 5 % after Holm's correction for all pairs of the column. Its head is the label, with
 * the number of positions if these are not `all` that the row is to have. */
void pairs_column(struct grid *g, const char *label, const struct pairs *p, int methods,
                  size_t all);

#endif
