/* The comparison of stages: their results after equally many evaluations, and which differences are
 * significant. */
#include "night_sections.h"

#include "axis.h"
#include "chart.h"
#include "comparison.h"
#include "format.h"
#include "html.h"

#include <math.h>

/* ---- the curves ---- */

/* The mean over a stage's runs of the best so far at a generation. */
static double mean_at(const void *context, int generation)
{
    const struct comparison_entry *e = context;
    double sum = 0;
    for (int i = 0; i < e->runs; i++) {
        const struct run_summary *run = &e->stage->summaries[i];
        if (generation > run->generation)
            return NAN;
        int64_t measure = run->rows[comparison_best(run, generation)].measure;
        sum += axis_value(run, (double)measure, run->train_size);
    }
    return sum / e->runs;
}

/* The tooltip: the best so far of all stages at a generation. */
static void tell(const void *context, int generation, char *text, size_t size)
{
    const struct comparison *c = context;
    size_t used = (size_t)snprintf(text, size, "%d evaluations",
                                   comparison_evaluations(c->summary, generation));
    for (int i = 0; i < c->count && used < size; i++)
        if (c->entries[i].runs > 0)
            used += (size_t)snprintf(text + used, size - used, "\n%s %.4g",
                                     c->entries[i].stage->stage->name,
                                     mean_at(&c->entries[i], generation));
}

/* True if the generations of all stages have the same size, so that all can share an axis. */
static bool same_population(const struct comparison *c)
{
    const struct night_stage *first = c->entries[0].stage->stage;
    for (int i = 1; i < c->count; i++)
        if (c->entries[i].stage->stage->recipe->optimiser.population !=
            first->recipe->optimiser.population)
            return false;
    return true;
}

static void write_chart(const struct night_page *p, const struct comparison *c)
{
    static const char *const css[] = {"stage-0", "stage-1", "stage-2", "stage-3",
                                      "stage-4", "stage-5", "stage-6", "stage-7"};
    char axis[OBJECTIVE_LABEL];
    int population = c->summary->recipe.optimiser.population;
    struct chart chart = {.title = "The best so far, mean over the runs of each stage",
                          .x_name = "generation",
                          .y_name = axis_label(c->summary, axis),
                          .count = c->evaluations / population,
                          .tell = tell,
                          .context = c};
    for (int i = 0; i < c->count; i++)
        if (c->entries[i].runs > 0)
            chart.curves[chart.curve_count++] = (struct chart_curve){
                c->entries[i].stage->stage->name, css[i % 8], mean_at, &c->entries[i]};
    chart_write(p->out, &chart);
}

/* ---- the table ---- */

/* An objective value on the training data, in its own unit, and in that of the axis if they
 * differ. */
static void write_figure(const struct night_page *p, const struct comparison *c, double measure,
                         int64_t size)
{
    char figure[FORMAT_MAX];
    fputs("<td>", p->out);
    html_text(p->out,
              isnan(measure) ? "–" : objective_figure(c->summary->value, measure, size, figure));
    fputs("</td>", p->out);
}

/* The standard deviation in the same unit. */
static void write_deviation(const struct night_page *p, const struct comparison *c,
                            const struct comparison_entry *e)
{
    char figure[FORMAT_MAX];
    int64_t size = c->summary->train_size;
    if (e->runs < 2)
        fputs("<td>–</td>", p->out);
    else {
        fputs("<td>", p->out);
        html_text(p->out, objective_deviation(c->summary->value, e->deviation, size, figure));
        fputs("</td>", p->out);
    }
}

/* The stages from which a stage differs significantly. */
static void write_differing(const struct night_page *p, const struct comparison *c,
                            const struct comparison_entry *e)
{
    int index = (int)(e - c->entries), written = 0;
    fputs("<td class=\"words names\">", p->out);
    for (int i = 0; i < c->count; i++) {
        if (c->chance[index][i] >= COMPARISON_LEVEL || e->runs == 0 || c->entries[i].runs == 0)
            continue;
        fprintf(p->out, "%s%s", written++ > 0 ? ", " : "", c->entries[i].stage->stage->name);
    }
    fputs(written == 0 ? "none</td>" : "</td>", p->out);
}

static void write_row(const struct night_page *p, const struct comparison *c,
                      const struct comparison_entry *e)
{
    char id[NIGHT_ID];
    fprintf(p->out, "<tr><th scope=\"row\"><a href=\"#%s\">%s</a><small>%s</small></th>",
            night_stage_id(e->stage->stage, id), e->stage->stage->name,
            optimiser_method_of(e->stage->stage->recipe->optimiser.kind)->name);
    fprintf(p->out, "<td>%d of %d</td>", e->runs, e->stage->run_count);
    write_figure(p, c, e->runs > 0 ? (double)e->top : NAN, c->summary->train_size);
    write_figure(p, c, e->mean, c->summary->train_size);
    write_deviation(p, c, e);
    write_figure(p, c, e->held_out, c->summary->held_out_size);
    if (isnan(e->rank))
        fputs("<td>–</td>", p->out);
    else
        fprintf(p->out, "<td>%.1f</td>", e->rank);
    write_differing(p, c, e);
    fputs("</tr>\n", p->out);
}

static void write_table(const struct night_page *p, const struct comparison *c)
{
    const struct comparison_entry *order[NIGHT_STAGES];
    comparison_order(c, order);
    fputs("<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">stage</th>"
          "<th scope=\"col\">runs</th><th scope=\"col\">best</th><th scope=\"col\">mean</th>"
          "<th scope=\"col\">deviation</th><th scope=\"col\">held out</th>"
          "<th scope=\"col\">rank</th>"
          "<th scope=\"col\" class=\"words\">differs from</th></tr></thead>\n<tbody>\n",
          p->out);
    for (int i = 0; i < c->count; i++)
        write_row(p, c, order[i]);
    fputs("</tbody></table></div>\n", p->out);
}

/* ---- the section ---- */

static void write_words(const struct night_page *p, const struct comparison *c)
{
    char evaluations[FORMAT_MAX];
    fprintf(
        p->out,
        "<p>The results of each stage after %s evaluations, the best stage first: on training data, "
        "the <em>best</em> of all runs, and their <em>mean</em> and standard "
        "<em>deviation</em>; the mean of the same organisms on <em>held-out</em> data; and the "
        "mean <em>rank</em>, seed by seed. Runs with the same seed have the same generation 0. A "
        "stage <em>differs from</em> another if an exact rank-sum test over the runs gives the "
        "difference a probability below %.0f %%, adjusted for all pairs (Holm).</p>\n",
        format_count(c->evaluations, evaluations), 100 * COMPARISON_LEVEL);
}

void night_write_comparison(const struct night_page *p)
{
    struct comparison c;
    if (!comparison_applies(&p->report->night.recipe))
        return;
    comparison_make(&c, p->report);
    fputs("<section id=\"comparison\">\n<h2>Comparison</h2>\n", p->out);
    if (c.summary == NULL)
        fprintf(p->out, "<p>No run has reached %d evaluations yet.</p>\n", c.evaluations);
    else {
        write_words(p, &c);
        write_table(p, &c);
        if (same_population(&c))
            write_chart(p, &c);
    }
    fputs("</section>\n", p->out);
}
