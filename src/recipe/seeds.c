#include "seeds.h"

#include "values.h"

#include <stdlib.h>

bool seeds_read(const struct recipe *recipe, const struct param_table *space,
                struct chromosome *seeds, struct error *err)
{
    struct genome genome;
    if (!genome_init(&genome, space, err))
        return false;
    int32_t *values = calloc((size_t)space->count + 1, sizeof *values);
    bool read = values != NULL || error_set(err, "no memory for seeds");
    for (int i = 0; read && i < recipe->seed_count; i++) {
        read = values_read(recipe->seeds[i], space, values, err);
        if (read)
            genome_encode(&genome, values, &seeds[i]);
    }
    free(values);
    return read || error_prefix(err, "ga.seeds: ");
}
