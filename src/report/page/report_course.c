/* The sections on the course of a run: fitness by generation, with the initial population and the games beside
 * it, and convergence. */
#include "report_sections.h"

#include "chart.h"
#include "format.h"
#include "games_plan.h"
#include "html.h"
#include "optimiser.h"
#include "text_stream.h"

enum { TABLE_ROWS = 400 }; /* at most */

/* ---- what stands beside the curves ---- */

/* What generation 0 began with, and the number of games. `defaults` organisms began as the defaults. */
static void write_aside(const struct page *p, int defaults)
{
    const struct report *r = p->report;
    const struct run_summary *s = &r->summary;
    const struct optimiser_settings *o = &s->recipe.optimiser;
    const int rest = o->population - r->seed_count - defaults;
    char text[FORMAT_MAX], bounds[GAMES_WARNING];
    fputs("<div class=\"aside\">\n", p->out);
    if (r->seed_count > 0) {
        html_table(p->out, "seeds", "", "|began with",
                   "|in generation\xc2\xa0"
                   "0",
                   NULL);
        for (int i = 0; i < r->seed_count; i++) {
            const int64_t measure = r->seeds[i].measure;
            fputs("<tr><th scope=\"row\" class=\"words\"><code>", p->out);
            html_path(p->out, r->seeds[i].path);
            html_print(p->out, "</code></th><td>%s</td></tr>\n",
                       measure == NOT_MEASURED
                           ? "–"
                           : objective_figure(s->value, (double)measure, s->train_size, text));
        }
        html_table_end(p->out);
    }
    if (defaults == 1)
        fputs("<p>One organism of generation\xc2\xa0"
              "0 is the defaults.</p>\n",
              p->out);
    else if (defaults > 1)
        fprintf(p->out,
                "<p>%d organisms of generation\xc2\xa0"
                "0 are the defaults and mutants of them.</p>\n",
                defaults);
    if (rest == 1 && r->seed_count + defaults > 0)
        fprintf(p->out, "<p>The other %s.</p>\n",
                o->fill == FILL_OFFSPRING ? "is a child of these" : "is random");
    else if (rest > 1 && r->seed_count + defaults > 0)
        fprintf(p->out, "<p>The other %d %s.</p>\n", rest,
                o->fill == FILL_OFFSPRING ? "are children of these" : "are random");
    if (r->games > 0) {
        html_print(p->out, "<p>%s between organisms, %.0f %% drawn.</p>\n",
                   format_things(r->games, "game", text),
                   100 * (double)r->draws / (double)r->games);
        if (s->generation > 0 && games_plan_bounds(&s->recipe, &s->space, s->best, bounds))
            html_print(p->out, "<p>%s.</p>\n", bounds);
    }
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
    const struct chart_point mean = fitness_point(s, FITNESS_MEAN, generation);
    fprintf(p->out, "<td>%.3g</td>", mean.high - mean.y);
    if (s->held_out_size > 0 && row->held_out != NOT_MEASURED)
        write_cell(p->out, s, (double)row->held_out, s->held_out_size);
    else if (s->held_out_size > 0)
        fputs("<td>–</td>", p->out);
    fprintf(p->out, "<td>%.1f</td><td>%s</td></tr>\n", row->diversity,
            format_duration(row->seconds, seconds));
}

/* The curves, and the same figures as a table, for screen readers and for copying. */
void report_write_fitness(const struct page *p)
{
    const struct report *r = p->report;
    const struct run_summary *s = &r->summary;
    const int defaults = initial_population_defaults(&s->recipe.optimiser, r->seed_count);
    const bool aside = r->seed_count > 0 || r->games > 0 || defaults > 0;
    const int stride = (s->generation + TABLE_ROWS - 1) / TABLE_ROWS;
    char axis[OBJECTIVE_LABEL], caption[OBJECTIVE_LABEL + 64];
    fputs(aside ? "<div class=\"columns\">\n" : "", p->out);
    plot_fitness(s, &(struct plot_file){.out = p->out}, NULL);
    if (aside) {
        write_aside(p, defaults);
        fputs("</div>\n", p->out);
    }
    snprintf(caption, sizeof caption, "%s", objective_label(s->value, s->train_size, axis));
    if (stride > 1)
        text_add(caption, sizeof caption, "; one generation in %d, and the last", stride);
    fputs("<details><summary>The figures of each generation</summary>\n", p->out);
    html_table(p->out, "generations", caption, "generation", "best", "mean", "deviation",
               s->held_out_size > 0 ? s->value->words->held_out : "", "diversity, bits", "time",
               NULL);
    for (int g = 0; g < s->generation; g += stride)
        write_row(p, g);
    write_row(p, s->generation);
    html_table_end(p->out);
    fputs("</details>\n", p->out);
}

/* ---- convergence ---- */

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
        .curves = {{.css = "best",
                    .count = s->generation + 1,
                    .at = fitness_point,
                    .context = s,
                    .kind = FITNESS_DIVERSITY}},
        .count = 1,
        .is_low = true,
        .tell = tell_diversity,
        .context = s,
    };
    fprintf(
        p->out,
        "<p>As a population converges, its organisms become alike. A bit on which half of them "
        "agree is pale, and one on which all agree is strong; each gene's most significant bit "
        "is on top (Gray code). Genes also converge by chance%s. Of many genes those that moved "
        "most are shown.</p>\n",
        p->report->neutral.count > 0 ? "; the table of parameters says which" : "");
    plot_convergence(p->report, REPORT_PICTURED, &here, NULL);
    chart_draw(&chart, &here, NULL);
}
