/* What the subcommands of `grayling` share. A subcommand is a file cmd_NAME.c with one function
 * `int cmd_NAME(int argc, char **argv)`, argv[0] being its name; only commands print and choose the
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
    COMMAND(bench, "a fixed workload; ends \"N nodes M nps\"")                                     \
    COMMAND(book, "make a book of balanced openings from games in PGN")                            \
    COMMAND(evolve, "run a recipe from random chromosomes to an evolved parameter file")           \
    COMMAND(export, "write evolved or given parameters in an engine's format")                     \
    COMMAND(match, "games between two sets of parameters: Elo, its error bars, a sequential test") \
    COMMAND(mine, "find tactical positions for a test suite in games in PGN")                      \
    COMMAND(perft, "count the leaves of the legal move tree")                                      \
    COMMAND(plot, "draw fitness per generation as SVG or PNG")                                     \
    COMMAND(regress, "fit the evaluation to moves or results by gradient descent")                 \
    COMMAND(report, "write one HTML page about a run, a night or a comparison")                    \
    COMMAND(reproduce, "a paper's tables, our figures beside the published ones")                  \
    COMMAND(resume, "go on with a run after a stop, a crash or a reboot")                          \
    COMMAND(sample, "draw training positions from games in PGN")                                   \
    COMMAND(score, "share of moves matched by a parameter file, with its interval")                \
    COMMAND(solve, "nodes until the right moves of a suite are found, by search parameters")       \
    COMMAND(status, "generation, best and time left of a run")                                     \
    COMMAND(uci, "the engine for a GUI or a match runner")                                         \
    COMMAND(verify, "replay a run and compare every organism")

#define COMMAND(name, summary) int cmd_##name(int argc, char **argv);
COMMANDS
#undef COMMAND

/* Prints "grayling: reason" on standard error; returns the code, for `return command_fail(...)`. */
int command_fail(enum exit_code code, const struct error *err);

/* Prints "grayling NAME: what is wrong; see 'grayling NAME --help'" and returns EXIT_BAD. */
int command_misuse(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What getopt_long's '?' and ':' (with opterr = 0 and ":" first in the short options) are about. */
int command_bad_option(const char *name, int answer, char **argv);

/* An option's number within [min, max]; on failure has printed the reason and returns false. */
bool command_number(const char *name, const char *option, const char *text, int64_t min,
                    int64_t max, int64_t *value);

/* The same for an int, and for a number that is not negative. */
bool command_int(const char *name, const char *option, const char *text, int min, int max,
                 int *value);
bool command_count(const char *name, const char *option, const char *text, int64_t min, int64_t max,
                   uint64_t *value);

/* A number of hours, above 0; else it has printed the reason and returns false. */
bool command_hours(const char *name, const char *text, double *hours);

/* The cores that a command may use when --threads is not given (OMP_NUM_THREADS, else all). */
int command_threads(void);

/* The options of a command that writes one file about one run: RUN.db [-o FILE] [--force]. */
struct run_output {
    const char *run;    /* NULL: help was asked for */
    const char *output; /* NULL: not given */
    bool force;
};

/* Reads them; EXIT_DONE, or the code to leave with. */
int command_run_output(const char *name, int argc, char **argv, struct run_output *o);

/* Opens an output file for writing; an existing one is refused unless `force`; "-" is standard
 * output. */
FILE *command_create(const char *path, bool force, struct error *err);

#endif
