/* The section on convergence of values and bits, gene by gene. */
#include "report_sections.h"

#include "chart.h"
#include "heat_map.h"
#include "html.h"

#include <inttypes.h>

enum {
    COLUMNS = 120,   /* most of a heat map; longer runs are binned */
    ROW_PIXELS = 14, /* least height of a gene */
    BIT_PIXELS = 3,  /* least height of each of its bits */
    X_TICKS = 5,
};

/* ---- diversity ---- */

static double diversity(const void *context, int generation)
{
    const struct run_summary *s = context;
    return s->rows[generation].diversity;
}

static void tell_diversity(const void *context, int generation, char *text, size_t size)
{
    const struct run_summary *s = context;
    snprintf(text, size, "generation %d\n%.1f bits", generation, s->rows[generation].diversity);
}

static void write_diversity(const struct page *p)
{
    const struct chart chart = {
        .title = "Diversity by generation",
        .x_name = "generation",
        .y_name = "bits in which two organisms differ, on average",
        .count = p->report->summary.generation + 1,
        .curves = {{"diversity", "best", diversity, NULL}},
        .curve_count = 1,
        .tell = tell_diversity,
        .context = &p->report->summary,
    };
    fputs("<div class=\"low\">\n", p->out);
    chart_write(p->out, &chart);
    fputs("</div>\n", p->out);
}

/* ---- heat maps ---- */

/* A gene of the map. */
struct gene_row {
    const struct convergence *convergence;
    int gene, locus; /* its first */
    int bin;         /* generations per column */
};

/* The mean of a value over a column's generations. */
static double over_bin(const struct gene_row *r, int column, int which,
                       double (*told)(const struct convergence *c, int generation, int which))
{
    double sum = 0;
    int count = 0;
    for (int g = column * r->bin; g < (column + 1) * r->bin; g++)
        if (g < r->convergence->generations) {
            sum += told(r->convergence, g, which);
            count++;
        }
    return sum / count;
}

static double spread(const void *context, int row, int column)
{
    const struct gene_row *r = context;
    (void)row;
    return over_bin(r, column, r->gene, convergence_spread);
}

static double entropy(const void *context, int row, int column)
{
    const struct gene_row *r = context;
    return over_bin(r, column, r->locus + row, convergence_entropy);
}

/* The mean entropy of a gene's bits. */
static double gene_entropy(const struct gene_row *r, int generation)
{
    int bits = r->convergence->genome->genes[r->gene].bits;
    double sum = 0;
    for (int b = 0; b < bits; b++)
        sum += convergence_entropy(r->convergence, generation, r->locus + b);
    return sum / bits;
}

/* The two strips of a gene. Their height depends on its number of bits. */
static void write_strips(FILE *out, const struct gene_row *r, int columns)
{
    const struct param *param = &r->convergence->genome->genes[r->gene];
    int last = r->convergence->generations - 1;
    int pixels = param->bits * BIT_PIXELS > ROW_PIXELS ? param->bits * BIT_PIXELS : ROW_PIXELS;
    const struct gene_state *first = convergence_gene(r->convergence, 0, r->gene);
    const struct gene_state *end = convergence_gene(r->convergence, last, r->gene);
    char title[256];
    struct heat_strip strip = {
        title, 1, columns, pixels, (double)r->convergence->generations / r->bin, spread, r};
    snprintf(title, sizeof title,
             "%.60s: mean and deviation %.1f ± %.1f in generation 0, %.1f ± %.1f in generation %d",
             param->name, first->mean, first->deviation, end->mean, end->deviation, last);
    heat_strip_write(out, &strip);
    strip.rows = param->bits;
    strip.value = entropy;
    snprintf(title, sizeof title,
             "%.60s: its bits' mean entropy is %.2f in generation 0, %.2f in generation %d",
             param->name, gene_entropy(r, 0), gene_entropy(r, last), last);
    heat_strip_write(out, &strip);
}

/* The name of a gene beside its strips. */
static void write_gene(FILE *out, const struct gene_row *r, int columns)
{
    fputs("<div class=\"gene\"><span class=\"name\">", out);
    html_name(out, r->convergence->genome->genes[r->gene].name);
    fputs("</span>", out);
    write_strips(out, r, columns);
    fputs("</div>\n", out);
}

/* The generation axis below both strips. */
static void write_axes(FILE *out, int generations)
{
    struct scale x = scale_cells(generations - 1, X_TICKS);
    fputs("<div class=\"gene axes\"><span class=\"name\">generation</span>", out);
    for (int i = 0; i < 2; i++) {
        fputs("<div>", out);
        scale_write_below(out, &x);
        fputs("</div>", out);
    }
    fputs("</div>\n", out);
}

static void write_map(const struct page *p)
{
    const struct convergence *c = &p->report->convergence;
    int bin = (c->generations + COLUMNS - 1) / COLUMNS;
    int columns = (c->generations + bin - 1) / bin;
    fputs("<div class=\"map\">\n<div class=\"gene heads\" aria-hidden=\"true\"><span></span>"
          "<span>spread of its values</span><span>entropy of its bits</span></div>\n",
          p->out);
    struct gene_row row = {.convergence = c, .bin = bin};
    for (int i = 0; i < c->genome->count; i++) {
        row.gene = i;
        if (report_gene_pictured(&p->report->genes[i]))
            write_gene(p->out, &row, columns);
        row.locus += c->genome->genes[i].bits;
    }
    write_axes(p->out, c->generations);
    fputs("</div>\n", p->out);
}

void report_write_convergence(const struct page *p)
{
    fprintf(
        p->out,
        "<p>As a population converges, its organisms become alike. The <em>spread</em> of a gene is "
        "the standard deviation of its values over the organisms, relative to that of random "
        "values. The <em>entropy</em> of a bit is 1 if half of the organisms have a 1, and 0 "
        "if all are alike; each gene's most significant bit is on top (Gray code). Genes also "
        "converge by chance%s. Of many genes those that moved most are shown.</p>\n"
        "<p class=\"legend\">",
        p->report->neutral > 0 ? "; the table of parameters says which" : "");
    heat_legend_write(p->out, "all alike", "as random");
    fputs("</p>\n", p->out);
    write_map(p);
    write_diversity(p);
}
