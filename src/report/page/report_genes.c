/* The sections on genes and parameters: the courses of those that moved most; where each ended, which need a
 * second look, and a table of all. */
#include "report_sections.h"

#include "format.h"
#include "html.h"
#include "plot.h"

#include <math.h>

/* ---- courses ---- */

enum { SHOWN = 12 /* courses that are not folded away */ };

void report_write_courses(const struct page *p)
{
    const struct report *r = p->report;
    const struct plot_file here = {.out = p->out};
    int count = 0;
    for (int i = 0; i < r->genome.count; i++)
        count += r->genes[i].param->bits > 0 && r->genes[i].by_moves < REPORT_PICTURED;
    fputs("<p>The courses of the values that moved most: the best organism of each "
          "generation over the whole range, mean ± deviation as a band, and the paper's value or "
          "the default as a dashed line.</p>\n",
          p->out);
    plot_parameters(r, 0, SHOWN, &here, NULL);
    if (count <= SHOWN)
        return;
    fprintf(p->out, "<details class=\"folded\"><summary>%d more</summary>\n", count - SHOWN);
    plot_parameters(r, SHOWN, REPORT_PICTURED, &here, NULL);
    fputs("</details>\n", p->out);
}

/* ---- findings ---- */

enum { NAMED = 8 }; /* most genes in a sentence */

typedef bool gene_test(const struct report_gene *g);

static bool evolves(const struct report_gene *g)
{
    return g->param->bits > 0;
}

static bool at_maximum(const struct report_gene *g)
{
    return g->end == ENDED_AT_MAXIMUM;
}

static bool at_minimum(const struct report_gene *g)
{
    return g->end == ENDED_AT_MINIMUM;
}

static bool is_inactive(const struct report_gene *g)
{
    return evolves(g) && g->inactive_by >= 0;
}

static int count_genes(const struct report *r, gene_test *test)
{
    int count = 0;
    for (int i = 0; i < r->genome.count; i++)
        count += test(&r->genes[i]);
    return count;
}

static void write_name(const struct page *p, const struct report_gene *g)
{
    fputs("<code>", p->out);
    html_name(p->out, g->param->name);
    fputs("</code>", p->out);
}

/* Writes a finding on the genes that the test selects: their number, the finding, their names, "A, B and C", of many
 * only the first, and advice. Writes nothing if there are none. */
static bool write_finding(const struct page *p, gene_test *test, const char *one, const char *more,
                          const char *then)
{
    const struct report *r = p->report;
    const int count = count_genes(r, test), named = count <= NAMED + 1 ? count : NAMED;
    int written = 0;
    if (count == 0)
        return false;
    fprintf(p->out, "<li><strong>%d of %d %s:</strong> ", count, count_genes(r, evolves),
            count == 1 ? one : more);
    for (int i = 0; i < r->genome.count && written < named; i++) {
        if (!test(&r->genes[i]))
            continue;
        fputs(written == 0 ? "" : written + 1 < count ? ", " : " and ", p->out);
        write_name(p, &r->genes[i]);
        written++;
    }
    if (named < count)
        fprintf(p->out, " and %d more, marked in the table", count - named);
    fprintf(p->out, ". %s</li>\n", then);
    return true;
}

static bool tells_chances(const struct page *p)
{
    return p->report->neutral.count > 0;
}

static void write_findings(const struct page *p)
{
    static const struct {
        gene_test *test;
        const char *one, *more, *then; /* what one gene does, and what several do */
    } findings[] = {
        {at_maximum, "ended at or near the maximum", "ended at or near the maximum",
         "The best value may lie beyond the range."},
        {at_minimum, "ended at or near the minimum", "ended at or near the minimum",
         "If the minimum is 0, the best organism does not use it."},
        {is_inactive, "is inactive", "are inactive",
         "Another gene of the best organism turns the method off, so the value has no effect."},
        {report_gene_idle, "shows no sign of having mattered", "show no sign of having mattered",
         "Chance may have set the value; the test is explained below."},
    };
    bool any = false;
    fputs("<ul class=\"findings\">\n", p->out);
    for (size_t i = 0; i < sizeof findings / sizeof findings[0]; i++)
        any |=
            write_finding(p, findings[i].test, findings[i].one, findings[i].more, findings[i].then);
    if (!any)
        fprintf(p->out, "<li>No value ended at or near a bound, and none is inactive%s.</li>\n",
                tells_chances(p) ? "; every gene shows a sign of having mattered" : "");
    fputs("</ul>\n", p->out);
}

