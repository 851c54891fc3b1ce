/* The generational genetic algorithm of david-2014 (section III-B).
 *
 * A step:
 *   1  Elitism: copy the best organisms, best first. Equal organisms are in index order
 *      (De Jong 1975).
 *   2  Selection: draw two parents for each further child. The draws are independent, so both may
 *      be the same organism. Selection is fitness-proportional (Holland 1975), perhaps with sigma
 *      truncation (Goldberg 1989), by linear ranking (Baker 1985) or by tournament (Brindle 1981).
 *   3  Crossover: a pair has one child. With the probability of the crossover rate the child mixes
 *      both parents, otherwise it is a copy of the first. Uniform (Syswerda 1989), one-point
 *      (Holland 1975) and two-point (De Jong 1975) crossover mix bits. Discrete, intermediate and
 *      line crossover (Muehlenbein and Schlierkamp-Voosen 1993) mix genes.
 *   4  Mutation: flip each bit with the probability of the mutation rate (Holland 1975).
 *
 * Child i of generation g draws from the streams STREAM_SELECTION, STREAM_CROSSOVER and STREAM_MUTATION named (seed,
 * g, i). The next generation depends only on the current one and its fitness. */
#include "methods.h"

#include "operators.h"

#include <string.h>

struct breeding {
    uint64_t *parents;    /* the chromosomes of the generation that was measured, a row each */
    struct rank *ranking; /* of it */
    uint64_t *wheel;      /* the selection wheel (operators.h) */
};

static bool check(const struct optimiser_settings *s, struct error *err)
{
    return settings_within("elitism", s->genetic.elitism, 0, s->population - 1, err);
}

static void create(struct optimiser *o)
{
    struct breeding *b = o->state;
    const size_t count = (size_t)o->population;
    b->parents = optimiser_array(o, 1, genome_bytes(o->genome, count));
    b->ranking = optimiser_array(o, count, sizeof *b->ranking);
    b->wheel = optimiser_array(o, count, sizeof *b->wheel);
}

/* Prepares the ranking and the wheel, which all draws of a step share. */
static void learn(struct optimiser *o)
{
    struct breeding *b = o->state;
    const struct genetic_settings *g = &o->settings.genetic;
    memcpy(b->parents, o->organisms[0].chromosome, genome_bytes(o->genome, (size_t)o->population));
    ranking_sort(b->ranking, o->organisms, o->population);
    if (g->selection == SELECTION_PROPORTIONAL && g->truncation > 0)
        wheel_truncated(b->wheel, o->organisms, o->population, g->truncation);
    else if (g->selection == SELECTION_PROPORTIONAL)
        wheel_proportional(b->wheel, o->organisms, o->population);
    else if (g->selection == SELECTION_RANK)
        wheel_rank(b->wheel, b->ranking, o->population, g->rank_pressure);
}

static const uint64_t *draw_parent(const struct optimiser *o, struct stream *s)
{
    const struct genetic_settings *g = &o->settings.genetic;
    const struct breeding *b = o->state;
    int parent = g->selection == SELECTION_TOURNAMENT
                     ? tournament_draw(o->organisms, o->population, g->tournament, s)
                     : wheel_draw(b->wheel, o->population, s);
    return genome_row(o->genome, b->parents, parent);
}

void genetic_child(const struct optimiser *o, const uint64_t *first, const uint64_t *second,
                   int generation, int index, uint64_t *child)
{
    const struct variation_settings *v = &o->settings.variation;
    struct stream s;
    chromosome_copy(child, first, o->genome->words);

    /* 3: crossover */
    stream_init(&s, o->seed, STREAM_CROSSOVER, (uint64_t)generation, (uint64_t)index);
    chromosome_cross(child, second, o->genome, v->crossover, probability_fixed(v->crossover_rate),
                     &s);

    /* 4: mutation */
    stream_init(&s, o->seed, STREAM_MUTATION, (uint64_t)generation, (uint64_t)index);
    chromosome_mutate(child, o->genome, probability_fixed(v->mutation_rate), &s);
}

static void propose(struct optimiser *o, int index)
{
    const struct breeding *b = o->state;
    const int generation = o->generation + 1;
    uint64_t *child = o->organisms[index].chromosome;
    struct stream s;

    /* 1: elitism */
    if (index < o->settings.genetic.elitism) {
        chromosome_copy(child, genome_row(o->genome, b->parents, b->ranking[index].index),
                        o->genome->words);
        return;
    }

    /* 2: selection */
    stream_init(&s, o->seed, STREAM_SELECTION, (uint64_t)generation, (uint64_t)index);
    const uint64_t *first = draw_parent(o, &s), *second = draw_parent(o, &s);
    genetic_child(o, first, second, generation, index, child);
}

const struct optimiser_method genetic_method = {.name = "genetic",
                                                .converges = true,
                                                .draws_parents = true,
                                                .state = sizeof(struct breeding),
                                                .check = check,
                                                .create = create,
                                                .learn = learn,
                                                .propose = propose};
