/* Nights in `evolve` and `resume`: the progress, the result, and the files beside the
 * night. */
#ifndef GRAYLING_NIGHT_VIEW_H
#define GRAYLING_NIGHT_VIEW_H

#include "finish.h"
#include "night.h"

/* Runs a recipe of kind night and returns the exit code. `view` has the options and the store's
 * path; if that is NULL, the path is made from the recipe's name and seed. */
int night_view_evolve(const char *recipe_path, const char *const *settings, int setting_count,
                      struct run_view *view);

/* Continues a night and returns the exit code. The time of the request is that of `view`. */
int night_view_resume(struct run_view *view, const struct night_request *asked);

/* Prints the table of a closing match. */
bool night_view_print_match(const struct night_run *run, struct error *err);

#endif
