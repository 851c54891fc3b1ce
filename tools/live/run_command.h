/* A command of a user as a process of its own, within a time. */
#ifndef GRAYLING_RUN_COMMAND_H
#define GRAYLING_RUN_COMMAND_H

#include "error.h"

/* Runs a command without a shell (command_line.h), with more variables "NAME=value", ended by
 * NULL, and waits for it. When its seconds are over, its process group is ended. False with the
 * reason if it cannot be started, fails, or takes too long. */
bool run_command(const char *command, char *const variables[], double seconds, struct error *err);

#endif
