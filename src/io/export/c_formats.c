#include "c_formats.h"

#include "c_names.h"

#include <ctype.h>
#include <string.h>

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

void write_c(FILE *out, const struct params_values *v)
{
    for (int i = 0; i < v->table->count; i++) {
        const struct param *p = &v->table->params[i];
        const char *type = p->choices != NULL ? "char *const " : type_of(p);
        fprintf(out, "static const %s%s = ", type, p->name);
        write_literal(out, p, v->values[i]);
        fputs(";\n", out);
    }
}

void write_cpp(FILE *out, const struct params_values *v)
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

void write_c_struct(FILE *out, const struct params_values *v)
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
