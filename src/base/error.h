/* Why something failed, in words, for the person who has to mend it.
 *
 * A function that can fail returns bool (or NULL) and writes the reason into the caller's
 * `struct error`. The text names what is wrong, where (file:line:column, key, game number), and
 * what would be right. Libraries never print it and never exit: only a command does. */
#ifndef GRAYLING_ERROR_H
#define GRAYLING_ERROR_H

#include <stdbool.h>

/* Large enough for a path, a place and a sentence; longer texts are cut. */
struct error {
    char text[1024];
};

/* Writes the reason and returns false, so that a function can `return error_set(err, ...)`.
 * `err` may be NULL when the caller does not want the reason. */
bool error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts a place or a context in front of the reason already in `err`, and returns false. */
bool error_prefix(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
