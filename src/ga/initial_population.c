#include "initial_population.h"

#include "methods.h"
#include "operators.h"

#include <assert.h>
#include <math.h>

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

void initial_population_draw(struct optimiser *o, const uint64_t *seeds, int count)
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
