/* The text beside the fitness curves: the initial population, and the games played. */
#include "report_sections.h"

#include "format.h"
#include "games_plan.h"
#include "html.h"
#include "optimiser.h"

/* The organisms of generation 0 that began as the defaults. */
static int count_defaults(const struct report *r)
{
    return initial_population_defaults(&r->summary.recipe.optimiser, r->seed_count);
}

bool report_has_seeds(const struct report *r)
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

static void write_table(const struct page *p)
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

void report_write_seeds(const struct page *p)
{
    fputs("<div class=\"aside\">\n", p->out);
    if (p->report->seed_count > 0)
        write_table(p);
    if (p->report->seed_count > 0 || count_defaults(p->report) > 0)
        write_rest(p);
    if (p->report->games > 0)
        write_games(p);
    fputs("</div>\n", p->out);
}
