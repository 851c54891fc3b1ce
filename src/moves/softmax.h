/* Softmax regression of the moves played.
 *
 * A position's legal moves are the classes, the minimax value of each (over its quiescence tree) is
 * its logit at some temperature, and the loss is the negative log-likelihood of the moves played,
 * in nats. It learns from the data that phase 1 of the genetic algorithm learns from, which sees
 * one bit a position where this sees a gradient. */
#ifndef GRAYLING_SOFTMAX_H
#define GRAYLING_SOFTMAX_H

#include "regression.h"

extern const struct regression_method softmax_method;

#endif
