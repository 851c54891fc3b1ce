/* The objective values of parameters measured before. Different genes can have the same effect: the
 * genes 5 to 7 of an extension all mean 4, and a gene may be inactive (param.h). */
#ifndef GRAYLING_KNOWN_VALUES_H
#define GRAYLING_KNOWN_VALUES_H

#include "param.h"

#include <stdbool.h>
#include <stddef.h>

/* Owned by the caller; a zeroed one is empty. All calls have the same table. */
struct known_values {
    int32_t *values;  /* owned: rows of table->count */
    int64_t *measure; /* owned: the value of each row */
    size_t count, room;
};

/* True if organisms with these parameters behave alike: they differ at most in inactive ones. */
bool known_values_alike(const struct param_table *table, const int32_t *a, const int32_t *b);

/* Returns the objective value of these parameters, or -1. */
int64_t known_values_find(const struct known_values *k, const struct param_table *table,
                          const int32_t *values);

/* Remembers an objective value. If memory is short it is forgotten, which only costs time. */
void known_values_add(struct known_values *k, const struct param_table *table,
                      const int32_t *values, int64_t measure);

void known_values_free(struct known_values *k);

#endif
