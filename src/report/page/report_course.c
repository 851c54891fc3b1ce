/* The sections on the course of a run: fitness by generation, with the initial population and the games beside
 * it, and convergence. */
#include "report_sections.h"

#include "chart.h"
#include "format.h"
#include "games_plan.h"
#include "html.h"
#include "optimiser.h"

#include <math.h>

enum { TABLE_ROWS = 400 }; /* at most */

/* ---- what stands beside the curves ---- */

/* The organisms of generation 0 that began as the defaults. */
static int count_defaults(const struct report *r)
{
    return initial_population_defaults(&r->summary.recipe.optimiser, r->seed_count);
}

/* True if there is anything to write beside the curves. */
static bool has_aside(const struct report *r)
{
    return r->seed_count > 0 || r->games > 0 || count_defaults(r) > 0;
}

static void write_seed(const struct page *p, int index)
{
    const struct report_seed *seed = &p->report->seeds[index];
    const struct run_summary *s = &p->report->summary;
    char figure[FORMAT_MAX] = "–";
    if (seed->measure != NOT_MEASURED)
        objective_figure(s->value, (double)seed->measure, s->train_size, figure);
    fputs("<tr><th scope=\"row\" class=\"words\"><code>", p->out);
    html_path(p->out, seed->source);
    fputs("</code></th><td>", p->out);
    html_text(p->out, figure);
    fputs("</td></tr>\n", p->out);
}

/* Describes the organisms of generation 0 that begin as the defaults. */
static void write_defaults(const struct page *p, int count)
{
    if (count == 1)
        fputs("<p>One organism of generation\xc2\xa0"
              "0 is the defaults.</p>\n",
              p->out);
    else if (count > 1)
        fprintf(p->out,
                "<p>%d organisms of generation\xc2\xa0"
                "0 are the defaults and mutants of "
                "them.</p>\n",
                count);
}

/* Describes the organisms of generation 0 besides the seeds. */
static void write_rest(const struct page *p)
{
    const struct recipe *recipe = &p->report->summary.recipe;
    int defaults = count_defaults(p->report);
    int rest = recipe->optimiser.population - p->report->seed_count - defaults;
    bool one = rest == 1;
    write_defaults(p, defaults);
    if (rest <= 0)
        return;
    fprintf(p->out, "<p>The other%s", one ? "" : " ");
    if (!one)
        fprintf(p->out, "%d", rest);
    if (recipe->optimiser.fill == FILL_OFFSPRING)
        fprintf(p->out, " %s of these.</p>\n", one ? "is a child" : "are children");
    else
        fprintf(p->out, " %s random.</p>\n", one ? "is" : "are");
}

static void write_seeds(const struct page *p)
{
    fputs("<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\" "
          "class=\"words\">began with</th><th scope=\"col\" class=\"words\">in generation\xc2\xa0"
          "0</th>"
          "</tr></thead>\n<tbody>\n",
          p->out);
    for (int i = 0; i < p->report->seed_count; i++)
        write_seed(p, i);
    fputs("</tbody></table></div>\n", p->out);
}

/* Writes the number of games and the share of draws. */
static void write_games(const struct page *p)
{
    const struct report *r = p->report;
    char text[FORMAT_MAX], bounds[GAMES_WARNING];
    fprintf(p->out, "<p>%s game%s between organisms, %.0f %% drawn.</p>\n",
            format_count(r->games, text), r->games == 1 ? "" : "s",
            100 * (double)r->draws / (double)r->games);
    if (r->summary.generation > 0 &&
        games_plan_bounds(&r->summary.recipe, &r->summary.space, r->summary.best, bounds)) {
        fputs("<p>", p->out);
        html_text(p->out, bounds);
        fputs(".</p>\n", p->out);
    }
}

static void write_aside(const struct page *p)
{
    fputs("<div class=\"aside\">\n", p->out);
    if (p->report->seed_count > 0)
        write_seeds(p);
    if (p->report->seed_count > 0 || count_defaults(p->report) > 0)
        write_rest(p);
    if (p->report->games > 0)
        write_games(p);
    fputs("</div>\n", p->out);
}

/* ---- fitness ---- */

static void write_cell(FILE *out, const struct run_summary *s, double measure, int64_t size)
{
    char cell[FORMAT_MAX];
    fprintf(out, "<td>%s</td>",
            objective_cell(s->value, objective_axis(s->value, measure, size, s->train_size), cell));
}

