/* The words of a command line of UCI, and what is said in answer to them. */
#ifndef GRAYLING_UCI_WORDS_H
#define GRAYLING_UCI_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A word, or several with what lies between them; not NUL-terminated. Any byte may occur in it but
 * spaces; a NUL counts as a space. `text` is NULL when there is none. */
struct word {
    const char *text;
    int length;
};

/* What is left of a line. Borrows the text. */
struct words {
    const char *at, *end;
};

struct words words_of(const char *line, size_t length);

/* Takes the next word; its text is NULL at the end of the line. */
struct word words_next(struct words *w);

/* The next word without taking it. */
struct word words_peek(const struct words *w);

/* All that is left, without the spaces around it. */
struct word words_rest(const struct words *w);

bool word_is(struct word word, const char *text);

/* The same, upper and lower case being equal. */
bool word_is_like(struct word word, const char *text);

/* A decimal whole number, brought within min and max however long it is. False when the word is
 * none. */
bool word_number(struct word word, int64_t min, int64_t max, int64_t *value);

enum { SHOWN = 64 };

/* The word as it can be shown: long ones are cut, what cannot be printed is a '?'. */
const char *word_shown(struct word word, char text[SHOWN]);

/* A line that is put together to be written. What does not fit is left out. */
struct uci_text {
    char text[2048];
    int length;
};

void uci_text_add(struct uci_text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a line "info string ...", whatever cannot be printed being a space; all of it or nothing. */
void uci_note(struct uci_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
