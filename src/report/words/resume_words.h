/* The command that continues a run, for people to copy. */
#ifndef GRAYLING_RESUME_WORDS_H
#define GRAYLING_RESUME_WORDS_H

#include "foreign_text.h"

enum { RESUME_WORDS = 3 * SHELL_WORD + 64 };

/* "grayling resume RUN.db", of a program called `program`; a run that is compressed, RUN.db.zst, is decompressed first. `path` may name a
 * stage (RUN.db#STAGE). Writes to the caller's text and returns it. */
const char *resume_words(const char *program, const char *path, char text[RESUME_WORDS]);

#endif
