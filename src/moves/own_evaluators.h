/* Our own evaluations (evaluation.h) as evaluators, in this process. */
#ifndef GRAYLING_OWN_EVALUATORS_H
#define GRAYLING_OWN_EVALUATORS_H

#include "evaluation.h"
#include "evaluator.h"

extern const struct evaluator_source paper_evaluator_source, modern_evaluator_source;

/* Which evaluation a source is, within any ranges; NULL is the paper's. EVALUATION_KINDS if it is not ours. */
enum evaluation_kind own_evaluator_kind(const struct evaluator_source *source);

#endif
