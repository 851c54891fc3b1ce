/* The genes of a run: where each value ended within its range, the course of each value as small multiples, and
 * convergence as a heat map of the bits by generation. */
#include "chart.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* The genes that a picture shows, in its order. */
struct genes {
    const struct report *report;
    const struct report_gene **shown;
    int count;
};

/* True for a gene that evolves and is among the `most` which moved most, from the place `first` on. */
static bool is_shown(const struct report_gene *g, int first, int most)
{
    return g->param->bits > 0 && g->param->max > g->param->min && g->by_moves >= first &&
           g->by_moves < most;
}

/* Draws a picture of those genes, in the order of their moves or of the table. */
static bool draw_genes(struct picture *picture, const struct report *r, int first, int most,
                       bool by_moves, const struct plot_file *file, struct error *err)
{
    const struct run_summary *s = &r->summary;
    char title[RECIPE_NAME + 96];
    struct genes what = {r, calloc((size_t)r->genome.count + 1, sizeof *what.shown), 0};
    if (what.shown == NULL)
        return error_set(err, "no memory for the plot");
    for (int i = 0; i < r->genome.count; i++)
        if (is_shown(&r->genes[i], first, most))
            what.shown[by_moves ? r->genes[i].by_moves : i] = &r->genes[i];
    for (int i = 0; i < r->genome.count; i++)
        if (what.shown[i] != NULL)
            what.shown[what.count++] = what.shown[i];
    snprintf(title, sizeof title, "%s, seed %" PRIu64 ": %s", s->recipe.name, s->recipe.seed,
             picture->title);
    picture->title = title;
    picture->what = &what;
    picture->rigid = true;
    const bool drawn =
        s->generation < 0
            ? error_set(err, "there is nothing to plot: the run has no generation yet")
            : picture_draw(picture, file, err);
    free(what.shown);
    return drawn;
}

/* ---- where each value ended ---- */

enum {
    ROW = 20,
    ROW_NAME = 15 /* the height of a name above its row */,
    ROWS_FOOT = 30,
    RANGE = 64
};

/* What the texts beside the tracks take. */
struct columns {
    double left, right; /* the ends of the tracks */
    double value;       /* where values end; ranges follow */
};

/* Writes "of MINIMUM to MAXIMUM", or how many choices there are. Returns `text`. */
static const char *range_of(const struct param *p, char text[RANGE])
{
    char low[PARAM_TEXT], high[PARAM_TEXT];
    if (param_is_choice(p))
        snprintf(text, RANGE, "of %" PRIu32 " choices", param_steps(p) + 1);
    else
        snprintf(text, RANGE, "of %.20s to %.20s", param_value_text(p, p->min, low),
                 param_value_text(p, p->max, high));
    return text;
}

/* Names are on the left of the tracks, values and ranges on the right; on a narrow canvas all are above. */
static struct columns columns_of(const struct canvas *c, const struct genes *p)
{
    double name = 0, value = 40, range = 0;
    char text[PARAM_TEXT], words[RANGE];
    for (int i = 0; i < p->count; i++) {
        const struct report_gene *g = p->shown[i];
        name = fmax(name, canvas_width(g->param->name, CANVAS_NAME));
        value =
            fmax(value, canvas_width(param_value_text(g->param, g->evolved, text), CANVAS_NAME));
        range = fmax(range, canvas_width(range_of(g->param, words), CANVAS_NAME));
    }
    value = fmin(value, 160);
    if (c->narrow)
        return (struct columns){8, c->width - 8, c->width - range - 16};
    const double right = c->width - value - range - 24;
    return (struct columns){fmin(name + 28, c->width / 3), right, right + value + 8};
}

static double ends_height(const struct canvas *c, const void *what)
{
    const struct genes *p = what;
    return p->count * (ROW + (c->narrow ? ROW_NAME : 0));
}

static void write_texts(const struct canvas *c, const struct report_gene *g,
                        const struct columns *x, double y)
{
    char value[PARAM_TEXT], range[RANGE];
    param_value_text(g->param, g->evolved, value);
    if (c->narrow)
        canvas_text(c, 4, y, CANVAS_LABEL, "", x->value - 8 - canvas_width(value, CANVAS_LABEL),
                    g->param->name);
    else
        canvas_text(c, x->left - 12, y, CANVAS_NAME, "end", x->left - 16, g->param->name);
    canvas_text(c, x->value, y, CANVAS_NAME, "end best tint", 164, value);
    canvas_text(c, x->value + 8, y, CANVAS_NAME, "muted", c->width - x->value - 8,
                range_of(g->param, range));
}

