/* Fitness by generation. */
#include "chart.h"

#include <inttypes.h>
#include <math.h>

/* ---- values ---- */

/* The gain over the start that was known after a generation. */
static struct fitness_value gain_at(const struct run_summary *s, int generation)
{
    struct run_gain so_far = {.games_all = 1};
    double elo, margin;
    for (int g = run_gain_first(generation); g <= generation; g++)
        for (int i = 0; i < 5; i++)
            so_far.start.pairs[i] += s->start[g].pairs[i];
    if (!run_gain_elo(&so_far, &elo, &margin))
        return (struct fitness_value){NAN, NAN, NAN};
    return (struct fitness_value){elo, elo - margin, elo + margin};
}

/* The best organism's value on held-out data; a score in games has its interval. */
static struct fitness_value held_out_at(const struct run_summary *s, int64_t measure)
{
    struct fitness_value v = {NAN, NAN, NAN};
    struct interval i;
    if (measure == NOT_MEASURED)
        return v;
    v.value = objective_axis(s->value, (double)measure, s->held_out_size, s->train_size);
    if (!s->value->over_positions && objective_interval(s->value, measure, s->held_out_size, &i)) {
        v.low = 100 * i.low;
        v.high = 100 * i.high;
    }
    return v;
}

struct fitness_value fitness_value(const struct run_summary *s, enum fitness_curve curve,
                                   int generation)
{
    const struct generation_row *row = &s->rows[generation];
    const int64_t size = s->train_size;
    switch (curve) {
    case FITNESS_BEST:
        return (struct fitness_value){objective_axis(s->value, (double)row->measure, size, size),
                                      NAN, NAN};
    case FITNESS_MEAN:
        return (struct fitness_value){
            objective_axis(s->value, row->mean, size, size),
            objective_axis(s->value, row->mean - row->deviation, size, size),
            objective_axis(s->value, row->mean + row->deviation, size, size)};
    case FITNESS_GAIN:
        return gain_at(s, generation);
    default:
        return held_out_at(s, row->held_out);
    }
}

int fitness_curves(const struct run_summary *s, enum fitness_curve curves[FITNESS_CURVES],
                   char axis[OBJECTIVE_LABEL])
{
    double elo, margin;
    const bool held_out = s->held_out_size > 0, positions = s->value->over_positions;
    int count = 0;
    objective_label(s->value, s->train_size, axis);
    if (run_gain_elo(&s->gain, &elo, &margin)) {
        snprintf(axis, OBJECTIVE_LABEL, "Elo over the start");
        curves[count++] = FITNESS_GAIN;
        return count;
    }
    if (held_out && !positions)
        curves[count++] = FITNESS_HELD_OUT;
    curves[count++] = FITNESS_BEST;
    if (positions)
        curves[count++] = FITNESS_MEAN;
    if (held_out && positions)
        curves[count++] = FITNESS_HELD_OUT;
    return count;
}

/* ---- the picture ---- */

/* A curve of a run, for the chart. */
struct curve {
    const struct run_summary *summary;
    enum fitness_curve curve;
};

static struct chart_point point_at(const void *context, int generation)
{
    const struct curve *c = context;
    const struct fitness_value v = fitness_value(c->summary, c->curve, generation);
    return (struct chart_point){generation, v.value, v.low, v.high};
}

/* What the defaults measure, or the start that a gain is over; NaN if that is unknown. */
static double defaults_of(const struct run_summary *s, bool gain)
{
    const bool held_out = s->defaults.held_out != NOT_MEASURED;
    const int64_t measure = held_out ? s->defaults.held_out : s->defaults.measure;
    if (gain)
        return 0;
    return measure == NOT_MEASURED
               ? NAN
               : objective_axis(s->value, (double)measure,
                                held_out ? s->held_out_size : s->train_size, s->train_size);
}

/* A level from the first generation to the last. */
struct level {
    double value;
    int last;
};

static struct chart_point level_at(const void *context, int point)
{
    const struct level *l = context;
    return (struct chart_point){point == 0 ? 0 : l->last, l->value, NAN, NAN};
}

