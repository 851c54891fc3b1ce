#include "optimiser.h"

#include "methods.h"
#include "operators.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

/* Random search: every organism is new. It is the baseline for the other methods. */
static void draw_all(struct optimiser *o)
{
    for (int i = 0; i < o->population; i++) {
        struct stream s;
        stream_init(&s, o->seed, STREAM_INITIAL, (uint64_t)o->generation + 1, (uint64_t)i);
        chromosome_random(o->organisms[i].chromosome, o->genome, &s);
    }
}

static const struct optimiser_method random_search_method = {
    .name = "random", .fewest = 2, .step = draw_all};

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

/* ---- generation 0 ---- */

int initial_population_defaults(const struct optimiser_settings *s, int seeds)
{
    double share = s->defaults * s->population;
    int wanted = share > 0 ? (int)fmax(1, round(share)) : 0, left = s->population - seeds;
    return wanted < left ? wanted : left;
}

bool initial_population_agrees(const struct optimiser_settings *a,
                               const struct optimiser_settings *b, int seeds)
{
    const struct variation_settings *x = &a->variation, *y = &b->variation;
    bool varies = a->defaults > 0 || (a->fill == FILL_OFFSPRING && seeds > 0);
    return a->population == b->population && a->defaults == b->defaults && a->fill == b->fill &&
           (!varies || (x->crossover == y->crossover && x->crossover_rate == y->crossover_rate &&
                        x->mutation_rate == y->mutation_rate));
}

/* Draws a random chromosome from the stream of its index. */
static void draw_random(struct optimiser *o, int index)
{
    struct stream s;
    stream_init(&s, o->seed, STREAM_INITIAL, 0, (uint64_t)index);
    chromosome_random(o->organisms[index].chromosome, o->genome, &s);
}

/* Draws a child of two seeds, which may be the same seed. */
static void draw_child(struct optimiser *o, int index)
{
    struct stream s;
    stream_init(&s, o->seed, STREAM_SELECTION, 0, (uint64_t)index);
    const uint64_t *first = o->organisms[stream_below(&s, (uint64_t)o->seed_count)].chromosome;
    const uint64_t *second = o->organisms[stream_below(&s, (uint64_t)o->seed_count)].chromosome;
    genetic_child(o, first, second, 0, index, o->organisms[index].chromosome);
}

/* Draws a mutant of the defaults. */
static void draw_mutant(struct optimiser *o, int index)
{
    struct stream s;
    uint64_t *c = o->organisms[index].chromosome;
    genome_encode_defaults(o->genome, c);
    stream_init(&s, o->seed, STREAM_MUTATION, 0, (uint64_t)index);
    chromosome_mutate(c, o->genome, probability_fixed(o->settings.variation.mutation_rate), &s);
}

static void draw_generation(struct optimiser *o, const uint64_t *seeds, int count)
{
    assert(0 <= count && count <= o->population && o->generation == 0);
    const int words = o->genome->words, defaults = initial_population_defaults(&o->settings, count);
    for (int i = 0; i < count; i++)
        chromosome_copy(o->organisms[i].chromosome, seeds + (size_t)i * (size_t)words, words);
    if (defaults > 0)
        genome_encode_defaults(o->genome, o->organisms[count].chromosome);
    o->seed_count = count + (defaults > 0);
    bool offspring = o->seed_count > 0 && o->settings.fill == FILL_OFFSPRING;
    for (int i = o->seed_count; i < o->population; i++)
        (i < count + defaults ? draw_mutant : offspring ? draw_child : draw_random)(o, i);
    for (int i = 0; i < o->population; i++)
        o->organisms[i].fitness = 0;
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
    draw_generation(o, NULL, 0);
    return o->method->create == NULL || o->method->create(o, err);
}

void optimiser_seed(struct optimiser *o, const uint64_t *seeds, int count)
{
    draw_generation(o, seeds, count);
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
