/* Gradient descent by finite differences, for fitness that has no known derivative. It perturbs
 * each parameter in turn, as Bjoernsson and Marsland (2003) tune search extensions, and moves all
 * of them along the slopes (steepest descent with a line search).
 *
 * The base starts at the best organism of generation 0. The steps repeat:
 *
 *   1  A sweep measures the base with each coordinate changed by the perturbation, or by a little more
 *      than one cell if that is more. It takes as many generations as needed. The rest of the last generation
 *      measures changes in the opposite direction, which makes the slopes central differences.
 *   2  The slopes give a direction, scaled so that its largest coordinate is 1. If all slopes are
 *      0, its coordinates are random signs.
 *   3  A line search measures one generation of points from the base in that direction. Their
 *      distances are a geometric series from `step` down to one cell.
 *   4  The best point of steps 1 and 3 becomes the base if it is fitter than the base. If no point
 *      is, the perturbation is halved. Below a hundredth of its initial value it is reset.
 *
 * The scale of fitness does not matter, because slopes are only compared with each other. */
#include "methods.h"

#include <math.h>
#include <string.h>

/* The smallest change, in cells: one cell below the upper bound is still the last cell. */
#define LEAST_CELLS 1.01

struct descent {
    double *base, *best;     /* the base, and the best point since */
    double *direction;       /* of the line */
    int64_t *ahead, *behind; /* fitness with coordinate i changed, and changed the other way */
    bool *central;           /* behind[i] is valid */
    int64_t base_fitness, best_fitness;
    double perturbation;
    bool line; /* the current generation is a line, and no sweep */
    int first; /* place of its first organism in the sweep */
};

static void create(struct optimiser *o)
{
    struct descent *d = o->state;
    const size_t n = (size_t)o->box.count;
    d->base = optimiser_array(o, n, sizeof *d->base);
    d->best = optimiser_array(o, n, sizeof *d->best);
    d->direction = optimiser_array(o, n, sizeof *d->direction);
    d->ahead = optimiser_array(o, n, sizeof *d->ahead);
    d->behind = optimiser_array(o, n, sizeof *d->behind);
    d->central = optimiser_array(o, n, sizeof *d->central);
}

/* ---- the points ---- */

/* Coordinate i after its first change (way 1), up unless that leaves the box, or the opposite (-1). */
static double changed(const struct optimiser *o, int i, int way)
{
    const struct descent *d = o->state;
    const double by = fmin(1, fmax(d->perturbation, LEAST_CELLS * box_cell(&o->box, i)));
    return clamp(d->base[i] + (d->base[i] + by <= 1 ? way : -way) * by, 0, 1);
}

/* A sweep changes each coordinate one way, then each the other way, and repeats. */
static void place(struct optimiser *o, int index, double *point)
{
    const struct descent *d = o->state;
    const int n = o->box.count, nth = d->first + index;
    const double step = o->settings.gradient_descent.step;
    double least = 1;
    if (!d->line) {
        memcpy(point, d->base, (size_t)n * sizeof *point);
        point[nth % n] = changed(o, nth % n, nth / n % 2 == 0 ? 1 : -1);
        return;
    }
    for (int i = 0; i < n; i++)
        least = fmin(least, box_cell(&o->box, i));
    const double share = (double)index / (o->population - 1);
    const double distance = step * pow(fmin(1, least / step), share);
    for (int i = 0; i < n; i++)
        point[i] = clamp(d->base[i] + distance * d->direction[i], 0, 1);
}

/* ---- evaluation of a generation ---- */

/* Records the fitness of one organism, and updates the best point. */
static void note(struct optimiser *o, struct descent *d, int index)
{
    const int n = o->box.count, nth = d->first + index;
    const int64_t fitness = o->organisms[index].fitness;
    if (!d->line && nth < n) {
        d->ahead[nth] = fitness;
    } else if (!d->line && nth < 2 * n) {
        d->behind[nth - n] = fitness;
        d->central[nth - n] = true;
    }
    if (fitness > d->best_fitness) {
        place(o, index, d->best);
        d->best_fitness = fitness;
    }
}

static void begin_sweep(const struct optimiser *o, struct descent *d)
{
    memcpy(d->base, d->best, (size_t)o->box.count * sizeof *d->base);
    memset(d->central, 0, (size_t)o->box.count * sizeof *d->central);
    d->base_fitness = d->best_fitness;
    d->line = false;
    d->first = 0;
}

static void begin(struct optimiser *o)
{
    struct descent *d = o->state;
    const struct organism *best = &o->organisms[population_best(o->organisms, o->population)];
    box_decode(&o->box, best->chromosome, d->best);
    d->best_fitness = best->fitness;
    d->perturbation = o->settings.gradient_descent.perturbation;
    begin_sweep(o, d);
}

/* Evaluates the current generation and chooses what the next is. */
static void learn(struct optimiser *o)
{
    struct descent *d = o->state;
    const double initial = o->settings.gradient_descent.perturbation;
    for (int i = 0; i < o->population; i++)
        note(o, d, i);
    if (d->line) { /* step 4 */
        if (d->best_fitness <= d->base_fitness)
            d->perturbation /= 2;
        if (d->perturbation < initial / 100)
            d->perturbation = initial;
        begin_sweep(o, d);
    } else if (d->first + o->population < o->box.count) {
        d->first += o->population;
    } else {
        /* Step 2. */
        struct stream s;
        double steepest = 0;
        for (int i = 0; i < o->box.count; i++) {
            int64_t other = d->central[i] ? d->behind[i] : d->base_fitness;
            double apart = changed(o, i, 1) - (d->central[i] ? changed(o, i, -1) : d->base[i]);
            d->direction[i] = ((double)d->ahead[i] - (double)other) / apart;
            steepest = fmax(steepest, fabs(d->direction[i]));
        }
        proposal_stream(o, &s, 0);
        for (int i = 0; i < o->box.count; i++)
            if (steepest > 0)
                d->direction[i] /= steepest;
            else
                d->direction[i] = stream_below(&s, 2) == 0 ? -1 : 1;
        d->line = true;
    }
}

const struct optimiser_method gradient_descent_method = {.name = "gradient-descent",
                                                         .across_generations = true,
                                                         .state = sizeof(struct descent),
                                                         .create = create,
                                                         .begin = begin,
                                                         .learn = learn,
                                                         .place = place};