/* Draws the spread of the population, the value to compare with, and the best on top. */
static void draw_track(const struct canvas *c, const struct report_gene *g, struct area *a,
                       double y)
{
    const struct gene_state *last = &g->last;
    a->x = (struct scale){.low = g->param->min, .high = g->param->max};
    double low = area_across(a, last->mean - last->deviation);
    double high = area_across(a, last->mean + last->deviation);
    canvas_line(c, "curve thin mean", area_across(a, last->lowest), y,
                area_across(a, last->highest), y);
    fprintf(
        c->out,
        "<rect class=\"band strong mean\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"6\"/>\n",
        low, y - 3, high - low);
    if (g->compared >= g->param->min && g->compared <= g->param->max)
        canvas_mark(c, g->has_paper ? SIGN_DIAMOND : SIGN_CROSS, "held-out",
                    area_across(a, g->compared), y);
    canvas_mark(c, SIGN_DOT, "best", area_across(a, g->evolved), y);
}

static void draw_ends(const struct canvas *c, const void *what)
{
    static const struct {
        double at;
        const char *css, *text;
    } ticks[] = {{0, "muted", "minimum"},
                 {0.25, "", ""},
                 {0.5, "middle muted", "middle of the range"},
                 {0.75, "", ""},
                 {1, "end muted", "maximum"}};
    const struct genes *p = what;
    const struct columns columns = columns_of(c, p);
    const double above = c->narrow ? ROW_NAME : 0, unit = c->unit;
    double y = c->top;
    struct area a = {columns.left, columns.right, c->top, c->bottom, {0}, {0}};
    for (int i = 0; i < 5; i++) {
        double x = a.left + (a.right - a.left) * ticks[i].at;
        canvas_line(c, "grid", x, a.top, x, a.bottom);
        canvas_text(c, x, a.bottom + 14, CANVAS_LABEL, ticks[i].css, c->width, ticks[i].text);
    }
    for (int i = 0; i < p->count; i++) {
        write_texts(c, p->shown[i], &columns, y + unit * (above > 0 ? ROW_NAME - 5 : ROW / 2.0));
        draw_track(c, p->shown[i], &a, y + unit * (above + ROW / 2.0));
        y += unit * (above + ROW);
    }
}

bool plot_genes(const struct report *report, int most, const struct plot_file *file,
                struct error *err)
{
    char name[64];
    struct canvas_key keys[5] = {{SIGN_DOT, "best", "best organism"}};
    int kinds[2] = {0, 0}, count = 1; /* genes with an initial value, and with the paper's */
    for (int i = 0; i < report->genome.count; i++)
        if (is_shown(&report->genes[i], 0, most))
            kinds[report->genes[i].has_paper]++;
    if (kinds[1] > 0)
        keys[count++] = (struct canvas_key){SIGN_DIAMOND, "held-out", "the paper's value"};
    if (kinds[0] > 0)
        keys[count++] = (struct canvas_key){SIGN_CROSS, "held-out", "initial value"};
    keys[count++] = (struct canvas_key){SIGN_BAND, "mean", "population: mean ± deviation"};
    keys[count++] = (struct canvas_key){SIGN_THIN, "mean", "lowest to highest"};
    struct picture picture = {
        .title = name,
        .description = "The value of each gene of the best organism within the gene's range, "
                       "beside the value that the paper gives or else the initial one, with the "
                       "mean, the standard deviation and the extremes of the last population.",
        .keys = keys,
        .key_count = count,
        .foot = ROWS_FOOT,
        .height = ends_height,
        .draw = draw_ends};
    snprintf(name, sizeof name, "genes after generation %d", report->summary.generation);
    return draw_genes(&picture, report, 0, most, false, file, err);
}

/* ---- the course of each value ---- */

enum {
    PANEL = 110, /* the height of a panel with its name */
    HEAD = 27,   /* of that the name */
    GAP = 46,    /* beside a panel, for the ticks */
    PANELS_FOOT = 40,
};

