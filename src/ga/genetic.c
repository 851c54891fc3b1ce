/* The genetic algorithm as a method among others. A population and its fitness are all that its
 * next generation depends on (evolution.h). */
#include "methods.h"

#include <stdlib.h>
#include <string.h>

/* The state is an evolution, whose organisms are those of the optimiser during a step. */
static bool create(struct optimiser *o, struct error *err)
{
    struct evolution *e = calloc(1, sizeof *e);
    o->state = e;
    if (e == NULL)
        return error_set(err, "no memory for a genetic algorithm");
    return evolution_create(e, o->genome, &o->ga, o->seed, err);
}

static void destroy(struct optimiser *o)
{
    evolution_destroy(o->state);
    free(o->state);
}

static void step(struct optimiser *o)
{
    struct evolution *e = o->state;
    size_t size = (size_t)o->population * sizeof *o->organisms;
    e->generation = o->generation;
    memcpy(e->organisms, o->organisms, size);
    evolution_step(e);
    memcpy(o->organisms, e->organisms, size);
}

const struct optimiser_method genetic_method = {
    .name = "genetic", .fewest = 2, .create = create, .step = step, .destroy = destroy};
