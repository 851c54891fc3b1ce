/* Texel's method: logistic regression of the results of games (Österlund 2014, "Texel's Tuning
 * Method", chess programming wiki).
 *
 * The value of a position after quiescence, stand-pat included, predicts the result of its game by
 * 1 / (1 + exp(-value / K)), both seen from the side to move; a draw is 1/2. The loss is the
 * squared error of that prediction, or its cross-entropy in nats. K is fitted first. Österlund
 * keeps it then, and lets the pawn move; here the pawn is the unit of the scale and fixed, so that
 * K moves in its place, unless it is given. */
#ifndef GRAYLING_TEXEL_H
#define GRAYLING_TEXEL_H

#include "regression.h"

extern const struct regression_method texel_method;         /* the squared error */
extern const struct regression_method texel_entropy_method; /* the cross-entropy */

#endif
