/* The journal of a solve: its results so far, so that it can resume after an interruption or a
 * crash. It is a text file. The first lines describe the job, one entry a line; then each result is
 * a line, in the order in which they arrive. Each line is flushed at once. A position whose line is
 * incomplete is searched again. */
#ifndef GRAYLING_SOLVE_JOURNAL_H
#define GRAYLING_SOLVE_JOURNAL_H

#include "solve_table.h"

#include <stdio.h>

/* Owned by the caller between begin or resume and close. A zeroed journal writes nothing. */
struct solve_journal {
    FILE *file;
    const char *path; /* borrowed */
    const struct solve_table *table;
    bool unwritten; /* it could be created, but not begun: the disk is full */
};

/* Creates the file for the table's job; if it exists, empties it with `force`, and fails without. Fails
 * too if another process is writing it. Removes it again if its first lines cannot be written. `checksum`
 * is the suite's. */
bool solve_journal_begin(struct solve_journal *j, const char *path, bool force,
                         const struct solve_table *t, const char *checksum, struct error *err);

/* Opens the file and enters its results into the table. Fails, naming the difference, if suite,
 * parameters, limits or version differ from the current ones, and if another process is writing the
 * file. */
bool solve_journal_resume(struct solve_journal *j, const char *path, struct solve_table *t,
                          const char *checksum, struct error *err);

/* Appends result `number` of the table. False if writing fails. */
bool solve_journal_add(struct solve_journal *j, size_t number, struct error *err);

/* Closes the file and keeps it. Accepts a zeroed journal. */
void solve_journal_close(struct solve_journal *j);

#endif
