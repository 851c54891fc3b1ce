/* Modules: parts of the program whose libraries take long to load. Each is a shared library with one constant, a table of
 * functions or a pointer to its only one. A process that needs it loads it, and no other does. */
#ifndef GRAYLING_MODULE_H
#define GRAYLING_MODULE_H

#include "error.h"

/* Returns grayling_NAME of libgrayling-NAME.so, which stays loaded. NULL if there is none: the reason begins
 * with `without`, which says what is missing and how to get it. */
const void *module_load(const char *name, const char *without, struct error *err);

#endif
