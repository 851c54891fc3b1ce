/* Pairings: Elo with error bars. */
#include "picture.h"

#include "format.h"

#include <math.h>

enum { ROW = 28, NAME = 14 /* the height of a name above its row */, FOOT = 46, TICKS = 8 };

#define MOST 400.0 /* Elo: the axis never goes further */

struct pairings {
    const struct night_report_stage *match;
    struct elo_estimate estimates[NIGHT_PAIRINGS];
};

/* True if a pairing has a pair of games. */
static bool is_played(const struct night_pairing *pairing)
{
    return match_counts_games(&pairing->counts) > 1;
}

/* "A – B" and "+61 (+40 to +83)". */
struct texts {
    char name[2 * RECIPE_NAME + 8], elo[2 * FORMAT_MAX + 16];
};

static void tell(const struct pairings *p, int row, struct texts *t)
{
    const struct night_pairing *pairing = &p->match->pairings[row];
    const struct night_player *players = p->match->stage->players;
    char elo[FORMAT_MAX], range[FORMAT_MAX];
    snprintf(t->name, sizeof t->name, "%s – %s", players[pairing->a].name,
             players[pairing->b].name);
    snprintf(t->elo, sizeof t->elo, "not played yet");
    if (is_played(pairing))
        snprintf(t->elo, sizeof t->elo, "%s  (%s)", elo_signed(p->estimates[row].elo, 0, elo),
                 elo_range(&p->estimates[row], 0, range));
}

/* The area of the bars: names are on its left and numbers on its right, on a narrow canvas above. Its axis is for 0 and
 * all bars, within MOST on either side. Estimates without an interval do not widen it. */
static struct area area_of(const struct canvas *c, const struct pairings *p)
{
    struct area a = {.left = 16, .right = c->width - 16, .top = c->top, .bottom = c->bottom};
    double name = 0, elo = 0, low = 0, high = 0;
    for (int i = 0; i < p->match->pairing_count; i++) {
        const struct elo_estimate *e = &p->estimates[i];
        struct texts t;
        tell(p, i, &t);
        name = fmax(name, canvas_width(t.name, CANVAS_NAME));
        elo = fmax(elo, canvas_width(t.elo, CANVAS_NAME));
        if (!is_played(&p->match->pairings[i]) ||
            (isinf(e->elo_low) && isinf(e->elo_high) && !isinf(e->elo)))
            continue;
        low = fmin(low, fmax(-MOST, e->elo_low));
        high = fmax(high, fmin(MOST, e->elo_high));
    }
    a.x = scale_for(low, high, TICKS);
    if (!c->narrow) {
        a.left = fmin(name + 24, 0.36 * c->width);
        a.right = c->width - elo - 28;
    }
    return a;
}

static double height(const struct canvas *c, const void *what)
{
    const struct pairings *p = what;
    return p->match->pairing_count * (ROW + (c->narrow ? NAME : 0));
}

/* Draws an interval, and the number if it is on the axis. An end has a cap, or an arrow where the
 * interval goes on beyond the axis. */
static void draw_bar(const struct canvas *c, const struct area *a, const struct elo_estimate *e,
                     double y)
{
    const char *css = elo_verdict_class(elo_verdict(e));
    char curve[32];
    snprintf(curve, sizeof curve, "curve %s", css);
    canvas_line(c, curve, area_across(a, e->elo_low), y, area_across(a, e->elo_high), y);
    for (int i = 0; i < 2; i++) {
        double end = i == 0 ? e->elo_low : e->elo_high, x = area_across(a, end);
        if (end < a->x.low || end > a->x.high)
            fprintf(c->out, "<path class=\"dot arrow %s\" d=\"M%.1f %.1fl%d -5v10z\"/>\n", css,
                    x + (end < a->x.low ? -10 : 10), y, end < a->x.low ? 10 : -10);
        else
            canvas_line(c, curve, x, y - 5, x, y + 5);
    }
    if (e->elo >= a->x.low && e->elo <= a->x.high)
        canvas_mark(c, SIGN_DOT, css, area_across(a, e->elo), y);
}

static void draw(const struct canvas *c, const void *what)
{
    const struct pairings *p = what;
    const bool narrow = c->narrow;
    const struct area a = area_of(c, p);
    const double row = (a.bottom - a.top) / p->match->pairing_count;
    canvas_axis_below(c, &a, "Elo of the first over the second, 95 % intervals", true);
    canvas_line(c, "grid zero", area_across(&a, 0), a.top, area_across(&a, 0), a.bottom);
    for (int i = 0; i < p->match->pairing_count; i++) {
        const struct elo_estimate *e = &p->estimates[i];
        double y = a.top + row * (i + 0.5);
        struct texts t;
        char css[32];
        tell(p, i, &t);
        if (is_played(&p->match->pairings[i])) {
            snprintf(css, sizeof css, "%stint %s", narrow ? "end " : "",
                     elo_verdict_class(elo_verdict(e)));
            draw_bar(c, &a, e, y + (narrow ? NAME / 2.0 : 0));
        } else
            snprintf(css, sizeof css, "%smuted", narrow ? "end " : "");
        if (narrow) {
            canvas_text(c, 4, y - 7, CANVAS_NAME, "",
                        c->width - canvas_width(t.elo, CANVAS_NAME) - 12, t.name);
            canvas_text(c, c->width - 4, y - 7, CANVAS_NAME, css, c->width, t.elo);
        } else {
            canvas_text(c, a.left - 16, y, CANVAS_NAME, "end", a.left - 20, t.name);
            canvas_text(c, a.right + 16, y, CANVAS_NAME, css, c->width - a.right - 16, t.elo);
        }
    }
}

bool plot_pairings(const struct night_report_stage *match, const char *name,
                   const struct plot_file *file, struct error *err)
{
    static const struct canvas_key keys[] = {{SIGN_DOT, "ahead", "the first is stronger"},
                                             {SIGN_DOT, "behind", "weaker"},
                                             {SIGN_DOT, "open", "not decided"}};
    char title[256];
    struct pairings what = {.match = match};
    bool played = false;
    for (int i = 0; i < match->pairing_count; i++) {
        what.estimates[i] = elo_estimate(&match->pairings[i].counts);
        played = played || is_played(&match->pairings[i]);
    }
    if (!played)
        return error_set(err, "there is nothing to plot: no pair of games has been played yet");
    snprintf(title, sizeof title, "%s: Elo of the pairings of %s", name, match->stage->name);
    const struct picture picture = {
        .title = title,
        .description = "The Elo difference of each pairing with its 95 % interval. An arrow shows "
                       "that a bar goes on beyond the axis, which ends at 400 Elo.",
        .keys = keys,
        .key_count = 3,
        .foot = FOOT,
        .height = height,
        .draw = draw,
        .what = &what,
        .rigid = true};
    return picture_draw(&picture, file, err);
}
