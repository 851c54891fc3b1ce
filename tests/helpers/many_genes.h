/* A space of 4,096 genes of 12 bits, made up: 49,152 loci. */
#ifndef GRAYLING_TESTS_MANY_GENES_H
#define GRAYLING_TESTS_MANY_GENES_H

#include "default_settings.h"
#include "genome.h"

#include <stdlib.h>

enum { MANY_GENES = 4096, MANY_BITS = 12 };

/* The genes, signed and by default -7; the caller frees them. */
static inline struct param *many_genes_make(void)
{
    struct param *genes = calloc(MANY_GENES, sizeof *genes);
    for (int i = 0; genes != NULL && i < MANY_GENES; i++)
        genes[i] = (struct param){.name = "WEIGHT",
                                  .bits = MANY_BITS,
                                  .min = -2048,
                                  .max = 2047,
                                  .initial = -7,
                                  .sign = 1,
                                  .meaning = "",
                                  .step = i % 2 == 0 ? 1 : 5};
    return genes;
}

/* An objective that falls by the distance of each gene from 100. */
static inline int64_t many_genes_measure(const int32_t *values)
{
    int64_t measure = (int64_t)MANY_GENES * 4096;
    for (int i = 0; i < MANY_GENES; i++)
        measure -= llabs((long long)values[i] - 100);
    return measure;
}

#endif
