#include "params_write.h"

#include "foreign_text.h"
#include "params_file.h"
#include "space.h"
#include "yaml_document.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { IDENTIFIER = 256, NUMBERED = IDENTIFIER + 12, KIND = 64 };

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

/* Makes a text an identifier of at most `size` - 1 bytes. */
static void c_identifier(const char *text, char *identifier, size_t size)
{
    char word[IDENTIFIER + 2];
    size_t length = 0;
    if (isdigit((unsigned char)text[0]) || text[0] == '\0')
        identifier[length++] = '_';
    for (; *text != '\0' && length + 2 < size; text++)
        identifier[length++] = isalnum((unsigned char)*text) ? *text : '_';
    identifier[length] = '\0';
    snprintf(word, sizeof word, " %s ", identifier);
    if (strstr(reserved, word) != NULL)
        strcpy(identifier + length, "_");
}

struct writer {
    FILE *out;
    const struct params_values *v;
    const struct param *params;
    char (*identifiers)[NUMBERED]; /* in C: names that all differ; else NULL */
    int width;                     /* of the longest name */
};

/* A value; 0 where the mode of the null move reads none, as a parameter file requires. */
static int32_t value_of(const struct params_values *v, int i)
{
    return params_is_unread(v->table, v->values, i) ? 0 : v->values[i];
}

/* ---- what there is of a parameter ---- */

static double step_size(const struct params_values *v, int i)
{
    const struct param *p = &v->table->params[i];
    double spread = v->spread != NULL ? v->spread[i] : 0;
    double size = spread > 0 ? spread : ((double)p->max - p->min) / 20;
    return fmax(size, param_step(p) / 2.0);
}

/* True if a name needs no quotes in YAML: a word of A-z, 0-9, _ that is no true, false or null. */
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

/* Writes a number that is `scaled` by the decimals of its parameter, with further digits. */
static void write_number(FILE *out, const struct param *p, double scaled, int digits)
{
    fprintf(out, "%.*f", p->decimals + digits, scaled / pow(10, p->decimals));
}

/* The type of a value, with what stands between it and the name. */
static const char *type_of(const struct param *p)
{
    return p->choices != NULL ? "const char *" : p->decimals > 0 ? "double " : "int ";
}

/* Writes a field of a row:
 *
 *     n  the name          q  in quotes    o  in quotes if YAML needs them    i  as an identifier    f  for CSV
 *     v  the value         y  as YAML has it    V  as a number    L  in C    K  in C++    F  for CSV
 *     l h  the ends of the range           m M  the same for CSV, where texts have none
 *     s  the size of a step                w  a multiple of the parameter's own
 *     t T  the type in words               c C k  in a struct, in C, in C++
 *     p  blanks up to the values           P  blanks behind    e  the meaning */
static void write_field(const struct writer *w, int i, char field)
{
    FILE *out = w->out;
    const struct param *p = &w->params[i];
    const int32_t value = value_of(w->v, i);
    char text[PARAM_TEXT];
    param_value_text(p, value, text);
    switch (field) {
    case 'q':
        yaml_write_text(out, p->name);
        break;
    case 'o':
        if (is_plain(p->name))
            fputs(p->name, out);
        else
            yaml_write_text(out, p->name);
        break;
    case 'f':
        csv_text(out, p->name);
        break;
    case 'y':
        params_write_yaml_value(out, p, value);
        break;
    case 'F':
        csv_text(out, text);
        break;
    case 'K':
    case 'L':
        if (p->choices != NULL)
            yaml_write_text(out, text);
        else
            fputs(field == 'K' || p->type != PARAM_CHECK ? text : value != 0 ? "1" : "0", out);
        break;
    case 'V':
        write_number(out, p, value, 0);
        break;
    case 'l':
        write_number(out, p, p->min, 0);
        break;
    case 'h':
        write_number(out, p, p->max, 0);
        break;
    case 's':
        write_number(out, p, step_size(w->v, i), 2);
        break;
    case 'w':
        write_number(out, p,
                     fmax(1, floor(step_size(w->v, i) / param_step(p) + 0.5)) * param_step(p), 0);
        break;
    case 'm':
    case 'M':
        fputs(p->choices != NULL ? "" : param_value_text(p, field == 'm' ? p->min : p->max, text),
              out);
        break;
    case 'p':
        fprintf(out, "%*s", w->width - (int)strlen(p->name) + 1, "");
        break;
    case 'P':
        fprintf(out, "%*s", strlen(text) < 6 ? 6 - (int)strlen(text) : 0, "");
        break;
    default:
        fputs(field == 'n'   ? p->name
              : field == 'i' ? w->identifiers[i]
              : field == 'v' ? text
              : field == 't' ? (p->decimals > 0 ? "float" : "int")
              : field == 'T' ? (p->decimals > 0 ? "Real" : "Integer")
              : field == 'C' ? (p->choices != NULL ? "char *const " : type_of(p))
              : field == 'k' ? (p->type == PARAM_CHECK ? "bool " : type_of(p))
              : field == 'c' ? type_of(p)
                             : p->meaning,
              out);
    }
}

