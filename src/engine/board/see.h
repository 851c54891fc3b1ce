/* Static exchange evaluation with fixed exchange values: what a capture wins when both sides go on
 * capturing on the square, cheapest piece first, and may stop at any time. The values never evolve,
 * so that which moves quiescence looks at does not depend on the weights. */
#ifndef GRAYLING_SEE_H
#define GRAYLING_SEE_H

#include "position.h"

/* Exchange values in centipawns, by enum kind; the king is worth more than all the rest. */
extern const int see_values[7];

/* Whether the exchange that `m` begins (a legal move: capture, quiet move or promotion) is worth
 * at least `threshold` to the mover. X-rays count; pins are not looked at. */
bool see_at_least(const struct position *p, Move m, int threshold);

#endif
