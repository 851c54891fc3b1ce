/* A command line of a user, split into words as a shell splits a simple one, and nothing more: no
 * variables, no patterns, no pipes. Blanks separate words. '...' and "..." quote; a backslash takes
 * the next character as it is, except within '...'. */
#ifndef GRAYLING_COMMAND_WORDS_H
#define GRAYLING_COMMAND_WORDS_H

#include "error.h"

#include <stddef.h>

/* Returns the words, ended by NULL; free() releases all of them at once. NULL with the reason if a
 * quote is not closed, or if there is no word. */
char **command_words(const char *text, struct error *err);

/* Returns the first word, which the caller frees; `*rest` is what follows it in the text. NULL with the
 * reason, as command_words. */
char *command_first_word(const char *text, const char **rest, struct error *err);

/* Writes the first bytes of a text so that they are read as they are within a word: with a backslash
 * before each character that would be taken otherwise. `to` has room for twice as many and a NUL.
 * Returns the end of what is written. */
char *command_write_word(char *to, const char *text, size_t length);

#endif
