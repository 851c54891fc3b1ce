/* What surrounds the work of a program: its standard streams, and its stack. */
#ifndef GRAYLING_PROGRAM_MAIN_H
#define GRAYLING_PROGRAM_MAIN_H

/* Calls `run`, and returns the exit code that it returns.
 *
 *   - It finds /dev/null in the place of each standard stream that was closed, so that no file of the
 *     program takes its number. To read from it or write to it is an error. A write beyond the largest
 *     size of a file (ulimit -f) is an error too, instead of a signal that kills.
 *   - It has THREAD_STACK bytes of stack.
 *   - Standard output is flushed after it. If it could not take all that was printed, "NAME: cannot
 *     write standard output: reason" is printed, and 0 becomes 1. */
int program_main(const char *name, int (*run)(int argc, char **argv), int argc, char **argv);

#endif
