/* What can be known of a night's stages before it begins. */
#ifndef GRAYLING_NIGHT_CHECK_H
#define GRAYLING_NIGHT_CHECK_H

#include "night_recipe.h"

/* Checks that each stage that evolves would begin: loads its data, counts what it needs with the seeds
 * that an earlier stage gives it, and forgets it again. A stage would be refused hours later otherwise,
 * when its recipe cannot be changed any more. Of one that learns from games which are not played yet,
 * checks the space and the optimiser. */
bool night_check_stages(const struct night_recipe *night, int threads, struct error *err);

#endif
