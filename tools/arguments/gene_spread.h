/* How far the values of a population lie apart: the size of a step for tuners. */
#ifndef GRAYLING_GENE_SPREAD_H
#define GRAYLING_GENE_SPREAD_H

#include "source.h"

/* Reads the standard deviation of each parameter in the last generation of a run, in the order of the
 * source's table. NULL for a parameter file, and for a run whose optimiser does not converge
 * (optimiser.h). The caller frees it. False, with the reason, if the run cannot be read. */
bool gene_spread_read(const struct source *s, double **spread, struct error *err);

#endif
