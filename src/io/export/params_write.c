#include "params_write.h"

#include "foreign_text.h"
#include "params_file.h"
#include "space.h"
#include "yaml_document.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { IDENTIFIER = 256, NUMBERED = IDENTIFIER + 12 };

/* The words of C17, C23 and C++26 that are no names, and `main`, with a blank around each. */
static const char reserved[] =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t "
    "char16_t char32_t class co_await co_return co_yield compl concept const const_cast "
    "consteval constexpr constinit continue contract_assert decltype default delete do "
    "double dynamic_cast else enum explicit export extern false float for friend goto if "
    "inline int long main mutable namespace new noexcept not not_eq nullptr operator or "
    "or_eq private protected public register reinterpret_cast requires restrict return "
    "short signed sizeof static static_assert static_cast struct switch template this "
    "thread_local throw true try typedef typeid typename typeof typeof_unqual union "
    "unsigned using virtual void volatile wchar_t while xor xor_eq _Alignas _Alignof "
    "_Atomic _BitInt _Bool _Complex _Decimal128 _Decimal32 _Decimal64 _Generic _Imaginary "
    "_Noreturn _Static_assert _Thread_local ";

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

static bool is_reserved(const char *word)
{
    char wanted[IDENTIFIER + 2];
    snprintf(wanted, sizeof wanted, " %s ", word);
    return strstr(reserved, wanted) != NULL;
}

/* Makes a text an identifier of at most `size` - 1 bytes. */
static void c_identifier(const char *text, char *identifier, size_t size)
{
    size_t length = 0;
    if (is_digit(text[0]) || text[0] == '\0')
        identifier[length++] = '_';
    for (; *text != '\0' && length + 2 < size; text++)
        identifier[length++] = is_name_byte(*text) ? *text : '_';
    identifier[length] = '\0';
    if (is_reserved(identifier))
        strcpy(identifier + length, "_");
}

/* True if one of the first `count` parameters has the name. */
static bool is_taken(const struct param *params, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(params[i].name, name) == 0)
            return true;
    return false;
}

/* Writes an identifier that no earlier parameter has. */
static void name_param(const struct param *params, int index, char name[NUMBERED])
{
    char base[IDENTIFIER];
    c_identifier(params[index].name, base, sizeof base);
    strcpy(name, base);
    for (int n = 2; is_taken(params, index, name); n++)
        snprintf(name, NUMBERED, "%s_%d", base, n);
}

/* Owned by the caller between create and free. */
struct c_names {
    struct param_table table; /* a copy whose names are identifiers, all different */
    void *memory;
};

/* Copies a table. False without memory. */
static bool c_names_create(const struct param_table *table, struct c_names *names)
{
    size_t rows = (size_t)table->count * sizeof *table->params;
    struct param *params = malloc(rows + (size_t)table->count * NUMBERED + 1);
    char(*texts)[NUMBERED] = (void *)((char *)params + rows);
    if (params == NULL)
        return false;
    memcpy(params, table->params, rows);
    for (int i = 0; i < table->count; i++) {
        name_param(params, i, texts[i]);
        params[i].name = texts[i];
    }
    *names = (struct c_names){.table = *table, .memory = params};
    names->table.params = params;
    return true;
}

enum { KIND = 64 };

/* Writes a string literal. */
static void write_string(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', out);
        putc(*text, out);
    }
    putc('"', out);
}

/* Writes a value as a literal; that of a check as a number. */
static void write_literal(FILE *out, const struct param *p, int32_t value)
{
    char text[PARAM_TEXT];
    if (p->type == PARAM_CHECK)
        fprintf(out, "%d", value != 0);
    else if (p->choices != NULL)
        write_string(out, param_value_text(p, value, text));
    else
        fputs(param_value_text(p, value, text), out);
}

/* The type of a value, with what stands between it and the name. */
static const char *type_of(const struct param *p)
{
    return p->choices != NULL ? "const char *" : p->decimals > 0 ? "double " : "int ";
}

/* A constant for each parameter. */
static void write_c(FILE *out, const struct params_values *v)
{
    for (int i = 0; i < v->table->count; i++) {
        const struct param *p = &v->table->params[i];
        const char *type = p->choices != NULL ? "char *const " : type_of(p);
        fprintf(out, "static const %s%s = ", type, p->name);
        write_literal(out, p, v->values[i]);
        fputs(";\n", out);
    }
}

