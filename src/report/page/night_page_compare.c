/* The comparison of stages: their results after equally many evaluations, and which differences are significant. */
#include "format.h"
#include "html.h"
#include "plot.h"
#include "report_sections.h"

#include <math.h>

/* ---- the table ---- */

/* An objective value; "–" if there is none. */
static void write_figure(const struct night_page *p, const struct comparison *c, double measure,
                         int64_t size)
{
    char figure[FORMAT_MAX];
    html_print(p->out, "<td>%s</td>",
               isnan(measure) ? "–" : objective_figure(c->summary->value, measure, size, figure));
}

static void write_row(const struct night_page *p, const struct comparison *c,
                      const struct comparison_entry *e)
{
    const struct night_stage *stage = e->stage->stage;
    const int index = (int)(e - c->entries);
    const int64_t size = c->summary->train_size;
    char id[NIGHT_ID], deviation[FORMAT_MAX];
    int written = 0;
    fprintf(p->out,
            "<tr><th scope=\"row\"><a href=\"#%s\">%s</a><small>%s</small></th><td>%d of %d</td>",
            night_stage_id(stage, id), stage->name,
            optimiser_method_of(stage->recipe->optimiser.kind)->name, e->runs, e->stage->run_count);
    write_figure(p, c, e->runs > 0 ? (double)e->top : NAN, size);
    write_figure(p, c, e->spread.mean, size);
    html_print(p->out, "<td>%s</td>",
               e->runs < 2
                   ? "–"
                   : objective_deviation(c->summary->value, e->spread.deviation, size, deviation));
    if (c->has_held_out)
        write_figure(p, c, e->held_out, c->summary->held_out_size);
    if (isnan(e->rank))
        fputs("<td>–</td>", p->out);
    else
        fprintf(p->out, "<td>%.1f</td>", e->rank);
    fputs("<td class=\"words names\">", p->out);
    for (int i = 0; i < c->count; i++)
        if (c->chance[index][i] < COMPARISON_LEVEL && e->runs > 0 && c->entries[i].runs > 0)
            fprintf(p->out, "%s%s", written++ > 0 ? ", " : "", c->entries[i].stage->stage->name);
    fputs(written == 0 ? "none</td></tr>\n" : "</td></tr>\n", p->out);
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
        c->has_held_out ? "the mean of the same organisms on <em>held-out</em> data; " : "",
        comparison_same_start(&p->report->night.recipe)
            ? "Runs with the same seed have the same generation 0. "
            : "",
        100 * COMPARISON_LEVEL);
}

void night_write_comparison(const struct night_page *p)
{
    const struct comparison *c = p->comparison;
    if (c->summary == NULL) {
        fprintf(p->out, "<p>No run has reached %d evaluations yet.</p>\n", c->evaluations);
        return;
    }
    write_words(p, c);
    html_table(p->out, "comparison", "", "stage", "runs", "best", "mean", "deviation",
               c->has_held_out ? "held out" : "", "rank", "|differs from", NULL);
    for (int i = 0; i < c->count; i++)
        write_row(p, c, c->order[i]);
    html_table_end(p->out);
    plot_comparison(c, p->report->night.recipe.name, &(struct plot_file){.out = p->out}, NULL);
}

/* ---- in the head of the page ---- */

/* The first stage, and whether the runs decide that it is ahead of the second. */
void night_write_comparison_figures(const struct night_page *p)
{
    const struct comparison *c = p->comparison;
    const struct comparison_entry *first = c->order[0], *second = c->order[1];
    char name[2 * FORMAT_MAX], mean[FORMAT_MAX], stages[FORMAT_MAX];
    if (c->summary == NULL || second->runs == 0)
        return;
    const bool decided = c->chance[first - c->entries][second - c->entries] < COMPARISON_LEVEL;
    snprintf(name, sizeof name, "First of %s", format_things(c->count, "stage", stages));
    report_frame_figure(
        p->out, decided ? "ahead" : "open", name, first->stage->stage->name, "mean %s; %s %s",
        objective_figure(c->summary->value, first->spread.mean, c->summary->train_size, mean),
        decided ? "better than" : "not decided against", second->stage->stage->name);
}
