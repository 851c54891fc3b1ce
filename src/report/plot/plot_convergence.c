/* Convergence: a heat map of the bits by generation. */
#include "plot_draw.h"

#include <inttypes.h>
#include <math.h>

enum {
    WIDTH = 900,
    COLUMNS = 400, /* most of the map; longer runs are binned */
    TOP = 52,
    FOOT = 60,  /* below the map */
    SIDE = 104, /* beside the map, for the scale of colours */
    LABEL = 11, /* the letters of a gene's name */
    BIT = 3,    /* least height of a bit, and of a gene, in units */
    GENE = 14,
};

/* A picture of a run. Genes without bits are left out. */
struct picture {
    const struct report *report;
    const char *title;
    int rows; /* heights of the genes, in units */
};

/* The height of a gene; 0 if it does not evolve. */
static int height_of(const struct param *gene)
{
    int bits = BIT * gene->bits;
    return gene->bits == 0 ? 0 : bits > GENE ? bits : GENE;
}

/* The number of generations in a column. */
static int bin_of(const struct convergence *c)
{
    return (c->generations + COLUMNS - 1) / COLUMNS;
}

/* The mean agreement on a bit over a column's generations. */
static double agreement(const struct convergence *c, int column, int locus)
{
    double sum = 0;
    int bin = bin_of(c), count = 0;
    for (int g = column * bin; g < (column + 1) * bin && g < c->generations; g++, count++)
        sum += convergence_agreement(c, g, locus);
    return 100 * sum / count;
}

/* The rows of the map as gnuplot's image: x, y, agreement. Each row is one unit high, and a gene's
 * bits share the rows of the gene. */
static void write_data(FILE *out, const struct picture *p)
{
    const struct convergence *c = &p->report->convergence;
    int bin = bin_of(c), columns = (c->generations + bin - 1) / bin, row = 0, locus = 0;
    fputs("$map << END\n", out);
    for (int gene = 0; gene < c->genome->count; gene++) {
        const struct param *param = &c->genome->genes[gene];
        int height = height_of(param);
        for (int i = 0; i < height; i++, row++) {
            /* An image needs two columns. */
            for (int x = 0; x < columns || x < 2; x++)
                fprintf(out, "%g %d %.4g\n", x * bin + (bin - 1) / 2.0, row,
                        agreement(c, x < columns ? x : 0, locus + i * param->bits / height));
            fputc('\n', out);
        }
        locus += param->bits;
    }
    fputs("END\n", out);
}

/* The names of the genes, and a line below each. */
static void write_genes(const struct plot_canvas *c, const struct picture *p, double left)
{
    const struct genome *genome = p->report->convergence.genome;
    double unit = (c->height - TOP - FOOT) / p->rows;
    int row = 0;
    for (int gene = 0; gene < genome->count; gene++) {
        int height = height_of(&genome->genes[gene]);
        if (height == 0)
            continue;
        plot_label(c, left - 8, TOP + unit * (row + height / 2.0), PLOT_RIGHT, LABEL, c->theme->ink,
                   left - 12, genome->genes[gene].name);
        row += height;
        fprintf(c->out,
                "set arrow from graph 0,first %g to graph 1,first %g nohead front linewidth 0.6 "
                "linecolor rgb '%s'\n",
                row - 0.5, row - 0.5, c->theme->paper);
    }
}

static void write_palette(const struct plot_canvas *c, double right)
{
    fputs("set palette defined (", c->out);
    for (int i = 0; i < PLOT_SHADES; i++)
        fprintf(c->out, "%s%d '%s'", i > 0 ? ", " : "", i, c->theme->shades[i]);
    fprintf(c->out,
            ")\nset cbrange [50:100]\nset format cb '%%g %%%%'\nset colorbox user origin screen "
            "%.6g,screen %.6g size screen %.6g,screen %.6g noborder\nset cbtics 10 textcolor rgb "
            "'%s'\n",
            (right + 18) / c->width, FOOT / c->height, 14 / c->width, 1 - (TOP + FOOT) / c->height,
            c->theme->muted);
}

/* The left end of the map: what the widest name takes. */
static double left_of(const struct plot_canvas *c, const struct genome *genome)
{
    double widest = 40;
    for (int i = 0; i < genome->count; i++)
        if (genome->genes[i].bits > 0)
            widest = fmax(widest, plot_width(genome->genes[i].name, LABEL));
    return fmin(widest + 24, c->width / 3);
}

static void write_script(const struct plot_canvas *c, const void *what)
{
    const struct picture *p = what;
    const struct convergence *convergence = &p->report->convergence;
    double left = left_of(c, convergence->genome), right = c->width - SIDE;
    int last = convergence->generations - 1;
    write_data(c->out, p);
    plot_title(c, p->title);
    plot_label(c, c->width / 2, 40, PLOT_CENTRE, 11.5, c->theme->muted, c->width - 24,
               "organisms that agree on a bit; each gene's most significant bit is on top");
    plot_area(c, left, right, TOP, c->height - FOOT);
    fputs("unset ytics\nunset grid\nunset border\n", c->out);
    fprintf(c->out, "set yrange [%g:-0.5]\nset xrange [-0.5:%g]\n", p->rows - 0.5, last + 0.5);
    if (last < 10)
        fputs("set xtics 1\n", c->out);
    plot_axis_names(c, "generation", NULL);
    write_palette(c, right);
    write_genes(c, p, left);
    fputs("plot $map using 1:2:3 with image\n", c->out);
}

bool plot_convergence(const struct report *report, const struct plot_file *file, struct error *err)
{
    const struct run_summary *s = &report->summary;
    char title[RECIPE_NAME + 64];
    struct picture what = {report, title, 0};
    if (s->generation < 0)
        return error_set(err, "there is nothing to plot: the run has no generation yet");
    for (int i = 0; i < report->genome.count; i++)
        what.rows += height_of(&report->genome.genes[i]);
    snprintf(title, sizeof title, "%s, seed %" PRIu64 ": convergence", s->recipe.name,
             s->recipe.seed);
    const struct plot_picture picture = {
        .title = title,
        .description = "A heat map of bits by generation: the share of the population that has "
                       "the more frequent value of the bit, from 50 % (as random) to 100 % (all "
                       "alike). The bits are grouped by gene, the most significant bit on top.",
        .width = WIDTH,
        .height = TOP + FOOT + what.rows,
        .rigid = true,
        .write = write_script,
        .what = &what};
    return plot_draw(&picture, file, err);
}
