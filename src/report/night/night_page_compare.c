/* The comparison of stages: their results after equally many evaluations, and which differences are
 * significant. */
#include "night_sections.h"

#include "comparison.h"
#include "format.h"
#include "html.h"
#include "plot.h"
#include "report_frame.h"

#include <math.h>

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
    if (comparison_has_held_out(c))
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
    fprintf(p->out,
            "<div class=\"scroll\" tabindex=\"0\"><table class=\"comparison\">\n<thead><tr>"
            "<th scope=\"col\">stage</th><th scope=\"col\">runs</th><th scope=\"col\">best</th>"
            "<th scope=\"col\">mean</th><th scope=\"col\">deviation</th>%s"
            "<th scope=\"col\">rank</th><th scope=\"col\" class=\"words\">differs from</th>"
            "</tr></thead>\n<tbody>\n",
            comparison_has_held_out(c) ? "<th scope=\"col\">held out</th>" : "");
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
        "<p>The results of each stage after %s, the best stage first: on training data, the "
        "<em>best</em> of all runs, and their <em>mean</em> and standard <em>deviation</em>; "
        "%sand the mean <em>rank</em>, seed by seed. Of few stages each has a band in the picture, of many "
        "the first and the second: one standard deviation of the runs. %sA stage <em>differs from</em> another if an "
        "exact rank-sum test over the runs gives the difference a probability below %.0f %%, "
        "adjusted for all pairs (Holm).</p>\n",
        format_things(c->evaluations, "evaluation", evaluations),
        comparison_has_held_out(c) ? "the mean of the same organisms on <em>held-out</em> data; "
                                   : "",
        comparison_same_start(&p->report->night.recipe)
            ? "Runs with the same seed have the same generation 0. "
            : "",
        100 * COMPARISON_LEVEL);
}

void night_write_comparison(const struct night_page *p)
{
    struct comparison c;
    struct error ignored;
    if (!comparison_applies(&p->report->night.recipe))
        return;
    comparison_make(&c, p->report);
    fputs("<section id=\"comparison\">\n<h2>Comparison</h2>\n", p->out);
    if (c.summary == NULL)
        fprintf(p->out, "<p>No run has reached %d evaluations yet.</p>\n", c.evaluations);
    else {
        write_words(p, &c);
        write_table(p, &c);
        plot_comparison(&c, p->report->night.recipe.name, &(struct plot_file){.out = p->out},
                        &ignored);
    }
    fputs("</section>\n", p->out);
}

/* ---- in the head of the page ---- */

/* The first stage, and whether the runs decide that it is ahead of the second. */
static void write_first(const struct night_page *p, const struct comparison *c,
                        const struct comparison_entry *first, const struct comparison_entry *second)
{
    char name[FORMAT_MAX], mean[FORMAT_MAX], note[2 * FORMAT_MAX + 64], stages[FORMAT_MAX];
    bool decided = c->chance[first - c->entries][second - c->entries] < COMPARISON_LEVEL;
    snprintf(name, sizeof name, "First of %.40s", format_things(c->count, "stage", stages));
    snprintf(note, sizeof note, "mean %s; %s %s",
             objective_figure(c->summary->value, first->mean, c->summary->train_size, mean),
             decided ? "better than" : "not decided against", second->stage->stage->name);
    report_frame_verdict(p->out, decided ? "ahead" : "open", name, first->stage->stage->name, note);
}

void night_write_comparison_figures(const struct night_page *p)
{
    struct comparison c;
    const struct comparison_entry *order[NIGHT_STAGES];
    if (!comparison_applies(&p->report->night.recipe))
        return;
    comparison_make(&c, p->report);
    comparison_order(&c, order);
    if (c.summary != NULL && order[1]->runs > 0)
        write_first(p, &c, order[0], order[1]);
}
