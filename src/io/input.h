/* Reads text files line by line. A file is plain, .gz, .bz2, .zst, or a .zip of one file; the format
 * is detected from the content. "-" is standard input. What is neither plain nor .gz the module `archive` reads. */
#ifndef GRAYLING_INPUT_H
#define GRAYLING_INPUT_H

#include "file_kind.h"

#include <stddef.h>

struct input;

enum input_status { INPUT_LINE, INPUT_END, INPUT_FAILED };

/* One line without its line end, which is LF, CR LF or CR. `text` is NUL-terminated, may contain NUL bytes, and stays
 * valid until the next call. A byte order mark at the start of the file is dropped. */
struct input_line {
    const char *text;
    size_t length;
    long number; /* from 1 */
};

/* Returns NULL with the reason if the file cannot be opened, its compression is unknown, or it is certainly
 * of another kind than `kinds` (file_kind.h; FILE_OTHER: of any). */
struct input *input_open(const char *path, unsigned kinds, struct error *err);

/* The kind of the text, by its beginning. */
enum file_kind input_kind(const struct input *in);

/* Reads the next line. INPUT_FAILED means damaged compression or a zip of several files, either of which may show at
 * the end only, a line over 16 MiB, or a read error; the reason names the file, and the line of a damage. */
enum input_status input_next(struct input *in, struct input_line *line, struct error *err);

/* Same, of games and positions: no-break and zero-width spaces (U+00A0, U+200B, U+FEFF, and a byte A0
 * between bytes of ASCII) become blanks, those without width at the start of a line nothing, and Ctrl-Z (1A)
 * ends the file, as in DOS. */
enum input_status input_next_text(struct input *in, struct input_line *line, struct error *err);

/* Reads the next `size` bytes of a binary file; `*length` is the number read, less than `size` at
 * the end of the file. Not to be mixed with input_next. False on a read error. */
bool input_read(struct input *in, void *bytes, size_t size, size_t *length, struct error *err);

/* Accepts NULL. */
void input_close(struct input *in);

#endif
