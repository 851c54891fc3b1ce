/* Shared by the subcommands of `grayling`. A subcommand is a file cmd_NAME.c with one function
 * `int cmd_NAME(int argc, char **argv)`; argv[0] is its name. Only commands print and choose the
 * exit code. */
#ifndef GRAYLING_COMMAND_H
#define GRAYLING_COMMAND_H

#include "error.h"

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>

/* Exit codes (docs/architecture.md). */
enum exit_code { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_BAD = 2, EXIT_INTERRUPTED = 130 };

#define COMMANDS                                                                                   \
    COMMAND(bench, "run a fixed workload; prints \"N nodes M nps\"")                               \
    COMMAND(book, "make an opening book of balanced positions from PGN games")                     \
    COMMAND(check, "read a run whole and check its checksums: is the file damaged?")               \
    COMMAND(confirm, "compare a run with the defaults: positions, another suite, a match")         \
    COMMAND(evolve, "run a recipe: evolve parameters from random chromosomes")                     \
    COMMAND(export, "write the parameters of a run or file in an engine's format")                 \
    COMMAND(gauntlet, "play against several engines in turn: a table of Elo differences")          \
    COMMAND(history, "write a table: one row a generation, or a game of a closing match")          \
    COMMAND(label, "write positions with another engine's scores")                                 \
    COMMAND(match, "play two sets of parameters or engines: Elo, a sequential test")               \
    COMMAND(mine, "find tactical positions for a test suite in PGN games")                         \
    COMMAND(perft, "count the leaves of the legal move tree")                                      \
    COMMAND(plot, "draw fitness, convergence, genes or pairings as SVG or PNG")                    \
    COMMAND(ratings, "rate all players of match games on one scale, with intervals")               \
    COMMAND(regress, "fit the evaluation to moves or results by gradient descent")                 \
    COMMAND(report, "write one HTML page about a run, a night or a comparison")                    \
    COMMAND(reproduce, "repeat a paper's tables; our figures beside the published ones")           \
    COMMAND(resume, "continue a run after a stop, a crash or a reboot")                            \
    COMMAND(sample, "draw training positions from PGN games")                                      \
    COMMAND(score, "count the moves that parameters match, with an interval")                      \
    COMMAND(serve, "show a run's live page to a browser on this machine")                          \
    COMMAND(solve, "count the nodes that searches need to solve a suite")                          \
    COMMAND(space, "write another engine's options as a space to tune")                            \
    COMMAND(status, "print the generation, best organism and time left of a run")                  \
    COMMAND(trace, "serve our evaluation over the trace protocol; check another's")                \
    COMMAND(uci, "run the engine for a GUI or a match runner")                                     \
    COMMAND(verify, "replay a run and compare every organism")

#define COMMAND(name, summary) int cmd_##name(int argc, char **argv);
COMMANDS
#undef COMMAND

/* Prints "grayling: reason" on standard error; returns the code, for `return command_fail(...)`. */
int command_fail(enum exit_code code, const struct error *err);

/* Prints "grayling NAME: what is wrong; see 'grayling NAME --help'" and returns EXIT_BAD. */
int command_misuse(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reports the option that getopt_long rejected with '?' or ':'. Call getopt_long with opterr = 0
 * and ":" first in the short options. Returns EXIT_BAD. */
int command_bad_option(const char *name, int answer, char **argv);

/* Refuses an output that an option names if it is that of --output too. On failure prints the reason and
 * returns false. */
bool command_two_outputs(const char *name, const char *option, const char *path,
                         const char *output);

/* Reads an option's number within [min, max]. On failure prints the reason and returns false. */
bool command_number(const char *name, const char *option, const char *text, int64_t min,
                    int64_t max, int64_t *value);

/* As command_number, for an int and for a number that is not negative. */
bool command_int(const char *name, const char *option, const char *text, int min, int max,
                 int *value);
bool command_count(const char *name, const char *option, const char *text, int64_t min, int64_t max,
                   uint64_t *value);

/* Reads a number of hours above 0. On failure prints the reason and returns false. */
bool command_hours(const char *name, const char *text, double *hours);

/* Takes a command for --at-end (command_words.h). On failure prints the reason, returns false. */
bool command_at_end(const char *name, const char *text, const char **command);

/* Takes --check-share, "1%" or "0.01", for runs of several ranks (ranks.h), and --job-limit. On failure
 * print the reason and return false. */
bool command_check_share(const char *name, const char *text);
bool command_job_limit(const char *name, const char *text);

/* Number of threads when --threads is not given: OMP_NUM_THREADS, else all cores. */
int command_threads(void);

/* Tells on standard error what was written and where: "report      runs/quick.html". Tells nothing
 * of standard output. */
void command_tell(const char *what, const char *path);
/* This program as it was called, for the commands that people copy. */
const char *command_program(void);


#endif
