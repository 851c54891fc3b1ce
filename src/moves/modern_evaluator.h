/* The modern evaluation (modern.h) as an evaluator, in this process. */
#ifndef GRAYLING_MODERN_EVALUATOR_H
#define GRAYLING_MODERN_EVALUATOR_H

#include "evaluator.h"

extern const struct evaluator_source modern_evaluator_source;

#endif
