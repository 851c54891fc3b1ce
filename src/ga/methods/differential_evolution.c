/* Differential evolution, rand/1/bin (Storn and Price 1997).
 *
 * The state is the targets, one for each index of the population. The organisms after generation 0 are their trials.
 *
 *   1  Selection: a trial replaces its target if it is no worse.
 *   2  Mutation: the mutant of target i is a + F (b - c), where a, b and c are three other,
 *      different targets.
 *   3  A coordinate beyond a bound is replaced by a random one between a and that bound (Price,
 *      Storn and Lampinen 2005).
 *   4  Crossover: the trial takes each coordinate from the mutant with probability CR, and one
 *      random coordinate always. The others are those of the target. */
#include "methods.h"

#include <string.h>

struct targets {
    double *points, *trials; /* a row of coordinates for each organism */
    int64_t *fitness;        /* of the targets */
};

static void create(struct optimiser *o)
{
    struct targets *t = o->state;
    const size_t count = (size_t)o->population, room = count * (size_t)o->box.count;
    t->points = optimiser_array(o, room, sizeof *t->points);
    t->trials = optimiser_array(o, room, sizeof *t->trials);
    t->fitness = optimiser_array(o, count, sizeof *t->fitness);
}

/* Step 1. The organisms of generation 0 are the first targets. */
static void learn(struct optimiser *o)
{
    struct targets *t = o->state;
    for (int i = 0; i < o->population; i++) {
        if (o->generation == 0)
            box_decode(&o->box, o->organisms[i].chromosome, box_row(&o->box, t->trials, i));
        else if (o->organisms[i].fitness < t->fitness[i])
            continue;
        memcpy(box_row(&o->box, t->points, i), box_row(&o->box, t->trials, i),
               (size_t)o->box.count * sizeof(double));
        t->fitness[i] = o->organisms[i].fitness;
    }
}

/* Draws three different organisms other than i. */
static void draw_others(int count, int i, struct stream *s, int others[3])
{
    for (int k = 0; k < 3;) {
        int other = (int)stream_below(s, (uint64_t)count);
        bool taken = other == i;
        for (int j = 0; j < k; j++)
            taken = taken || others[j] == other;
        others[k] = other;
        k += !taken;
    }
}

/* Steps 2 to 4. */
static void place(struct optimiser *o, int i, double *point)
{
    struct stream s;
    int others[3];
    const struct differential_evolution_settings *settings = &o->settings.differential_evolution;
    struct targets *t = o->state;
    proposal_stream(o, &s, i);
    draw_others(o->population, i, &s, others);
    const double *target = box_row(&o->box, t->points, i),
                 *a = box_row(&o->box, t->points, others[0]),
                 *b = box_row(&o->box, t->points, others[1]),
                 *c = box_row(&o->box, t->points, others[2]);
    double *trial = box_row(&o->box, t->trials, i);
    int always = (int)stream_below(&s, (uint64_t)o->box.count);
    for (int k = 0; k < o->box.count; k++) {
        double mutant = a[k] + settings->weight * (b[k] - c[k]);
        double chance = stream_unit(&s), landing = stream_unit(&s);
        if (mutant < 0 || mutant > 1)
            mutant = a[k] + landing * ((mutant > 1) - a[k]);
        point[k] = trial[k] = k == always || chance < settings->crossover ? mutant : target[k];
    }
}

const struct optimiser_method differential_evolution_method = {.name = "differential-evolution",
                                                               .fewest = 4,
                                                               .converges = true,
                                                               .across_generations = true,
                                                               .draws_parents = true,
                                                               .state = sizeof(struct targets),
                                                               .create = create,
                                                               .learn = learn,
                                                               .place = place};
