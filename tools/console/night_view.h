/* What `evolve` and `resume` show of a night, and what they leave behind it. */
#ifndef GRAYLING_NIGHT_VIEW_H
#define GRAYLING_NIGHT_VIEW_H

#include "finish.h"

/* Runs a recipe of kind night; the exit code. `view` has the options and the store's path, which
 * may be NULL: then it follows from the recipe's name and seed. */
int night_view_evolve(const char *recipe_path, const char *const *settings, int setting_count,
                      struct run_view *view);

/* Goes on with a night; the exit code. */
int night_view_resume(struct run_view *view);

/* Prints how far a night has come. */
int night_view_status(const char *path);

#endif