/* A constexpr for each parameter. */
static void write_cpp(FILE *out, const struct params_values *v)
{
    for (int i = 0; i < v->table->count; i++) {
        const struct param *p = &v->table->params[i];
        bool check = p->type == PARAM_CHECK;
        fprintf(out, "constexpr %s%s = ", check ? "bool " : type_of(p), p->name);
        if (check)
            fputs(v->values[i] != 0 ? "true" : "false", out);
        else
            write_literal(out, p, v->values[i]);
        fputs(";\n", out);
    }
}

/* The kind of a table as an identifier, in these letters. */
static void name_kind(const struct param_table *table, int (*letter)(int), char name[KIND])
{
    c_identifier(table->kind, name, KIND);
    for (char *at = name; *at != '\0'; at++)
        *at = (char)letter((unsigned char)*at);
}

/* A header: a struct with a member for each parameter, and a constant of its type. Its names come from
 * the kind of the table. */
static void write_c_struct(FILE *out, const struct params_values *v)
{
    char guard[KIND], kind[KIND];
    name_kind(v->table, toupper, guard);
    name_kind(v->table, tolower, kind);
    fprintf(out, "#ifndef %s_PARAMETERS_H\n#define %s_PARAMETERS_H\n\n", guard, guard);
    fprintf(out, "struct %s_parameters {\n", kind);
    for (int i = 0; i < v->table->count; i++)
        fprintf(out, "    %s%s;\n", type_of(&v->table->params[i]), v->table->params[i].name);
    fprintf(out, "};\n\nstatic const struct %s_parameters %s_parameters = {\n", kind, kind);
    for (int i = 0; i < v->table->count; i++) {
        fprintf(out, "    .%s = ", v->table->params[i].name);
        write_literal(out, &v->table->params[i], v->values[i]);
        fputs(",\n", out);
    }
    fputs("};\n\n#endif\n", out);
}

enum { NUMBER = 48 };

/* The rate of SPSA at the end of its run, relative to the step: the usual one. */
static const char rate_end[] = "0.002";

/* ---- tuners that play games ---- */

bool params_format_is_tuner(enum params_format f)
{
    return f >= PARAMS_OPENBENCH;
}

bool params_format_lists(enum params_format f, const struct param *p, const char **why)
{
    bool between_commas = f == PARAMS_OPENBENCH || f == PARAMS_FISHTEST;
    const char *reason = NULL;
    if (p->choices != NULL)
        reason = "it takes numbers only";
    else if (f == PARAMS_FISHTEST && p->decimals > 0)
        reason = "it takes whole numbers only";
    else if (between_commas && strpbrk(p->name, ",\"") != NULL)
        reason = "a name cannot hold commas or quotes";
    if (why != NULL)
        *why = reason;
    return p->bits > 0 && reason == NULL;
}

/* ---- numbers ---- */

/* Writes a number that is `scaled` by the decimals of its parameter, with further digits. */
static const char *number_text(const struct param *p, double scaled, int digits, char text[NUMBER])
{
    snprintf(text, NUMBER, "%.*f", p->decimals + digits, scaled / pow(10, p->decimals));
    return text;
}

static const char *value_text(const struct param *p, int32_t value, char text[NUMBER])
{
    return number_text(p, value, 0, text);
}

/* The size of a step (params_write.h). */
static double step_size(const struct params_values *v, int i)
{
    const struct param *p = &v->table->params[i];
    double spread = v->spread != NULL ? v->spread[i] : 0;
    double size = spread > 0 ? spread : ((double)p->max - p->min) / 20;
    return fmax(size, param_step(p) / 2.0);
}

/* The size of a step as a multiple of the parameter's own step, at least one. */
static double whole_step(const struct params_values *v, int i)
{
    double own = param_step(&v->table->params[i]);
    return fmax(1, floor(step_size(v, i) / own + 0.5)) * own;
}

/* ---- SPSA ---- */

/* Writes the fields of a parameter that SPSA reads, with this text between them. */
static void write_spsa(FILE *out, const struct params_values *v, int i, const char *type,
                       const char *separator)
{
    const struct param *p = &v->table->params[i];
    char value[NUMBER], min[NUMBER], max[NUMBER], step[NUMBER];
    fprintf(out, "%s%s%s%s%s%s%s%s%s%s%s%s\n", p->name, type, separator,
            value_text(p, v->values[i], value), separator, value_text(p, p->min, min), separator,
            value_text(p, p->max, max), separator, number_text(p, step_size(v, i), 2, step),
            separator, rate_end);
}

static void write_openbench(FILE *out, const struct params_values *v, int i, bool first)
{
    (void)first;
    write_spsa(out, v, i, v->table->params[i].decimals > 0 ? ", float" : ", int", ", ");
}

