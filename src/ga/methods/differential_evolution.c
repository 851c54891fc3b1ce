/* Differential evolution, rand/1/bin (Storn and Price 1997).
 *
 * The state is the targets, one for each index of the population. The organisms after generation 0
 * are their trials.
 *
 *   1  Selection: a trial replaces its target if it is no worse.
 *   2  Mutation: the mutant of target i is a + F (b - c), where a, b and c are three other,
 *      different targets.
 *   3  A coordinate beyond a bound is replaced by a random one between a and that bound (Price,
 *      Storn and Lampinen 2005).
 *   4  Crossover: the trial takes each coordinate from the mutant with probability CR, and one
 *      random coordinate always. The others are those of the target. */
#include "methods.h"

#include "box.h"
#include "optimiser.h"

#include <stdlib.h>
#include <string.h>

struct targets {
    struct box box;
    double *points, *trials; /* a row of coordinates for each organism */
    int64_t *fitness;        /* of the targets */
};

static bool create(struct optimiser *o, struct error *err)
{
    struct targets *t = calloc(1, sizeof *t);
    o->state = t;
    if (t == NULL)
        return error_set(err, "no memory for differential evolution");
    if (!box_create(&t->box, o->genome, err))
        return false;
    size_t count = (size_t)o->population, room = count * (size_t)t->box.count + 1;
    t->points = calloc(room, sizeof *t->points);
    t->trials = calloc(room, sizeof *t->trials);
    t->fitness = calloc(count, sizeof *t->fitness);
    return (t->points != NULL && t->trials != NULL && t->fitness != NULL) ||
           error_set(err, "no memory for a population of %zu", count);
}

static void destroy(struct optimiser *o)
{
    struct targets *t = o->state;
    box_destroy(&t->box);
    free(t->points);
    free(t->trials);
    free(t->fitness);
    free(t);
}

/* Step 1. The organisms of generation 0 are the first targets. */
static void select_targets(const struct optimiser *o, struct targets *t)
{
    for (int i = 0; i < o->population; i++) {
        if (o->generation == 0)
            box_decode(&t->box, o->organisms[i].chromosome, box_row(&t->box, t->trials, i));
        else if (o->organisms[i].fitness < t->fitness[i])
            continue;
        memcpy(box_row(&t->box, t->points, i), box_row(&t->box, t->trials, i),
               (size_t)t->box.count * sizeof(double));
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

/* Steps 2 to 4 for one target. */
static void make_trial(const struct optimiser *o, struct targets *t, int i)
{
    struct stream s;
    int others[3];
    const struct differential_evolution_settings *settings = &o->settings.differential_evolution;
    stream_init(&s, o->seed, STREAM_PROPOSAL, (uint64_t)o->generation + 1, (uint64_t)i);
    draw_others(o->population, i, &s, others);
    const double *target = box_row(&t->box, t->points, i),
                 *a = box_row(&t->box, t->points, others[0]);
    const double *b = box_row(&t->box, t->points, others[1]),
                 *c = box_row(&t->box, t->points, others[2]);
    double *trial = box_row(&t->box, t->trials, i);
    int always = (int)stream_below(&s, (uint64_t)t->box.count);
    for (int k = 0; k < t->box.count; k++) {
        double mutant = a[k] + settings->weight * (b[k] - c[k]);
        double chance = stream_unit(&s), landing = stream_unit(&s);
        if (mutant < 0 || mutant > 1)
            mutant = a[k] + landing * ((mutant > 1) - a[k]);
        trial[k] = k == always || chance < settings->crossover ? mutant : target[k];
    }
}

static void step(struct optimiser *o)
{
    struct targets *t = o->state;
    select_targets(o, t);
    for (int i = 0; i < o->population; i++)
        make_trial(o, t, i);
    for (int i = 0; i < o->population; i++)
        box_encode(&t->box, box_row(&t->box, t->trials, i), o->organisms[i].chromosome);
}

const struct optimiser_method differential_evolution_method = {.name = "differential-evolution",
                                                               .fewest = 4,
                                                               .converges = true,
                                                               .across_generations = true,
                                                               .draws_parents = true,
                                                               .create = create,
                                                               .step = step,
                                                               .destroy = destroy};
