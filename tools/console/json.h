/* Writes JSON values. */
#ifndef GRAYLING_JSON_H
#define GRAYLING_JSON_H

#include <stdio.h>

/* A string. Bytes that are not valid UTF-8 are read as Latin-1. What is not clean (foreign_text.h) is
 * escaped. */
void json_text(FILE *out, const char *text);

/* A number with `decimals` decimals; null if it is not finite. */
void json_number(FILE *out, double number, int decimals);

#endif