static int panels_across(const struct canvas *c, const struct genes *p)
{
    return c->narrow ? 2 : p->count <= 9 ? 3 : 4;
}

static double courses_height(const struct canvas *c, const void *what)
{
    const struct genes *p = what;
    const int columns = panels_across(c, p);
    return PANEL * ((p->count + columns - 1) / columns);
}

/* The best organism's value of a gene, and the population's mean with one standard deviation to either side. */
static struct chart_point gene_point(const void *convergence, int gene, int generation)
{
    const struct gene_state *s = convergence_gene(convergence, generation, gene);
    return (struct chart_point){generation, s->best, s->mean - s->deviation,
                                s->mean + s->deviation};
}

/* Draws the panel of a gene: its name and last value, its range and its course. */
static void draw_panel(const struct canvas *c, const struct genes *p, const struct report_gene *g,
                       const struct area *a)
{
    char value[PARAM_TEXT], end[PARAM_TEXT];
    const double wide = canvas_width(param_value_text(g->param, g->evolved, value), CANVAS_LABEL);
    canvas_text(c, a->left - GAP + 8, a->top - 17, CANVAS_LABEL, "",
                a->right - a->left + GAP - 14 - fmin(wide, (a->right - a->left) / 2),
                g->param->name);
    canvas_text(c, a->right, a->top - 17, CANVAS_LABEL, "end best tint", (a->right - a->left) / 2,
                value);
    for (int i = 0; i < 2; i++) {
        double y = i == 0 ? a->bottom : a->top;
        canvas_line(c, "grid", a->left, y, a->right, y);
        canvas_text(c, a->left - 6, y, 9.5, "end muted", GAP - 8,
                    param_value_text(g->param, i == 0 ? g->param->min : g->param->max, end));
    }
    /* The value to compare with, the band, and the course of the best organism. */
    struct chart_curve course = {.css = "mean",
                                 .count = p->report->convergence.generations,
                                 .at = gene_point,
                                 .context = &p->report->convergence,
                                 .kind = (int)(g - p->report->genes),
                                 .steps = true};
    if (g->compared >= g->param->min && g->compared <= g->param->max)
        canvas_line(c, "curve dashes held-out", a->left, area_down(a, g->compared), a->right,
                    area_down(a, g->compared));
    chart_draw_band(c, a, "band", &course);
    course.css = "best";
    chart_draw_curve(c, a, &course);
}

static void draw_courses(const struct canvas *c, const void *what)
{
    const struct genes *p = what;
    const int columns = panels_across(c, p), last = p->report->summary.generation;
    const double wide = (c->width - 8) / columns, high = PANEL * c->unit;
    for (int i = 0; i < p->count; i++) {
        const double left = wide * (i % columns) + GAP, y = c->top + high * (i / columns);
        const struct area a = {
            .left = left,
            .right = left + wide - GAP - 8,
            .top = y + HEAD,
            .bottom = y + high - 10,
            .x = scale_to(last, 1),
            .y = {.low = p->shown[i]->param->min, .high = p->shown[i]->param->max},
        };
        draw_panel(c, p, p->shown[i], &a);
        if (i + columns < p->count)
            continue;
        char text[16]; /* the lowest panel of a column has the ends of its axis */
        snprintf(text, sizeof text, "%d", last);
        canvas_text(c, last > 0 ? a.left : (a.left + a.right) / 2, a.bottom + 14, 9.5, "muted",
                    wide, "0");
        if (last > 0)
            canvas_text(c, a.right, a.bottom + 14, 9.5, "end muted", wide, text);
    }
    canvas_text(c, c->width / 2, c->height - 10, CANVAS_NAME, "middle", c->width, "generation");
}

bool plot_parameters(const struct report *report, int first, int most, const struct plot_file *file,
                     struct error *err)
{
    struct picture picture = {
        .title = "parameters by generation",
        .note =
            "band: the population's mean ± standard deviation; dashed: the paper's value or the "
            "default",
        .description =
            "A panel for each parameter, those that moved most first: its value in the best "
            "organism of each generation over its whole range, the mean of the population with one "
            "standard deviation as a band, and the paper's value or the default, dashed.",
        .foot = PANELS_FOOT,
        .height = courses_height,
        .draw = draw_courses};
    return draw_genes(&picture, report, first, most, true, file, err);
}

