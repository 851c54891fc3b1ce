#include "tuner_formats.h"

#include "yaml_document.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { NUMBER = 48 };

/* The rate of SPSA at the end of its run, relative to the step: the usual one. */
static const char rate_end[] = "0.002";

/* ---- what is listed ---- */

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

/* Calls `write` for each parameter that is listed; `first` is true for the first one. */
static void each_listed(FILE *out, enum params_format f, const struct params_values *v,
                        void (*write)(FILE *out, const struct params_values *v, int i, bool first))
{
    bool first = true;
    for (int i = 0; i < v->table->count; i++)
        if (params_format_lists(f, &v->table->params[i], NULL)) {
            write(out, v, i, first);
            first = false;
        }
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

static void write_openbench_line(FILE *out, const struct params_values *v, int i, bool first)
{
    (void)first;
    write_spsa(out, v, i, v->table->params[i].decimals > 0 ? ", float" : ", int", ", ");
}

static void write_fishtest_line(FILE *out, const struct params_values *v, int i, bool first)
{
    (void)first;
    write_spsa(out, v, i, "", ",");
}

void write_openbench(FILE *out, const struct params_values *v)
{
    each_listed(out, PARAMS_OPENBENCH, v, write_openbench_line);
}

void write_fishtest(FILE *out, const struct params_values *v)
{
    each_listed(out, PARAMS_FISHTEST, v, write_fishtest_line);
}

/* ---- JSON ---- */

static void write_weather_factory_member(FILE *out, const struct params_values *v, int i,
                                         bool first)
{
    const struct param *p = &v->table->params[i];
    char value[NUMBER], min[NUMBER], max[NUMBER], step[NUMBER];
    fputs(first ? "\n  " : ",\n  ", out);
    yaml_write_text(out, p->name);
    fprintf(out, ": {\"value\": %s, \"min_value\": %s, \"max_value\": %s, \"step\": %s}",
            value_text(p, v->values[i], value), value_text(p, p->min, min),
            value_text(p, p->max, max), number_text(p, whole_step(v, i), 0, step));
}

void write_weather_factory(FILE *out, const struct params_values *v)
{
    fputs("{", out);
    each_listed(out, PARAMS_WEATHER_FACTORY, v, write_weather_factory_member);
    fputs("\n}\n", out);
}

static void write_ctt_member(FILE *out, const struct params_values *v, int i, bool first)
{
    const struct param *p = &v->table->params[i];
    char min[NUMBER], max[NUMBER];
    fputs(first ? "\n    " : ",\n    ", out);
    yaml_write_text(out, p->name);
    fprintf(out, ": \"%s(%s, %s)\"", p->decimals > 0 ? "Real" : "Integer",
            value_text(p, p->min, min), value_text(p, p->max, max));
}

void write_ctt(FILE *out, const struct params_values *v)
{
    fputs("{\n  \"parameter_ranges\": {", out);
    each_listed(out, PARAMS_CTT, v, write_ctt_member);
    fputs("\n  }\n}\n", out);
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

static void write_optuna_line(FILE *out, const struct params_values *v, int i, bool first)
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

void write_optuna(FILE *out, const struct params_values *v)
{
    each_listed(out, PARAMS_OPTUNA, v, write_optuna_line);
}
