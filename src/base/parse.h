/* Reading what people and engines write on a line: strict numbers, and the words of a line. */
#ifndef GRAYLING_PARSE_H
#define GRAYLING_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- numbers: the whole text must be one */

/* Parses a decimal integer. Returns false if `text` is not one or does not fit. */
bool parse_int64(const char *text, int64_t *value);

/* Parses a finite decimal number. Rejects hexadecimal numbers, inf and nan. */
bool parse_double(const char *text, double *value);

/* Parses a time control, "10+0.1" or "10": the seconds that a side has for a game, and what it gets after
 * each move. Both become milliseconds; the first is 1 or more. */
bool parse_clock(const char *text, int64_t *time, int64_t *increment);

/* -- words of a line: of a UCI command or answer, of an EPD operation; nothing is copied */

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
 * not an integer; value is then as it was. */
bool word_number(struct word word, int64_t min, int64_t max, int64_t *value);

enum { WORD_SHOWN = 64 };

/* A printable copy of the word: long words are truncated, unprintable bytes become '?'. */
const char *word_shown(struct word word, char text[WORD_SHOWN]);

#endif
