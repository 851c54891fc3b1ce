/* What grayling and grayling-uci share. */
#ifndef GRAYLING_PROGRAMS_H
#define GRAYLING_PROGRAMS_H

#include "error.h"

/* What surrounds the work of a program: calls `run`, and returns the exit code that it returns.
 *
 *   - It finds /dev/null in the place of each standard stream that was closed, so that no file of the
 *     program takes its number. To read from it or write to it is an error. A write beyond the largest
 *     size of a file (ulimit -f) is an error too, instead of a signal that kills.
 *   - It has THREAD_STACK bytes of stack.
 *   - Standard output is flushed after it. If it could not take all that was printed, "NAME: cannot
 *     write standard output: reason" is printed, and 0 becomes 1. */
int program_main(const char *name, int (*run)(int argc, char **argv), int argc, char **argv);

/* Serves a UCI session on standard input and output until `quit` or the end of the input, with the set for games; or, to
 * `tune`, with the default set and an option for each of its parameters. False if the session cannot start. */
bool uci_console_run(bool tune, struct error *err);

/* Runs a fixed workload that anyone can repeat on one core, and prints the count of each part, then "N nodes M nps". The
 * node count is the engine's signature, of the set `paper`: paper-eval and paper-search. */
bool bench_run(struct error *err);

#endif
