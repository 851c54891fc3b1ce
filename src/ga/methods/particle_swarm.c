/* Particle swarm optimisation with a global best (Kennedy and Eberhart 1995). It uses the
 * constriction of Clerc and Kennedy (2002), expressed as inertia and attraction (Eberhart and Shi
 * 2000).
 *
 *   1  Each particle remembers its best position, and the swarm the best position of all.
 *   2  The new velocity is the old one times the inertia, plus a random fraction of the attraction
 *      to each of these two positions. Each coordinate draws its own fractions. A velocity is at
 *      most the whole range of a coordinate.
 *   3  The particle moves. It stops at the bounds, where that coordinate's velocity becomes 0.
 *
 * The first velocity of a particle leads halfway to a random point (Clerc 2007). */
#include "methods.h"

#include <string.h>

struct swarm {
    double *places, *velocities, *best; /* a row of coordinates for each particle */
    int64_t *fitness;                   /* of each particle's best position */
    int leader;                         /* the particle with the best position of all */
};

static void create(struct optimiser *o)
{
    struct swarm *w = o->state;
    const size_t count = (size_t)o->population, room = count * (size_t)o->box.count;
    w->places = optimiser_array(o, room, sizeof *w->places);
    w->velocities = optimiser_array(o, room, sizeof *w->velocities);
    w->best = optimiser_array(o, room, sizeof *w->best);
    w->fitness = optimiser_array(o, count, sizeof *w->fitness);
}

/* Step 1. */
static void learn(struct optimiser *o)
{
    struct swarm *w = o->state;
    for (int i = 0; i < o->population; i++)
        if (o->organisms[i].fitness > w->fitness[i]) {
            memcpy(box_row(&o->box, w->best, i), box_row(&o->box, w->places, i),
                   (size_t)o->box.count * sizeof *w->best);
            w->fitness[i] = o->organisms[i].fitness;
        }
    for (int i = 0; i < o->population; i++)
        if (w->fitness[i] > w->fitness[w->leader])
            w->leader = i;
}

static void begin(struct optimiser *o)
{
    struct swarm *w = o->state;
    for (int i = 0; i < o->population; i++) {
        struct stream s;
        double *x = box_row(&o->box, w->places, i), *v = box_row(&o->box, w->velocities, i);
        stream_init(&s, o->seed, STREAM_PROPOSAL, 0, (uint64_t)i);
        box_decode(&o->box, o->organisms[i].chromosome, x);
        for (int k = 0; k < o->box.count; k++)
            v[k] = (stream_unit(&s) - x[k]) / 2;
        w->fitness[i] = -1;
    }
    learn(o);
}

/* Steps 2 and 3. */
static void place(struct optimiser *o, int i, double *point)
{
    struct stream s;
    const struct particle_swarm_settings *settings = &o->settings.particle_swarm;
    struct swarm *w = o->state;
    double *x = box_row(&o->box, w->places, i), *v = box_row(&o->box, w->velocities, i);
    const double *own = box_row(&o->box, w->best, i), *all = box_row(&o->box, w->best, w->leader);
    proposal_stream(o, &s, i);
    for (int k = 0; k < o->box.count; k++) {
        double to_own = settings->attraction * stream_unit(&s) * (own[k] - x[k]);
        double to_all = settings->attraction * stream_unit(&s) * (all[k] - x[k]);
        v[k] = clamp(settings->inertia * v[k] + to_own + to_all, -1, 1);
        x[k] += v[k];
        if (x[k] < 0 || x[k] > 1) {
            x[k] = clamp(x[k], 0, 1);
            v[k] = 0;
        }
        point[k] = x[k];
    }
}

const struct optimiser_method particle_swarm_method = {.name = "particle-swarm",
                                                       .converges = true,
                                                       .across_generations = true,
                                                       .draws_parents = true,
                                                       .state = sizeof(struct swarm),
                                                       .create = create,
                                                       .begin = begin,
                                                       .learn = learn,
                                                       .place = place};
