/* Grows trees with sparse leaves: their counts come from an evaluator, and each leaf is kept as the
 * difference from a leaf before it, or from nothing (replay.h). The functions of leaf_method. */
#ifndef GRAYLING_SPARSE_GROWTH_H
#define GRAYLING_SPARSE_GROWTH_H

#include "compiled_set.h"

void *sparse_growth_begin(const void *compiling, struct error *err);
void sparse_growth_finish(void *worker);
bool sparse_growth_grow(void *worker, const struct compiling *c, size_t first, size_t end,
                        struct error *err);

#endif
