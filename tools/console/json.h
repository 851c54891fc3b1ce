/* Writes JSON. Commas and names come by themselves; an object in a list begins on a line of its own. */
#ifndef GRAYLING_JSON_H
#define GRAYLING_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *out;
    bool begun, more; /* more: a comma comes before the next value */
};

/* Begins and ends an object, '{' and '}', or a list, '[' and ']'. A `name` is NULL in a list. */
void json_begin(struct json *j, const char *name, char bracket);
void json_end(struct json *j, char bracket);

/* A string. Bytes that are not valid UTF-8 are read as Latin-1; what is not clean (foreign_text.h) is escaped. */
void json_text(struct json *j, const char *name, const char *text);

void json_integer(struct json *j, const char *name, int64_t value);

/* A number with `decimals` decimals; null if it is not finite. */
void json_real(struct json *j, const char *name, double value, int decimals);

void json_null(struct json *j, const char *name);
void json_bool(struct json *j, const char *name, bool value);

#endif
