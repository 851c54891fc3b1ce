/* The engines of a worker, or of a game. */
#ifndef GRAYLING_ENGINES_H
#define GRAYLING_ENGINES_H

#include "engine.h"

/* `count` engines with the same evaluation, each with a table of `hash_mib` MiB; NULL with the
 * reason when there is no memory. Owned by the caller until engines_destroy. */
struct engine **engines_create(int count, int hash_mib, const struct eval_weights *weights,
                               struct error *err);
void engines_destroy(struct engine **engines, int count); /* accepts NULL */

#endif
