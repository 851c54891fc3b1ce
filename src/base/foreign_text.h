/* Text from outside: what engines call themselves, tags, ids, paths, whatever a reason quotes.
 *
 * A terminal obeys some characters instead of showing them: it clears itself, changes its title, or turns
 * the rest of a line around. A text is clean if it has none of them: it is UTF-8 on one line, without
 * control characters, marks of direction and characters without width.
 *
 *     names (id name, tags, EPD ids)    cleaned once, where they enter
 *     names in YAML, genes              refused there unless they are clean
 *     data (paths, an option's name)    kept byte for byte; shown_text where a line of output has them
 *     whatever a reason quotes          cleaned by error_set */
#ifndef GRAYLING_FOREIGN_TEXT_H
#define GRAYLING_FOREIGN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { UTF8_MAX = 4, SHOWN_TEXT = 4096 };

/* The length in bytes of the character of UTF-8 that a text of so many bytes begins with, and its code
 * point; 0 if it is none. A text with a NUL at its end may claim UTF8_MAX bytes. */
size_t utf8_decode(const char *text, size_t size, uint32_t *point);

/* The columns that a clean text takes on a terminal, one for each character. */
int utf8_columns(const char *text);

/* True if a character is clean. */
bool foreign_character_is_clean(uint32_t point);

bool foreign_text_is_clean(const char *text);

/* Makes the first character of a text clean: white space becomes a blank; any other character that is not
 * clean, or a byte of what is not UTF-8, becomes a `?`. Returns how many bytes it has in the text. */
size_t foreign_text_next(const char *text, char clean[UTF8_MAX + 1]);

/* Copies as many whole characters as there is room for, clean and with a NUL. A copy is never longer, so a
 * text may be copied onto itself. Returns `to`. */
char *foreign_text_copy(char *to, size_t room, const char *text);

/* The clean copy of a text for a line of output. It lives as long as the block around it. */
#define shown_text(text) foreign_text_copy((char[SHOWN_TEXT]){""}, SHOWN_TEXT, text)

/* -- a field of CSV (RFC 4180) */

/* Writes a text as a clean field: in quotes if it needs them, with those inside doubled, and with an
 * apostrophe before what a spreadsheet would compute: it begins with = + - or @ and is no number. */
void csv_text(FILE *out, const char *text);

/* The text of such a field, without the apostrophe. */
char *csv_text_read(char *field);

/* -- a word of a command line that people copy into a shell */

enum { SHELL_WORD = SHOWN_TEXT + 8 };

/* Writes a text so that a shell reads it as one word: in single quotes, unless it is plain. Returns `word`.
 * A text that is too long is truncated within its quotes. */
const char *shell_word(const char *text, char word[SHELL_WORD]);

/* The same, clean (foreign_text.h): for a line of output. */
const char *shell_word_shown(const char *text, char word[SHELL_WORD]);

#endif
