#include "seeds.h"

#include "values.h"

#include <stdlib.h>

/* Reads one seed. `values` is scratch. */
static bool read_seed(const char *path, const struct genome *genome,
                      const struct param_table *space, int32_t *values, uint64_t *seed,
                      struct error *err)
{
    if (!values_read(path, space, values, err))
        return false;
    genome_encode(genome, values, seed);
    return true;
}

uint64_t *seeds_read(const struct recipe *recipe, const struct param_table *space,
                     struct error *err)
{
    struct genome genome;
    if (!genome_init(&genome, space, err))
        return NULL;
    uint64_t *seeds = malloc(genome_bytes(&genome, (size_t)recipe->seed_count));
    int32_t *values = calloc((size_t)space->count + 1, sizeof *values);
    bool read = (seeds != NULL && values != NULL) || error_set(err, "no memory for seeds");
    for (int i = 0; read && i < recipe->seed_count; i++)
        read =
            read_seed(recipe->seeds[i], &genome, space, values, genome_row(&genome, seeds, i), err);
    free(values);
    if (read)
        return seeds;
    free(seeds);
    error_prefix(err, "ga.seeds: ");
    return NULL;
}
