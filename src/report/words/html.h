/* Writes HTML. Texts are escaped: they may come from anywhere. The markup around them is valid XML too: all
 * elements are closed, and all attributes are in double quotes. */
#ifndef GRAYLING_HTML_H
#define GRAYLING_HTML_H

#include <stdio.h>

/* Writes text as content or between double quotes. Invalid UTF-8 and what is not clean (foreign_text.h) other
 * than tab and newline become U+FFFD. */
void html_text(FILE *out, const char *text);

/* Writes markup in the form of printf, in which each %s is such a text. There are s, d, u, f and g, which
 * may have a precision. */
void html_print(FILE *out, const char *markup, ...) __attribute__((format(printf, 2, 3)));

/* Writes a name; the line may break after each underscore. */
void html_name(FILE *out, const char *name);

/* Writes the path of a file or a stage; the line may break after each `/` and `#`. */
void html_path(FILE *out, const char *path);

/* Writes a text as a data: URL of this type of media, within double quotes. */
void html_data(FILE *out, const char *media, const char *text);

/* Writes a table up to its first row, in a box that scrolls. Its caption may be "". The names of columns are
 * markup, with a NULL after the last; "" is left out, and a `|` begins a column of words. */
void html_table(FILE *out, const char *css, const char *caption, ...) __attribute__((sentinel));

/* Ends the table. */
void html_table_end(FILE *out);

#endif