static void write_row(const struct page *p, int generation)
{
    const struct run_summary *s = &p->report->summary;
    const struct generation_row *row = &s->rows[generation];
    char seconds[FORMAT_MAX];
    fprintf(p->out, "<tr><th scope=\"row\">%d</th>", row->generation);
    write_cell(p->out, s, (double)row->measure, s->train_size);
    write_cell(p->out, s, row->mean, s->train_size);
    const struct fitness_value mean = fitness_value(s, FITNESS_MEAN, generation);
    fprintf(p->out, "<td>%.3g</td>", mean.high - mean.value);
    if (s->held_out_size > 0 && row->held_out != NOT_MEASURED)
        write_cell(p->out, s, (double)row->held_out, s->held_out_size);
    else if (s->held_out_size > 0)
        fputs("<td>–</td>", p->out);
    fprintf(p->out, "<td>%.1f</td><td>%s</td></tr>\n", row->diversity,
            format_duration(row->seconds, seconds));
}

/* The same figures as a table, for screen readers and for copying. */
static void write_table(const struct page *p)
{
    const struct run_summary *s = &p->report->summary;
    int stride = (s->generation + TABLE_ROWS - 1) / TABLE_ROWS;
    char axis[OBJECTIVE_LABEL];
    fputs("<details><summary>The figures of each generation</summary>\n<div class=\"scroll\" "
          "tabindex=\"0\"><table>\n<caption>",
          p->out);
    html_text(p->out, objective_label(s->value, s->train_size, axis));
    if (stride > 1)
        html_format(p->out, "; one generation in %d, and the last", stride);
    fputs("</caption>\n<thead><tr><th scope=\"col\">generation</th><th scope=\"col\">best</th>"
          "<th scope=\"col\">mean</th><th scope=\"col\">deviation</th>",
          p->out);
    if (s->held_out_size > 0)
        fprintf(p->out, "<th scope=\"col\">%s</th>", s->value->words->held_out);
    fputs(
        "<th scope=\"col\">diversity, bits</th><th scope=\"col\">time</th></tr></thead>\n<tbody>\n",
        p->out);
    for (int g = 0; g < s->generation; g += stride)
        write_row(p, g);
    write_row(p, s->generation);
    fputs("</tbody></table></div></details>\n", p->out);
}

void report_write_fitness(const struct page *p)
{
    const struct plot_file here = {.out = p->out};
    const bool aside = has_aside(p->report);
    struct error ignored;
    if (aside)
        fputs("<div class=\"columns\">\n", p->out);
    plot_fitness(&p->report->summary, &here, &ignored);
    if (aside) {
        write_aside(p);
        fputs("</div>\n", p->out);
    }
    write_table(p);
}

/* ---- convergence ---- */

static struct chart_point diversity(const void *context, int generation)
{
    const struct run_summary *s = context;
    return (struct chart_point){generation, s->rows[generation].diversity, NAN, NAN};
}

static void tell_diversity(const void *context, int generation, char *text, size_t size)
{
    const struct run_summary *s = context;
    snprintf(text, size, "generation %d\n%.1f bits", generation, s->rows[generation].diversity);
}

void report_write_convergence(const struct page *p)
{
    const struct run_summary *s = &p->report->summary;
    const struct plot_file here = {.out = p->out};
    const struct chart chart = {
        .title = "Diversity by generation",
        .x_name = "generation",
        .y_name = "bits in which two organisms differ, on average",
        .x_last = s->generation,
        .curves = {{.css = "best", .count = s->generation + 1, .at = diversity, .context = s}},
        .count = 1,
        .is_low = true,
        .tell = tell_diversity,
        .context = s,
    };
    struct error ignored;
    fprintf(
        p->out,
        "<p>As a population converges, its organisms become alike. A bit on which half of them "
        "agree is pale, and one on which all agree is strong; each gene's most significant bit "
        "is on top (Gray code). Genes also converge by chance%s. Of many genes those that moved "
        "most are shown.</p>\n",
        p->report->neutral > 0 ? "; the table of parameters says which" : "");
    plot_convergence(p->report, REPORT_PICTURED, &here, &ignored);
    chart_draw(&chart, &here, &ignored);
}
