/* The history of a run: one row a generation; of a night the rows of all its stages that evolve,
 * with the stage in the first column; of a closing match one row a game. */
#ifndef GRAYLING_RUN_HISTORY_H
#define GRAYLING_RUN_HISTORY_H

#include "error.h"
#include "table.h"

/* Writes the table of what is at the path. False with the reason if it cannot be read; then nothing
 * is written, unless it is damaged. */
bool run_history_write(FILE *out, enum table_format format, const char *path, struct error *err);

#endif
