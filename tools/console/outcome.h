/* The outcome of a run or a night: files beside its database (outcome_file.h), and when they may be written. */
#ifndef GRAYLING_OUTCOME_H
#define GRAYLING_OUTCOME_H

#include "night_games.h"
#include "outcome_words.h"

/* The paths of an outcome; that of its page is the last. */
struct outcome {
    char paths[NIGHT_STAGES * (1 + NIGHT_GAMES_FILES) + 1][OUTCOME_PATH];
    int count;
};

/* Checks that a file may be written: it does not exist, `force` is set, or it is an unmodified artifact of this run or
 * an unmodified report. */
bool outcome_check(const char *store_path, const char *path, bool force, struct error *err);

/* Refuses an outcome of which a file is also an input of the run, whatever is forced: a run must not destroy what it was
 * made from. `role` says which input it is, such as "recipe". The second is the same for each file that a recipe names;
 * its context is the outcome. */
bool outcome_spares(const struct outcome *o, const char *role, const char *input,
                    struct error *err);
recipe_visit outcome_spares_file;

/* Writes a file, if outcome_check lets it, and prints where it is: "  report      /home/you/runs/quick.html". */
bool outcome_make(const char *store_path, const char *path, bool force, const char *name,
                  outcome_print *print, const void *context, struct error *err);
void outcome_tell(const char *name, const char *path);

/* Prints the lines that are no files. */
void outcome_tell_lines(const struct outcome_line *lines, int count);

/* Prints the values of a run's best organism as a parameter file; `context` is its run_summary. */
bool outcome_print_values(FILE *out, const void *summary, struct error *err);

#endif
