/* An evaluation that is linear in its weights, as the compiled set sees it: ours in this process, or
 * another engine's over the trace protocol. From White's side, in the unit of the weights,
 *
 *     score(position, weights) = bias + sum over i of weights[i] * count[i] / scale
 *
 * The compiled set compares scale * score, which is a whole number. Counts do not depend on the weights. */
#ifndef GRAYLING_EVALUATOR_H
#define GRAYLING_EVALUATOR_H

#include "error.h"
#include "evaluation.h"
#include "leaf_counts.h"
#include "param.h"
#include "position.h"
#include "trace_client.h"

#include <stddef.h>

/* Each worker thread has its own. */
struct evaluator {
    /* `take` receives leaves in the order of `positions`. Its false ends the call. */
    bool (*trace)(struct evaluator *e, const struct position *positions, size_t count,
                  bool (*take)(void *context, size_t index, const struct leaf_counts *counts),
                  void *context, struct error *err);
    void (*destroy)(struct evaluator *e);
    const struct param_table *table; /* the weights: signed values, within the table's ranges */
    int32_t scale;                   /* 1 or more */
};

/* How workers get their evaluators: `create` is called once by each. */
struct evaluator_source {
    struct evaluator *(*create)(const void *context, struct error *err);
    const void *context;
    /* Narrower ranges, a row for each weight, borrowed; NULL: the evaluator's own. A weight that is
     * constant there costs a set nothing: its counts become part of the bias. */
    const struct param_table *ranges;
};

/* Our own evaluations (evaluation.h), in this process. */
extern const struct evaluator_source paper_evaluator_source, modern_evaluator_source;

/* Which evaluation a source is, within any ranges; NULL is the paper's. EVALUATION_KINDS if it is not ours. */
enum evaluation_kind own_evaluator_kind(const struct evaluator_source *source);

/* ---- one over the trace protocol: each worker has a process of its own (trace_client.h) ---- */

struct trace_evaluator_source;

/* Starts the command once, to learn and check its weights and what it says about some positions, and ends
 * it. Copies the settings. NULL, with the reason, as trace_client_start. */
struct trace_evaluator_source *trace_evaluator_source_create(const struct trace_settings *settings,
                                                             struct error *err);
void trace_evaluator_source_destroy(struct trace_evaluator_source *s); /* accepts NULL */

/* The weights and the scale. Owned by the source. */
const struct trace_weights *trace_evaluator_source_weights(const struct trace_evaluator_source *s);

/* How workers get their evaluators. Each starts a process, which must name the weights, with values
 * and ranges, that the source has, and give the same counts for these positions. Borrows the source. */
struct evaluator_source trace_evaluator_source(const struct trace_evaluator_source *s);

#endif
