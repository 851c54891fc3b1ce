/* A command line of a user, split into words as a shell splits a simple one, and nothing more: no
 * variables, no patterns, no pipes. Blanks separate words. '...' and "..." quote; a backslash takes
 * the next character as it is, except within '...'. */
#ifndef GRAYLING_COMMAND_WORDS_H
#define GRAYLING_COMMAND_WORDS_H

#include "error.h"

/* Returns the words, ended by NULL; free() releases all of them at once. NULL with the reason if a
 * quote is not closed, or if there is no word. */
char **command_words(const char *text, struct error *err);

#endif
