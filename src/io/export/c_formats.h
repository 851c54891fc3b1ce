/* Values as source text of C and C++, for engines that are built with them. The names of the table
 * must be identifiers (c_names.h). A whole number is an int, a number with decimals a double, a text
 * (the choice of a combo) a string. A check is an int in C and a bool in C++. */
#ifndef GRAYLING_C_FORMATS_H
#define GRAYLING_C_FORMATS_H

#include "params_write.h"

/* A constant for each parameter. */
void write_c(FILE *out, const struct params_values *v);

/* A header: a struct with a member for each parameter, and a constant of its type. Its names come from
 * the kind of the table. */
void write_c_struct(FILE *out, const struct params_values *v);

/* A constexpr for each parameter. */
void write_cpp(FILE *out, const struct params_values *v);

#endif
