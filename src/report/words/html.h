/* Writes untrusted text into HTML. The markup around it is valid XML too: all elements are closed,
 * and all attributes are in double quotes. */
#ifndef GRAYLING_HTML_H
#define GRAYLING_HTML_H

#include <stdio.h>

/* Writes text as content or between double quotes. Escapes markup. Invalid UTF-8 and what
 * is not clean (foreign_text.h) other than tab and newline become U+FFFD. */
void html_text(FILE *out, const char *text);

/* The same for formatted text, truncated to a thousand bytes. */
void html_format(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes a name; the line may break after each underscore. */
void html_name(FILE *out, const char *name);

/* Writes the path of a file or a stage; the line may break after each `/` and `#`. */
void html_path(FILE *out, const char *path);

/* Writes a text as a data: URL of this type of media, within double quotes. */
void html_data(FILE *out, const char *media, const char *text);

#endif
