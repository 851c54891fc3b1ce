/* The evaluation whose weights evolve: ours, or one in another process, which a space file of kind
 * "trace" describes (space.h) together with what the evaluation says of itself (trace_protocol.h). */
#ifndef GRAYLING_TUNED_EVALUATION_H
#define GRAYLING_TUNED_EVALUATION_H

#include "evaluator.h"
#include "space.h"

/* Owned by the caller between open and close, at one place in memory. All zero is closed. */
struct tuned_evaluation {
    struct param_table genes; /* all weights, in the order of the evaluation */
    struct space space;
    struct evaluator_source evaluators; /* with the ranges of the genes; empty for the paper's */
    /* Of another process: */
    struct trace_evaluator_source *source;
    struct param *params; /* owned: the rows of `genes` */
};

/* Reads the space file ("": our evaluation) and starts another's command. False, with the reason. */
bool tuned_evaluation_open(struct tuned_evaluation *t, const char *path, struct error *err);
void tuned_evaluation_close(struct tuned_evaluation *t);

/* What sets of traces are compiled from (compiled.h); NULL for the paper's evaluation. */
static inline const struct evaluator_source *
tuned_evaluation_source(const struct tuned_evaluation *t)
{
    return t->evaluators.create != NULL ? &t->evaluators : NULL;
}

#endif
