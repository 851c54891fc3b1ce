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

#include "box.h"
#include "optimiser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The smallest change, in cells: one cell below the upper bound is still the last cell. */
#define LEAST_CELLS 1.01

enum phase { PHASE_SWEEP, PHASE_LINE };

struct descent {
    struct box box;
    double *base, *best, *point; /* the base, the best point since, scratch */
    double *direction;           /* of the line */
    int64_t *ahead, *behind;     /* fitness with coordinate i changed, and changed the other way */
    bool *central;               /* behind[i] is valid */
    int64_t base_fitness, best_fitness;
    double perturbation;
    enum phase phase; /* of the current generation */
    int place;        /* of its first organism in the sweep */
};

static bool create(struct optimiser *o, struct error *err)
{
    struct descent *d = calloc(1, sizeof *d);
    o->state = d;
    if (d == NULL)
        return error_set(err, "no memory for gradient descent");
    if (!box_create(&d->box, o->genome, err))
        return false;
    size_t n = (size_t)d->box.count + 1;
    d->base = calloc(n, sizeof *d->base);
    d->best = calloc(n, sizeof *d->best);
    d->point = calloc(n, sizeof *d->point);
    d->direction = calloc(n, sizeof *d->direction);
    d->ahead = calloc(n, sizeof *d->ahead);
    d->behind = calloc(n, sizeof *d->behind);
    d->central = calloc(n, sizeof *d->central);
    return (d->base != NULL && d->best != NULL && d->point != NULL && d->direction != NULL &&
            d->ahead != NULL && d->behind != NULL && d->central != NULL) ||
           error_set(err, "no memory for gradient descent");
}

static void destroy(struct optimiser *o)
{
    struct descent *d = o->state;
    box_destroy(&d->box);
    free(d->base);
    free(d->best);
    free(d->point);
    free(d->direction);
    free(d->ahead);
    free(d->behind);
    free(d->central);
    free(d);
}

/* ---- the points ---- */

/* Returns the first change of coordinate i. It is positive unless that would leave the box. */
static double change(const struct descent *d, int i)
{
    double by = fmin(1, fmax(d->perturbation, LEAST_CELLS * box_cell(&d->box, i)));
    return d->base[i] + by <= 1 ? by : -by;
}

/* Returns coordinate i after the first change (way 1) or the opposite one (way -1). */
static double changed(const struct descent *d, int i, int way)
{
    return clamp(d->base[i] + way * change(d, i), 0, 1);
}

/* Writes point `place` of the sweep. The sweep changes each coordinate one way, then each the other
 * way, and repeats. */
static void sweep_point(struct descent *d, int place)
{
    int n = d->box.count, i = place % n;
    memcpy(d->point, d->base, (size_t)n * sizeof *d->point);
    d->point[i] = changed(d, i, place / n % 2 == 0 ? 1 : -1);
}

/* Writes the point of organism `index` on the line. */
static void line_point(const struct optimiser *o, struct descent *d, int index)
{
    double least = 1;
    for (int i = 0; i < d->box.count; i++)
        least = fmin(least, box_cell(&d->box, i));
    double share = (double)index / (o->population - 1);
    double distance = o->settings.gradient_descent.step *
                      pow(fmin(1, least / o->settings.gradient_descent.step), share);
    for (int i = 0; i < d->box.count; i++)
        d->point[i] = clamp(d->base[i] + distance * d->direction[i], 0, 1);
}

static void find_point(const struct optimiser *o, struct descent *d, int index)
{
    if (d->phase == PHASE_LINE)
        line_point(o, d, index);
    else
        sweep_point(d, d->place + index);
}

/* ---- evaluation of a generation ---- */

/* Records the fitness of one organism, and updates the best point. */
static void note(const struct optimiser *o, struct descent *d, int index)
{
    int n = d->box.count, place = d->place + index;
    int64_t fitness = o->organisms[index].fitness;
    if (d->phase == PHASE_SWEEP && place < n)
        d->ahead[place] = fitness;
    else if (d->phase == PHASE_SWEEP && place < 2 * n) {
        d->behind[place - n] = fitness;
        d->central[place - n] = true;
    }
    if (fitness <= d->best_fitness)
        return;
    find_point(o, d, index);
    memcpy(d->best, d->point, (size_t)n * sizeof *d->best);
    d->best_fitness = fitness;
}

/* Step 2. */
static void find_direction(const struct optimiser *o, struct descent *d)
{
    double steepest = 0;
    for (int i = 0; i < d->box.count; i++) {
        int64_t other = d->central[i] ? d->behind[i] : d->base_fitness;
        double from = d->central[i] ? changed(d, i, -1) : d->base[i];
        double apart = changed(d, i, 1) - from;
        d->direction[i] = ((double)d->ahead[i] - (double)other) / apart;
        steepest = fmax(steepest, fabs(d->direction[i]));
    }
    struct stream s;
    stream_init(&s, o->seed, STREAM_PROPOSAL, (uint64_t)o->generation + 1, 0);
    for (int i = 0; i < d->box.count; i++)
        d->direction[i] = steepest > 0               ? d->direction[i] / steepest
                          : stream_below(&s, 2) == 0 ? -1
                                                     : 1;
}

/* Starts a sweep around the best point. */
static void begin_sweep(struct descent *d)
{
    memcpy(d->base, d->best, (size_t)d->box.count * sizeof *d->base);
    memset(d->central, 0, (size_t)d->box.count * sizeof *d->central);
    d->base_fitness = d->best_fitness;
    d->phase = PHASE_SWEEP;
    d->place = 0;
}

/* Step 4. */
static void end_line(const struct optimiser *o, struct descent *d)
{
    if (d->best_fitness <= d->base_fitness)
        d->perturbation /= 2;
    if (d->perturbation < o->settings.gradient_descent.perturbation / 100)
        d->perturbation = o->settings.gradient_descent.perturbation;
    begin_sweep(d);
}

/* Evaluates the current generation and chooses the phase of the next. */
static void advance(const struct optimiser *o, struct descent *d)
{
    for (int i = 0; i < o->population; i++)
        note(o, d, i);
    if (d->phase == PHASE_LINE)
        end_line(o, d);
    else if (d->place + o->population < d->box.count)
        d->place += o->population;
    else {
        find_direction(o, d);
        d->phase = PHASE_LINE;
    }
}

static void step(struct optimiser *o)
{
    struct descent *d = o->state;
    if (o->generation > 0)
        advance(o, d);
    else {
        int best = population_best(o->organisms, o->population);
        box_decode(&d->box, o->organisms[best].chromosome, d->best);
        d->best_fitness = o->organisms[best].fitness;
        d->perturbation = o->settings.gradient_descent.perturbation;
        begin_sweep(d);
    }
    for (int i = 0; i < o->population; i++) {
        find_point(o, d, i);
        box_encode(&d->box, d->point, o->organisms[i].chromosome);
    }
}

const struct optimiser_method gradient_descent_method = {.name = "gradient-descent",
                                                         .fewest = 2,
                                                         .across_generations = true,
                                                         .create = create,
                                                         .step = step,
                                                         .destroy = destroy};