/* How neutral bits are made, and the signs of a bit. */
static void write_bits(const struct page *p)
{
    fprintf(
        p->out,
        "<p>Bits also change by chance, and hitchhike with others that selection favours. To "
        "measure this, %d neutral bits were sent down this run's own pedigree: the same parents, "
        "elite, crossover and mutation (gene dropping). A bit can show two signs: its "
        "<em>push</em>, the change of its share of ones over the run, less the change by mutation "
        "alone; and its <em>advantage</em>, how much fitter the organisms with a 1 were than "
        "the others of their generation, summed over the run.</p>\n<p><em>By chance</em> is the "
        "probability that a gene of as many neutral bits shows a sign as strong as this gene's. ",
        p->report->neutral.count);
}

/* How neutral genes are made, and the signs of a gene. */
static void write_neutral(const struct page *p)
{
    const bool one = p->report->neutral.signs == 1;
    fprintf(
        p->out,
        "<p>Values also go with fitness by chance, and with the values of other genes. To measure "
        "this, %d neutral genes went through the same: evolutions by the method %s with this run's "
        "settings and its fitness, but genes without effect. A gene can show %s: its "
        "<em>advantage</em>, how far its value goes with the fitness of the organisms in their "
        "generation%s, summed over the run.</p>\n<p><em>By chance</em> is the probability that a "
        "neutral gene shows a sign as strong as this gene's. ",
        p->report->neutral.count,
        optimiser_method_of(p->report->summary.recipe.optimiser.kind)->name,
        one ? "one sign" : "two signs",
        one ? ""
            : "; and its <em>middle</em>, how far values near the mean of the generation are "
              "fitter than those away from it");
}

static void write_criterion(const struct page *p)
{
    if (!tells_chances(p)) {
        fputs("<p>This report does not say which genes mattered: that needs two generations or "
              "more.</p>\n",
              p->out);
        return;
    }
    fputs("<details><summary>How the report decides whether a gene mattered</summary>\n", p->out);
    (p->report->neutral.by_bits ? write_bits : write_neutral)(p);
    fprintf(
        p->out,
        "From %.0f %% on, the report says that the gene shows no sign of having mattered. It may "
        "matter all the same: with few organisms, few generations or weak selection, small gains "
        "are lost in chance. About one neutral gene in %.0f will seem to matter.</p></details>\n",
        100 * REPORT_NO_SIGN, 1 / REPORT_NO_SIGN);
}

/* ---- what a gene is compared with ---- */

static bool has_paper(const struct report_gene *g)
{
    return g->has_paper;
}

static bool has_felt(const struct report_gene *g)
{
    return g->param->c > 0;
}

/* True if the paper's values stand beside the evolved ones, and not the defaults. */
static bool tells_paper(const struct page *p)
{
    return count_genes(p->report, has_paper) > 0;
}

/* True if the space says how far a parameter must move to change play. */
static bool tells_felt(const struct page *p)
{
    return count_genes(p->report, has_felt) > 0;
}

/* ---- the table ---- */

/* Writes a gene: name, values, range, mean and deviation in the unit of the values, and what else there is a column
 * for. */
