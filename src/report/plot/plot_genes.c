/* Genes: where each value ended within its range. */
#include "picture.h"

#include <inttypes.h>
#include <math.h>

enum { ROW = 20, NAME = 15 /* the height of a name above its row */, FOOT = 30, RANGE = 64 };

struct genes {
    const struct report *report;
    const char *title;
    int most; /* genes shown: those that moved most */
};

/* What the texts beside the tracks take. */
struct columns {
    double left, right; /* the ends of the tracks */
    double value;       /* where values end; ranges follow */
};

static bool is_shown(const struct genes *p, int gene)
{
    const struct report_gene *g = &p->report->genes[gene];
    return g->param->bits > 0 && g->param->max > g->param->min && g->by_moves < p->most;
}

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

/* Names are on the left of the tracks, values and ranges on the right; on a narrow canvas all are
 * above. */
static struct columns columns_of(const struct canvas *c, const struct genes *p)
{
    double name = 0, value = 40, range = 0;
    char text[PARAM_TEXT], words[RANGE];
    for (int i = 0; i < p->report->genome.count; i++) {
        const struct report_gene *g = &p->report->genes[i];
        if (!is_shown(p, i))
            continue;
        name = fmax(name, canvas_width(g->param->name, CANVAS_NAME));
        value =
            fmax(value, canvas_width(param_value_text(g->param, g->evolved, text), CANVAS_NAME));
        range = fmax(range, canvas_width(range_of(g->param, words), CANVAS_NAME));
    }
    value = fmin(value, 160);
    if (canvas_is_narrow(c))
        return (struct columns){8, c->width - 8, c->width - range - 16};
    const double right = c->width - value - range - 24;
    return (struct columns){fmin(name + 28, c->width / 3), right, right + value + 8};
}

/* Writes the legend: what each sign on a track is. */
static double write_legend(const struct canvas *c, const struct genes *p, double top)
{
    bool paper = false, initial = false;
    struct canvas_key keys[5] = {{SIGN_DOT, "best", "best organism"}};
    int count = 1;
    for (int i = 0; i < p->report->genome.count; i++)
        if (is_shown(p, i)) {
            paper = paper || p->report->genes[i].has_paper;
            initial = initial || !p->report->genes[i].has_paper;
        }
    if (paper)
        keys[count++] = (struct canvas_key){SIGN_DIAMOND, "held-out", "the paper's value"};
    if (initial)
        keys[count++] = (struct canvas_key){SIGN_CROSS, "held-out", "initial value"};
    keys[count++] = (struct canvas_key){SIGN_BAND, "mean", "population: mean ± deviation"};
    keys[count++] = (struct canvas_key){SIGN_THIN, "mean", "lowest to highest"};
    return canvas_legend(c, keys, count, top);
}

static double height(const struct canvas *c, const void *what)
{
    const struct genes *p = what;
    double sum = write_legend(c, p, canvas_title(c, p->title, NULL)) + FOOT;
    for (int i = 0; i < p->report->genome.count; i++)
        sum += is_shown(p, i) ? ROW + (canvas_is_narrow(c) ? NAME : 0) : 0;
    return sum;
}

/* Writes the name, the value and the range of a gene. */
static void write_texts(const struct canvas *c, const struct report_gene *g,
                        const struct columns *x, double y)
{
    char value[PARAM_TEXT], range[RANGE];
    param_value_text(g->param, g->evolved, value);
    if (canvas_is_narrow(c))
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
    const int32_t compared = g->has_paper ? g->paper : g->param->initial;
    if (compared >= g->param->min && compared <= g->param->max)
        canvas_mark(c, g->has_paper ? SIGN_DIAMOND : SIGN_CROSS, "held-out",
                    area_across(a, compared), y);
    canvas_mark(c, SIGN_DOT, "best", area_across(a, g->evolved), y);
}

static void draw(const struct canvas *c, const void *what)
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
    const double above = canvas_is_narrow(c) ? NAME : 0;
    double top = write_legend(c, p, canvas_title(c, p->title, NULL)), y = top;
    const double unit = (c->height - top - FOOT) / (c->own - top - FOOT);
    struct area a = {columns.left, columns.right, top, c->height - FOOT, {0}, {0}};
    for (int i = 0; i < 5; i++) {
        double x = a.left + (a.right - a.left) * ticks[i].at;
        canvas_line(c, "grid", x, a.top, x, a.bottom);
        canvas_text(c, x, a.bottom + 14, CANVAS_LABEL, ticks[i].css, c->width, ticks[i].text);
    }
    for (int i = 0; i < p->report->genome.count; i++) {
        if (!is_shown(p, i))
            continue;
        write_texts(c, &p->report->genes[i], &columns,
                    y + unit * (above > 0 ? NAME - 5 : ROW / 2.0));
        draw_track(c, &p->report->genes[i], &a, y + unit * (above + ROW / 2.0));
        y += unit * (above + ROW);
    }
}

bool plot_genes(const struct report *report, int most, const struct plot_file *file,
                struct error *err)
{
    const struct run_summary *s = &report->summary;
    char title[RECIPE_NAME + 96];
    const struct genes what = {report, title, most};
    if (s->generation < 0)
        return error_set(err, "there is nothing to plot: the run has no generation yet");
    snprintf(title, sizeof title, "%s, seed %" PRIu64 ": genes after generation %d", s->recipe.name,
             s->recipe.seed, s->generation);
    const struct picture picture = {
        .title = title,
        .description = "The value of each gene of the best organism within the gene's range, "
                       "beside the value that the paper gives or else the initial one, with the "
                       "mean, the standard deviation and the extremes of the last population.",
        .height = height,
        .draw = draw,
        .what = &what,
        .rigid = true};
    return picture_draw(&picture, file, err);
}
