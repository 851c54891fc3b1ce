#include "traced_evaluation.h"

#include "evaluate.h"
#include "trace_genes.h"

#include <stdlib.h>
#include <string.h>

/* Reads the space file, which must be of kind "trace". */
static bool read_space(struct traced_evaluation *t, const char *path, struct error *err)
{
    static const struct param_table *const ours[] = {&eval_table, NULL};
    if (!space_read(path, ours, &t->space, err))
        return false;
    return strcmp(t->space.table.kind, space_kind_trace) == 0 ||
           error_set(
               err,
               "%s: kind: %s; moves are matched by an evaluation: expected kind: evaluation, or "
               "trace for one in another process",
               path, t->space.table.kind);
}

/* Starts the command and binds the genes. */
static bool start(struct traced_evaluation *t, const char *path, struct error *err)
{
    const struct trace_settings settings = {.command = t->space.table.command};
    t->source = trace_evaluator_source_create(&settings, err);
    if (t->source == NULL)
        return false;
    const struct trace_weights *weights = trace_evaluator_source_weights(t->source);
    t->params = calloc((size_t)weights->table.count, sizeof *t->params);
    t->genes = t->space.table;
    t->genes.params = t->params;
    t->genes.count = weights->table.count;
    if (t->params == NULL)
        return error_set(err, "no memory for %d weights", weights->table.count);
    t->evaluators = trace_evaluator_source(t->source);
    return trace_genes_bind(weights, &t->space.table, t->params, err) ||
           error_prefix(err, "%s: ", path);
}

bool traced_evaluation_open(struct traced_evaluation *t, const char *path, struct error *err)
{
    *t = (struct traced_evaluation){0};
    if (read_space(t, path, err) && start(t, path, err))
        return true;
    traced_evaluation_close(t);
    return false;
}

void traced_evaluation_close(struct traced_evaluation *t)
{
    free(t->params);
    trace_evaluator_source_destroy(t->source);
    space_free(&t->space);
    *t = (struct traced_evaluation){0};
}
