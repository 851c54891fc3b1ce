/* A word of a command line that people copy into a shell. */
#ifndef GRAYLING_SHELL_WORD_H
#define GRAYLING_SHELL_WORD_H

#include "paths.h"

#include <stdbool.h>

enum { SHELL_WORD = 4 * PATH_SIZE + 8 };

/* True if a shell reads a text as it is. The text is not empty and holds no white space. */
bool shell_is_plain(const char *text);

/* Writes a text so that a shell reads it as one word: in single quotes, unless it is plain. Returns `word`.
 * A text that is too long is truncated within its quotes. */
const char *shell_word(const char *text, char word[SHELL_WORD]);

/* The same, clean (foreign_text.h): for a line of output. */
const char *shell_word_shown(const char *text, char word[SHELL_WORD]);

#endif
