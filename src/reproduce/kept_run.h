/* Whether a run that is kept is the one that a recipe asks for. */
#ifndef GRAYLING_KEPT_RUN_H
#define GRAYLING_KEPT_RUN_H

#include "recipe.h"

/* True if a kept run has the values of the wanted recipe, and its positions and parameter files are those
 * of the wanted one by SHA-256. Names and paths may differ. Does not compare what the recipe's space says
 * (resuming does), the organisms it begins with, or the opponent, which changes no generation. Else false,
 * with an error that names the first difference. */
bool kept_run_is_of(const char *path, const struct recipe *kept, const struct recipe *wanted,
                    struct error *err);

#endif
