/* A stream into memory that tells when memory is missing; texts in arrays; and words in lines. */
#ifndef GRAYLING_TEXT_STREAM_H
#define GRAYLING_TEXT_STREAM_H

#include "error.h"

#include <stdio.h>

/* Opens a stream into memory, as POSIX's open_memstream does: after fflush or fclose *bytes is what was written,
 * followed by a NUL, and *size its length. The caller frees *bytes. NULL without memory.
 *
 * When memory runs out, glibc's own stream discards text, and only the return value of fprintf tells. This one then
 * has *bytes NULL and *size 0, its error indicator is set, and fclose fails. */
FILE *text_stream(char **bytes, size_t *size);

/* Closes such a stream. False if it is NULL or its text not whole: "no memory for WHAT". */
bool text_close(FILE *out, const char *what, struct error *err);

/* Appends to the text in an array of `size` bytes; what has no room there is cut off. */
void text_add(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes the words of a text from a column on, in lines of at most `width` columns. Further lines, and those that begin
 * with a line feed of the text, begin at `indent`. */
void text_wrap(FILE *out, const char *text, int column, int indent, int width);

#endif
