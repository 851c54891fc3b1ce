/* Convergence: a heat map of the bits by generation. */
#include "picture.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

enum {
    COLUMNS = 200, /* most of the map; longer runs are binned */
    BIT = 3,       /* least height of a bit, and of a gene, in units */
    GENE = 14,
    BITS = 64,  /* most of a gene */
    NAME = 16,  /* the height of a name above its rows */
    SCALE = 26, /* above the map, the scale of shades */
    FOOT = 46,
    TICKS = 8,
};

static const char note[] =
    "organisms that agree on a bit; each gene's most significant bit is on top";

struct map {
    const struct report *report;
    const char *title;
    int most; /* genes shown: those that moved most */
};

static bool is_shown(const struct map *m, int gene)
{
    return m->report->genes[gene].param->bits > 0 && m->report->genes[gene].by_moves < m->most;
}

/* The height of a gene's bits. */
static double height_of(const struct param *gene)
{
    return fmax(BIT * gene->bits, GENE);
}

static double height(const struct canvas *c, const void *what)
{
    const struct map *m = what;
    double sum = canvas_title(c, m->title, note) + SCALE + FOOT;
    for (int i = 0; i < m->report->genome.count; i++)
        if (is_shown(m, i))
            sum += height_of(m->report->genes[i].param) + (canvas_is_narrow(c) ? NAME : 1);
    return sum;
}

/* The shade of a bit in a column of so many generations: of the mean agreement, from a half to all. */
static int shade_of(const struct convergence *c, int bin, int column, int locus)
{
    double sum = 0;
    int count = 0;
    for (int g = column * bin; g < (column + 1) * bin && g < c->generations; g++, count++)
        sum += convergence_agreement(c, g, locus);
    return (int)((2 * sum / count - 1) * (CANVAS_SHADES - 1) + 0.5);
}

/* Draws the bits of a gene: for each shade a path, of lines as thick as a row and drawn along its
 * middle. */
static void draw_gene(const struct canvas *c, const struct convergence *convergence, int gene,
                      const struct area *a)
{
    const int bits = convergence->genome->genes[gene].bits;
    const int locus = genome_first_locus(convergence->genome, gene);
    const int most = canvas_is_narrow(c) ? COLUMNS / 2 : COLUMNS;
    const int bin = (convergence->generations + most - 1) / most;
    const int columns = (convergence->generations + bin - 1) / bin;
    const double end = (double)convergence->generations / bin; /* the last column may be cut */
    const double high = (a->bottom - a->top) / bits;
    unsigned char shades[BITS][COLUMNS];
    assert(bits <= BITS);
    for (int bit = 0; bit < bits; bit++)
        for (int x = 0; x < columns; x++)
            shades[bit][x] = (unsigned char)shade_of(convergence, bin, x, locus + bit);
    fprintf(c->out, "<g class=\"heat\" transform=\"translate(%.1f %.2f) scale(%.5g %.4g)\">\n",
            a->left, a->top + high / 2, (a->right - a->left) / end, high);
    for (int shade = 0; shade < CANVAS_SHADES; shade++) {
        bool begun = false;
        for (int bit = 0; bit < bits; bit++)
            for (int x = 0, next; x < columns; x = next) {
                for (next = x + 1; next < columns && shades[bit][next] == shades[bit][x];)
                    next++;
                if (shades[bit][x] != shade)
                    continue;
                if (!begun)
                    fprintf(c->out, "<path class=\"h%d\" d=\"", shade);
                fprintf(c->out, "M%d %dH%.4g", x, bit, fmin(next, end));
                begun = true;
            }
        fputs(begun ? "\"/>\n" : "", c->out);
    }
    fputs("</g>\n", c->out);
}

/* Writes the scale of the shades, with a word at either end. */
static void draw_scale(const struct canvas *c, double left, double y)
{
    static const char none[] = "50 %", full[] = "100 %";
    double x = left + canvas_width(none, CANVAS_LABEL) + 8;
    canvas_text(c, left, y, CANVAS_LABEL, "muted", c->width, none);
    fprintf(c->out, "<g class=\"heat\" transform=\"translate(%.1f %.1f) scale(14 12)\">", x, y);
    for (int i = 0; i < CANVAS_SHADES; i++)
        fprintf(c->out, "<path class=\"h%d\" d=\"M%d 0h1\"/>", i, i);
    fputs("</g>\n", c->out);
    canvas_text(c, x + 14 * CANVAS_SHADES + 8, y, CANVAS_LABEL, "muted", c->width, full);
}

static void draw(const struct canvas *c, const void *what)
{
    const struct map *m = what;
    const struct report *r = m->report;
    const bool above = canvas_is_narrow(c);
    double widest = 40;
    for (int i = 0; i < r->genome.count; i++)
        if (is_shown(m, i))
            widest = fmax(widest, canvas_width(r->genes[i].param->name, CANVAS_LABEL));
    struct area a = {.left = above ? 4 : fmin(widest + 24, c->width / 3),
                     .right = c->width - 12,
                     .x = scale_cells(r->convergence.generations - 1, TICKS)};
    double y = canvas_title(c, m->title, note), fixed = y + SCALE + FOOT;
    const double unit = (c->height - fixed) / (c->own - fixed);
    draw_scale(c, a.left, y + 8);
    y += SCALE;
    for (int i = 0; i < r->genome.count; i++) {
        if (!is_shown(m, i))
            continue;
        const struct param *gene = r->genes[i].param;
        y += above ? unit * NAME : 0;
        a.top = y;
        a.bottom = y + unit * height_of(gene);
        if (above)
            canvas_text(c, a.left, y - 6, CANVAS_LABEL, "", c->width, gene->name);
        else
            canvas_text(c, a.left - 8, (a.top + a.bottom) / 2, CANVAS_LABEL, "end", a.left - 12,
                        gene->name);
        draw_gene(c, &r->convergence, i, &a);
        y = a.bottom + (above ? 0 : unit);
    }
    canvas_axis_below(c, &a, "generation", false);
}

bool plot_convergence(const struct report *report, int most, const struct plot_file *file,
                      struct error *err)
{
    const struct run_summary *s = &report->summary;
    char title[RECIPE_NAME + 64];
    const struct map what = {report, title, most};
    if (s->generation < 0)
        return error_set(err, "there is nothing to plot: the run has no generation yet");
    snprintf(title, sizeof title, "%s, seed %" PRIu64 ": convergence", s->recipe.name,
             s->recipe.seed);
    const struct picture picture = {
        .title = title,
        .description = "A heat map of bits by generation: the share of the population that has "
                       "the more frequent value of the bit, from 50 % (as random) to 100 % (all "
                       "alike). The bits are grouped by gene, the most significant bit on top.",
        .height = height,
        .draw = draw,
        .what = &what,
        .rigid = true};
    return picture_draw(&picture, file, err);
}
