/* What a finished run or night leaves: its files, the lines that play with its values, and the line that confirms
 * them. The last lines of a run and the head of its page say the same. */
#ifndef GRAYLING_OUTCOME_WORDS_H
#define GRAYLING_OUTCOME_WORDS_H

#include "foreign_text.h"
#include "night_recipe.h"
#include "outcome_file.h"
#include "run_summary.h"

enum {
    OUTCOME_VALUES,
    OUTCOME_SVG,
    OUTCOME_PNG,
    OUTCOME_PAGE,
    OUTCOME_FILES,
    OUTCOME_PLAYS = OUTCOME_FILES,
    OUTCOME_CONFIRMS,
    OUTCOME_LINES
};

/* What the lines are called, and the endings of the files: "parameters", ".yaml". */
extern const struct outcome_kind {
    const char *name, *ending;
} outcome_kinds[OUTCOME_LINES];

enum { OUTCOME_PLACE = PATH_SIZE + OUTCOME_PATH };

/* A line: its kind, and the absolute path of a file or a command. */
struct outcome_line {
    int kind;
    char text[2 * OUTCOME_PLACE + 64];
};

/* Gets the lines in this order, clean (foreign_text.h). Returns their number: 0 unless the run has written its
 * parameters, and nobody has changed them. */
int outcome_words(const char *store_path, const struct run_summary *s,
                  struct outcome_line lines[OUTCOME_LINES]);

/* The same of a night, without files: they play with the player that it leads to, of its last match, and confirm it
 * against ours. None unless both halves of that are of stages, whose files the night has written. */
int outcome_words_of_night(const char *store_path, const struct night_recipe *recipe,
                           struct outcome_line lines[OUTCOME_LINES]);

/* The name of line `i`; "" if it goes on with what the line before it begins. */
const char *outcome_name(const struct outcome_line *lines, int i);

/* The parameter file of a night's stage: NIGHT-STAGE.yaml. */
bool outcome_path_of_stage(const char *store_path, const struct night_stage *stage,
                           char path[OUTCOME_PATH], struct error *err);

/* The absolute path of an output file, clean; as it is if its folder is gone. Returns `text`. */
const char *outcome_place(const char *path, char text[OUTCOME_PLACE]);

/* ---- a run that goes on */

enum { RESUME_WORDS = 3 * SHELL_WORD + 64 };

/* "grayling resume RUN.db", of a program called `program`; a run that is compressed, RUN.db.zst, is decompressed
 * first. `path` may name a stage (RUN.db#STAGE). Writes to the caller's text and returns it. */
const char *resume_words(const char *program, const char *path, char text[RESUME_WORDS]);

#endif
