#include "values.h"

#include "command_line.h"
#include "params_file.h"
#include "params_write.h"
#include "run_summary.h"
#include "space.h"
#include "text_stream.h"
#include "yaml_document.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool values_of_run(const char *path, struct run_summary *run, struct error *err)
{
    if (!run_summary_read(path, run, err))
        return false;
    if (run->best != NULL)
        return true;
    run_summary_free(run);
    return error_set(err, "%s: no generation is complete yet; wait, or resume the run", path);
}

/* Copies the run's values by name. The run must have exactly the genes of the table, or all but those
 * that were added later. */
static bool take_values(const char *path, const struct run_summary *run,
                        const struct param_table *table, int32_t *values, struct error *err)
{
    const struct param_table *from = &run->space;
    if (from->count > table->count ||
        (from->count < table->count && !param_is_added(table, from->count)))
        return error_set(err, "%s: a run of kind %s with %d genes; expected kind %s with %d", path,
                         from->kind, from->count, table->kind, table->count);
    for (int i = 0; i < table->count; i++) {
        const struct param *gene = &table->params[i];
        const int32_t min = gene->bits == 0 ? gene->initial : gene->min;
        const int32_t max = gene->bits == 0 ? gene->initial : gene->max;
        const int j = param_find_from(from, gene->name, i);
        if (j < 0 && !param_is_added(table, i))
            return error_set(err, "%s: a run without the gene %s", path, gene->name);
        values[i] = j < 0 ? gene->initial : run->best[j];
        if (j >= 0 && (values[i] < min || values[i] > max))
            return error_set(err, "%s: its best organism has %s = %d; here it is from %d to %d",
                             path, gene->name, values[i], min, max);
    }
    return true;
}

/* Reads the values of a run whose genes are of one of `tables`, and returns that; NULL with the reason. */
static const struct param_table *read_run(const char *path, const struct param_table *const *tables,
                                          int32_t *values, struct error *err)
{
    struct run_summary run;
    const struct param_table *found = NULL;
    char expected[128];
    if (!values_of_run(path, &run, err))
        return NULL;
    for (const struct param_table *const *t = tables; *t != NULL; t++)
        if (strcmp((*t)->kind, run.space.kind) == 0)
            found = *t;
    param_list_kinds(tables, expected, sizeof expected);
    if (found == NULL)
        error_set(err, "%s: a run of kind %s; expected kind %s", path, run.space.kind, expected);
    else if (!take_values(path, &run, found, values, err))
        found = NULL;
    run_summary_free(&run);
    return found;
}

/* Reads the values of any of `tables`, and returns theirs; NULL with the reason. */
static const struct param_table *read_any(const char *path, const struct param_table *const *tables,
                                          int32_t *values, struct error *err)
{
    return store_is_database(path) ? read_run(path, tables, values, err)
                                   : params_read_any(path, tables, values, err);
}

bool values_read(const char *path, const struct param_table *table, int32_t *values,
                 struct error *err)
{
    const struct param_table *const tables[] = {table, NULL};
    return read_any(path, tables, values, err) != NULL;
}

bool values_evaluation(const char *path, struct evaluation *e, struct error *err)
{
    int32_t values[EVALUATION_WEIGHTS];
    *e = evaluation_initial();
    if (path[0] == '\0')
        return true;
    const struct param_table *table = read_any(path, evaluation_tables, values, err);
    if (table != NULL)
        *e = evaluation_from(table, values);
    return table != NULL;
}

bool values_search_params(const char *path, struct search_params *p, struct error *err)
{
    int32_t values[SEARCH_PARAMS];
    *p = search_plain_params();
    if (path[0] == '\0')
        return true;
    const struct param_table *table = read_any(path, search_tables, values, err);
    if (table != NULL)
        *p = search_params_from(table, values);
    return table != NULL;
}

bool values_checksum_of(const struct param_table *table, const int32_t *values,
                        char text[CHECKSUM_MAX], struct error *err)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = text_stream(&bytes, &length);
    for (int i = 0; out != NULL && i < table->count; i++)
        fprintf(out, "%s=%d\n", table->params[i].name, values[i]);
    bool written = text_close(out, "the values of parameters", err);
    if (written)
        checksum_bytes(bytes, length, text);
    free(bytes);
    return written;
}

bool values_checksum(const char *path, char text[CHECKSUM_MAX], struct error *err)
{
    struct run_summary run;
    if (!store_is_database(path))
        return checksum_file(path, text, err);
    if (!values_of_run(path, &run, err))
        return false;
    const bool written = values_checksum_of(&run.space, run.best, text, err);
    run_summary_free(&run);
    return written;
}

/* -- seeds */

uint64_t *seeds_read(const struct recipe *recipe, const struct param_table *space,
                     struct error *err)
{
    struct genome genome;
    if (!genome_init(&genome, space, err))
        return NULL;
    uint64_t *seeds = malloc(genome_bytes(&genome, (size_t)recipe->seed_count + 1));
    int32_t *values = calloc((size_t)space->count + 1, sizeof *values);
    bool read = (seeds != NULL && values != NULL) || error_set(err, "no memory for seeds");
    for (int i = 0; read && i < recipe->seed_count; i++) {
        read = values_read(recipe->seeds[i], space, values, err);
        if (read)
            genome_encode(&genome, values, genome_row(&genome, seeds, i));
    }
    free(values);
    if (read)
        return seeds;
    free(seeds);
    error_prefix(err, "ga.seeds: ");
    return NULL;
}

/* -- a file as bytes */

static char *read_file(const char *path, size_t *size, struct error *err)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return error_null(err, "cannot read %s: %s", path, strerror(errno));
    char *bytes = growing_file_read(in, path, size, err);
    fclose(in);
    return bytes;
}

/* Writes a file of another engine, with absolute commands. */
static bool write_foreign(const char *path, FILE *out, struct error *err)
{
    struct yaml_document doc;
    bool placed = true;
    if (!yaml_read_file(&doc, path, err))
        return false;
    for (struct yaml_node *e = doc.root->child; placed && e != NULL; e = e->next)
        if ((strcmp(e->key, "command") == 0 || strcmp(e->key, "plays") == 0) &&
            e->kind == YAML_SCALAR && e->text[0] != '\0') {
            char *place = command_of_file_anywhere(doc.path, e->text, err);
            placed = place != NULL;
            if (placed) {
                free(e->text);
                e->text = place;
            }
        }
    if (placed)
        yaml_write(out, &doc);
    yaml_finish(&doc);
    return placed;
}

static bool write_run(const char *path, FILE *out, struct error *err)
{
    struct run_summary run;
    if (!values_of_run(path, &run, err))
        return false;
    bool written = params_write(out, PARAMS_YAML, &run.space, run.best, NULL, err);
    run_summary_free(&run);
    return written;
}

char *values_bytes(const char *path, size_t *size, struct error *err)
{
    char *bytes = NULL;
    const bool is_run = store_is_database(path);
    if (!is_run && !space_file_is_foreign(path))
        return read_file(path, size, err);
    FILE *out = text_stream(&bytes, size);
    if (out == NULL)
        return error_null(err, "no memory for %s", path);
    bool good = is_run ? write_run(path, out, err) : write_foreign(path, out, err);
    if (text_close(out, path, err) && good)
        return bytes;
    free(bytes);
    return NULL;
}
