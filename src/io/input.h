/* Text from a file, line by line: plain, .gz, .bz2, .zst or the first file of a .zip, recognised by
 * content, through libarchive (this is the one file that knows it); "-" is standard input. */
#ifndef GRAYLING_INPUT_H
#define GRAYLING_INPUT_H

#include "error.h"

#include <stddef.h>

struct input;

enum input_status { INPUT_LINE, INPUT_END, INPUT_FAILED };

/* One line without its LF or CR LF (a lone CR ends a line too). `text` is NUL-terminated, may hold
 * NUL bytes inside, and lives until the next call. A byte order mark at the start is dropped. */
struct input_line {
    const char *text;
    size_t length;
    long number; /* from 1 */
};

/* NULL, with the reason, when the file cannot be opened or its compression is not known. */
struct input *input_open(const char *path, struct error *err);

/* The next line. INPUT_FAILED (damaged compression, a line over 16 MiB, a read error) names
 * file and line. */
enum input_status input_next(struct input *in, struct input_line *line, struct error *err);

/* The next `size` bytes as they are, fewer at the end of the file: `*length` says how many. For
 * files that are no text, read from their beginning without input_next. False when they cannot be
 * read. */
bool input_read(struct input *in, void *bytes, size_t size, size_t *length, struct error *err);

/* The line that input_next has just given will come again. */
void input_again(struct input *in);

/* Accepts NULL. */
void input_close(struct input *in);

#endif
