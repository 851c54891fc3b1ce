/* What the subcommands of `grayling` share: the headers that nearly all of them use, and the functions below. A
 * subcommand is a file cmd_NAME.c with one function `int cmd_NAME(int argc, char **argv)`; argv[0] is its name.
 * Only commands print and choose the exit code. */
#ifndef GRAYLING_COMMAND_H
#define GRAYLING_COMMAND_H

#include "data_files.h"
#include "foreign_text.h"
#include "format.h"
#include "interrupt.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Exit codes (docs/architecture.md). */
enum exit_code { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_BAD = 2, EXIT_INTERRUPTED = 130 };

/* The commands by what they are for. One without words is told of in the line of the one before it. */
enum command_group { TUNE, PROVE, DATA, LABORATORY, COMMAND_GROUPS };

#define COMMANDS                                                                                   \
    COMMAND(TUNE, init, "begin to tune your engine: all that a night needs")                       \
    COMMAND(TUNE, evolve, "run a recipe, which tunes; continue it after a stop")                   \
    COMMAND(TUNE, resume, "")                                                                      \
    COMMAND(TUNE, status, "watch a run: its state, its page in a browser")                         \
    COMMAND(TUNE, serve, "")                                                                       \
    COMMAND(TUNE, space, "write the options of your engine as a space to tune")                    \
    COMMAND(TUNE, export, "write the values as your engine or tuner reads them")                   \
    COMMAND(PROVE, confirm, "is it stronger? compare a run with the defaults")                     \
    COMMAND(PROVE, match, "play engines or parameters: the Elo between them")                      \
    COMMAND(PROVE, gauntlet, "")                                                                   \
    COMMAND(PROVE, ratings, "")                                                                    \
    COMMAND(PROVE, report, "make a page, a picture, a table of a run or a night")                  \
    COMMAND(PROVE, plot, "")                                                                       \
    COMMAND(PROVE, history, "")                                                                    \
    COMMAND(PROVE, verify, "repeat a run and compare; is its file damaged?")                       \
    COMMAND(PROVE, check, "")                                                                      \
    COMMAND(DATA, sample, "draw training positions; add an engine's scores")                       \
    COMMAND(DATA, label, "")                                                                       \
    COMMAND(DATA, mine, "find tactical positions in games, for a suite")                           \
    COMMAND(DATA, book, "make an opening book of balanced positions")                              \
    COMMAND(LABORATORY, score, "count moves matched, or nodes to solve a suite")                   \
    COMMAND(LABORATORY, solve, "")                                                                 \
    COMMAND(LABORATORY, regress, "fit the evaluation by gradient descent instead")                 \
    COMMAND(LABORATORY, reproduce, "repeat the tables of the papers")                              \
    COMMAND(LABORATORY, trace, "speak the trace protocol, or UCI with a GUI")                      \
    COMMAND(LABORATORY, uci, "")                                                                   \
    COMMAND(LABORATORY, bench, "measure the speed, or count legal moves")                          \
    COMMAND(LABORATORY, perft, "")

#define COMMAND(group, name, words) int cmd_##name(int argc, char **argv);
COMMANDS
#undef COMMAND

/* Prints "grayling: reason" on standard error; returns the code, for `return command_fail(...)`. An empty reason means
 * that the user has interrupted the command. */
int command_fail(enum exit_code code, const struct error *err);

/* Prints "grayling NAME: what is wrong; see 'grayling NAME --help'" and returns EXIT_BAD. */
int command_misuse(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Refuses an output that an option names if it is that of --output too. On failure prints the reason and
 * returns false. */
bool command_two_outputs(const char *name, const char *option, const char *path,
                         const char *output);

/* The name of an output with a number in place of its %d; of one without %d, itself. May point into `path`. */
const char *command_numbered(const char *output, int number, char path[OUTPUT_PATH]);

/* This program as it was called, for the commands that people copy. */
const char *command_program(void);

/* Tells on standard error what was written and where: "report      runs/quick.html". Tells nothing
 * of standard output. */
void command_tell(const char *what, const char *path);

/* The same of what was written; the reason if it was not. Returns the exit code. */
int command_wrote(bool written, const char *what, const char *path, const struct error *err);

#endif
