/* Methods that are switched off: which genes have no effect whatever their value. */
#ifndef GRAYLING_SWITCHES_H
#define GRAYLING_SWITCHES_H

#include "param.h"

/* The gene whose value turns off the method that `gene` belongs to, as the search reads them
 * (LMR_BASE where LMR_USE is 0); -1 where the gene has its say. `values` are the table's; genes
 * that are not of the search, or have no such switch, always have theirs. */
int switches_off(const struct param_table *table, const int32_t *values, int gene);

#endif