/* The figures of a generation in words. */
static void tell(const void *context, int generation, char *text, size_t size)
{
    const struct run_summary *s = context;
    const struct generation_row *row = &s->rows[generation];
    char a[OBJECTIVE_TEXT], b[OBJECTIVE_TEXT];
    const double gained = s->start != NULL ? gain_at(s, generation).value : NAN;
    int used = snprintf(text, size, "generation %d\nbest %.60s\nmean %.60s", row->generation,
                        objective_figure(s->value, (double)row->measure, s->train_size, a),
                        objective_figure(s->value, row->mean, s->train_size, b));
    if (!isnan(gained))
        used = snprintf(text, size, "generation %d\n%+.0f Elo over the start", row->generation,
                        gained);
    if (row->held_out != NOT_MEASURED)
        snprintf(text + used, size - (size_t)used, "\n%s %.60s", s->value->words->held_out,
                 objective_figure(s->value, (double)row->held_out, s->held_out_size, a));
}

/* Describes a curve to the chart. */
static struct chart_curve curve_of(const struct curve *c, const char *held_out_name)
{
    const bool positions = c->summary->value->over_positions;
    struct chart_curve curve = {.at = point_at, .context = c, .count = c->summary->generation + 1};
    switch (c->curve) {
    case FITNESS_BEST:
        curve.name = positions ? "best" : "best, among its generation";
        curve.css = positions ? "best" : "mean";
        curve.sign = positions ? SIGN_LINE : SIGN_THIN;
        break;
    case FITNESS_MEAN:
        curve.name = "mean";
        curve.css = "mean";
        curve.sign = SIGN_THIN;
        curve.band = "mean ± standard deviation";
        break;
    case FITNESS_GAIN:
        curve.name = "Elo over the start";
        curve.css = "best";
        curve.band = "95 % interval";
        break;
    default:
        curve.name = held_out_name;
        curve.css = positions ? "held-out" : "best";
        curve.band = positions ? NULL : "95 % interval against the opponent";
    }
    return curve;
}

bool plot_fitness(const struct run_summary *summary, const struct plot_file *file,
                  struct error *err)
{
    enum fitness_curve kinds[FITNESS_CURVES];
    struct curve curves[FITNESS_CURVES];
    char title[RECIPE_NAME + 64], description[OBJECTIVE_LABEL + 64], held_out[OBJECTIVE_LABEL];
    char name[OBJECTIVE_LABEL], axis[OBJECTIVE_LABEL + 32];
    if (summary->generation < 0)
        return error_set(err, "there is nothing to plot: the run has no generation yet");
    struct chart chart = {.title = title,
                          .description = description,
                          .x_name = "generation",
                          .y_name = axis,
                          .x_last = summary->generation,
                          .count = fitness_curves(summary, kinds, name),
                          .tell = tell,
                          .context = summary};
    objective_held_out_label(summary->value, summary->train_size, summary->held_out_size, held_out);
    for (int i = 0; i < chart.count; i++) {
        curves[i] = (struct curve){summary, kinds[i]};
        chart.curves[i] = curve_of(&curves[i], held_out);
    }
    const bool gain = kinds[0] == FITNESS_GAIN;
    const struct level level = {defaults_of(summary, gain), summary->generation};
    if (!isnan(level.value) && summary->generation > 0)
        chart.curves[chart.count++] =
            (struct chart_curve){.name = gain ? "the start" : "the defaults",
                                 .sign = SIGN_DASHES,
                                 .css = "held-out",
                                 .count = 2,
                                 .at = level_at,
                                 .context = &level};
    snprintf(axis, sizeof axis, "%s%s", name,
             summary->value->lower_is_better && !gain ? "; fewer are better" : "");
    snprintf(title, sizeof title, "%s, seed %" PRIu64 ": fitness by generation",
             summary->recipe.name, summary->recipe.seed);
    snprintf(description, sizeof description,
             "%s by generation, 0 to %d; the legend says what each curve is.", name,
             summary->generation);
    return chart_draw(&chart, file, err);
}
