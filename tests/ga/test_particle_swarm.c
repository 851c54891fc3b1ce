/* Particle swarm against its formulas (Kennedy and Eberhart 1995; Clerc and Kennedy 2002), written down a second
 * time. The model has the same random streams, so each particle lies where the model puts it. */
#include "real_genes.h"

enum { GENES = 4, POPULATION = 5 };

struct particle {
    double x[GENES], v[GENES], best[GENES];
    int64_t fitness;
};

/* Moves a particle by its inertia and random parts of the way to its own best position and the leader's. It
 * stops at a bound. */
static void move(struct particle *p, const struct particle *leader, struct stream *s,
                 const struct particle_swarm_settings *settings)
{
    for (int k = 0; k < GENES; k++) {
        double own = settings->attraction * gsl_rng_uniform(&s->rng);
        double all = settings->attraction * gsl_rng_uniform(&s->rng);
        p->v[k] = settings->inertia * p->v[k] + own * (p->best[k] - p->x[k]) +
                  all * (leader->best[k] - p->x[k]);
        p->v[k] = fmax(-1, fmin(1, p->v[k]));
        double x = p->x[k] + p->v[k];
        p->x[k] = fmax(0, fmin(1, x));
        p->v[k] = x == p->x[k] ? p->v[k] : 0;
    }
}

/* Remembers the first of the best positions of each particle. Returns the leader. */
static int remember(struct particle p[POPULATION], const struct optimiser *o, int leader)
{
    for (int i = 0; i < POPULATION; i++)
        if (o->organisms[i].fitness > p[i].fitness) {
            p[i].fitness = o->organisms[i].fitness;
            memcpy(p[i].best, p[i].x, sizeof p[i].best);
        }
    for (int i = 0; i < POPULATION; i++)
        leader = p[i].fitness > p[leader].fitness ? i : leader;
    return leader;
}

/* The first velocity leads halfway to a random point (Clerc 2007). */
Test(particle_swarm, moves_by_inertia_and_attraction)
{
    const struct particle_swarm_settings settings[] = {
        {0.7298, 1.4962}, {1, 0}, {0, 0.8}, {0.5, 4}};
    for (size_t n = 0; n < sizeof settings / sizeof *settings; n++) {
        struct problem p;
        struct stream s, luck;
        struct particle swarm[POPULATION];
        struct optimiser_settings all = optimiser_default_settings(OPTIMISER_PARTICLE_SWARM);
        int leader = 0;
        all.population = POPULATION;
        all.particle_swarm = settings[n];
        make_real(&p, GENES);
        stream_init(&luck, 1, STREAM_TEST, n, 0);
        struct optimiser o = start_real(&p, &all);
        for (int i = 0; i < POPULATION; i++) {
            real_point(&o, i, swarm[i].x);
            swarm[i].fitness = -1;
            stream_init(&s, o.seed, STREAM_PROPOSAL, 0, (uint64_t)i);
            for (int k = 0; k < GENES; k++)
                swarm[i].v[k] = (gsl_rng_uniform(&s.rng) - swarm[i].x[k]) / 2;
        }
        for (int t = 1; t < 40; t++) {
            measure_anyhow(&o, &luck, 8);
            leader = remember(swarm, &o, leader);
            optimiser_step(&o);
            for (int i = 0; i < POPULATION; i++) {
                stream_init(&s, o.seed, STREAM_PROPOSAL, (uint64_t)t, (uint64_t)i);
                move(&swarm[i], &swarm[leader], &s, &settings[n]);
                expect_real(&o, i, swarm[i].x);
            }
        }
        optimiser_destroy(&o);
    }
}
