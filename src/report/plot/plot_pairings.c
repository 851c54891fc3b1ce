/* Pairings: Elo with error bars. */
#include "plot_draw.h"

#include "chart.h"
#include "elo_axis.h"
#include "elo_words.h"

#include <math.h>

enum {
    WIDTH = 900,
    ROW = 30,
    TOP = 64,
    FOOT = 58,
    LABEL = 12,
    VALUES = 210, /* beside the axes: the numbers */
    TICKS = 8,
    PAIRINGS = NIGHT_PAIRINGS,
};

#define ARROW 13.0 /* units: an arrow at the end of the axis */
#define CAP   0.18 /* rows: the half of a bar's cap */

struct picture {
    const struct night_report_stage *match;
    const char *title;
    struct elo_estimate estimates[PAIRINGS];
    struct scale x;
    double left, right; /* of the axes, in units */
};

/* True if a pairing has a pair of games. */
static bool is_played(const struct night_pairing *pairing)
{
    return pairing->counts.wins + pairing->counts.draws + pairing->counts.losses > 1;
}

static const char *color_of(const struct plot_theme *t, const struct elo_estimate *e)
{
    enum elo_verdict verdict = elo_verdict(e);
    return verdict == ELO_AHEAD ? t->leads : verdict == ELO_BEHIND ? t->compares : t->behind;
}

/* Where a value lies: -1 below the axis, 1 above it, 0 on it. */
static int beyond(const struct picture *p, double elo)
{
    const struct elo_axis axis = {p->x.low, p->x.high};
    return elo_axis_beyond(&axis, elo);
}

/* Marks an end of an interval: a cap, or an arrow if the end lies beyond the axis. */
static void write_end(const struct plot_canvas *c, const struct picture *p, int row, double end,
                      const char *color)
{
    int side = beyond(p, end);
    double unit = (p->x.high - p->x.low) / (p->right - p->left);
    if (side == 0)
        fprintf(c->out,
                "set arrow from first %.6g,%.6g to first %.6g,%.6g nohead front linewidth 2 "
                "linecolor rgb '%s'\n",
                end, row - CAP, end, row + CAP, color);
    else
        fprintf(c->out,
                "set arrow from first %.6g,%d to first %.6g,%d head filled front size screen "
                "%.6g,20 linewidth 2 linecolor rgb '%s'\n",
                (side < 0 ? p->x.low : p->x.high) - side * ARROW * unit, row,
                side < 0 ? p->x.low : p->x.high, row, ARROW / c->width, color);
}

/* Draws the interval of a pairing. */
static void write_bar(const struct plot_canvas *c, const struct picture *p, int row)
{
    const struct elo_estimate *e = &p->estimates[row];
    const char *color = color_of(c->theme, e);
    fprintf(c->out,
            "set arrow from first %.6g,%d to first %.6g,%d nohead front linewidth 2 linecolor rgb "
            "'%s'\n",
            fmin(p->x.high, fmax(p->x.low, e->elo_low)), row,
            fmin(p->x.high, fmax(p->x.low, e->elo_high)), row, color);
    write_end(c, p, row, e->elo_low, color);
    write_end(c, p, row, e->elo_high, color);
}

/* Writes the players of a pairing on the left, and its numbers on the right. */
static void write_labels(const struct plot_canvas *c, const struct picture *p, int row)
{
    const struct night_pairing *pairing = &p->match->pairings[row];
    const struct night_player *players = p->match->stage->players;
    const struct elo_estimate *e = &p->estimates[row];
    double y = TOP + (row + 0.5) * (c->height - TOP - FOOT) / p->match->pairing_count;
    char name[2 * RECIPE_NAME + 8], elo[FORMAT_MAX], range[FORMAT_MAX], text[2 * FORMAT_MAX + 16];
    snprintf(name, sizeof name, "%s – %s", players[pairing->a].name, players[pairing->b].name);
    plot_label(c, p->left - 12, y, PLOT_RIGHT, LABEL, c->theme->ink, p->left - 16, name);
    if (is_played(pairing))
        snprintf(text, sizeof text, "%s  (%s)", elo_signed(e->elo, 0, elo), elo_range(e, 0, range));
    else
        snprintf(text, sizeof text, "not played yet");
    plot_label(c, p->right + 14, y, PLOT_LEFT, LABEL,
               is_played(pairing) ? color_of(c->theme, e) : c->theme->muted, VALUES - 16, text);
}

