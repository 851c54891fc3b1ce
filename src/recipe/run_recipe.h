/* The recipe of a run as its store keeps it: every value spelled out, every path as seen from the
 * store, so that runs and data may be moved together. */
#ifndef GRAYLING_RUN_RECIPE_H
#define GRAYLING_RUN_RECIPE_H

#include "recipe.h"
#include "store.h"

/* The recipe of the run at `path`, opened as `s`; its paths are absolute. False, with the reason,
 * for a night, whose stages have recipes of their own. */
bool run_recipe_load(struct store *s, const char *path, struct recipe *recipe, struct error *err);

/* The text to store for a run at `path`, whose recipe has absolute paths; malloc'ed, NULL with the
 * reason. */
char *run_recipe_text(const char *path, const struct recipe *recipe, struct error *err);

#endif
