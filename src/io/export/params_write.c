#include "params_write.h"

#include "c_formats.h"
#include "c_names.h"
#include "csv.h"
#include "params_file.h"
#include "space.h"
#include "tuner_formats.h"
#include "yaml_document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- YAML ---- */

/* The width that names are padded to. */
static int name_width(const struct param_table *table)
{
    size_t width = 0;
    for (int i = 0; i < table->count; i++)
        if (strlen(table->params[i].name) > width)
            width = strlen(table->params[i].name);
    return (int)width;
}

void params_write_yaml_value(FILE *out, const struct param *p, int32_t value)
{
    char text[PARAM_TEXT];
    param_value_text(p, value, text);
    if (p->choices != NULL)
        yaml_write_text(out, text);
    else
        fputs(text, out);
}

/* Writes a key and a text, if there is one. */
static void write_yaml_text(FILE *out, const char *key, const char *text)
{
    if (text == NULL)
        return;
    fprintf(out, "%s: ", key);
    yaml_write_text(out, text);
    fputs("\n", out);
}

/* Writes the values of another engine, constants included: all that it is set to. */
static void write_foreign_yaml(FILE *out, const struct param_table *table, const int32_t *values)
{
    fprintf(out, "kind: %s\n", table->kind);
    write_yaml_text(out, "command", table->command);
    write_yaml_text(out, "plays", table->plays);
    fputs("parameters:\n", out);
    for (int i = 0; i < table->count; i++) {
        fputs("  ", out);
        yaml_write_text(out, table->params[i].name);
        fputs(": ", out);
        params_write_yaml_value(out, &table->params[i], values[i]);
        fputs("\n", out);
    }
}

/* True if a file can do without a parameter, because its absence means its value. */
static bool is_omitted(const struct params_values *v, int i)
{
    return v->values[i] == 0 && params_omit_zeros(v->table);
}

static bool all_omitted(const struct params_values *v)
{
    for (int i = 0; i < v->table->count; i++)
        if (!is_omitted(v, i))
            return false;
    return true;
}

/* Writes a parameter file. */
static void write_yaml(FILE *out, const struct params_values *v)
{
    int width = name_width(v->table);
    if (space_is_foreign(v->table)) {
        write_foreign_yaml(out, v->table, v->values);
        return;
    }
    fprintf(out, "kind: %s\nparameters:%s\n", v->table->kind, all_omitted(v) ? " {}" : "");
    for (int i = 0; i < v->table->count; i++) {
        const struct param *p = &v->table->params[i];
        if (is_omitted(v, i))
            continue;
        int fill = width - (int)strlen(p->name) + 1;
        fprintf(out, "  %s:%*s%-6d # %s\n", p->name, fill, "", v->values[i], p->meaning);
    }
}

/* ---- JSON ---- */

/* Writes a member of an object and a comma, if there is a text. */
static void write_json_text(FILE *out, const char *key, const char *text)
{
    if (text == NULL)
        return;
    fprintf(out, "  \"%s\": ", key);
    yaml_write_text(out, text);
    fputs(",\n", out);
}

/* Writes an object with the kind, of another engine its command, and an object of the values. */
static void write_json(FILE *out, const struct params_values *v)
{
    fputs("{\n", out);
    write_json_text(out, "kind", v->table->kind);
    write_json_text(out, "command", v->table->command);
    write_json_text(out, "plays", v->table->plays);
    fputs("  \"parameters\": {", out);
    const char *before = "\n    ";
    for (int i = 0; i < v->table->count; i++) {
        if (is_omitted(v, i))
            continue;
        fputs(before, out);
        yaml_write_text(out, v->table->params[i].name);
        fputs(": ", out);
        params_write_yaml_value(out, &v->table->params[i], v->values[i]);
        before = ",\n    ";
    }
    fputs("\n  }\n}\n", out);
}

/* ---- lines ---- */

/* Writes commands that set an engine's options. Constants of our own tables are not options; those
 * of another engine are set too. */
static void write_uci(FILE *out, const struct params_values *v)
{
    char text[PARAM_TEXT];
    for (int i = 0; i < v->table->count; i++) {
        const struct param *p = &v->table->params[i];
        if (!is_omitted(v, i) && (p->bits > 0 || space_is_foreign(v->table)))
            fprintf(out, "setoption name %s value %s\n", p->name,
                    param_value_text(p, v->values[i], text));
    }
}

