#include "chart.h"

#include "html.h"

#include <assert.h>
#include <math.h>

enum {
    X_TICKS = 10, /* steps, about */
    Y_TICKS = 6,
    POINTS = 1000, /* most of a curve that are drawn */
    TOLD = 256,    /* bytes of a tooltip */
    START = 10,    /* the start is one part in so many of x */
    LEADER = 16,   /* units from the end of a curve to its name */
    NAME_GAP = 16, /* units from one name to the next */
    FOOT = 46,     /* units below the axes, for their ticks and name */
};

/* ---- axes ---- */

/* Point number `i` of a curve. */
static struct chart_point point_of(const struct chart_curve *curve, int i)
{
    return curve->at != NULL ? curve->at(curve->context, curve->kind, i)
                             : (struct chart_point){i == 0 ? 0 : INFINITY, curve->level, NAN, NAN};
}

static void take_in(double range[2], double value)
{
    if (!isfinite(value))
        return;
    range[0] = fmin(range[0], value);
    range[1] = fmax(range[1], value);
}

/* The axis for the values of all curves. */
static struct scale scale_of(const struct chart *c)
{
    double all[2] = {INFINITY, -INFINITY}, later[2] = {INFINITY, -INFINITY};
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < c->curves[i].count; k++) {
            const struct chart_point p = point_of(&c->curves[i], k);
            const double values[] = {p.y, c->curves[i].band != NULL ? p.low : NAN,
                                     c->curves[i].band != NULL ? p.high : NAN};
            for (int v = 0; v < 3; v++) {
                take_in(all, values[v]);
                take_in(later, p.x >= c->x_last / START ? values[v] : NAN);
            }
        }
    return scale_broken(all[0], all[1], later[0], later[1], Y_TICKS);
}

/* ---- curves ---- */

/* One point in so many is drawn of a curve, and the last. */
static int stride_of(const struct area *a, int count)
{
    int most = (int)fmin((a->right - a->left) / 2, POINTS - 1);
    return count > most ? (count + most - 1) / most : 1;
}

/* Gets the points that are drawn of a curve. Returns their number. */
static int choose_points(const struct area *a, const struct chart_curve *curve,
                         struct chart_point points[POINTS])
{
    int count = 0, last = curve->count - 1, stride = stride_of(a, curve->count);
    for (int i = 0; i < last; i += stride)
        points[count++] = point_of(curve, i);
    points[count++] = point_of(curve, last);
    return count;
}

/* A single point is a dot; one between gaps is a line of length 0, whose round ends show. */
void chart_draw_curve(const struct canvas *c, const struct area *a, const struct chart_curve *curve)
{
    static const char *const signs[] = {
        [SIGN_LINE] = "", [SIGN_THIN] = " thin", [SIGN_DASHES] = " dashes"};
    struct chart_point points[POINTS];
    const int count = choose_points(a, curve, points);
    char pen = 'M';
    if (count == 1) {
        if (isfinite(points[0].y))
            canvas_mark(c, SIGN_DOT, curve->css, area_across(a, points[0].x),
                        area_down(a, points[0].y));
        return;
    }
    fprintf(c->out, "<path class=\"curve%s %s\" d=\"", signs[curve->sign], curve->css);
    for (int i = 0; i < count; i++) {
        const bool there = isfinite(points[i].y);
        const double x = area_across(a, points[i].x), y = area_down(a, points[i].y);
        if (there && pen == 'L' && curve->steps)
            fprintf(c->out, "H%.1fV%.1f", x, y);
        else if (there)
            fprintf(c->out, "%c%.1f %.1f%s", pen, x, y, pen == 'M' ? "h0" : "");
        pen = there ? 'L' : 'M';
    }
    fputs("\"/>\n", c->out);
}

/* A band goes along its high end and back along its low one; that of a single point is a bar. */
void chart_draw_band(const struct canvas *c, const struct area *a, const char *css,
                     const struct chart_curve *curve)
{
    struct chart_point points[POINTS];
    int count = choose_points(a, curve, points), known = 0;
    for (int i = 0; i < count; i++)
        if (!isnan(points[i].low) && !isnan(points[i].high))
            points[known++] = points[i];
    if (known == 0)
        return;
    double half = known == 1 ? 4 : 0;
    fprintf(c->out, "<path class=\"%s %s\" d=\"", css, curve->css);
    for (int i = 0; i < known; i++)
        fprintf(c->out, "%c%.1f %.1f", i == 0 ? 'M' : 'L', area_across(a, points[i].x) - half,
                area_down(a, points[i].high));
    for (int i = known - 1; i >= 0; i--)
        fprintf(c->out, "%sL%.1f %.1f", half > 0 ? "h8" : "", area_across(a, points[i].x) + half,
                area_down(a, points[i].low));
    fprintf(c->out, "%sz\"/>\n", half > 0 ? "h-8" : "");
}

