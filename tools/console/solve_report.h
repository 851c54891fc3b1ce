/* The results of `grayling solve`, as a table, CSV or JSON. */
#ifndef GRAYLING_SOLVE_REPORT_H
#define GRAYLING_SOLVE_REPORT_H

#include "solve_table.h"
#include "suite.h"

#include <stdio.h>

/* Everything is borrowed; the table is complete. */
struct solve_report {
    struct solve_table *table;
    const struct suite *suite;
    const char *suite_path, *suite_checksum;
    const char *const *names; /* of the sets: file names, "default", or of the search */
    const char *eval_name;    /* its file, "default" or "material" */
    bool verbose;             /* the table has a line for each search */
};

/* Each prints a whole report. `context` is a struct solve_report (a callback of output_write). Only
 * the times differ between two runs. */
void solve_report_table(FILE *out, void *context);
void solve_report_csv(FILE *out, void *context);
void solve_report_json(FILE *out, void *context);

/* "879 positions", "878 positions, 1 left out". */
const char *solve_report_count(const struct suite *suite, char *text, size_t size);

#endif
