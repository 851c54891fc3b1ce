/* A list of values for the options of an engine, which owns its texts. */
#ifndef GRAYLING_UCI_VALUES_H
#define GRAYLING_UCI_VALUES_H

#include "uci_client.h"

#include <stddef.h>

/* Owned by the caller; zeroed: empty. */
struct uci_values {
    struct uci_value *items;
    int count;
    char **texts; /* names and values, by turns */
};

/* Appends copies of a name and a value of these lengths. False if memory is short. */
bool uci_values_add(struct uci_values *v, const char *name, size_t name_length, const char *value,
                    size_t value_length);

/* Returns the index of the first value of this name, or -1. Letters of either case are equal. */
int uci_values_find(const struct uci_value *values, int count, const char *name);

void uci_values_free(struct uci_values *v);

#endif
