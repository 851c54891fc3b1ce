/* Writes JSON, or a list of objects as CSV. Commas and names come by themselves; an object in a list begins on a line of
 * its own. */
#ifndef GRAYLING_JSON_H
#define GRAYLING_JSON_H

#include <stdbool.h>
#include <stdio.h>

struct json {
    FILE *out;
    bool csv; /* RFC 4180: an object is a line that ends in CR LF, without names; null is empty */
    bool begun, more; /* more: a comma comes before the next value */
};

/* Writes values by a template of words, NAME:KIND, or KIND alone in a list:
 *
 *     json_put(&j, "{ name:s games:l pairs:[ d d ] elo:2 }", p->name, games, won, lost, elo)
 *
 *     { } [ ]  begin and end an object or a list; a template need not end what it begins
 *     s        const char *; null if it is NULL. What is not valid UTF-8 is read as Latin-1; what is not clean
 *              (foreign_text.h) is escaped
 *     d l b    int, 64 bits, bool
 *     0 to 9   double with so many decimals; null if it is not finite
 *
 * A name that is * comes from the arguments, before the value. */
void json_put(struct json *j, const char *members, ...);

/* Begins and ends a list of objects, whose members a template tells: in CSV with the names of its columns. */
void json_rows_begin(struct json *j, const char *columns);
void json_rows_end(struct json *j);

#endif
