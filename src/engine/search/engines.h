/* A set of engines for a worker or for a game. */
#ifndef GRAYLING_ENGINES_H
#define GRAYLING_ENGINES_H

#include "engine.h"

/* Creates `count` engines with the same evaluation, each with a table of `hash_mib` MiB. Returns
 * NULL and sets `err` when out of memory. The caller frees them with engines_destroy. */
struct engine **engines_create(int count, int hash_mib, const struct evaluation *evaluation,
                               struct error *err);
void engines_destroy(struct engine **engines, int count); /* accepts NULL */

#endif
