/* Command lines that start programs: their words, the programs, and commands in files. */
#ifndef GRAYLING_COMMAND_LINE_H
#define GRAYLING_COMMAND_LINE_H

#include "error.h"

#include <stddef.h>

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

/* Finds a program: a name with a slash is a path; others are looked up on the PATH, then in
 * /usr/games, Debian's folder of games, which is often not on the PATH. False, with the reason, if
 * there is none that can be executed. */
bool program_find(const char *name, char file[PROGRAM_PATH], struct error *err);

/* ---- commands in files ---- */

/* In a file, a program that is named by a relative path is relative to the file, so that a folder with both
 * can be moved. Other programs stay, and all that follows the program. The caller frees the results; NULL with
 * the reason if a command cannot be split, if a path is too long, or without memory. */

/* The command of a file as seen from the working directory. */
char *command_of_file(const char *file, const char *command, struct error *err);

/* The same with the absolute folder of the file: as it is seen from any working directory. */
char *command_of_file_anywhere(const char *file, const char *command, struct error *err);

/* True if a command names its program by a relative path. */
bool command_is_relative(const char *command);

/* The inverse: a command of the working directory as the file that is to be written, or standard output,
 * has to name it. */
char *command_for_file(const char *file, const char *command, struct error *err);

/* The same of a command that command_of_file made of a relative one: its path may be absolute now. It stays
 * as it is if its folder is not there. */
char *command_moved_to_file(const char *file, const char *command, struct error *err);

#endif
