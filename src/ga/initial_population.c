#include "initial_population.h"

#include "methods.h"
#include "operators.h"

#include <assert.h>

bool initial_population_check(const struct optimiser_settings *s, struct error *err)
{
    return settings_whole("population", s->population, 2, POPULATION_MAX, err) &&
           settings_whole("fill", (int)s->fill, 0, FILL_OFFSPRING, err) &&
           variation_check(&s->variation, err);
}

/* Draws a random chromosome from the stream of its index. */
static struct chromosome draw_random(const struct optimiser *o, int index)
{
    struct stream s;
    struct chromosome c;
    stream_init(&s, o->seed, STREAM_INITIAL, 0, (uint64_t)index);
    chromosome_random(&c, o->genome, &s);
    return c;
}

/* Draws a child of two seeds, which may be the same seed. */
static struct chromosome draw_child(const struct optimiser *o, const struct chromosome *seeds,
                                    int count, int index)
{
    struct stream s;
    stream_init(&s, o->seed, STREAM_SELECTION, 0, (uint64_t)index);
    const struct chromosome *first = &seeds[stream_below(&s, (uint64_t)count)];
    const struct chromosome *second = &seeds[stream_below(&s, (uint64_t)count)];
    return genetic_child(o, first, second, 0, index);
}

/* Returns organism `index`: a seed, a child of two seeds, or a random chromosome. */
static struct chromosome draw(const struct optimiser *o, const struct chromosome *seeds, int count,
                              int index)
{
    if (index < count)
        return seeds[index];
    bool offspring = count > 0 && o->settings.fill == FILL_OFFSPRING;
    return offspring ? draw_child(o, seeds, count, index) : draw_random(o, index);
}

void initial_population_draw(struct optimiser *o, const struct chromosome *seeds, int count)
{
    assert(0 <= count && count <= o->population && o->generation == 0);
    for (int i = 0; i < o->population; i++)
        o->organisms[i] = (struct organism){draw(o, seeds, count, i), 0};
    o->seed_count = count;
}
