/* Words of a line: of a UCI command or answer, of an EPD operation. Nothing is copied. */
#ifndef GRAYLING_WORDS_H
#define GRAYLING_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A word, or several words with the bytes between them; not NUL-terminated. It may contain any byte
 * but spaces; a NUL counts as a space. `text` is NULL if there is no word. */
struct word {
    const char *text;
    int length;
};

/* The rest of a line; borrows the text. */
struct words {
    const char *at, *end;
};

struct words words_of(const char *line, size_t length);

/* Consumes the next word; its text is NULL at the end of the line. */
struct word words_next(struct words *w);

/* The next word, not consumed. */
struct word words_peek(const struct words *w);

/* The rest of the line, without surrounding spaces. */
struct word words_rest(const struct words *w);

bool word_is(struct word word, const char *text);

/* The same, case-insensitive. */
bool word_is_like(struct word word, const char *text);

/* Parses a decimal integer and clamps it to min and max, however long it is. False if the word is
 * not an integer. */
bool word_number(struct word word, int64_t min, int64_t max, int64_t *value);

enum { SHOWN = 64 };

/* A printable copy of the word: long words are truncated, unprintable bytes become '?'. */
const char *word_shown(struct word word, char text[SHOWN]);

#endif
