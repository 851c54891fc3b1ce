/* The curves of a run by generation, and of the stages of a comparison by evaluations. */
#include "chart.h"

#include <inttypes.h>
#include <math.h>

/* ---- values ---- */

/* The gain over the start that was known after a generation. */
static struct chart_point gain_at(const struct run_summary *s, int generation)
{
    struct run_gain so_far = {.games_all = 1};
    double elo, margin;
    for (int g = run_gain_first(generation); g <= generation; g++)
        for (int i = 0; i < 5; i++)
            so_far.start.pairs[i] += s->start[g].pairs[i];
    if (!run_gain_elo(&so_far, &elo, &margin))
        return (struct chart_point){generation, NAN, NAN, NAN};
    return (struct chart_point){generation, elo, elo - margin, elo + margin};
}

struct chart_point fitness_point(const void *summary, int curve, int generation)
{
    const struct run_summary *s = summary;
    struct chart_point p = {generation, NAN, NAN, NAN};
    const struct generation_row *row = &s->rows[generation];
    const int64_t size = s->train_size;
    struct interval i;
    if (generation > s->generation)
        return p;
    switch ((enum fitness_curve)curve) {
    case FITNESS_BEST:
        p.y = objective_axis(s->value, (double)row->measure, size, size);
        break;
    case FITNESS_MEAN:
        p.y = objective_axis(s->value, row->mean, size, size);
        p.low = objective_axis(s->value, row->mean - row->deviation, size, size);
        p.high = objective_axis(s->value, row->mean + row->deviation, size, size);
        break;
    case FITNESS_HELD_OUT: /* a score in games has its interval */
        if (row->held_out == NOT_MEASURED)
            break;
        p.y = objective_axis(s->value, (double)row->held_out, s->held_out_size, size);
        if (!s->value->over_positions &&
            objective_interval(s->value, row->held_out, s->held_out_size, &i)) {
            p.low = 100 * i.low;
            p.high = 100 * i.high;
        }
        break;
    case FITNESS_GAIN:
        return gain_at(s, generation);
    case FITNESS_DIVERSITY:
        p.y = row->diversity;
    }
    return p;
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

/* ---- a run ---- */

/* The figures of a generation in words. */
static void tell(const void *context, int generation, char *text, size_t size)
{
    const struct run_summary *s = context;
    const struct generation_row *row = &s->rows[generation];
    char a[OBJECTIVE_TEXT], b[OBJECTIVE_TEXT];
    const double gained = s->start != NULL ? gain_at(s, generation).y : NAN;
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

bool plot_fitness(const struct run_summary *s, const struct plot_file *file, struct error *err)
{
    /* Of scores in games, and of values over positions. */
    static const struct chart_curve looks[FITNESS_CURVES][2] = {
        [FITNESS_BEST] = {{.name = "best, among its generation", .sign = SIGN_THIN, .css = "mean"},
                          {.name = "best", .css = "best"}},
        [FITNESS_MEAN] = {[1] = {.name = "mean",
                                 .sign = SIGN_THIN,
                                 .css = "mean",
                                 .band = "mean ± standard deviation"}},
        [FITNESS_HELD_OUT] = {{.css = "best", .band = "95 % interval against the opponent"},
                              {.css = "held-out"}},
        [FITNESS_GAIN] = {{.name = "Elo over the start", .css = "best", .band = "95 % interval"}},
    };
    enum fitness_curve kinds[FITNESS_CURVES];
    char title[RECIPE_NAME + 64], description[OBJECTIVE_LABEL + 64], held_out[OBJECTIVE_LABEL];
    char name[OBJECTIVE_LABEL], axis[OBJECTIVE_LABEL + 32];
    if (s->generation < 0)
        return error_set(err, "there is nothing to plot: the run has no generation yet");
    struct chart chart = {.title = title,
                          .description = description,
                          .x_name = "generation",
                          .y_name = axis,
                          .x_last = s->generation,
                          .count = fitness_curves(s, kinds, name),
                          .tell = tell,
                          .context = s};
    objective_held_out_label(s->value, s->train_size, s->held_out_size, held_out);
    for (int i = 0; i < chart.count; i++) {
        struct chart_curve *curve = &chart.curves[i];
        *curve = looks[kinds[i]][s->value->over_positions];
        if (kinds[i] == FITNESS_HELD_OUT)
            curve->name = held_out;
        curve->at = fitness_point;
        curve->context = s;
        curve->kind = (int)kinds[i];
        curve->count = s->generation + 1;
    }
    const bool gain = kinds[0] == FITNESS_GAIN, tested = s->defaults.held_out != NOT_MEASURED;
    const int64_t measure = tested ? s->defaults.held_out : s->defaults.measure;
    const int64_t size = tested ? s->held_out_size : s->train_size;
    const double level = gain ? 0 : objective_axis(s->value, (double)measure, size, s->train_size);
    if ((gain || measure != NOT_MEASURED) && !isnan(level) && s->generation > 0)
        chart.curves[chart.count++] =
            (struct chart_curve){.name = gain ? "the start" : "the defaults",
                                 .sign = SIGN_DASHES,
                                 .css = "held-out",
                                 .count = 2,
                                 .level = level};
    snprintf(axis, sizeof axis, "%s%s", name,
             s->value->lower_is_better && !gain ? "; fewer are better" : "");
    snprintf(title, sizeof title, "%s, seed %" PRIu64 ": fitness by generation", s->recipe.name,
             s->recipe.seed);
    snprintf(description, sizeof description,
             "%s by generation, 0 to %d; the legend says what each curve is.", name, s->generation);
    return chart_draw(&chart, file, err);
}

/* ---- a comparison ---- */

enum {
    FEW = 3, /* stages whose bands do not hide each other */
    AHEAD = 2,
};

/* The mean of the best so far of a stage, an entry of the comparison, with one standard deviation to either side. */
static struct chart_point stage_point(const void *comparison, int entry, int generation)
{
    const struct comparison *c = comparison;
    const struct comparison_entry *e = &c->entries[entry];
    const struct spread s = comparison_spread_at(c, e, generation);
    const int population = e->stage->stage->recipe->optimiser.population;
    return (struct chart_point){(generation + 1) * population, s.mean, s.mean - s.deviation,
                                s.mean + s.deviation};
}

bool plot_comparison(const struct comparison *c, const char *name, const struct plot_file *file,
                     struct error *err)
{
    char names[NIGHT_STAGES][STORE_STAGE + 16], css[NIGHT_STAGES][4];
    char title[256], axis[OBJECTIVE_LABEL], label[OBJECTIVE_LABEL + 96];
    int runs = 0; /* the most of a stage */
    if (c->summary == NULL)
        return error_set(err, "there is nothing to plot: no run has reached %d evaluations yet",
                         c->evaluations);
    struct chart chart = {
        .title = title,
        .description = "The best objective value so far of each optimiser by evaluations. Each "
                       "line has its rank and name at its end; a band is one standard deviation.",
        .x_name = "evaluations",
        .y_name = label,
        .x_last = c->evaluations,
        .ends = true};
    const struct comparison_entry *const *order = c->order;
    for (int i = 0; i < c->count && order[i]->runs > 0; i++) {
        const struct night_stage *stage = order[i]->stage->stage;
        const int index = (int)(order[i] - c->entries); /* its colour, whatever the results */
        snprintf(css[i], sizeof css[i], "s%d", index % CANVAS_SERIES);
        snprintf(names[i], sizeof names[i], "%d  %s", i + 1, stage->name);
        chart.curves[chart.count++] = (struct chart_curve){
            .name = names[i],
            .sign = index < CANVAS_SERIES ? SIGN_LINE : SIGN_DASHES,
            .css = css[i],
            .count = c->evaluations / stage->recipe->optimiser.population,
            .at = stage_point,
            .context = c,
            .kind = index,
            .band = order[i]->runs > 1 && (c->count <= FEW || i < AHEAD) ? "" : NULL};
        runs = order[i]->runs > runs ? order[i]->runs : runs;
    }
    snprintf(title, sizeof title, "%s: best so far, mean%s of %d run%s", name,
             runs > 1 ? " ± standard deviation" : "", runs, runs > 1 ? "s" : "");
    snprintf(label, sizeof label, "%s: best so far, mean of the runs%s",
             objective_label(c->summary->value, c->summary->train_size, axis),
             c->summary->value->lower_is_better ? "; fewer are better" : "");
    return chart_draw(&chart, file, err);
}