/* Writes the row of a parameter, in which a % and a letter stand for a field. */
static void write_row(const struct writer *w, int i, const char *row)
{
    for (; *row != '\0'; row++)
        if (*row == '%')
            write_field(w, i, *++row);
        else
            putc(*row, w->out);
}

/* ---- before the rows ---- */

/* True if a file can do without a parameter, because its absence means its value. */
static bool is_omitted(const struct params_values *v, int i)
{
    return params_omit_zeros(v->table) && value_of(v, i) == 0;
}

static void begin_yaml(const struct writer *w)
{
    bool any = false;
    for (int i = 0; i < w->v->table->count; i++)
        any = any || !is_omitted(w->v, i);
    params_write_head(w->out, w->v->table);
    fputs(any ? "parameters:\n" : "parameters: {}\n", w->out);
}

static void begin_json(const struct writer *w)
{
    const struct param_table *t = w->v->table;
    const char *const keys[][2] = {{"kind", t->kind}, {"command", t->command}, {"plays", t->plays}};
    fputs("{\n", w->out);
    for (int i = 0; i < 3; i++)
        if (keys[i][1] != NULL) {
            fprintf(w->out, "  \"%s\": ", keys[i][0]);
            yaml_write_text(w->out, keys[i][1]);
            fputs(",\n", w->out);
        }
    fputs("  \"parameters\": {", w->out);
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
static void begin_c_struct(const struct writer *w)
{
    char guard[KIND], kind[KIND];
    name_kind(w->v->table, toupper, guard);
    name_kind(w->v->table, tolower, kind);
    fprintf(w->out, "#ifndef %s_PARAMETERS_H\n#define %s_PARAMETERS_H\n\n", guard, guard);
    fprintf(w->out, "struct %s_parameters {\n", kind);
    for (int i = 0; i < w->v->table->count; i++)
        write_row(w, i, "    %c%i;\n");
    fprintf(w->out, "};\n\nstatic const struct %s_parameters %s_parameters = {\n", kind, kind);
}

/* ---- the formats ---- */

/* Which parameters a format has: all; all that a file must have, without or with constants of ours; those that a tuner
 * can move. */
enum listed { LISTED_ALL, LISTED_NEEDED, LISTED_OPTIONS, LISTED_TUNED };

/* The name of a format, what begins a comment, what stands before the rows, a row, what is between two, and after all.
 * The rate of SPSA at the end of its run, relative to the step, is the usual one, 0.002. */
static const struct {
    const char *name, *mark;
    enum listed listed;
    void (*begin)(const struct writer *w);
    const char *before, *row, *between, *after;
} formats[PARAMS_FORMATS] = {
    [PARAMS_YAML] = {"yaml", "#", LISTED_NEEDED, begin_yaml, "", "  %n:%p%v%P # %e\n", "", ""},
    [PARAMS_JSON] = {"json", NULL, LISTED_NEEDED, begin_json, "", "\n    %q: %y", ",",
                     "\n  }\n}\n"},
    [PARAMS_C] = {"c", "//", LISTED_ALL, NULL, "", "static const %C%i = %L;\n", "", ""},
    [PARAMS_C_STRUCT] = {"c-struct", "//", LISTED_ALL, begin_c_struct, "", "    .%i = %L,\n", "",
                         "};\n\n#endif\n"},
    [PARAMS_CPP] = {"cpp", "//", LISTED_ALL, NULL, "", "constexpr %k%i = %K;\n", "", ""},
    [PARAMS_CSV] = {"csv", NULL, LISTED_NEEDED, NULL, "name,value,min,max\n", "%f,%F,%m,%M\n", "",
                    ""},
    [PARAMS_UCI] = {"uci", NULL, LISTED_OPTIONS, NULL, "", "setoption name %n value %v\n", "", ""},
    [PARAMS_OPENBENCH] = {"openbench", NULL, LISTED_TUNED, NULL, "",
                          "%n, %t, %V, %l, %h, %s, 0.002\n", "", ""},
    [PARAMS_FISHTEST] = {"fishtest", NULL, LISTED_TUNED, NULL, "", "%n,%V,%l,%h,%s,0.002\n", "",
                         ""},
    [PARAMS_WEATHER_FACTORY] = {"weather-factory", NULL, LISTED_TUNED, NULL, "{",
                                "\n  %q: {\"value\": %V, \"min_value\": %l, \"max_value\": %h, "
                                "\"step\": %w}",
                                ",", "\n}\n"},
    [PARAMS_CTT] = {"ctt", NULL, LISTED_TUNED, NULL, "{\n  \"parameter_ranges\": {",
                    "\n    %q: \"%T(%l, %h)\"", ",", "\n  }\n}\n"},
    [PARAMS_OPTUNA] = {"optuna", "#", LISTED_TUNED, NULL, "",
                       "%o: {default: %V, min: %l, max: %h, step: %w}\n", "", ""},
};

bool params_format_is_tuner(enum params_format f)
{
    return formats[f].listed == LISTED_TUNED;
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

static bool has_row(enum params_format f, const struct params_values *v, int i)
{
    const struct param *p = &v->table->params[i];
    switch (formats[f].listed) {
    case LISTED_TUNED:
        return params_format_lists(f, p, NULL);
    case LISTED_OPTIONS: /* constants of our own tables are no options; those of another engine are set too */
        return !is_omitted(v, i) && (p->bits > 0 || space_is_foreign(v->table));
    case LISTED_NEEDED:
        return !is_omitted(v, i);
    default:
        return true;
    }
}

bool params_write_values(FILE *out, enum params_format f, const struct params_values *v,
                         struct error *err)
{
    const struct param_table *t = v->table;
    const bool foreign_yaml = f == PARAMS_YAML && space_is_foreign(t);
    struct writer w = {.out = out, .v = v, .params = t->params};
    bool first = true;
    if (formats[f].listed == LISTED_ALL) { /* the languages, which have identifiers */
        w.identifiers = malloc(((size_t)t->count + 1) * sizeof *w.identifiers);
        if (w.identifiers == NULL)
            return error_set(err, "no memory for %d values", t->count);
        for (int at = 0; at < t->count; at++) {
            char base[IDENTIFIER], *name = w.identifiers[at];
            c_identifier(t->params[at].name, base, sizeof base);
            strcpy(name, base);
            for (int n = 2, i = 0; i < at; i++)
                if (strcmp(w.identifiers[i], name) == 0) {
                    snprintf(name, NUMBERED, "%s_%d", base, n++);
                    i = -1;
                }
        }
    }
    for (int i = 0; i < t->count; i++)
        if ((int)strlen(t->params[i].name) > w.width)
            w.width = (int)strlen(t->params[i].name);
    if (formats[f].mark != NULL)
        params_write_comment(out, formats[f].mark, v->comment);
    if (formats[f].begin != NULL)
        formats[f].begin(&w);
    fputs(formats[f].before, out);
    for (int i = 0; i < t->count; i++)
        if (has_row(f, v, i)) {
            fputs(first ? "" : formats[f].between, out);
            write_row(&w, i, foreign_yaml ? "  %q: %y\n" : formats[f].row);
            first = false;
        }
    fputs(formats[f].after, out);
    free(w.identifiers);
    return true;
}

bool params_write(FILE *out, enum params_format format, const struct param_table *table,
                  const int32_t *values, const char *comment, struct error *err)
{
    return params_write_values(out, format, &(struct params_values){table, values, comment, NULL},
                               err);
}