/* Writes a line for each parameter, after a line of column names. Texts have no range. */
static void write_csv(FILE *out, const struct params_values *v)
{
    char text[PARAM_TEXT];
    fputs("name,value,min,max\n", out);
    for (int i = 0; i < v->table->count; i++) {
        const struct param *p = &v->table->params[i];
        if (is_omitted(v, i))
            continue;
        csv_text(out, p->name);
        putc(',', out);
        csv_text(out, param_value_text(p, v->values[i], text));
        fprintf(out, ",%s", p->choices != NULL ? "" : param_value_text(p, p->min, text));
        fprintf(out, ",%s\n", p->choices != NULL ? "" : param_value_text(p, p->max, text));
    }
}

/* ---- the formats ---- */

/* A format: its name, what begins a comment, and its writer. */
static const struct {
    const char *name, *mark;
    void (*write)(FILE *out, const struct params_values *v);
} formats[PARAMS_FORMATS] = {
    [PARAMS_YAML] = {"yaml", "#", write_yaml},
    [PARAMS_JSON] = {"json", NULL, write_json},
    [PARAMS_C] = {"c", "//", write_c},
    [PARAMS_C_STRUCT] = {"c-struct", "//", write_c_struct},
    [PARAMS_CPP] = {"cpp", "//", write_cpp},
    [PARAMS_CSV] = {"csv", NULL, write_csv},
    [PARAMS_UCI] = {"uci", NULL, write_uci},
    [PARAMS_OPENBENCH] = {"openbench", NULL, write_openbench},
    [PARAMS_FISHTEST] = {"fishtest", NULL, write_fishtest},
    [PARAMS_WEATHER_FACTORY] = {"weather-factory", NULL, write_weather_factory},
    [PARAMS_CTT] = {"ctt", NULL, write_ctt},
    [PARAMS_OPTUNA] = {"optuna", "#", write_optuna},
};

const char *params_format_name(enum params_format f)
{
    return formats[f].name;
}

int params_format_from_name(const char *name)
{
    for (int i = 0; i < PARAMS_FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0)
            return i;
    return strcmp(name, "setoption") == 0 ? PARAMS_UCI : -1;
}

/* Writes each line of the comment after `mark`, which begins a comment. */
static void write_comment(FILE *out, const char *mark, const char *comment)
{
    while (comment != NULL && *comment != '\0') {
        size_t length = strcspn(comment, "\n");
        fprintf(out, "%s %.*s\n", mark, (int)length, comment);
        comment += length + (comment[length] == '\n');
    }
}

/* A copy of the values with 0 where the mode of the null move reads none. NULL without memory. */
static int32_t *readable_values(const struct params_values *v)
{
    int32_t *values = malloc(((size_t)v->table->count + 1) * sizeof *values);
    for (int i = 0; values != NULL && i < v->table->count; i++)
        values[i] = params_is_unread(v->table, v->values, i) ? 0 : v->values[i];
    return values;
}

/* Writes the comment and the values. False if writing fails. */
static bool write_all(FILE *out, enum params_format format, const struct params_values *v,
                      struct error *err)
{
    errno = 0;
    if (formats[format].mark != NULL)
        write_comment(out, formats[format].mark, v->comment);
    formats[format].write(out, v);
    if (fflush(out) == 0 && !ferror(out))
        return true;
    return error_set(err, "cannot write: %s", errno != 0 ? strerror(errno) : "output failed");
}

bool params_write_values(FILE *out, enum params_format format, const struct params_values *v,
                         struct error *err)
{
    bool in_c = format == PARAMS_C || format == PARAMS_C_STRUCT || format == PARAMS_CPP;
    int32_t *values = readable_values(v);
    struct c_names names = {.table = *v->table};
    bool written;
    if (values == NULL || (in_c && !c_names_create(v->table, &names)))
        written = error_set(err, "no memory for %d values", v->table->count);
    else
        written = write_all(
            out, format, &(struct params_values){&names.table, values, v->comment, v->spread}, err);
    c_names_free(&names);
    free(values);
    return written;
}

bool params_write(FILE *out, enum params_format format, const struct param_table *table,
                  const int32_t *values, const char *comment, struct error *err)
{
    return params_write_values(out, format, &(struct params_values){table, values, comment, NULL},
                               err);
}
