/* The stages of a comparison: a line for each, named at its end, the best stage on top. */
#include "chart.h"

enum {
    FEW = 3, /* stages whose bands do not hide each other */
    AHEAD = 2,
};

/* A stage's curve. */
struct course {
    const struct comparison *comparison;
    const struct comparison_entry *entry;
    char css[4], name[STORE_STAGE + 16];
};

/* The mean of the best so far, with one standard deviation to either side. */
static struct chart_point point_at(const void *context, int generation)
{
    const struct course *course = context;
    const struct comparison_spread s =
        comparison_spread_at(course->comparison, course->entry, generation);
    return (struct chart_point){
        comparison_evaluations(&course->entry->stage->summaries[0], generation), s.mean,
        s.mean - s.deviation, s.mean + s.deviation};
}

/* The largest number of runs of a stage. */
static int most_runs(const struct comparison *c)
{
    int most = 0;
    for (int i = 0; i < c->count; i++)
        most = c->entries[i].runs > most ? c->entries[i].runs : most;
    return most;
}

bool plot_comparison(const struct comparison *c, const char *name, const struct plot_file *file,
                     struct error *err)
{
    const struct comparison_entry *order[NIGHT_STAGES];
    struct course courses[NIGHT_STAGES];
    char title[256], axis[OBJECTIVE_LABEL], label[OBJECTIVE_LABEL + 96];
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
    comparison_order(c, order);
    for (int i = 0; i < c->count && order[i]->runs > 0; i++) {
        const int index = (int)(order[i] - c->entries); /* its colour, whatever the results */
        struct course *course = &courses[i];
        *course = (struct course){.comparison = c, .entry = order[i]};
        snprintf(course->css, sizeof course->css, "s%d", index % CANVAS_SERIES);
        snprintf(course->name, sizeof course->name, "%d  %s", i + 1, order[i]->stage->stage->name);
        chart.curves[chart.count++] = (struct chart_curve){
            .name = course->name,
            .sign = index < CANVAS_SERIES ? SIGN_LINE : SIGN_DASHES,
            .css = course->css,
            .count = c->evaluations / order[i]->stage->stage->recipe->optimiser.population,
            .at = point_at,
            .context = course,
            .band = order[i]->runs > 1 && (c->count <= FEW || i < AHEAD) ? "" : NULL};
    }
    const int runs = most_runs(c);
    snprintf(title, sizeof title, "%s: best so far, mean%s of %d run%s", name,
             runs > 1 ? " ± standard deviation" : "", runs, runs > 1 ? "s" : "");
    snprintf(label, sizeof label, "%s: best so far, mean of the runs%s",
             objective_label(c->summary->value, c->summary->train_size, axis),
             c->summary->value->lower_is_better ? "; fewer are better" : "");
    return chart_draw(&chart, file, err);
}
