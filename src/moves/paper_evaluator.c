#include "paper_evaluator.h"

#include "evaluate.h"

#include <stdlib.h>

/* Writes the counts that are not 0, and returns their number. */
static int list_counts(const struct position *p, struct weight_count items[EVAL_TERMS])
{
    struct eval_trace trace;
    int count = 0;
    evaluate_trace(p, &trace);
    for (int t = 0; t < EVAL_TERMS; t++)
        if (trace.count[t] != 0)
            items[count++] = (struct weight_count){(uint16_t)t, trace.count[t]};
    return count;
}

static bool trace(struct evaluator *e, const struct position *positions, size_t count,
                  bool (*take)(void *context, size_t index, const struct leaf_counts *counts),
                  void *context, struct error *err)
{
    (void)e;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        struct weight_count items[EVAL_TERMS];
        struct leaf_counts counts = {.count = list_counts(&positions[i], items), .items = items};
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
