/* Our own evaluations (evaluation.h) as evaluators, in this process. */
#ifndef GRAYLING_OWN_EVALUATORS_H
#define GRAYLING_OWN_EVALUATORS_H

#include "evaluator.h"

extern const struct evaluator_source paper_evaluator_source, modern_evaluator_source;

#endif
