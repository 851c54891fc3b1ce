/* The command of an engine in a file: a program that is named by a relative path is relative to the file,
 * so that a folder with both can be moved. A program without a slash is looked up on the PATH, and an
 * absolute path stays; so does all that follows the program. Commands are as command_words.h splits
 * them. */
#ifndef GRAYLING_COMMAND_PLACE_H
#define GRAYLING_COMMAND_PLACE_H

#include "error.h"

/* The command of a file as seen from the working directory. The caller frees it; NULL with the
 * reason if it cannot be split, or without memory. */
char *command_of_file(const char *file, const char *command, struct error *err);

/* The same with the absolute folder of the file: as it is seen from any working directory. */
char *command_of_file_anywhere(const char *file, const char *command, struct error *err);

/* True if a command names its program by a relative path. */
bool command_is_relative(const char *command);

/* The inverse: a command of the working directory as the file that is to be written, or standard output,
 * has to name it. The caller frees it; NULL with the reason if it cannot be split, if a path is too
 * long, or without memory. */
char *command_for_file(const char *file, const char *command, struct error *err);

/* The same of a command that command_of_file made of a relative one: its path may be absolute now. It stays
 * as it is if its folder is not there. */
char *command_moved_to_file(const char *file, const char *command, struct error *err);

#endif
