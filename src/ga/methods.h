/* The methods of optimisation, for optimiser.c: one file each, named like the method. */
#ifndef GRAYLING_METHODS_H
#define GRAYLING_METHODS_H

#include "optimiser.h"

/* genetic.c: evolution.h as a method. */
extern const struct optimiser_method genetic_method;

#endif
