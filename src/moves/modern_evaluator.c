#include "modern_evaluator.h"

#include "modern.h"

#include <stdlib.h>

static bool trace(struct evaluator *e, const struct position *positions, size_t count,
                  bool (*take)(void *context, size_t index, const struct leaf_counts *counts),
                  void *context, struct error *err)
{
    (void)e;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        struct weight_count items[MODERN_WEIGHTS];
        struct leaf_counts counts = {.count = modern_trace(&positions[i], items), .items = items};
        if (!take(context, i, &counts))
            return false;
    }
    return true;
}

static void destroy(struct evaluator *e)
{
    free(e);
}

static const struct evaluator_method method = {"modern", trace, destroy};

static struct evaluator *create(const void *context, struct error *err)
{
    struct evaluator *e = malloc(sizeof *e);
    (void)context;
    if (e == NULL)
        error_set(err, "no memory for the evaluation");
    else
        *e = (struct evaluator){&method, &modern_eval_table, MODERN_SCALE};
    return e;
}

const struct evaluator_source modern_evaluator_source = {create, NULL};
