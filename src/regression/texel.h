/* Texel's method: logistic regression on game results (Österlund 2014, "Texel's Tuning Method",
 * chess programming wiki).
 *
 * The value of a position after quiescence, with stand-pat, predicts the result of its game as 1 /
 * (1 + exp(-value / K)), both from the side to move; a draw is 1/2. The loss is the squared error
 * of the prediction, or its cross-entropy in nats. K is fitted first. Österlund then keeps K fixed
 * and fits the pawn. Here the pawn is fixed as the unit of the scale, so K is fitted with the
 * weights unless the caller gives it. */
#ifndef GRAYLING_TEXEL_H
#define GRAYLING_TEXEL_H

#include "regression.h"

extern const struct regression_method texel_method;         /* the squared error */
extern const struct regression_method texel_entropy_method; /* the cross-entropy */

#endif
