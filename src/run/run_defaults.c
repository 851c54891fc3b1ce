#include "run_defaults.h"

#include "defaults_kept.h"
#include "run_faults.h"
#include "space.h"

#include <stdlib.h>

/* Keeps the values, and the faults that they had. */
static bool keep(struct run *r, const struct defaults_kept *d, struct error *err)
{
    struct store *s = r->store;
    return store_begin(s, err) && defaults_kept_put(s, d, err) &&
           run_faults_put(s, r->fitness, err) && store_commit(s, err);
}

/* Measures the defaults on the training data, unless they are an organism that was. */
static bool measure_train(struct run *r, const int32_t *values, int64_t known, int64_t *measure)
{
    const struct fitness_watcher watcher = {.stop = r->observer->stop};
    *measure = known == NOT_MEASURED ? NOT_MEASURED : r->cache.entries[known].measure;
    return *measure != NOT_MEASURED ||
           r->fitness->method->measure_batch(r->fitness, values, 1, &watcher, measure);
}

/* The same on held-out data, if there is any. */
static bool measure_held_out(struct run *r, const int32_t *values, int64_t known, int64_t *measure)
{
    const struct fitness_watcher watcher = {.stop = r->observer->stop};
    *measure = known == NOT_MEASURED ? NOT_MEASURED : r->cache.entries[known].held_out;
    if (r->fitness->held_out_size == 0 || *measure != NOT_MEASURED)
        return true;
    *measure = r->fitness->method->measure_held_out(r->fitness, values, &watcher);
    return *measure != NOT_MEASURED;
}

void run_defaults_write(const struct genome *genome, uint64_t *chromosome, int32_t *values)
{
    genome_encode_defaults(genome, chromosome);
    genome_decode(genome, chromosome, values);
}

/* Measures the defaults of the space. `chromosome` is scratch for one. */
static enum run_end measure(struct run *r, uint64_t *chromosome, struct error *err)
{
    struct defaults_kept d;
    run_defaults_write(&r->genome, chromosome, r->values);
    int64_t known = fitness_cache_find(&r->cache, chromosome);
    if (measure_train(r, r->values, known, &d.measure) &&
        measure_held_out(r, r->values, known, &d.held_out))
        return keep(r, &d, err) ? RUN_COMPLETE : RUN_FAILED;
    *err = r->fitness->failed;
    return r->fitness->failed.text[0] != '\0' ? RUN_FAILED : RUN_STOPPED;
}

enum run_end run_defaults_measure(struct run *r, struct error *err)
{
    if (run_competes(r) || !space_is_foreign(&r->fitness->space) ||
        defaults_kept_get(r->store).measure != NOT_MEASURED)
        return RUN_COMPLETE;
    uint64_t *chromosome = malloc(genome_bytes(&r->genome, 1));
    enum run_end end = RUN_FAILED;
    if (chromosome == NULL)
        error_set(err, "no memory for the defaults");
    else
        end = measure(r, chromosome, err);
    free(chromosome);
    return end;
}
