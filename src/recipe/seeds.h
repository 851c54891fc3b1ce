/* Seeds: the first organisms of generation 0. A seed is the values of a parameter file, or the best
 * organism of a run. */
#ifndef GRAYLING_SEEDS_H
#define GRAYLING_SEEDS_H

#include "genome.h"
#include "recipe.h"

/* Reads the recipe's seeds as chromosomes of `space`, a row of words each (genome_row). The caller
 * frees them. NULL if a file cannot be read, has other parameters, or has a value outside the
 * space. */
uint64_t *seeds_read(const struct recipe *recipe, const struct param_table *space,
                     struct error *err);

#endif
