/* The weights of a parameter file as a space: those that are not 0, with the ranges of their table or
 * narrower ones. */
#ifndef GRAYLING_WEIGHT_SPACE_H
#define GRAYLING_WEIGHT_SPACE_H

#include "error.h"
#include "evaluation.h"

#include <stdio.h>

/* How far weights may go. */
struct weight_ranges {
    int bits;    /* at most, of each weight; 0: those of the table */
    bool narrow; /* as the values of each term suggest */
};

struct weight_space {
    const char *path; /* borrowed */
    struct weight_ranges ranges;
    const struct param_table *table;
    int32_t values[EVALUATION_WEIGHTS];
};

/* Reads the weights. False, with the reason, if the file is none of an evaluation of ours. */
bool weight_space_read(const char *path, const struct weight_ranges *ranges, struct weight_space *w,
                       struct error *err);

/* Writes the space (a print function of output.h); `context` is a struct weight_space. */
void weight_space_print(FILE *out, void *context);

#endif
