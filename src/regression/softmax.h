/* Softmax regression on the moves played.
 *
 * The classes are a position's legal moves. The logit of a move is its minimax value over its
 * quiescence tree, divided by a temperature. The loss is the negative log-likelihood of the moves
 * played, in nats. If a position has several right moves (bm), it is that of any of them: the
 * probability is the sum of theirs. The data is that of phase 1 of the genetic algorithm, which gets
 * one bit per position where this method gets a gradient. */
#ifndef GRAYLING_SOFTMAX_H
#define GRAYLING_SOFTMAX_H

#include "regression.h"

extern const struct regression_method softmax_method;

/* The same with another loss: the share of the probability that the right moves do not get, which
 * is the moves missed, in the mean, if moves are drawn. At a low temperature these are the moves that
 * a 1-ply search misses, so this is their gradient. The loss is bounded: a move that no weights
 * explain does not pull. It has many minima, and the lower the temperature the better it looks:
 * begin with a fit of the likelihood, at about a tenth of its temperature. */
extern const struct regression_method softmax_misses_method;

#endif
