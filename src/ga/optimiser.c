#include "optimiser.h"

#include "methods.h"
#include "settings.h"

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

struct optimiser_settings optimiser_usual_settings(enum optimiser_kind kind)
{
    return (struct optimiser_settings){.kind = kind,
                                       .sigma = 0.3,
                                       .common = 0.2,
                                       .weight = 0.5,
                                       .crossover = 0.9,
                                       .inertia = 0.7298,
                                       .attraction = 1.4962,
                                       .kick = 4,
                                       .step = 0.2,
                                       .perturbation = 0.1,
                                       .stability = 10};
}

/* Whether the settings of the method itself are in range. */
static bool check_own(const struct optimiser_settings *s, struct error *err)
{
    switch (s->kind) {
    case OPTIMISER_GENETIC:
    case OPTIMISER_RANDOM:
        return true;
    case OPTIMISER_CMA_ES:
        return settings_real("sigma", s->sigma, 0.001, 1, err);
    case OPTIMISER_EVOLUTION_STRATEGY:
        return settings_real("sigma", s->sigma, 0.001, 1, err) &&
               settings_real("common", s->common, 0, 1, err);
    case OPTIMISER_DIFFERENTIAL_EVOLUTION:
        return settings_real("weight", s->weight, 0, 2, err) &&
               settings_real("crossover", s->crossover, 0, 1, err);
    case OPTIMISER_PARTICLE_SWARM:
        return settings_real("inertia", s->inertia, 0, 1, err) &&
               settings_real("attraction", s->attraction, 0, 4, err);
    case OPTIMISER_HILL_CLIMBING:
        return settings_whole("kick", s->kick, 1, 64 * CHROMOSOME_WORDS, err);
    case OPTIMISER_SPSA:
    case OPTIMISER_GRADIENT_DESCENT:
        return settings_real("step", s->step, 0.001, 1, err) &&
               settings_real("perturbation", s->perturbation, 0.001, 0.5, err) &&
               (s->kind != OPTIMISER_SPSA ||
                settings_whole("stability", s->stability, 0, 1000000, err));
    }
    return false;
}

bool optimiser_check(const struct evolution_settings *ga, const struct optimiser_settings *settings,
                     struct error *err)
{
    if (!settings_whole("kind", (int)settings->kind, 0, OPTIMISERS - 1, err))
        return false;
    const struct optimiser_method *method = methods[settings->kind];
    if (ga->population < method->fewest)
        return error_set(err, "population is %d; %s needs %d or more", ga->population, method->name,
                         method->fewest);
    return evolution_check(ga, err) && check_own(settings, err);
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
    struct population_stats stats = population_statistics(o->genome, o->organisms, o->population);
    if (o->method->champion != NULL) {
        stats.best = o->method->champion(o, stats.best);
        stats.best_fitness = o->organisms[stats.best].fitness;
    }
    return stats;
}
