/* Static exchange evaluation with fixed piece values: the gain of a capture when both sides keep
 * capturing on the square, cheapest piece first, and may stop at any time. The values never evolve,
 * so that the choice of quiescence moves does not depend on the weights. */
#ifndef GRAYLING_SEE_H
#define GRAYLING_SEE_H

#include "position.h"

/* Piece values in centipawns, by enum kind; the king exceeds the sum of all others. */
extern const int see_values[7];

/* Whether the exchange started by the legal move `m` (capture, quiet move or promotion) gains at
 * least `threshold`. X-rays count; pins are ignored. */
bool see_at_least(const struct position *p, Move m, int threshold);

#endif
