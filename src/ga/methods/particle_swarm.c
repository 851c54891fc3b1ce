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

#include "box.h"
#include "optimiser.h"

#include <stdlib.h>
#include <string.h>

struct swarm {
    struct box box;
    double *places, *velocities, *best; /* a row of coordinates for each particle */
    int64_t *fitness;                   /* of each particle's best position */
    int leader;                         /* the particle with the best position of all */
};

static bool create(struct optimiser *o, struct error *err)
{
    struct swarm *w = calloc(1, sizeof *w);
    o->state = w;
    if (w == NULL)
        return error_set(err, "no memory for a particle swarm");
    if (!box_create(&w->box, o->genome, err))
        return false;
    size_t count = (size_t)o->population, room = count * (size_t)w->box.count + 1;
    w->places = calloc(room, sizeof *w->places);
    w->velocities = calloc(room, sizeof *w->velocities);
    w->best = calloc(room, sizeof *w->best);
    w->fitness = calloc(count, sizeof *w->fitness);
    return (w->places != NULL && w->velocities != NULL && w->best != NULL && w->fitness != NULL) ||
           error_set(err, "no memory for a swarm of %zu", count);
}

static void destroy(struct optimiser *o)
{
    struct swarm *w = o->state;
    box_destroy(&w->box);
    free(w->places);
    free(w->velocities);
    free(w->best);
    free(w->fitness);
    free(w);
}

/* Sets the position and velocity of particle i of generation 0. */
static void begin(const struct optimiser *o, struct swarm *w, int i)
{
    struct stream s;
    double *x = box_row(&w->box, w->places, i), *v = box_row(&w->box, w->velocities, i);
    stream_init(&s, o->seed, STREAM_PROPOSAL, 0, (uint64_t)i);
    box_decode(&w->box, o->organisms[i].chromosome, x);
    for (int k = 0; k < w->box.count; k++)
        v[k] = (stream_unit(&s) - x[k]) / 2;
    w->fitness[i] = -1;
}

/* Step 1. */
static void remember(const struct optimiser *o, struct swarm *w)
{
    for (int i = 0; i < o->population; i++)
        if (o->organisms[i].fitness > w->fitness[i]) {
            memcpy(box_row(&w->box, w->best, i), box_row(&w->box, w->places, i),
                   (size_t)w->box.count * sizeof *w->best);
            w->fitness[i] = o->organisms[i].fitness;
        }
    for (int i = 0; i < o->population; i++)
        if (w->fitness[i] > w->fitness[w->leader])
            w->leader = i;
}

/* Steps 2 and 3 for one particle. */
static void move(const struct optimiser *o, struct swarm *w, int i)
{
    struct stream s;
    const struct particle_swarm_settings *settings = &o->settings.particle_swarm;
    double *x = box_row(&w->box, w->places, i), *v = box_row(&w->box, w->velocities, i);
    const double *own = box_row(&w->box, w->best, i), *all = box_row(&w->box, w->best, w->leader);
    stream_init(&s, o->seed, STREAM_PROPOSAL, (uint64_t)o->generation + 1, (uint64_t)i);
    for (int k = 0; k < w->box.count; k++) {
        double to_own = settings->attraction * stream_unit(&s) * (own[k] - x[k]);
        double to_all = settings->attraction * stream_unit(&s) * (all[k] - x[k]);
        v[k] = clamp(settings->inertia * v[k] + to_own + to_all, -1, 1);
        x[k] += v[k];
        if (x[k] < 0 || x[k] > 1) {
            x[k] = clamp(x[k], 0, 1);
            v[k] = 0;
        }
    }
}

static void step(struct optimiser *o)
{
    struct swarm *w = o->state;
    for (int i = 0; i < o->population && o->generation == 0; i++)
        begin(o, w, i);
    remember(o, w);
    for (int i = 0; i < o->population; i++) {
        move(o, w, i);
        box_encode(&w->box, box_row(&w->box, w->places, i), o->organisms[i].chromosome);
    }
}

const struct optimiser_method particle_swarm_method = {.name = "particle-swarm",
                                                       .fewest = 2,
                                                       .converges = true,
                                                       .across_generations = true,
                                                       .draws_parents = true,
                                                       .create = create,
                                                       .step = step,
                                                       .destroy = destroy};
