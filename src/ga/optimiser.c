#include "optimiser.h"

#include "initial_population.h"
#include "methods.h"
#include "operators.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

static const struct optimiser_method *const methods[] = {
    [OPTIMISER_GENETIC] = &genetic_method,
    [OPTIMISER_CMA_ES] = &cma_es_method,
    [OPTIMISER_EVOLUTION_STRATEGY] = &evolution_strategy_method,
    [OPTIMISER_DIFFERENTIAL_EVOLUTION] = &differential_evolution_method,
    [OPTIMISER_PARTICLE_SWARM] = &particle_swarm_method,
    [OPTIMISER_RANDOM] = &random_search_method,
    [OPTIMISER_HILL_CLIMBING] = &hill_climbing_method,
    [OPTIMISER_SPSA] = &spsa_method,
    [OPTIMISER_GRADIENT_DESCENT] = &gradient_descent_method,
    [OPTIMISER_SEP_CMA_ES] = &sep_cma_es_method,
};

static_assert(sizeof methods / sizeof methods[0] == OPTIMISERS, "each kind has a method");

const struct optimiser_method *optimiser_method_of(enum optimiser_kind kind)
{
    return methods[kind];
}

int optimiser_from_name(const char *name)
{
    for (int i = 0; i < OPTIMISERS; i++)
        if (strcmp(methods[i]->name, name) == 0)
            return i;
    return -1;
}

/* ---- settings ---- */

struct optimiser_settings optimiser_default_settings(enum optimiser_kind kind)
{
    struct optimiser_settings s = {.kind = kind, .population = 100, .fill = FILL_RANDOM};
    settings_set_defaults(&s);
    return s;
}

bool optimiser_check(const struct optimiser_settings *s, struct error *err)
{
    if (!settings_within("kind", (int)s->kind, 0, OPTIMISERS - 1, err) ||
        !settings_within("population", s->population, 2, POPULATION_MAX, err) ||
        !settings_within("defaults", s->defaults, 0, 1, err) ||
        !settings_within("fill", (int)s->fill, 0, FILL_OFFSPRING, err))
        return false;
    const struct optimiser_method *method = methods[s->kind];
    if (s->population < method->fewest)
        return error_set(err, "population is %d; %s needs %d or more", s->population, method->name,
                         method->fewest);
    return (method->check == NULL || method->check(s, err)) && settings_check(s, err);
}

bool optimiser_fits(const struct optimiser_settings *settings, const struct genome *genome,
                    struct error *err)
{
    const struct optimiser_method *method = methods[settings->kind];
    return method->fits == NULL || method->fits(genome, err);
}

/* ---- life cycle ---- */

bool optimiser_create(struct optimiser *o, const struct genome *genome,
                      const struct optimiser_settings *settings, uint64_t seed, struct error *err)
{
    *o = (struct optimiser){.genome = genome, .settings = *settings, .seed = seed};
    if (!optimiser_check(settings, err) || !optimiser_fits(settings, genome, err))
        return false;
    o->method = methods[settings->kind];
    o->population = settings->population;
    o->organisms = population_create(genome, o->population);
    if (o->organisms == NULL)
        return error_set(err, "no memory for a population of %d", o->population);
    initial_population_draw(o, NULL, 0);
    return o->method->create == NULL || o->method->create(o, err);
}

void optimiser_seed(struct optimiser *o, const uint64_t *seeds, int count)
{
    initial_population_draw(o, seeds, count);
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
    struct population_stats stats = population_statistics(o->genome, o->organisms, o->population);
    if (o->method->champion != NULL) {
        stats.best = o->method->champion(o, stats.best);
        stats.best_fitness = o->organisms[stats.best].fitness;
    }
    return stats;
}
