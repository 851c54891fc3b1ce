#include "table.h"

#include "csv.h"
#include "json.h"

#include <inttypes.h>
#include <math.h>

void table_begin(struct table *t, FILE *out, enum table_format format, const char *const *columns)
{
    *t = (struct table){.out = out, .format = format, .columns = columns};
    if (format == TABLE_JSON) {
        fputc('[', out);
        return;
    }
    for (int i = 0; columns[i] != NULL; i++) {
        fputs(i > 0 ? "," : "", out);
        csv_text(out, columns[i]);
    }
    fputs("\r\n", out);
}

void table_end(struct table *t)
{
    if (t->format == TABLE_JSON)
        fputs(t->rows > 0 ? "\n]\n" : "]\n", t->out);
}

/* Writes what stands before a cell. */
static void begin_cell(struct table *t)
{
    bool first = t->column == 0;
    t->rows += first;
    if (t->format == TABLE_CSV) {
        fputs(first ? "" : ",", t->out);
        return;
    }
    if (first)
        fputs(t->rows > 1 ? ",\n{" : "\n{", t->out);
    else
        fputc(',', t->out);
    json_text(t->out, t->columns[t->column]);
    fputc(':', t->out);
}

/* Writes what stands after a cell. */
static void end_cell(struct table *t)
{
    if (t->columns[++t->column] != NULL)
        return;
    t->column = 0;
    fputs(t->format == TABLE_CSV ? "\r\n" : "}", t->out);
}

void table_text(struct table *t, const char *text)
{
    begin_cell(t);
    if (t->format == TABLE_CSV)
        csv_text(t->out, text);
    else
        json_text(t->out, text);
    end_cell(t);
}

void table_integer(struct table *t, int64_t value)
{
    begin_cell(t);
    fprintf(t->out, "%" PRId64, value);
    end_cell(t);
}

void table_real(struct table *t, double value, int decimals)
{
    if (!isfinite(value)) {
        table_unknown(t);
        return;
    }
    begin_cell(t);
    fprintf(t->out, "%.*f", decimals, value);
    end_cell(t);
}

void table_unknown(struct table *t)
{
    begin_cell(t);
    fputs(t->format == TABLE_CSV ? "" : "null", t->out);
    end_cell(t);
}
