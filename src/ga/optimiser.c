#include "optimiser.h"

#include "methods.h"
#include "operators.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

/* Draws a random chromosome from the stream of its generation and index. */
static void draw_random(struct optimiser *o, int generation, int index)
{
    struct stream s;
    stream_init(&s, o->seed, STREAM_INITIAL, (uint64_t)generation, (uint64_t)index);
    chromosome_random(o->organisms[index].chromosome, o->genome, &s);
}

/* Random search: every organism is new. It is the baseline for the other methods. */
static void draw_new(struct optimiser *o, int index)
{
    draw_random(o, o->generation + 1, index);
}

static const struct optimiser_method random_search_method = {.name = "random", .propose = draw_new};

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

/* ---- settings ---- */

/* The range of a setting. */
struct setting {
    unsigned kinds;   /* a bit for each enum optimiser_kind that has it; 0: all */
    const char *path; /* of its field; the last word names it */
    bool is_real;
    size_t field;
    double low, high;
};

#define FIELD(field) offsetof(struct optimiser_settings, field)
#define BIT(kind)    1u << OPTIMISER_##kind
#define SETTING_REAL(kinds, key, field, low, high, initial, text)                                  \
    {kinds, #field, true, FIELD(field), low, high},
#define SETTING_WHOLE(kinds, key, field, low, high, initial, text)                                 \
    {kinds, #field, false, FIELD(field), low, high},
#define SETTING_CHOICE(kinds, key, field, names, last, initial, word, text)                        \
    {kinds, #field, false, FIELD(field), 0, last},

static const struct setting setting_rows[] = {
#include "genetic_settings.def"
#include "method_settings.def"
};

enum { SETTINGS = sizeof setting_rows / sizeof setting_rows[0] };

bool settings_within(const char *field, double value, double low, double high, struct error *err)
{
    if (value >= low && value <= high)
        return true;
    return error_set(err, "%s is %.7g; it must be from %.7g to %.7g", field, value, low, high);
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
    if (method->check != NULL && !method->check(s, err))
        return false;
    for (const struct setting *row = setting_rows; row < setting_rows + SETTINGS; row++) {
        const void *field = (const char *)s + row->field;
        const char *dot = strrchr(row->path, '.');
        if ((row->kinds == 0 || (row->kinds >> s->kind & 1) != 0) &&
            !settings_within(dot == NULL ? row->path : dot + 1,
                             row->is_real ? *(const double *)field : *(const int *)field, row->low,
                             row->high, err))
            return false;
    }
    return true;
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

/* Draws a child of two seeds, which may be the same seed. */
static void draw_child(struct optimiser *o, int index)
{
    struct stream s;
    stream_init(&s, o->seed, STREAM_SELECTION, 0, (uint64_t)index);
    const uint64_t *first = o->organisms[stream_below(&s, (uint64_t)o->seed_count)].chromosome;
    const uint64_t *second = o->organisms[stream_below(&s, (uint64_t)o->seed_count)].chromosome;
    genetic_child(o, first, second, 0, index, o->organisms[index].chromosome);
}

void optimiser_seed(struct optimiser *o, const uint64_t *seeds, int count)
{
    assert(0 <= count && count <= o->population && o->generation == 0);
    const int words = o->genome->words, defaults = initial_population_defaults(&o->settings, count);
    const uint64_t rate32 = probability_fixed(o->settings.variation.mutation_rate);
    o->seed_count = count + (defaults > 0);
    for (int i = 0; i < o->population; i++) {
        uint64_t *c = o->organisms[i].chromosome;
        struct stream s;
        if (i < count) {
            chromosome_copy(c, seeds + (size_t)i * (size_t)words, words);
        } else if (i < count + defaults) {
            genome_encode(o->genome, NULL, c);
            stream_init(&s, o->seed, STREAM_MUTATION, 0, (uint64_t)i);
            chromosome_mutate(c, o->genome, i == count ? 0 : rate32, &s);
        } else if (o->seed_count > 0 && o->settings.fill == FILL_OFFSPRING) {
            draw_child(o, i);
        } else {
            draw_random(o, 0, i);
        }
        o->organisms[i].fitness = 0;
    }
}

/* ---- life cycle ---- */

/* A piece of an optimiser's memory. */
struct optimiser_block {
    struct optimiser_block *next;
    uint64_t memory[];
};

void *optimiser_array(struct optimiser *o, size_t count, size_t size)
{
    struct optimiser_block *b = calloc(1, sizeof *b + count * size);
    if (b == NULL) {
        o->short_of_memory = true;
        return NULL;
    }
    b->next = o->memory;
    o->memory = b;
    return b->memory;
}

bool optimiser_create(struct optimiser *o, const struct genome *genome,
                      const struct optimiser_settings *settings, uint64_t seed, struct error *err)
{
    *o = (struct optimiser){.genome = genome, .settings = *settings, .seed = seed};
    if (!optimiser_check(settings, err) || !optimiser_fits(settings, genome, err))
        return false;
    const struct optimiser_method *m = o->method = methods[settings->kind];
    o->population = settings->population;
    if (m->place != NULL && !box_create(&o->box, o->genome, err))
        return false;
    o->organisms = population_create(o->genome, o->population);
    o->point = optimiser_array(o, (size_t)o->box.count, sizeof *o->point);
    o->state = optimiser_array(o, 1, m->state);
    if (o->state != NULL && m->create != NULL)
        m->create(o);
    if (o->organisms == NULL || o->short_of_memory)
        return error_set(err, "no memory for %s with a population of %d", m->name, o->population);
    optimiser_seed(o, NULL, 0);
    return true;
}

void optimiser_destroy(struct optimiser *o)
{
    if (o == NULL)
        return;
    for (struct optimiser_block *b = o->memory, *next; b != NULL; b = next) {
        next = b->next;
        free(b);
    }
    box_destroy(&o->box);
    free(o->organisms);
    *o = (struct optimiser){0};
}

/* ---- a step ---- */

void optimiser_step(struct optimiser *o)
{
    const struct optimiser_method *m = o->method;
    void (*const take)(struct optimiser *) =
        o->generation == 0 && m->begin != NULL ? m->begin : m->learn;
    const int count = o->genome->length > 0 ? o->population : 0;
    if (count > 0 && take != NULL)
        take(o);
    for (int i = 0; i < count; i++)
        if (m->place != NULL) {
            m->place(o, i, o->point);
            box_encode(&o->box, o->point, o->organisms[i].chromosome);
        } else {
            m->propose(o, i);
        }
    for (int i = 0; i < o->population; i++)
        o->organisms[i].fitness = 0;
    o->generation++;
}

struct population_stats optimiser_statistics(const struct optimiser *o)
{
    int best = population_best(o->organisms, o->population);
    if (o->method->champion != NULL)
        best = o->method->champion(o, best);
    return (struct population_stats){
        .best = best,
        .best_fitness = o->organisms[best].fitness,
        .diversity = population_diversity(o->genome, o->organisms, o->population)};
}
