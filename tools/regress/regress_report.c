#include "csv.h"
#include "foreign_text.h"
#include "regress.h"

#include "command.h"
#include "format.h"
#include "output.h"
#include "params_write.h"
#include "prune.h"
#include "text_stream.h"
#include "version.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The number of weights that are not 0, without constants. */
static int64_t count_weights(const struct regress *r)
{
    int64_t count = 0;
    for (int i = 0; i < r->table.count; i++)
        count += r->rows[i].bits > 0 && r->weights[i] != 0;
    return count;
}

/* Prints the origin of the values. */
static void describe_origin(FILE *out, const struct regress *r)
{
    const struct regression_settings *s = &r->settings;
    char count[COUNTED_MAX];
    fprintf(out, "Fitted by grayling " GRAYLING_VERSION ": %s, %s", s->method->name,
            format_things(s->steps, "step", count));
    if (s->batch > 0)
        fprintf(out, " of %s", format_things(s->batch, "position", count));
    fprintf(out, " from %s values", shown_text(r->from));
    if (strcmp(r->from, "random") == 0 || s->batch > 0)
        fprintf(out, ", seed %" PRIu64, r->settings.seed);
    fprintf(out, ";\n%s %.1f centipawns%s.\n", s->method->scale, r->fit.scale,
            s->scale > 0 ? ", as given" : "");
    if (r->prune.count > 0)
        fprintf(out, "%s.\n", format_things(count_weights(r), "weight", count));
    fprintf(out, "%s from\n",
            format_things((int64_t)r->subjects[0].positions.count, "position", count));
    for (int i = 0; i < r->file_count; i++)
        fprintf(out, "  %s, SHA-256 %s%s\n", shown_text(r->files[i]),
                r->origins[i].is_file ? "" : "of the positions ", r->origins[i].checksum);
}

/* What a loss is of: with likely moves only, that of the training positions is not comparable with the others. */
static const char *loss_name(const struct regress *r, int i)
{
    return i == 0 && r->likely > 0 ? "train (likely moves)" : r->subjects[i].name;
}

/* Prints the losses and the moves matched, for all positions that have them. */
static void describe_measures(FILE *out, const struct regress *r)
{
    char text[FORMAT_MAX];
    if (r->unmeasured.text[0] != '\0') {
        fprintf(out, "not measured: %s\n", r->unmeasured.text);
        return;
    }
    fprintf(out, "%s, 95 %% interval in parentheses:\n", r->settings.method->loss);
    for (int i = 0; i <= r->held_out.count; i++) {
        const struct regression_loss *l = &r->subjects[i].loss;
        if (!r->subjects[i].has_loss)
            continue;
        fprintf(out, "  %-28s  %.5f  (%.5f to %.5f)", loss_name(r, i), l->mean,
                l->mean - 1.96 * l->error, l->mean + 1.96 * l->error);
        if (l->left_out > 0)
            fprintf(out, ", %zu left out", l->left_out);
        fputc('\n', out);
    }
    bool told = false;
    for (int i = 0; i <= r->held_out.count; i++) {
        const struct subject *s = &r->subjects[i];
        if (s->has_moves && !told)
            fprintf(out, "moves matched, 95 %% interval in parentheses:\n");
        told = told || s->has_moves;
        if (s->has_moves)
            fprintf(out, "  %-28s  %s\n", s->name,
                    objective_full(&objective_moves_matched, s->matched,
                                   (int64_t)s->positions.count, text));
    }
}

/* Collects the report in one text, which is printed and written into the parameter file. */
static bool describe(struct regress *r, struct error *err)
{
    size_t size;
    free(r->report);
    FILE *out = text_stream(&r->report, &size);
    if (out == NULL)
        return error_set(err, "no memory for the report");
    describe_origin(out, r);
    describe_measures(out, r);
    return fclose(out) == 0 || error_set(err, "no memory for the report");
}

/* Writes the parameter file. */
static bool print_values(FILE *out, const void *context, struct error *err)
{
    const struct regress *r = context;
    return params_write(out, PARAMS_YAML, &r->evaluation.genes, r->weights, r->report, err);
}

int regress_report(struct regress *r, const char *path)
{
    struct error err;
    char text[FORMAT_MAX], threads[COUNTED_MAX];
    if (!describe(r, &err) || (path != NULL && !output_write_or_fail(path, print_values, r, &err)))
        return command_fail(EXIT_FAILED, &err);
    if (path != NULL && strcmp(path, "-") == 0)
        return EXIT_DONE;
    fputs(r->report, stdout);
    printf("time  %s, compilation included, %s\n", format_duration(r->seconds, text),
           format_things(r->settings.threads, "thread", threads));
    if (path != NULL)
        printf("parameters  %s\n", shown_text(path));
    return EXIT_DONE;
}

/* ---- saliency ---- */

/* What print_saliency prints. */
struct saliency {
    const struct regress *regress;
    const double *values;
};

static void print_saliency(FILE *out, void *context)
{
    const struct saliency *s = context;
    const struct regress *r = s->regress;
    fputs("weight,value,saliency\n", out);
    for (int i = 0; i < r->table.count; i++) {
        csv_text(out, r->rows[i].name);
        fprintf(out, ",%d,%.9f\n", r->weights[i], s->values[i]);
    }
}

bool regress_write_saliency(struct regress *r, struct error *err)
{
    double *values = calloc((size_t)r->table.count + 1, sizeof *values);
    struct saliency s = {r, values};
    bool written = (values != NULL || error_set(err, "no memory for %d weights", r->table.count)) &&
                   prune_saliency(r->set, r->settings.method, r->weights, r->fit.scale,
                                  r->settings.threads, values, err) &&
                   output_write(r->saliency, print_saliency, &s, err);
    free(values);
    return written;
}
