/* grayling space --calibrate: how far each parameter of a space must move until moves change, as a table, and
 * the space with that distance as c. */
#ifndef GRAYLING_CALIBRATE_SPACE_H
#define GRAYLING_CALIBRATE_SPACE_H

#include "calibration.h"

struct calibrate_options {
    const char *positions; /* a file, or the name of one that comes with the program */
    const char *values;    /* a file: where distances begin; NULL: the defaults */
    const char *evaluation,
        *search;    /* of our engine, the half that the space has not; a file or a name */
    int count;      /* positions, at most */
    uint64_t nodes; /* of a search */
    double share;   /* of the moves, in percent */
    int hash;       /* MiB of an engine; 0: 16, and 1 of ours */
    int threads;
};

/* Calibrates the space file at `path`. Prints the table to standard output, and writes the space with c to
 * `output` if it is not NULL. Returns the exit code. */
int calibrate_space(const char *path, const struct calibrate_options *options, const char *output);

/* Calibrates with its progress on standard error; that of the settings is set. */
enum jobs_end calibrate_shown(struct calibration_settings *settings, struct calibration *result,
                              struct error *err);

/* Loads at most so many positions with a choice of moves, evenly spread over a file or one that comes with the
 * program. The caller frees them, also on failure. */
bool ordinary_positions(const char *name, size_t most, struct position **positions, size_t *count,
                        struct error *err);

#endif
