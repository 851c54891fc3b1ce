/* evolve --dry-run: what would run, which files it would write, and how long it would take. The
 * time comes from a short calibration: the beginning of the run itself, in a temporary folder. */
#ifndef GRAYLING_DRY_RUN_H
#define GRAYLING_DRY_RUN_H

#include "finish.h"
#include "night_recipe.h"

/* Calibrates a run and prints its head, files and time. Returns the exit code. */
int dry_run_evolve(const struct recipe *recipe, struct run_view *view, const struct outcome *o);

/* Calibrates each stage of a night or comparison, and prints its share of the time and the time
 * that it needs. Needs run_view_seconds. Returns the exit code. */
int dry_run_night(struct night_recipe *recipe, struct run_view *view);

/* Measures what the stages of a night that is about to begin need at least, fits it to its time (night.h),
 * and says so. That is part of its time. Returns the exit code. */
int dry_run_fit(struct night_recipe *recipe, struct run_view *view);

/* Runs the beginning of a recipe for so many seconds, or longer until something is measured, and returns the
 * seconds that a generation takes: 0 if none is known. Below 0, with the reason, if the run fails; or if the
 * user interrupts it. */
double dry_run_generation(const struct recipe *recipe, int threads, double seconds,
                          bool *interrupted, struct error *err);

#endif
