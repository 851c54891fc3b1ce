/* The reason for a failure, in words, for the person who has to fix it.
 *
 * A function that can fail returns bool (or NULL) and writes the reason into the caller's `struct error`: what is
 * wrong, where (file:line:column, key, game number), and what would be correct. Only commands print it and exit.
 *
 * A reason quotes what others wrote. So it is one clean line (foreign_text.h), whatever is quoted. */
#ifndef GRAYLING_ERROR_H
#define GRAYLING_ERROR_H

#include <stdbool.h>

/* The buffer holds a path, a position and a sentence. Longer texts are truncated. */
struct error {
    char text[1024];
};

/* Writes the reason, unless `err` is NULL, and returns false: a function can `return error_set(err, ...)`. */
bool error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same, for a function that returns a pointer: NULL. */
#define error_null(...) (error_set(__VA_ARGS__), NULL)

/* Prepends a position or a context to the reason in `err`, which may be NULL. Returns false. */
bool error_prefix(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