static void write_row(const struct page *p, const struct report_gene *g)
{
    const struct param *param = g->param;
    const bool choice = param_is_choice(param);
    const double unit = pow(10, param->decimals);
    const int digits = param->decimals + 1;
    char value[PARAM_TEXT], other[PARAM_TEXT], chance[FORMAT_MAX];
    fputs("<tr><th scope=\"row\">", p->out);
    write_name(p, g);
    html_print(p->out, "<small>%s</small></th><td class=\"evolved\">%s</td><td>%s</td>",
               param->meaning, param_value_text(param, g->evolved, value),
               g->has_paper || !tells_paper(p) ? param_value_text(param, g->compared, other) : "–");
    if (choice)
        html_print(p->out, "<td>%u choices</td><td>–</td><td>–</td><td>–</td>",
                   param_steps(param) + 1);
    else
        html_print(p->out,
                   "<td>%s<span class=\"to\">%s</span>%s</td><td>%.*f</td><td>%.*f</td>"
                   "<td>%.0f\xc2\xa0%%</td>",
                   param_value_text(param, param->min, value), param->min < 0 ? " to " : "–",
                   param_value_text(param, param->max, other), digits, g->last.mean / unit, digits,
                   g->last.deviation / unit, 100 * g->moved);
    if (tells_felt(p) && param->c > 0)
        html_print(p->out, "<td>%.2g\xc2\xa0%%</td>", 100 * g->felt);
    else if (tells_felt(p))
        fputs("<td>–</td>", p->out);
    if (tells_chances(p))
        html_print(p->out, "<td>%s</td>", format_chance(g->chance, chance));
    fputs("<td class=\"words\">", p->out);
    if (g->end != ENDED_INSIDE)
        html_print(p->out, "<span class=\"tag\">%s its %s</span> ",
                   g->evolved == param->min || g->evolved == param_largest(param) ? "at" : "near",
                   g->end == ENDED_AT_MAXIMUM ? "maximum" : "minimum");
    if (g->inactive_by >= 0) {
        const struct report_gene *by = &p->report->genes[g->inactive_by];
        fputs("<span class=\"tag\">off: ", p->out);
        html_name(p->out, by->param->name);
        html_print(p->out, " is %s</span> ", param_value_text(by->param, by->evolved, value));
    }
    fputs(report_gene_idle(g) ? "<span class=\"tag quiet\">no sign of mattering</span></td></tr>\n"
                              : "</td></tr>\n",
          p->out);
}

void report_write_genes(const struct page *p)
{
    plot_genes(p->report, REPORT_PICTURED, &(struct plot_file){.out = p->out}, NULL);
    write_findings(p);
    write_criterion(p);
    fprintf(p->out,
            "<p>Parameters by what a change costs: %s. <em>Evolved</em> is the value of the run's "
            "best organism; %s. <em>Mean</em> and <em>deviation</em> are over the organisms of "
            "generation %d. <em>Moved</em> is the way to the evolved value in per cent of the "
            "range%s.</p>\n",
            tells_felt(p)      ? "those first that the least change makes felt in play"
            : tells_chances(p) ? "those first that most surely mattered"
                               : "those first that moved most",
            tells_paper(p) ? "<em>the paper's</em> is the value published by David et al. (2014)"
                           : "<em>default</em> is that of the engine",
            p->report->summary.generation,
            tells_felt(p)
                ? ", and <em>felt from</em> the distance, in the same unit, from which on "
                  "the space says that play changes"
                : "");
    const struct report *r = p->report;
    html_table(p->out, "genes", "", "gene", "evolved", tells_paper(p) ? "the paper's" : "default",
               "range", "mean", "deviation", "moved", tells_felt(p) ? "felt from" : "",
               tells_chances(p) ? "by chance" : "", "|remarks", NULL);
    for (int place = 0; place < r->genome.count; place++)
        for (int i = 0; i < r->genome.count; i++)
            if (r->genes[i].by_cost == place && evolves(&r->genes[i]))
                write_row(p, &r->genes[i]);
    html_table_end(p->out);
    if (count_genes(r, evolves) < r->genome.count)
        fprintf(p->out, "<p>The other %d do not evolve; the parameter file has them.</p>\n",
                r->genome.count - count_genes(r, evolves));
}
