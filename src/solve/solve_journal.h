/* What a solve has found so far, on disk, so that it can be taken up after an interruption or a
 * crash: a text file whose first lines say what is searched and how, one entry a line, then a line
 * for each result in the order in which they came. Each line is written out at once; one that was
 * cut short is searched again. */
#ifndef GRAYLING_SOLVE_JOURNAL_H
#define GRAYLING_SOLVE_JOURNAL_H

#include "solve_table.h"

#include <stdio.h>

/* Owned by the caller between begin or resume and close; a zeroed one keeps nothing. */
struct solve_journal {
    FILE *file;
    const char *path; /* borrowed */
    const struct solve_table *table;
};

/* Creates the file for the table's job; one that exists is refused. `checksum` is the suite's. */
bool solve_journal_begin(struct solve_journal *j, const char *path, const struct solve_table *t,
                         const char *checksum, struct error *err);

/* Opens the file and enters its results into the table. Refused, with what differs, unless suite,
 * parameters, limits and version are those of now; also while another process writes it. */
bool solve_journal_resume(struct solve_journal *j, const char *path, struct solve_table *t,
                          const char *checksum, struct error *err);

/* Appends the result at `number` of the table. False when writing fails. */
bool solve_journal_add(struct solve_journal *j, size_t number, struct error *err);

/* Accepts a zeroed one. The file stays. */
void solve_journal_close(struct solve_journal *j);

#endif