/* ---- convergence ---- */

enum {
    COLUMNS = 200, /* most of the map; longer runs are binned */
    BIT = 3,       /* least height of a bit, and of a gene, in units */
    GENE = 14,
    BITS = 64,      /* most of a gene */
    BITS_NAME = 16, /* the height of a name above its rows */
    SCALE = 26,     /* above the map, the scale of shades */
    MAP_FOOT = 46,
    TICKS = 8,
};

static double bits_height(const struct param *gene)
{
    return fmax(BIT * gene->bits, GENE);
}

static double rows_height(const struct canvas *c, const struct genes *p)
{
    double sum = 0;
    for (int i = 0; i < p->count; i++)
        sum += bits_height(p->shown[i]->param) + (c->narrow ? BITS_NAME : 1);
    return sum;
}

static double map_height(const struct canvas *c, const void *what)
{
    return SCALE + rows_height(c, what);
}

/* Draws the bits of a gene: for each shade a path, of lines as thick as a row and drawn along its middle. */
static void draw_bits(const struct canvas *c, const struct convergence *convergence, int gene,
                      const struct area *a)
{
    const int bits = convergence->genome->genes[gene].bits;
    const int locus = genome_first_locus(convergence->genome, gene);
    const int most = c->narrow ? COLUMNS / 2 : COLUMNS;
    const int bin = (convergence->generations + most - 1) / most;
    const int columns = (convergence->generations + bin - 1) / bin;
    const double end = (double)convergence->generations / bin; /* the last column may be cut */
    const double high = (a->bottom - a->top) / bits;
    unsigned char shades[BITS][COLUMNS];
    assert(bits <= BITS);
    for (int bit = 0; bit < bits; bit++)
        for (int x = 0; x < columns; x++) { /* of the mean agreement, from a half to all */
            double sum = 0;
            int count = 0, g = x * bin;
            for (; g < (x + 1) * bin && g < convergence->generations; g++, count++)
                sum += convergence_agreement(convergence, g, locus + bit);
            shades[bit][x] = (unsigned char)((2 * sum / count - 1) * (CANVAS_SHADES - 1) + 0.5);
        }
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

static void draw_map(const struct canvas *c, const void *what)
{
    const struct genes *p = what;
    const struct report *r = p->report;
    const bool above = c->narrow;
    const double unit = (c->bottom - c->top - SCALE) / rows_height(c, p);
    double widest = 40, y = c->top + SCALE;
    for (int i = 0; i < p->count; i++)
        widest = fmax(widest, canvas_width(p->shown[i]->param->name, CANVAS_LABEL));
    struct area a = {.left = above ? 4 : fmin(widest + 24, c->width / 3),
                     .right = c->width - 12,
                     .x = scale_cells(r->convergence.generations - 1, TICKS)};
    draw_scale(c, a.left, c->top + 8);
    for (int i = 0; i < p->count; i++) {
        const struct param *gene = p->shown[i]->param;
        y += above ? unit * BITS_NAME : 0;
        a.top = y;
        a.bottom = y + unit * bits_height(gene);
        if (above)
            canvas_text(c, a.left, y - 6, CANVAS_LABEL, "", c->width, gene->name);
        else
            canvas_text(c, a.left - 8, (a.top + a.bottom) / 2, CANVAS_LABEL, "end", a.left - 12,
                        gene->name);
        draw_bits(c, &r->convergence, (int)(p->shown[i] - r->genes), &a);
        y = a.bottom + (above ? 0 : unit);
    }
    canvas_axis_below(c, &a, "generation", false);
}

bool plot_convergence(const struct report *report, int most, const struct plot_file *file,
                      struct error *err)
{
    struct picture picture = {
        .title = "convergence",
        .note = "organisms that agree on a bit; each gene's most significant bit is on top",
        .description = "A heat map of bits by generation: the share of the population that has "
                       "the more frequent value of the bit, from 50 % (as random) to 100 % (all "
                       "alike). The bits are grouped by gene, the most significant bit on top.",
        .foot = MAP_FOOT,
        .height = map_height,
        .draw = draw_map};
    return draw_genes(&picture, report, 0, most, false, file, err);
}
