#include "tuned_evaluation.h"

#include "evaluation.h"
#include "evaluator.h"
#include "trace_protocol.h"

#include <stdlib.h>
#include <string.h>

/* Reads the space file, which must be one of an evaluation. */
static bool read_space(struct tuned_evaluation *t, const char *path, struct error *err)
{
    if (!space_read(path, evaluation_tables, &t->space, err))
        return false;
    if (strcmp(path, "-") == 0 && space_is_foreign(&t->space.table))
        return error_set(err, "standard input: kind: %s; a space that starts a command is a file",
                         t->space.table.kind);
    return strcmp(t->space.table.kind, space_kind_uci) != 0 ||
           error_set(
               err,
               "%s: kind: uci; options have no weights: expected kind: evaluation, or trace for "
               "an evaluation in another process",
               path);
}

static bool start(struct tuned_evaluation *t, const char *path, struct error *err)
{
    const struct trace_settings settings = {.command = t->space.table.command};
    t->source = trace_evaluator_source_create(&settings, err);
    if (t->source == NULL)
        return false;
    const struct trace_weights *weights = trace_evaluator_source_weights(t->source);
    t->params = calloc((size_t)weights->table.count, sizeof *t->params);
    t->genes.params = t->params;
    t->genes.count = weights->table.count;
    if (t->params == NULL)
        return error_set(err, "no memory for %d weights", weights->table.count);
    t->evaluators = trace_evaluator_source(t->source);
    t->evaluators.ranges = &t->genes;
    return trace_genes_bind(weights, &t->space.table, t->params, err) ||
           error_prefix(err, "%s: ", path);
}

bool tuned_evaluation_open(struct tuned_evaluation *t, const char *path, struct error *err)
{
    *t = (struct tuned_evaluation){0};
    bool open =
        path[0] == '\0' ? space_of_table(&eval_table, &t->space, err) : read_space(t, path, err);
    t->genes = t->space.table;
    if (open && space_is_foreign(&t->space.table))
        open = start(t, path, err);
    else if (open && strcmp(t->genes.kind, modern_eval_table.kind) == 0) {
        t->evaluators = modern_evaluator_source;
        t->evaluators.ranges = &t->genes;
    }
    if (!open)
        tuned_evaluation_close(t);
    return open;
}

void tuned_evaluation_close(struct tuned_evaluation *t)
{
    free(t->params);
    trace_evaluator_source_destroy(t->source);
    space_free(&t->space);
    *t = (struct tuned_evaluation){0};
}
