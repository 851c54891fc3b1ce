/* Names of parameters as identifiers of C and C++.
 *
 * A letter of ASCII, a digit and an underscore stay; any other byte becomes an underscore. A name that
 * begins with a digit gets an underscore before it, and a word of the language one after it. A name
 * that an earlier parameter has got already is numbered: NAME_2, NAME_3. */
#ifndef GRAYLING_C_NAMES_H
#define GRAYLING_C_NAMES_H

#include "param.h"

#include <stdbool.h>

/* Owned by the caller between create and free. */
struct c_names {
    struct param_table table; /* a copy whose names are identifiers, all different */
    void *memory;
};

/* Copies a table. False without memory. */
bool c_names_create(const struct param_table *table, struct c_names *names);

void c_names_free(struct c_names *names); /* accepts one without memory */

/* Makes a text an identifier of at most `size` - 1 bytes. */
void c_identifier(const char *text, char *identifier, size_t size);

#endif
