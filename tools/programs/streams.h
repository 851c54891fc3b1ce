/* The standard streams of a program, at its start and at its end. */
#ifndef GRAYLING_STREAMS_H
#define GRAYLING_STREAMS_H

/* Puts /dev/null in the place of each standard stream that is closed, so that no file of the program
 * takes its number. To read from it or write to it is an error. A write beyond the largest size of
 * a file (ulimit -f) becomes an error too, instead of a signal that kills. Call it first. */
void streams_begin(void);

/* Flushes standard output. If it could not take all that was printed, prints "PROGRAM: cannot write
 * standard output: reason". Returns the program's exit code: `code`, but 1 instead of 0 if output is
 * lost. Call it last. */
int streams_end(const char *program, int code);

#endif
