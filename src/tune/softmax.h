/* How far the terms can go: softmax regression of the moves played on the compiled traces.
 *
 * A position's legal moves are the classes, the minimax value of each (over its quiescence tree) is
 * its logit at some temperature, and the negative log-likelihood of the grandmasters' moves is
 * minimised over weights >= 0 and the temperature by Adam (Kingma and Ba 2015). It is a yardstick
 * for the genetic algorithm, which sees one bit a position where this sees a gradient. */
#ifndef GRAYLING_SOFTMAX_H
#define GRAYLING_SOFTMAX_H

#include "compiled.h"

struct softmax_fit {
    struct eval_weights weights; /* rounded, within the table's ranges */
    double loss;                 /* mean negative log-likelihood, nats a position */
    double temperature;          /* centipawns */
};

/* Fits from the initial weights in `steps` full-batch steps. Sums run in a fixed order, so that the
 * result does not depend on threads. */
struct softmax_fit softmax_regression(const struct compiled_set *set, int steps, int threads);

#endif
