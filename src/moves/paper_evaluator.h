/* Our own evaluation as an evaluator (evaluator.h): the 35 terms of evaluate.h, in this process. */
#ifndef GRAYLING_PAPER_EVALUATOR_H
#define GRAYLING_PAPER_EVALUATOR_H

#include "evaluator.h"

extern const struct evaluator_source paper_evaluator_source;

#endif
