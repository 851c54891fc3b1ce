/* Values of JSON. */
#ifndef GRAYLING_JSON_H
#define GRAYLING_JSON_H

#include <stdio.h>

/* A string; what is not UTF-8 is taken for Latin-1. */
void json_text(FILE *out, const char *text);

/* A number with so many decimals; null where it is not finite. */
void json_number(FILE *out, double number, int decimals);

#endif
