/* The command of `--at-end`, which runs when a run or night is over.
 *
 * It is started without a shell (command_line.h), with these variables in its environment:
 *
 *     GRAYLING_RUN         the run's file
 *     GRAYLING_STATE       complete, ended (by its time), stopped, or failed
 *     GRAYLING_BEST        the best organism's objective value; of a night the first pairing of its
 *                          closing match, or the best of its last stage
 *     GRAYLING_PARAMETERS  the parameter file written; of a night that of the last stage whose runs
 *                          have all ended
 *     GRAYLING_REPORT      the report written
 *
 * What there is not is empty; files that an earlier end left are none of this one. Standard input is
 * empty; its output goes where the run's goes. A command that fails, or takes longer than a minute, is
 * reported and does not change the exit code, which tells how the run ended. */
#ifndef GRAYLING_AT_END_H
#define GRAYLING_AT_END_H

#include "error.h"

#define AT_END_SECONDS 60.0

/* Runs the command for the run or night at `store_path`. `written`: its outcome is that of this end. */
bool at_end_run(const char *command, const char *store_path, bool written, struct error *err);

/* Runs a command without a shell (command_words.h), with more variables "NAME=value", ended by
 * NULL, and waits for it. When its seconds are over, its process group is ended. False with the
 * reason if it cannot be started, fails, or takes too long. */
bool run_command(const char *command, char *const variables[], double seconds, struct error *err);

#endif
