#include "paper_evaluator.h"

#include "evaluation.h"

#include <stdlib.h>

static bool trace(struct evaluator *e, const struct position *positions, size_t count,
                  bool (*take)(void *context, size_t index, const struct leaf_counts *counts),
                  void *context, struct error *err)
{
    (void)e;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        struct weight_count items[EVALUATION_WEIGHTS];
        struct leaf_counts counts = {
            .count = evaluation_counts(EVALUATION_PAPER, &positions[i], items), .items = items};
        if (!take(context, i, &counts))
            return false;
    }
    return true;
}

static void destroy(struct evaluator *e)
{
    free(e);
}

static const struct evaluator_method method = {"evaluation", trace, destroy};

static struct evaluator *create(const void *context, struct error *err)
{
    struct evaluator *e = malloc(sizeof *e);
    (void)context;
    if (e == NULL)
        error_set(err, "no memory for the evaluation");
    else
        *e = (struct evaluator){&method, &eval_table, 1};
    return e;
}

const struct evaluator_source paper_evaluator_source = {create, NULL};
