#include "evolution.h"

#include "operators.h"
#include "settings.h"

#include <assert.h>
#include <stdlib.h>

/* ---- settings ---- */

struct evolution_settings evolution_paper_settings(void)
{
    return (struct evolution_settings){.population = 100,
                                       .elitism = 1,
                                       .selection = SELECTION_PROPORTIONAL,
                                       .tournament = 2,
                                       .rank_pressure = 2,
                                       .crossover = CROSSOVER_UNIFORM,
                                       .crossover_rate = 0.75,
                                       .mutation_rate = 0.005};
}

bool evolution_check(const struct evolution_settings *s, struct error *err)
{
    return settings_whole("population", s->population, 2, POPULATION_MAX, err) &&
           settings_whole("elitism", s->elitism, 0, s->population - 1, err) &&
           settings_whole("selection", (int)s->selection, 0, SELECTION_TOURNAMENT, err) &&
           settings_whole("tournament", s->tournament, 1, POPULATION_MAX, err) &&
           settings_real("rank_pressure", s->rank_pressure, 1, 2, err) &&
           settings_whole("crossover", (int)s->crossover, 0, CROSSOVER_LINE, err) &&
           settings_real("crossover_rate", s->crossover_rate, 0, 1, err) &&
           settings_real("mutation_rate", s->mutation_rate, 0, 1, err);
}

/* ---- life cycle ---- */

/* Draws generation 0, each organism from the stream of its own index. */
static void draw_population(struct evolution *e)
{
    for (int i = 0; i < e->settings.population; i++) {
        struct stream s;
        stream_init(&s, e->seed, STREAM_INITIAL, 0, (uint64_t)i);
        chromosome_random(&e->organisms[i].chromosome, e->genome, &s);
    }
}

bool evolution_create(struct evolution *e, const struct genome *genome,
                      const struct evolution_settings *settings, uint64_t seed, struct error *err)
{
    *e = (struct evolution){.genome = genome, .settings = *settings, .seed = seed};
    if (!evolution_check(settings, err))
        return false;
    size_t count = (size_t)settings->population;
    e->organisms = calloc(count, sizeof *e->organisms);
    e->offspring = calloc(count, sizeof *e->offspring);
    e->ranking = calloc(count, sizeof *e->ranking);
    e->wheel = calloc(count, sizeof *e->wheel);
    if (e->organisms == NULL || e->offspring == NULL || e->ranking == NULL || e->wheel == NULL) {
        evolution_destroy(e);
        return error_set(err, "no memory for a population of %zu", count);
    }
    draw_population(e);
    return true;
}

void evolution_destroy(struct evolution *e)
{
    if (e == NULL)
        return;
    free(e->organisms);
    free(e->offspring);
    free(e->ranking);
    free(e->wheel);
    *e = (struct evolution){0};
}

/* ---- a step ---- */

/* Makes ready what the draws of a whole step share. */
static void prepare_selection(struct evolution *e)
{
    int count = e->settings.population;
    ranking_sort(e->ranking, e->organisms, count);
    if (e->settings.selection == SELECTION_PROPORTIONAL)
        wheel_proportional(e->wheel, e->organisms, count);
    else if (e->settings.selection == SELECTION_RANK)
        wheel_rank(e->wheel, e->ranking, count, e->settings.rank_pressure);
}

/* Draws one parent. */
static const struct chromosome *draw_parent(const struct evolution *e, struct stream *s)
{
    int count = e->settings.population;
    int parent = e->settings.selection == SELECTION_TOURNAMENT
                     ? tournament_draw(e->organisms, count, e->settings.tournament, s)
                     : wheel_draw(e->wheel, count, s);
    return &e->organisms[parent].chromosome;
}

/* The probabilities of variation as fixed-point numbers. */
struct rates {
    uint64_t crossover, mutation;
};

static struct rates rates_of(const struct evolution_settings *s)
{
    return (struct rates){.crossover = probability_fixed(s->crossover_rate),
                          .mutation = probability_fixed(s->mutation_rate)};
}

/* Steps 3 and 4: a child of two parents, each operator on the stream of the child. */
static struct chromosome vary(const struct evolution *e, const struct chromosome *first,
                              const struct chromosome *second, uint64_t generation, uint64_t index)
{
    struct rates rates = rates_of(&e->settings);
    struct chromosome child = *first;
    struct stream s;

    /* 3: crossover */
    stream_init(&s, e->seed, STREAM_CROSSOVER, generation, index);
    chromosome_cross(&child, second, e->genome, e->settings.crossover, rates.crossover, &s);

    /* 4: mutation */
    stream_init(&s, e->seed, STREAM_MUTATION, generation, index);
    chromosome_mutate(&child, e->genome, rates.mutation, &s);
    return child;
}

/* Steps 2 to 4 for one child. */
static struct chromosome breed(const struct evolution *e, int index)
{
    uint64_t generation = (uint64_t)e->generation + 1;
    struct stream s;

    /* 2: selection */
    stream_init(&s, e->seed, STREAM_SELECTION, generation, (uint64_t)index);
    const struct chromosome *first = draw_parent(e, &s), *second = draw_parent(e, &s);
    return vary(e, first, second, generation, (uint64_t)index);
}

/* The offspring become the present generation, the old one the scratch of the next step. */
static void succeed(struct evolution *e)
{
    struct organism *parents = e->organisms;
    e->organisms = e->offspring;
    e->offspring = parents;
    e->generation++;
}

void evolution_step(struct evolution *e)
{
    const struct evolution_settings *s = &e->settings;
    prepare_selection(e);

    /* 1: elitism */
    for (int i = 0; i < s->elitism; i++)
        e->offspring[i] = (struct organism){e->organisms[e->ranking[i].index].chromosome, 0};

    /* 2 to 4: children */
    for (int i = s->elitism; i < s->population; i++)
        e->offspring[i] = (struct organism){breed(e, i), 0};
    succeed(e);
}

/* ---- generation 0 ---- */

void evolution_seed(struct evolution *e, const struct chromosome *seeds, int count)
{
    assert(0 <= count && count <= e->settings.population && e->generation == 0);
    for (int i = 0; i < count; i++)
        e->organisms[i].chromosome = seeds[i];
    if (count == 0 || e->settings.fill == FILL_RANDOM)
        return;
    for (int i = count; i < e->settings.population; i++) {
        struct stream s;
        stream_init(&s, e->seed, STREAM_SELECTION, 0, (uint64_t)i);
        const struct chromosome *first = &seeds[stream_below(&s, (uint64_t)count)];
        const struct chromosome *second = &seeds[stream_below(&s, (uint64_t)count)];
        e->organisms[i].chromosome = vary(e, first, second, 0, (uint64_t)i);
    }
}

/* ---- statistics ---- */

struct population_stats evolution_statistics(const struct evolution *e)
{
    return population_statistics(e->genome, e->organisms, e->settings.population);
}
