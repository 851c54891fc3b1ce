/* An evaluation in another process whose weights evolve: what a space file of kind "trace" describes
 * (space.h), and the evaluation says of itself (trace_protocol.h). */
#ifndef GRAYLING_TRACED_EVALUATION_H
#define GRAYLING_TRACED_EVALUATION_H

#include "space.h"
#include "trace_evaluator.h"

/* Owned by the caller between open and close. All zero is closed. */
struct traced_evaluation {
    struct space space;
    struct trace_evaluator_source *source;
    struct param *params;     /* owned: the rows of `genes` */
    struct param_table genes; /* all weights, in the order of the evaluation */
    struct evaluator_source evaluators;
};

/* Reads the space file, starts its command and binds the genes to the weights (trace_genes.h). False,
 * with the reason. */
bool traced_evaluation_open(struct traced_evaluation *t, const char *path, struct error *err);
void traced_evaluation_close(struct traced_evaluation *t);

#endif