/* Writes invisible columns with the values under the pointer. */
static void write_hints(const struct canvas *c, const struct area *a, const struct chart *chart)
{
    int last = (int)chart->x_last, stride = stride_of(a, last + 1);
    double width = (a->right - a->left) * stride / fmax(1, chart->x_last);
    fputs("<g class=\"hints\">", c->out);
    for (int x = 0, end = 0; !end; x = x + stride < last ? x + stride : last) {
        char text[TOLD];
        end = x == last;
        chart->tell(chart->context, x, text, sizeof text);
        html_print(
            c->out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s</title></rect>",
            area_across(a, x) - width / 2, a->top, width, a->bottom - a->top, text);
    }
    fputs("</g>\n", c->out);
}

/* ---- names at the ends ---- */

/* Writes each name beside the end of its curve, joined to it: in order from the top, moved apart to NAME_GAP or what
 * there is room for. */
static void write_names(const struct canvas *c, const struct area *a, const struct chart *chart)
{
    double x[CHART_CURVES], end[CHART_CURVES], y[CHART_CURVES], bottom = a->bottom;
    int order[CHART_CURVES]; /* from the top */
    const int count = chart->count;
    const double gap = count > 1 ? fmin(NAME_GAP, (a->bottom - a->top) / (count - 1)) : NAME_GAP;
    for (int i = 0; i < count; i++) {
        const struct chart_curve *curve = &chart->curves[i];
        const struct chart_point p = point_of(curve, curve->count - 1);
        int at = i;
        x[i] = area_across(a, p.x);
        end[i] = area_down(a, p.y);
        for (; at > 0 && end[order[at - 1]] > end[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int i = 0; i < count; i++)
        y[i] = i == 0 ? end[order[i]] : fmax(end[order[i]], y[i - 1] + gap);
    for (int i = count - 1; i >= 0; i--, bottom -= gap)
        y[i] = fmin(y[i], bottom);
    for (int i = 0; i < count; i++) {
        const struct chart_curve *curve = &chart->curves[order[i]];
        char css[64];
        snprintf(css, sizeof css, "leader %s", curve->css);
        canvas_line(c, css, x[order[i]], end[order[i]], a->right + LEADER, y[i]);
        snprintf(css, sizeof css, "tint %s", curve->css);
        canvas_text(c, a->right + LEADER + 4, y[i], CANVAS_NAME, css,
                    c->width - a->right - LEADER - 4, curve->name);
    }
}

/* ---- the picture ---- */

static double height(const struct canvas *c, const void *what)
{
    const struct chart *chart = what;
    double whole = c->narrow ? 330 : (c->in_page ? 0.52 : 0.6) * c->width;
    return (chart->is_low ? whole / 2 : whole) - c->top - FOOT;
}

static void draw(const struct canvas *c, const void *what)
{
    const struct chart *chart = what;
    struct area a = {.top = c->top + 24,
                     .bottom = c->bottom,
                     .x = scale_to(chart->x_last, X_TICKS),
                     .y = scale_of(chart)};
    /* Beside the axes: the widest tick, and the widest name or half of the last tick. */
    double ticks[SCALE_TICKS], widest = 0, name = 0;
    char text[SCALE_TEXT];
    for (int i = scale_ticks(&a.y, ticks) - 1; i >= 0; i--)
        widest = fmax(widest, canvas_width(scale_text(&a.y, ticks[i], text), CANVAS_LABEL));
    for (int i = 0; chart->ends && i < chart->count; i++)
        name = fmax(name, canvas_width(chart->curves[i].name, CANVAS_NAME) + LEADER);
    a.left = widest + 12;
    a.right = c->width - 20 - fmin(name, c->width / 3);
    canvas_text(c, 4, c->top + 6, CANVAS_NAME, "", c->width - 4, chart->y_name);
    canvas_axis_beside(c, &a);
    canvas_axis_below(c, &a, chart->x_name, false);
    for (int i = chart->count - 1; i >= 0; i--)
        if (chart->curves[i].band != NULL)
            chart_draw_band(c, &a, chart->ends ? "band edge" : "band", &chart->curves[i]);
    if (chart->ends)
        write_names(c, &a, chart);
    for (int i = chart->count - 1; i >= 0; i--)
        chart_draw_curve(c, &a, &chart->curves[i]);
    if (c->in_page && chart->tell != NULL)
        write_hints(c, &a, chart);
}

bool chart_draw(const struct chart *c, const struct plot_file *file, struct error *err)
{
    struct canvas_key keys[2 * CHART_CURVES];
    int count = 0;
    assert(c->count <= CHART_CURVES);
    for (const struct chart_curve *curve = c->curves; curve < c->curves + c->count; curve++) {
        if (curve->name != NULL)
            keys[count++] = (struct canvas_key){curve->count > 1 ? curve->sign : SIGN_DOT,
                                                curve->css, curve->name};
        if (curve->band != NULL && curve->band[0] != '\0')
            keys[count++] = (struct canvas_key){SIGN_BAND, curve->css, curve->band};
    }
    const struct picture picture = {.title = c->title,
                                    .description = c->description,
                                    .keys = keys,
                                    .key_count = c->ends || count < 2 ? 0 : count,
                                    .foot = FOOT,
                                    .height = height,
                                    .draw = draw,
                                    .what = c};
    return picture_draw(&picture, file, err);
}
