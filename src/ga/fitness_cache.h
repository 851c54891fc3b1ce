/* The fitness cache of a run: which genomes have been measured, and what came out. No genome is measured
 * twice. A genome's id is its place in the order of measuring, so that ids repeat with the run. */
#ifndef GRAYLING_FITNESS_CACHE_H
#define GRAYLING_FITNESS_CACHE_H

#include "genome.h"

#include <stdbool.h>
#include <stddef.h>

enum { NOT_MEASURED = -1 };

struct measured {
    struct chromosome chromosome;
    int64_t measure;
    int64_t held_out; /* NOT_MEASURED until asked for */
};

/* Owned by the caller; a zeroed cache is empty and ready. The entries may be read and their measures
 * written; they move when one is added. */
struct fitness_cache {
    struct measured *entries; /* by id */
    size_t count, capacity;
    size_t *slots; /* id + 1 by hash, 0 where free; a power of two of them, at most half full */
    size_t slot_count;
};

/* The id of this genome, or NOT_MEASURED. */
int64_t fitness_cache_find(const struct fitness_cache *m, const struct chromosome *c);

/* Adds a genome that is not there yet and returns its id; NOT_MEASURED when there is no memory. */
int64_t fitness_cache_add(struct fitness_cache *m, const struct chromosome *c, int64_t measure,
                          int64_t held_out);

void fitness_cache_free(struct fitness_cache *m);

#endif
