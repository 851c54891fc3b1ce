#include "fitness_curves.h"

#include "axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { START = 10 }; /* the start is one part in so many of the generations */

/* ---- values ---- */

/* An end of the 95 % interval of a held-out share, in per cent. */
static double interval_end(const struct run_summary *s, int64_t held_out, bool upper)
{
    struct interval i;
    if (!objective_interval(s->value, held_out, s->held_out_size, &i))
        return NAN;
    return 100 * (upper ? i.high : i.low);
}

/* The best organism's value on held-out data, or an end of its interval. */
static double held_out(const struct run_summary *s, enum fitness_curve curve, int64_t value)
{
    if (value == NOT_MEASURED)
        return NAN;
    return curve == FITNESS_HELD_OUT ? axis_value(s, (double)value, s->held_out_size)
                                     : interval_end(s, value, curve == FITNESS_HELD_OUT_HIGH);
}

/* The gain over the start that was known after a generation, or an end of its interval. */
static double gain(const struct run_summary *s, enum fitness_curve curve, int generation)
{
    struct run_gain so_far = {.games_all = 1};
    double elo, margin;
    for (int g = run_gain_first(generation); g <= generation; g++)
        for (int i = 0; i < 5; i++)
            so_far.start.pairs[i] += s->start[g].pairs[i];
    if (!run_gain_elo(&so_far, &elo, &margin))
        return NAN;
    return elo + (curve == FITNESS_GAIN_LOW ? -margin : curve == FITNESS_GAIN_HIGH ? margin : 0);
}

double fitness_curve(const struct run_summary *s, enum fitness_curve curve, int generation)
{
    const struct generation_row *row = &s->rows[generation];
    switch (curve) {
    case FITNESS_BEST:
        return axis_value(s, (double)row->measure, s->train_size);
    case FITNESS_MEAN:
        return axis_value(s, row->mean, s->train_size);
    case FITNESS_MEAN_LOW:
        return axis_value(s, row->mean - row->deviation, s->train_size);
    case FITNESS_MEAN_HIGH:
        return axis_value(s, row->mean + row->deviation, s->train_size);
    case FITNESS_GAIN:
    case FITNESS_GAIN_LOW:
    case FITNESS_GAIN_HIGH:
        return gain(s, curve, generation);
    default:
        return held_out(s, curve, row->held_out);
    }
}

/* ---- the picture ---- */

/* The curves of values that compare across generations. */
static void describe_measured(struct fitness_picture *p, bool has_held_out)
{
    p->lines[0] = (struct fitness_line){FITNESS_BEST, FITNESS_LEADS, "best"};
    p->lines[1] = (struct fitness_line){FITNESS_MEAN, FITNESS_BEHIND, "mean"};
    p->lines[2] = (struct fitness_line){FITNESS_HELD_OUT, FITNESS_COMPARES, p->held_out_name};
    p->count = has_held_out ? 3 : 2;
    p->band_name = "mean ± standard deviation";
    p->band_low = FITNESS_MEAN_LOW;
    p->band_high = FITNESS_MEAN_HIGH;
    p->band_role = FITNESS_BEHIND;
}

/* The curves of games; without a fixed opponent only the best among its generation. */
static void describe_played(struct fitness_picture *p, bool has_opponent)
{
    const struct fitness_line among = {FITNESS_BEST, FITNESS_BEHIND, "best, among its generation"};
    p->lines[0] = among;
    p->count = 1;
    if (!has_opponent)
        return;
    p->lines[0] = (struct fitness_line){FITNESS_HELD_OUT, FITNESS_LEADS, p->held_out_name};
    p->lines[p->count++] = among;
    p->band_name = "95 % interval against the opponent";
    p->band_low = FITNESS_HELD_OUT_LOW;
    p->band_high = FITNESS_HELD_OUT_HIGH;
    p->band_role = FITNESS_LEADS;
}

/* The curve of a run whose estimates play its start. */
static void describe_gain(struct fitness_picture *p)
{
    p->lines[0] = (struct fitness_line){FITNESS_GAIN, FITNESS_LEADS, "Elo over the start"};
    p->count = 1;
    p->band_name = "95 % interval";
    p->band_low = FITNESS_GAIN_LOW;
    p->band_high = FITNESS_GAIN_HIGH;
    p->band_role = FITNESS_LEADS;
    snprintf(p->axis, sizeof p->axis, "Elo over the start");
}

/* Widens a range to a curve's values from a generation on. */
static void take_in(double *low, double *high, const struct run_summary *s,
                    enum fitness_curve curve, int first)
{
    for (int g = first; g <= s->generation; g++) {
        double value = fitness_curve(s, curve, g);
        *low = fmin(*low, value);
        *high = fmax(*high, value);
    }
}

/* The range of all curves and the band from a generation on. */
static void find_range(double *low, double *high, const struct fitness_picture *p,
                       const struct run_summary *s, int first)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < p->count; i++)
        take_in(low, high, s, p->lines[i].curve, first);
    if (p->band_name == NULL)
        return;
    take_in(low, high, s, p->band_low, first);
    take_in(low, high, s, p->band_high, first);
}

void fitness_picture_describe(struct fitness_picture *p, const struct run_summary *s)
{
    double elo, margin;
    memset(p, 0, sizeof *p);
    axis_held_out(s, p->held_out_name);
    axis_label(s, p->axis);
    if (run_gain_elo(&s->gain, &elo, &margin))
        describe_gain(p);
    else if (s->value->over_positions)
        describe_measured(p, s->held_out_size > 0);
    else
        describe_played(p, s->held_out_size > 0);
    find_range(&p->low, &p->high, p, s, 0);
    find_range(&p->from, &p->to, p, s, (s->generation + START - 1) / START);
}
