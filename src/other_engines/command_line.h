/* Command lines that start programs: their words, the programs, and commands in files. */
#ifndef GRAYLING_COMMAND_LINE_H
#define GRAYLING_COMMAND_LINE_H

#include "error.h"

#include <stdbool.h>

/* ---- words ---- */

/* A command line of a user is split into words as a shell splits a simple one, and nothing more: no
 * variables, no patterns, no pipes. Blanks separate words. '...' and "..." quote; a backslash takes
 * the next character as it is, except within '...'.
 *
 * Returns the words, ended by NULL; free() releases all of them at once. NULL with the reason if a
 * quote is not closed, or if there is no word. */
char **command_words(const char *text, struct error *err);

/* ---- programs ---- */

enum { PROGRAM_PATH = 4096 };

/* Finds a program: a name with a slash is a path; others are looked up on the PATH, then in /usr/games, Debian's
 * folder of games, which is often not on the PATH. False, with the reason, if there is none that can be executed. */
bool program_find(const char *name, char file[PROGRAM_PATH], struct error *err);

/* ---- commands in files ---- */

/* In a file, a program that is named by a relative path is relative to the file, so that a folder with both
 * can be moved. Other programs stay, and all that follows the program. The caller frees the results; NULL with
 * the reason if a command cannot be split, if a path is too long, or without memory. */

/* The command of a file as seen from the working directory, and whether its program has a relative path there
 * (`relative` may be NULL). */
char *command_of_file(const char *file, const char *command, bool *relative, struct error *err);

/* The same with the absolute folder of the file: as it is seen from any working directory. */
char *command_of_file_anywhere(const char *file, const char *command, struct error *err);

/* The inverse: a command of the working directory as the file that is to be written, or standard output,
 * has to name it. `moved`: command_of_file made it of a relative one, so its path may be absolute now; it stays
 * as it is if its folder is not there. */
char *command_for_file(const char *file, const char *command, bool moved, struct error *err);

#endif