static void write_fishtest(FILE *out, const struct params_values *v, int i, bool first)
{
    (void)first;
    write_spsa(out, v, i, "", ",");
}

/* ---- JSON ---- */

static void write_weather_factory(FILE *out, const struct params_values *v, int i, bool first)
{
    const struct param *p = &v->table->params[i];
    char value[NUMBER], min[NUMBER], max[NUMBER], step[NUMBER];
    fputs(first ? "\n  " : ",\n  ", out);
    yaml_write_text(out, p->name);
    fprintf(out, ": {\"value\": %s, \"min_value\": %s, \"max_value\": %s, \"step\": %s}",
            value_text(p, v->values[i], value), value_text(p, p->min, min),
            value_text(p, p->max, max), number_text(p, whole_step(v, i), 0, step));
}

static void write_ctt(FILE *out, const struct params_values *v, int i, bool first)
{
    const struct param *p = &v->table->params[i];
    char min[NUMBER], max[NUMBER];
    fputs(first ? "\n    " : ",\n    ", out);
    yaml_write_text(out, p->name);
    fprintf(out, ": \"%s(%s, %s)\"", p->decimals > 0 ? "Real" : "Integer",
            value_text(p, p->min, min), value_text(p, p->max, max));
}

/* ---- YAML ---- */

/* True if a name needs no quotes in YAML: letters, digits and underscores, and none of the words for
 * true, false and nothing. */
static bool is_plain(const char *name)
{
    static const char *const words[] = {"y",    "n",     "yes", "no",  "on",
                                        "true", "false", "off", "null"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(name, words[i]) == 0)
            return false;
    return strchr(letters + 53, name[0]) == NULL && name[strspn(name, letters)] == '\0';
}

static void write_optuna(FILE *out, const struct params_values *v, int i, bool first)
{
    const struct param *p = &v->table->params[i];
    char value[NUMBER], min[NUMBER], max[NUMBER], step[NUMBER];
    (void)first;
    if (is_plain(p->name))
        fputs(p->name, out);
    else
        yaml_write_text(out, p->name);
    fprintf(out, ": {default: %s, min: %s, max: %s, step: %s}\n",
            value_text(p, v->values[i], value), value_text(p, p->min, min),
            value_text(p, p->max, max), number_text(p, whole_step(v, i), 0, step));
}

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

/* A format: its name, what begins a comment, and its writer; that of a tuner has one for each parameter that is
 * listed, with texts before and after. */
static const struct {
    const char *name, *mark;
    void (*write)(FILE *out, const struct params_values *v);
    void (*write_one)(FILE *out, const struct params_values *v, int i, bool first);
    const char *before, *after;
} formats[PARAMS_FORMATS] = {
    [PARAMS_YAML] = {"yaml", "#", .write = write_yaml},
    [PARAMS_JSON] = {"json", NULL, .write = write_json},
    [PARAMS_C] = {"c", "//", .write = write_c},
    [PARAMS_C_STRUCT] = {"c-struct", "//", .write = write_c_struct},
    [PARAMS_CPP] = {"cpp", "//", .write = write_cpp},
    [PARAMS_CSV] = {"csv", NULL, .write = write_csv},
    [PARAMS_UCI] = {"uci", NULL, .write = write_uci},
    [PARAMS_OPENBENCH] = {"openbench", NULL, NULL, write_openbench, "", ""},
    [PARAMS_FISHTEST] = {"fishtest", NULL, NULL, write_fishtest, "", ""},
    [PARAMS_WEATHER_FACTORY] = {"weather-factory", NULL, NULL, write_weather_factory, "{", "\n}\n"},
    [PARAMS_CTT] = {"ctt", NULL, NULL, write_ctt, "{\n  \"parameter_ranges\": {", "\n  }\n}\n"},
    [PARAMS_OPTUNA] = {"optuna", "#", NULL, write_optuna, "", ""},
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
    if (formats[format].write != NULL) {
        formats[format].write(out, v);
    } else {
        bool first = true;
        fputs(formats[format].before, out);
        for (int i = 0; i < v->table->count; i++)
            if (params_format_lists(format, &v->table->params[i], NULL)) {
                formats[format].write_one(out, v, i, first);
                first = false;
            }
        fputs(formats[format].after, out);
    }
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
    free(names.memory);
    free(values);
    return written;
}

bool params_write(FILE *out, enum params_format format, const struct param_table *table,
                  const int32_t *values, const char *comment, struct error *err)
{
    return params_write_values(out, format, &(struct params_values){table, values, comment, NULL},
                               err);
}
