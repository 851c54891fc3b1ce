/* The run store: one run, one SQLite file (this is the one file that knows SQLite).
 *
 * WAL with synchronous FULL, one transaction a generation and a truncating checkpoint after it: at
 * rest a run is one file, and kill -9 loses at most the generation in work. Anyone may query it:
 *
 *     run(key TEXT PRIMARY KEY, value TEXT)          format, version, recipe, seed, state, ...
 *     data(role, path, sha256, positions)            what it was trained and tested on
 *     gene(idx, name, bits, min, max)
 *     genome(id, chromosome BLOB UNIQUE, measure, held_out)    the memo: each genome measured once
 *     organism(generation, idx, genome, fitness)
 *     generation(idx, best, measure, mean, deviation, diversity, held_out, seconds)
 *
 * Chromosomes are stored as their words in little-endian bytes. `PRAGMA application_id` and
 * `user_version` say what the file is; a file that is locked, foreign, of another version or
 * damaged is refused with its reason. */
#ifndef GRAYLING_STORE_H
#define GRAYLING_STORE_H

#include "error.h"
#include "evolution.h"

struct store;

enum store_mode { STORE_READ, STORE_WRITE };

/* A generation as it is stored; `held_out` is -1 where it was not measured. Measures are of the
 * best organism; `mean_measure` and `deviation` are over the population's measures. */
struct generation_row {
    int generation;
    int best;
    int64_t measure, held_out;
    double mean, deviation, diversity;
    double seconds; /* wall time; never compared */
};

/* Creates a new file; refuses one that exists unless `force`. */
struct store *store_create(const char *path, bool force, struct error *err);
/* Opens an existing run. STORE_WRITE takes the run's lock: a second writer is refused. */
struct store *store_open(const char *path, enum store_mode mode, struct error *err);
void store_close(struct store *s); /* accepts NULL; checkpoints when writing */

/* Text values of the run table; NULL when absent, else malloc'ed. */
bool store_put(struct store *s, const char *key, const char *value, struct error *err);
char *store_get(struct store *s, const char *key);

bool store_put_data(struct store *s, const char *role, const char *path, const char *sha256,
                    int64_t positions, struct error *err);
bool store_put_genes(struct store *s, const struct param_table *space, struct error *err);

/* Memo of measures: false when the genome is not known. */
bool store_find_measure(struct store *s, const struct chromosome *c, int words, int64_t *measure);

/* One transaction: the generation's organisms, their measures, the row. */
bool store_put_generation(struct store *s, const struct evolution *e, const int64_t *measures,
                          const struct generation_row *row, struct error *err);

/* The last complete generation, -1 when there is none. */
int store_last_generation(struct store *s);
/* Organisms (chromosome and fitness) and measures of a generation, arrays of the population's
 * size. */
bool store_get_generation(struct store *s, int generation, struct organism *organisms,
                          int64_t *measures, int count, struct error *err);
/* Rows [0, last], malloc'ed, *count of them. */
struct generation_row *store_get_rows(struct store *s, int *count, struct error *err);

#endif