/* The estimates as dots: Elo and row, those on the axis only, by colour. */
static void write_data(const struct plot_canvas *c, const struct picture *p)
{
    fputs("$dots << END\n", c->out);
    for (int i = 0; i < p->match->pairing_count; i++) {
        const struct elo_estimate *e = &p->estimates[i];
        bool there = is_played(&p->match->pairings[i]) && beyond(p, e->elo) == 0;
        fprintf(c->out, "%.6g %d 0x%s\n", there ? e->elo : NAN, i, color_of(c->theme, e) + 1);
    }
    fputs("END\n", c->out);
}

/* Says what the colours mean. */
static void write_legend(const struct plot_canvas *c)
{
    const struct plot_key keys[] = {{PLOT_DOT, c->theme->leads, "the first is stronger"},
                                    {PLOT_DOT, c->theme->compares, "weaker"},
                                    {PLOT_DOT, c->theme->behind, "not told apart"}};
    plot_legend(c, keys, 3, 24, 44);
}

/* The left end of the axes: what the widest pairing takes. */
static double left_of(const struct plot_canvas *c, const struct night_report_stage *match)
{
    double widest = 0;
    for (int i = 0; i < match->pairing_count; i++) {
        const struct night_player *players = match->stage->players;
        const struct night_pairing *pairing = &match->pairings[i];
        widest = fmax(widest, plot_width(players[pairing->a].name, LABEL) +
                                  plot_width(players[pairing->b].name, LABEL));
    }
    return fmin(widest + 3 * LABEL + 20, 0.36 * c->width);
}

static void write_axis(const struct plot_canvas *c, const struct picture *p)
{
    fprintf(c->out,
            "unset ytics\nset border 1\nset grid xtics linetype 1 linecolor rgb '%s' "
            "linewidth 1\nset xrange [%g:%g]\nset xtics %g\nset yrange [%g:-0.5]\n"
            "set arrow from first 0,graph 0 to first 0,graph 1 nohead back linewidth 1.4 linecolor "
            "rgb '%s'\n",
            c->theme->line, p->x.low, p->x.high, p->x.step, p->match->pairing_count - 0.5,
            c->theme->muted);
}

static void write_script(const struct plot_canvas *c, const void *what)
{
    struct picture p = *(const struct picture *)what;
    struct elo_axis axis = elo_axis_for(p.estimates, p.match->pairing_count);
    p.x = scale_for(axis.low, axis.high, TICKS);
    p.left = left_of(c, p.match);
    p.right = c->width - VALUES;
    plot_title(c, p.title);
    write_legend(c);
    plot_area(c, p.left, p.right, TOP, c->height - FOOT);
    write_data(c, &p);
    write_axis(c, &p);
    plot_axis_names(c,
                    "Elo of the first over the second, 95 % intervals; an arrow goes on beyond the "
                    "axis",
                    NULL);
    for (int i = 0; i < p.match->pairing_count; i++) {
        write_labels(c, &p, i);
        if (is_played(&p.match->pairings[i]))
            write_bar(c, &p, i);
    }
    fputs("plot $dots using 1:2:3 with points pointtype 7 pointsize 1 linecolor rgb variable\n",
          c->out);
}

bool plot_pairings(const struct night_report_stage *match, const char *name,
                   const struct plot_file *file, struct error *err)
{
    char title[256];
    struct picture what = {.match = match, .title = title};
    bool played = false;
    for (int i = 0; i < match->pairing_count; i++) {
        what.estimates[i] = elo_estimate(&match->pairings[i].counts);
        played = played || is_played(&match->pairings[i]);
    }
    if (!played)
        return error_set(err, "there is nothing to plot: no pair of games has been played yet");
    snprintf(title, sizeof title, "%s: Elo of the pairings of %s", name, match->stage->name);
    const struct plot_picture picture = {
        .title = title,
        .description = "The Elo difference of each pairing with its 95 % interval. An arrow shows "
                       "that a bar goes on beyond the axis, which ends at 400 Elo.",
        .width = WIDTH,
        .height = TOP + FOOT + ROW * match->pairing_count,
        .rigid = true,
        .write = write_script,
        .what = &what};
    return plot_draw(&picture, file, err);
}
