#include "seeds.h"

#include "params_file.h"
#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a file begins as every SQLite file does. */
static bool is_database(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    FILE *in = fopen(path, "rb");
    if (in == NULL)
        return false;
    bool read = fread(head, 1, sizeof head, in) == sizeof head;
    fclose(in);
    return read && memcmp(head, magic, sizeof magic) == 0;
}

/* Whether a value of a run may stand in the space. */
static bool fits(const char *path, const struct param *gene, int32_t value, struct error *err)
{
    if (gene->bits == 0 ? value == gene->initial : value >= gene->min && value <= gene->max)
        return true;
    return error_set(err, "%s: its best organism has %s = %d, which this space has not: %d to %d",
                     path, gene->name, value, gene->bits == 0 ? gene->initial : gene->min,
                     gene->bits == 0 ? gene->initial : gene->max);
}

/* Takes the values of another run's genes by name; it must have those of the space and no more. */
static bool take_values(const char *path, const struct param_table *from, const int32_t *best,
                        const struct param_table *space, int32_t *values, struct error *err)
{
    if (strcmp(from->kind, space->kind) != 0 || from->count != space->count)
        return error_set(err, "%s: a run of kind %s with %d genes; this one is of kind %s with %d",
                         path, from->kind, from->count, space->kind, space->count);
    for (int i = 0; i < space->count; i++) {
        const struct param *gene = &space->params[i];
        int j = param_find(from, gene->name);
        if (j < 0)
            return error_set(err, "%s: a run without the gene %s", path, gene->name);
        if (!fits(path, gene, best[j], err))
            return false;
        values[i] = best[j];
    }
    return true;
}

/* Decodes the best organism of an opened run. */
static bool take_best(struct store *s, const char *path, const struct param_table *space,
                      int32_t *values, struct error *err)
{
    struct param_table from;
    struct genome genome;
    struct chromosome best;
    int generation, index;
    void *memory = store_get_genes(s, &from, err);
    if (memory == NULL)
        return false;
    int32_t *decoded = calloc((size_t)from.count + 1, sizeof *decoded);
    bool taken = decoded != NULL || error_set(err, "no memory for the genes of %s", path);
    taken = taken && genome_init(&genome, &from, err) &&
            store_get_best(s, &generation, &index, &best, err);
    if (taken) {
        genome_decode(&genome, &best, decoded);
        taken = take_values(path, &from, decoded, space, values, err);
    }
    free(decoded);
    free(memory);
    return taken;
}

static bool read_run(const char *path, const struct param_table *space, int32_t *values,
                     struct error *err)
{
    struct store *s = store_open(path, STORE_READ, err);
    bool read = s != NULL && take_best(s, path, space, values, err);
    store_close(s);
    return read;
}

bool seeds_read(const struct recipe *recipe, const struct param_table *space,
                struct chromosome *seeds, struct error *err)
{
    struct genome genome;
    if (!genome_init(&genome, space, err))
        return false;
    int32_t *values = calloc((size_t)space->count + 1, sizeof *values);
    bool read = values != NULL || error_set(err, "no memory for seeds");
    for (int i = 0; read && i < recipe->seed_count; i++) {
        const char *path = recipe->seeds[i];
        read = is_database(path) ? read_run(path, space, values, err)
                                 : params_read(path, space, values, err);
        if (read)
            genome_encode(&genome, values, &seeds[i]);
    }
    free(values);
    return read || error_prefix(err, "ga.seeds: ");
}
