/* The texts of one game, string after string, as UTF-8. */
#ifndef GRAYLING_PGN_TEXT_H
#define GRAYLING_PGN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Whoever holds it frees `bytes`. Offset 0 is the empty string. A zeroed one has no bytes yet. */
struct pgn_text {
    char *bytes;
    size_t length, capacity;
};

/* Forgets all strings but the empty one. False without memory, the first time only. */
bool pgn_text_clear(struct pgn_text *t);
/* Appends bytes to the current string. Invalid UTF-8 is read as Latin-1. A character that is not clean
 * (foreign_text.h) becomes a `?`, white space or NUL a blank. What would exceed 16 MiB is dropped. False without memory. */
bool pgn_text_add(struct pgn_text *t, const char *bytes, size_t n);
/* Ends the current string; pgn_text_add has made room for its NUL. */
void pgn_text_end(struct pgn_text *t);

#endif
