/* A table of rows, written as CSV (RFC 4180: lines end in CR LF) or as a JSON list of objects. The
 * caller writes the cells of each row in the order of the columns. */
#ifndef GRAYLING_TABLE_H
#define GRAYLING_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum table_format { TABLE_CSV, TABLE_JSON };

struct table {
    FILE *out;
    enum table_format format;
    const char *const *columns; /* names, ended by NULL */
    int column;                 /* of the next cell */
    int64_t rows;               /* begun */
};

/* Begins a table. Everything is borrowed until table_end. */
void table_begin(struct table *t, FILE *out, enum table_format format, const char *const *columns);
void table_end(struct table *t);

/* Write the next cell; after the last column the row ends by itself. Unknown numbers are empty in
 * CSV and null in JSON. */
void table_text(struct table *t, const char *text);
void table_integer(struct table *t, int64_t value);
void table_real(struct table *t, double value, int decimals); /* NAN: unknown */
void table_unknown(struct table *t);

#endif
