/* grayling export: parameters in the format of an engine, and the evidence of a run. */
#include "command.h"

#include "evidence.h"
#include "params_write.h"
#include "report.h"
#include "source.h"
#include "text_stream.h"

struct arguments {
    const char *input, *output;
    int format; /* enum params_format; PARAMS_FORMATS: evidence; -1: not given */
    bool force;
};

static bool take_format(void *format, const char *text, struct error *err)
{
    char known[160] = "";
    *(int *)format = strcmp(text, "evidence") == 0 ? PARAMS_FORMATS : params_format_from_name(text);
    for (int f = 0; f < PARAMS_FORMATS; f++)
        text_add(known, sizeof known, "%s, ", params_format_name((enum params_format)f));
    return *(int *)format >= 0 || error_set(err, "takes %sor evidence, not '%s'", known, text);
}

#define AT(member) OPTION_AT(struct arguments, member)

static const struct option_row option_rows[] = {
    {"format", "FORMAT", AS_CALL, AT(format),
     "yaml *         a parameter file that explains each value\n"
     "csv *, json *  name,value,min,max; {\"kind\", \"parameters\"}\n"
     "uci *          setoption name NAME value VALUE\n"
     "c, c-struct, cpp  constants; a header with a struct;\n"
     "               constexpr\n"
     "openbench *, fishtest *, weather-factory *, ctt, optuna *\n"
     "               parameters that evolve, with ranges and\n"
     "               steps, for these tuners\n"
     "evidence       recipe and checksums of a finished run,\n"
     "               which 'grayling verify --expect' repeats",
     .take = take_format},
    {"output", "FILE", AS_TEXT, AT(output), "output file (standard output)", .letter = 'o'},
    {"force", NULL, AS_FLAG, AT(force), "overwrite FILE"},
    {0}};

static const struct command cmd = {
    "export",
    "usage: grayling export RUN.db|PARAMS.yaml --format FORMAT [-o FILE] [--force]\n\n"
    "Writes the best organism of a run, or the values of a parameter file, for use in\n"
    "an engine or a tuner. 'grayling help parameters' lists files that come by their\n"
    "names. A parameter file may be in any format marked * here; its content tells.\n",
    option_rows,
    "  grayling export runs/quick.db --format c -o weights.inc\n"
    "  grayling export runs/quick.db --format openbench\n",
    {"RUN.db PARAMS.yaml", "one run or parameter file", 1, 1}};

struct values {
    enum params_format format;
    struct params_values values;
};

static bool print_values(FILE *out, const void *context, struct error *err)
{
    const struct values *v = context;
    return params_write_values(out, v->format, &v->values, err);
}

/* Reads the standard deviation of each parameter in the last generation of a run, in the order of the
 * source's table. NULL for a parameter file, and for a run whose optimiser does not converge
 * (optimiser.h). The caller frees it. False, with the reason, if the run cannot be read. */
static bool read_spread(const struct source *s, double **spread, struct error *err)
{
    struct report report;
    *spread = NULL;
    if (s->run.best == NULL || !optimiser_method_of(s->run.recipe.optimiser.kind)->converges)
        return true;
    if (!report_read(s->path, &report, err))
        return false;
    *spread = calloc((size_t)report.genome.count + 1, sizeof **spread);
    for (int i = 0; *spread != NULL && i < report.genome.count; i++)
        (*spread)[i] = report.genes[i].last.deviation;
    report_free(&report);
    return *spread != NULL || error_set(err, "no memory for %d parameters", s->table.count);
}

/* Tells which parameters that evolve are left out, and why. Fails if none is left. */
static bool tell_left_out(const struct arguments *a, const struct param_table *table,
                          struct error *err)
{
    int listed = 0;
    const char *why, *format = params_format_name((enum params_format)a->format);
    for (int i = 0; i < table->count; i++) {
        const struct param *p = &table->params[i];
        if (params_format_lists((enum params_format)a->format, p, &why))
            listed++;
        else if (p->bits > 0)
            fprintf(stderr, "grayling: %s is left out of %s: %s\n", p->name, format, why);
    }
    return listed > 0 ||
           error_set(err,
                     "%s: nothing to tune; %s needs parameters with a range, as a run has them",
                     a->input, format);
}

static int write_values(const struct arguments *a)
{
    const enum params_format format = (enum params_format)a->format;
    struct source s;
    struct error err;
    double *spread = NULL;
    if (!output_check(a->output, a->force, &err) || !source_open(&s, a->input, DATA_PARAMS, &err))
        return command_fail(EXIT_BAD, &err);
    struct source_options all = {.table = &s.table, .values = s.values};
    const bool good = (format != PARAMS_UCI || source_options(&s, &all, &err)) &&
                      (!params_format_is_tuner(format) ||
                       (tell_left_out(a, &s.table, &err) && read_spread(&s, &spread, &err)));
    const struct values v = {format, {all.table, all.values, s.comment, spread}};
    const int code = good ? command_wrote(output_write_or_fail(a->output, print_values, &v, &err),
                                          "parameters", a->output, &err)
                          : command_fail(EXIT_BAD, &err);
    free(spread);
    source_close(&s);
    return code;
}

static bool print_text(FILE *out, const void *context, struct error *err)
{
    (void)err; /* output_write_or_fail looks at the stream */
    fputs(context, out);
    return true;
}

/* Writes the evidence of a run, whose paths are relative to the folder of the output. */
static int write_evidence(const struct arguments *a)
{
    struct error err = {""};
    char *text = NULL, directory[PATH_SIZE];
    size_t size;
    bool good =
        store_is_database(a->input)
            ? output_check(a->output, a->force, &err) &&
                  path_directory(strcmp(a->output, "-") == 0 ? "." : a->output, directory, &err)
            : error_set(&err, "%s: evidence needs a run; this is not one", a->input);
    if (good) {
        FILE *out = text_stream(&text, &size);
        good = out != NULL && evidence_write(out, a->input, directory, &err);
        good = text_close(out, "the evidence", &err) && good;
    }
    const int code = good ? command_wrote(output_write_or_fail(a->output, print_text, text, &err),
                                          "evidence", a->output, &err)
                          : command_fail(EXIT_BAD, &err);
    free(text);
    return code;
}

int cmd_export(int argc, char **argv)
{
    struct arguments a = {.output = "-", .format = -1};
    const int code = options_read(&cmd, &argc, &argv, &a);
    if (code != OPTIONS_READ)
        return code;
    if (a.format < 0)
        return command_misuse("export", "--format is missing");
    a.input = argv[0];
    return (a.format == PARAMS_FORMATS ? write_evidence : write_values)(&a);
}
