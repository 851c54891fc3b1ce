#include "run_work.h"

#include "fitness.h"
#include "space.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the rival ---- */

bool run_rival_open(struct run_rival *rival, struct fitness *fitness, const struct recipe *recipe,
                    run_own_values *own, struct error *err)
{
    const size_t space = (size_t)fitness->space.count,
                 room = space > VALUES_MAX ? space : VALUES_MAX;
    *rival = (struct run_rival){.fitness = fitness, .values = calloc(room, sizeof(int32_t))};
    if (rival->values == NULL)
        return error_set(err, "no memory for the defaults");
    for (int i = 0; i < fitness->space.count; i++) { /* as the organism that has the defaults */
        const struct param *p = &fitness->space.params[i];
        rival->values[i] = p->bits == 0 ? p->initial : param_at(p, param_nearest(p, p->initial));
    }
    if (own == NULL || space_is_foreign(&fitness->space))
        return true;
    const struct param_table *table = own(&fitness->space, rival->values);
    if (strcmp(table->kind, fitness->space.kind) == 0)
        return true;
    struct recipe other = *recipe;
    snprintf(other.space, sizeof other.space, "%s", table->kind);
    rival->fitness = fitness_create(&other, fitness->threads, err);
    rival->apart = rival->fitness != NULL;
    return rival->apart;
}

void run_rival_close(struct run_rival *rival)
{
    if (rival->apart)
        rival->fitness->method->destroy(rival->fitness);
    free(rival->values);
}

/* ---- measuring ---- */

static bool has_rival(const struct run *r)
{
    return r->recipe->measure != MEASURE_GAMES && !run_plays(r) &&
           (space_is_foreign(&r->fitness->space) || r->observer->own != NULL);
}

bool run_defaults_begin(struct run *r, struct error *err)
{
    r->outcomes_of = NOT_MEASURED;
    if (!has_rival(r) || r->fitness->held_out_size == 0)
        return true;
    r->outcomes = calloc((size_t)r->fitness->held_out_size, sizeof *r->outcomes);
    return r->outcomes != NULL || error_set(err, "no memory for the held-out positions");
}

/* Keeps the values, and the faults that they had. */
static bool keep(struct run *r, const struct defaults_kept *d, struct error *err)
{
    struct store *s = r->store;
    return store_begin(s, err) && defaults_kept_put(s, d, err) &&
           run_faults_put(s, r->fitness, err) && store_commit(s, err);
}

/* Measures what is not known of the defaults. The value of a batch would be comparable with nothing. */
static bool measure_values(struct run *r, const struct run_rival *rival, struct defaults_kept *d)
{
    struct fitness *f = rival->fitness;
    struct fitness_watcher watcher = {.stop = r->observer->stop};
    if (d->measure == NOT_MEASURED && !run_competes(r) &&
        !f->method->measure_batch(f, rival->values, 1, &watcher, &d->measure))
        return false;
    if (f->held_out_size == 0)
        return true;
    watcher.outcomes = r->default_outcomes;
    const int64_t held_out = f->method->measure_held_out(f, rival->values, &watcher);
    if (d->held_out == NOT_MEASURED)
        d->held_out = held_out;
    return held_out != NOT_MEASURED;
}

/* The same of a run without outcomes of its defaults. */
static bool measure_defaults(struct run *r, struct defaults_kept *d, struct error *err)
{
    const size_t count = (size_t)r->fitness->held_out_size;
    struct run_rival rival;
    r->default_outcomes = calloc(count + 1, sizeof *r->default_outcomes);
    if (r->default_outcomes == NULL)
        return error_set(err, "no memory for the held-out positions");
    bool measured = run_rival_open(&rival, r->fitness, r->recipe, r->observer->own, err);
    if (measured && !measure_values(r, &rival, d)) {
        *err = rival.fitness->failed;
        measured = false;
    }
    run_rival_close(&rival);
    return measured;
}

/* ---- comparing ---- */

/* Finds the best organism of the run so far: its generation, and its genome. */
static bool find_best(struct run *r, int *generation, int64_t *genome, struct error *err)
{
    const int words = r->genome.words;
    int index;
    uint64_t *chromosome = malloc(genome_bytes(&r->genome, 1));
    const bool last = !r->fitness->method->value->across_generations;
    bool found = chromosome != NULL
                     ? store_get_best(r->store, last, generation, &index, chromosome, words, err)
                     : error_set(err, "no memory for the best organism");
    if (found)
        *genome = fitness_cache_find(&r->cache, chromosome);
    free(chromosome);
    return found;
}

/* The standard error of the difference of two sums over the same positions, in thousandths. */
static int64_t error_of(const int64_t *a, const int64_t *b, int64_t count)
{
    double mean = 0, squares = 0;
    for (int64_t i = 0; i < count; i++)
        mean += (double)(a[i] - b[i]) / (double)count;
    for (int64_t i = 0; i < count; i++)
        squares += pow((double)(a[i] - b[i]) - mean, 2);
    return llround(1000 * sqrt(squares * (double)count / fmax((double)count - 1, 1)));
}

static bool compare(struct run *r, int64_t genome, struct defaults_kept *d, struct error *err)
{
    if (r->outcomes_of != genome && run_measure_held_out(r, genome) == NOT_MEASURED) {
        *err = r->fitness->failed;
        return false;
    }
    d->error = error_of(r->outcomes, r->default_outcomes, r->fitness->held_out_size);
    return true;
}

enum run_end run_defaults_compare(struct run *r, struct error *err)
{
    struct defaults_kept d = defaults_kept_get(r->store);
    const bool holds_out = r->fitness->held_out_size > 0;
    int generation;
    int64_t genome;
    if (!has_rival(r) || (run_competes(r) && !holds_out))
        return RUN_COMPLETE;
    if (!find_best(r, &generation, &genome, err))
        return RUN_FAILED;
    if (holds_out ? d.compared == generation : d.measure != NOT_MEASURED)
        return RUN_COMPLETE;
    err->text[0] = '\0';
    if ((r->default_outcomes != NULL || measure_defaults(r, &d, err)) &&
        (!holds_out || compare(r, genome, &d, err))) {
        d.compared = holds_out ? generation : NOT_MEASURED;
        return keep(r, &d, err) ? RUN_COMPLETE : RUN_FAILED;
    }
    return err->text[0] != '\0' ? RUN_FAILED : RUN_STOPPED;
}
