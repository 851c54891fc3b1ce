/* The recipe of a run as its store keeps it. It states all values. Its paths are as seen from the store
 * (data_kept.h), so runs and data can be moved together. */
#ifndef GRAYLING_RUN_RECIPE_H
#define GRAYLING_RUN_RECIPE_H

#include "recipe.h"
#include "store.h"

/* Loads the recipe of the run at `path`, opened as `s`, with absolute paths. Fails for a night,
 * because each of its stages has its own recipe. */
bool run_recipe_load(struct store *s, const char *path, struct recipe *recipe, struct error *err);

/* Returns the text to store for a run at `path`. The paths of `recipe` must be absolute. The caller
 * frees the text. NULL with the reason on failure. */
char *run_recipe_text(const char *path, const struct recipe *recipe, struct error *err);

#endif
