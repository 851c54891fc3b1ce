/* The games of a generation, and the points that they give (steps 1 to 4 in coevolution.c). */
#ifndef GRAYLING_GENERATION_H
#define GRAYLING_GENERATION_H

#include "coevolution.h"

/* Plays a generation; values[i] becomes the objective value of organism i. False if it was stopped, or failed
 * (the fitness has the reason). */
bool generation_compete(struct coevolution *m, const struct competition *c, int64_t *values);

/* The half points of all games that an organism can have: what values are scaled to. */
int64_t generation_points(const struct coevolution *m);

#endif
