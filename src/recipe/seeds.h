/* Seeds: organisms that generation 0 begins with, before its random ones. They are the values of a
 * parameter file, or the best organism of a run. */
#ifndef GRAYLING_SEEDS_H
#define GRAYLING_SEEDS_H

#include "genome.h"
#include "recipe.h"

/* The recipe's seeds as chromosomes of `space`; seeds[recipe->seed_count] is the caller's. False
 * where a file cannot be read, is of other parameters, or has a value outside the space. */
bool seeds_read(const struct recipe *recipe, const struct param_table *space,
                struct chromosome *seeds, struct error *err);

#endif
