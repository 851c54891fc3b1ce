/* The section on genes: how the values of those that moved most went, generation by generation. */
#include "report_sections.h"

#include "html.h"
#include "sparkline.h"

#include <inttypes.h>

enum { SHOWN = 12 }; /* pictures that are not folded away */

enum { TITLE = 160 };

struct course {
    const struct convergence *convergence;
    int gene;
};

static double best(const void *context, int generation)
{
    const struct course *c = context;
    return convergence_gene(c->convergence, generation, c->gene)->best;
}

static double low(const void *context, int generation)
{
    const struct course *c = context;
    const struct gene_state *g = convergence_gene(c->convergence, generation, c->gene);
    return g->mean - g->deviation;
}

static double high(const void *context, int generation)
{
    const struct course *c = context;
    const struct gene_state *g = convergence_gene(c->convergence, generation, c->gene);
    return g->mean + g->deviation;
}

/* Writes what the picture of a course shows. Returns `title`. */
static const char *course_title(const struct page *p, const struct param *g, char title[TITLE])
{
    char low[PARAM_TEXT], high[PARAM_TEXT];
    int last = p->report->summary.generation;
    if (param_is_choice(g))
        snprintf(title, TITLE, "%.60s, %" PRIu32 " choices, generations 0 to %d", g->name,
                 param_steps(g) + 1, last);
    else
        snprintf(title, TITLE, "%.60s from %.20s to %.20s, generations 0 to %d", g->name,
                 param_value_text(g, g->min, low), param_value_text(g, g->max, high), last);
    return title;
}

static void write_course(const struct page *p, const struct report_gene *g)
{
    const struct course course = {&p->report->convergence, (int)(g - p->report->genes)};
    const double mark = g->compared;
    char title[TITLE];
    const struct sparkline line = {.title = course_title(p, g->param, title),
                                   .count = course.convergence->generations,
                                   .bottom = g->param->min,
                                   .top = g->param->max,
                                   .low = low,
                                   .high = high,
                                   .line = best,
                                   .mark = &mark,
                                   .context = &course};
    sparkline_write(p->out, &line);
}

/* ---- the pictures ---- */

static void write_card(const struct page *p, const struct report_gene *g)
{
    char from[PARAM_TEXT], to[PARAM_TEXT];
    fputs("<div class=\"card\"><code>", p->out);
    html_name(p->out, g->param->name);
    fputs("</code>", p->out);
    write_course(p, g);
    fputs("<span>", p->out);
    html_text(p->out, param_value_text(g->param, g->compared, from));
    fputs(" → <strong>", p->out);
    html_text(p->out, param_value_text(g->param, g->evolved, to));
    fputs("</strong></span></div>\n", p->out);
}

/* Writes the genes of some places in the order of how far they moved. */
static void write_cards(const struct page *p, int first, int end)
{
    const struct report *r = p->report;
    fputs("<div class=\"cards\">\n", p->out);
    for (int place = first; place < end; place++)
        for (int i = 0; i < r->genome.count; i++)
            if (r->genes[i].by_moves == place)
                write_card(p, &r->genes[i]);
    fputs("</div>\n", p->out);
}

void report_write_courses(const struct page *p)
{
    const struct report *r = p->report;
    int count = 0;
    for (int i = 0; i < r->genome.count; i++)
        count += report_gene_pictured(&r->genes[i]);
    fputs("<p>The courses of the values that moved most: the best organism of each "
          "generation over the whole range, mean ± deviation as a band, and the paper's value or "
          "the default as a dashed line.</p>\n",
          p->out);
    write_cards(p, 0, count < SHOWN ? count : SHOWN);
    if (count <= SHOWN)
        return;
    fprintf(p->out, "<details class=\"folded\"><summary>%d more</summary>\n", count - SHOWN);
    write_cards(p, SHOWN, count);
    fputs("</details>\n", p->out);
}
