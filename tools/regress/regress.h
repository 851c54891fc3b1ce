/* What the parts of `grayling regress` share: the command line and the state of the command. */
#ifndef GRAYLING_REGRESS_H
#define GRAYLING_REGRESS_H

#include "checksum.h"
#include "data_files.h"
#include "options.h"
#include "progress.h"
#include "regression.h"
#include "tuned_evaluation.h"

#include <signal.h>

enum { REGRESS_TARGETS = 16 };

/* Positions of one or several files, with the measurements on them. */
struct subject {
    const char *name;
    struct dataset positions;
    bool has_moves, has_loss;
    struct regression_loss loss;
    int64_t matched;
};

/* Numbers of weights to keep, falling. */
struct regress_targets {
    int keep[REGRESS_TARGETS], count;
};

/* What training positions were read from. Found before the fit: a pipe is gone after it, and a file may
 * have another content. */
struct origin {
    char checksum[CHECKSUM_MAX]; /* of the file, or of the positions in it if it is a pipe */
    bool is_file;
};

/* The command line, and the state of the command. */
struct regress {
    struct regression_settings settings;
    double likely; /* centipawns; 0: all moves */
    struct tuned_evaluation evaluation;
    int32_t *weights; /* owned: at the start, then those found */
    const char *from, *output, *space, *saliency;
    struct regress_targets prune;
    struct param_table table; /* the weights, with constants for those that are pruned */
    struct param *rows;       /* owned: of `table` */
    struct compiled_set *set; /* of the training positions */
    int steps;                /* -1: the method's default */
    bool force;
    const char *const *files; /* training positions, words of the command line */
    int file_count;
    struct word_list held_out;
    struct origin *origins;   /* of each file of training positions; owned */
    struct subject *subjects; /* the training positions, then each held-out file */
    struct regression_fit fit;
    struct error unmeasured; /* why the values could not be measured; empty if they were */
    double seconds;          /* duration of the fit, compilation included */
    struct progress progress;
    char *report; /* the lines about the fit; owned */
    const volatile sig_atomic_t *stop;
};

/* ---- input ---- */

/* Opens the evaluation, sets the start, loads the positions. */
bool regress_load(struct regress *r, struct error *err);

/* ---- the work ---- */

/* Compiles the training positions and fits the values. */
bool regress_fit(struct regress *r, struct error *err);

/* Removes weights until so many are left, and fits them again. */
bool regress_prune(struct regress *r, int keep, struct error *err);

/* Measures the values on all positions that allow it. False without a reason if it was stopped. */
bool regress_measure(struct regress *r, struct error *err);

/* ---- the report ---- */

/* Prints the result and writes the values, to `path` if it is not NULL. Returns the exit code. */
int regress_report(struct regress *r, const char *path);

/* Writes the table of saliencies of the fit to r->saliency. */
bool regress_write_saliency(struct regress *r, struct error *err);

#endif
