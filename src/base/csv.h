/* Writes CSV (RFC 4180). */
#ifndef GRAYLING_CSV_H
#define GRAYLING_CSV_H

#include <stdio.h>

/* Writes a text as a field, clean (foreign_text.h): in quotes if it needs them, with those inside doubled.
 * A spreadsheet would compute a text that begins with = + - or @ and is no number: it gets an apostrophe in
 * front. */
void csv_text(FILE *out, const char *text);

/* The text of such a field, without the apostrophe. */
char *csv_text_read(char *field);

#endif
