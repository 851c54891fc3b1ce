#include "optimiser.h"

#include "methods.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

static const struct optimiser_method *const methods[] = {
    [OPTIMISER_GENETIC] = &genetic_method,
};

enum { METHODS = sizeof methods / sizeof methods[0] };

const struct optimiser_method *optimiser_method_of(enum optimiser_kind kind)
{
    return methods[kind];
}

int optimiser_from_name(const char *name)
{
    for (int i = 0; i < METHODS; i++)
        if (strcmp(methods[i]->name, name) == 0)
            return i;
    return -1;
}

/* ---- settings ---- */

bool optimiser_check(const struct evolution_settings *ga, const struct optimiser_settings *settings,
                     struct error *err)
{
    if ((int)settings->kind < 0 || (int)settings->kind >= METHODS)
        return error_set(err, "kind is %d; it must be from 0 to %d", (int)settings->kind,
                         METHODS - 1);
    const struct optimiser_method *method = methods[settings->kind];
    if (ga->population < method->fewest)
        return error_set(err, "population is %d; %s needs %d or more", ga->population, method->name,
                         method->fewest);
    return evolution_check(ga, err);
}

/* ---- life cycle ---- */

/* Draws generation 0 as the genetic algorithm does, behind the seeds. */
static bool draw_first(struct optimiser *o, const struct chromosome *seeds, int count,
                       struct error *err)
{
    struct evolution first;
    if (!evolution_create(&first, o->genome, &o->ga, o->seed, err))
        return false;
    evolution_seed(&first, seeds, count);
    memcpy(o->organisms, first.organisms, (size_t)o->population * sizeof *o->organisms);
    evolution_destroy(&first);
    o->seed_count = count;
    return true;
}

bool optimiser_create(struct optimiser *o, const struct genome *genome,
                      const struct evolution_settings *ga,
                      const struct optimiser_settings *settings, uint64_t seed, struct error *err)
{
    *o = (struct optimiser){.genome = genome, .ga = *ga, .settings = *settings, .seed = seed};
    if (!optimiser_check(ga, settings, err))
        return false;
    o->method = methods[settings->kind];
    o->population = ga->population;
    o->organisms = calloc((size_t)ga->population, sizeof *o->organisms);
    if (o->organisms == NULL)
        return error_set(err, "no memory for a population of %d", ga->population);
    return draw_first(o, NULL, 0, err) && o->method->create(o, err);
}

bool optimiser_seed(struct optimiser *o, const struct chromosome *seeds, int count,
                    struct error *err)
{
    return draw_first(o, seeds, count, err);
}

void optimiser_destroy(struct optimiser *o)
{
    if (o == NULL)
        return;
    if (o->state != NULL)
        o->method->destroy(o);
    free(o->organisms);
    *o = (struct optimiser){0};
}

/* ---- a step ---- */

void optimiser_step(struct optimiser *o)
{
    if (o->genome->length > 0)
        o->method->step(o);
    for (int i = 0; i < o->population; i++)
        o->organisms[i].fitness = 0;
    o->generation++;
}

struct population_stats optimiser_statistics(const struct optimiser *o)
{
    return population_statistics(o->genome, o->organisms, o->population);
}
