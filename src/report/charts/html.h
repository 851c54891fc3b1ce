/* Text into HTML, whoever it comes from. The markup around it is written so that it is XML too:
 * every element closed, every attribute in double quotes. */
#ifndef GRAYLING_HTML_H
#define GRAYLING_HTML_H

#include <stdio.h>

/* Text as content or between double quotes: what would be markup is escaped, and what is no UTF-8
 * or no character for a page (controls but tab and newline) becomes U+FFFD. */
void html_text(FILE *out, const char *text);

/* The same for formatted text, cut to a thousand bytes. */
void html_format(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A name in words joined by underscores, after each of which the line may break. */
void html_name(FILE *out, const char *name);

/* The path of a file or of a stage, whose line may break after each `/` and `#`. */
void html_path(FILE *out, const char *path);

#endif
