/* Softmax regression on the moves played.
 *
 * The classes are a position's legal moves. The logit of a move is its minimax value over its
 * quiescence tree, divided by a temperature. The loss is the negative log-likelihood of the moves
 * played, in nats. The data is that of phase 1 of the genetic algorithm, which gets one bit per
 * position where this method gets a gradient. */
#ifndef GRAYLING_SOFTMAX_H
#define GRAYLING_SOFTMAX_H

#include "regression.h"

extern const struct regression_method softmax_method;

#endif
