/* The weights of an evaluation over the trace protocol as genes of a run. */
#ifndef GRAYLING_TRACE_GENES_H
#define GRAYLING_TRACE_GENES_H

#include "trace_protocol.h"

/* Writes a row for each weight to params[w->table.count], in the order of the evaluation. Weights that
 * `space` names have its bits, ranges, steps and defaults; the others are constants, at the values of
 * the evaluation. The rows borrow the names of `w`. False, with the reason, if the space names a
 * weight that the evaluation has not, or a range beyond that of the evaluation. */
bool trace_genes_bind(const struct trace_weights *w, const struct param_table *space,
                      struct param *params, struct error *err);

#endif
