#include "sparkline.h"

#include "html.h"

enum { WIDTH = 120, HEIGHT = 26, POINTS = 60 };

/* The generation of one of the `points` points of the picture. */
static int at(const struct sparkline *s, int point, int points)
{
    return points > 1 ? (int)((long)point * (s->count - 1) / (points - 1)) : 0;
}

static double across(int point, int points)
{
    return points > 1 ? (double)WIDTH * point / (points - 1) : 0;
}

/* The position of a value, a pixel inside the edges, so that no line is clipped. */
static double down(const struct sparkline *s, double value)
{
    double share = s->top > s->bottom ? (value - s->bottom) / (s->top - s->bottom) : 0.5;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return 1 + (HEIGHT - 2) * (1 - share);
}

/* Writes the points of an edge or line, from left to right or in reverse. */
static void write_points(FILE *out, const struct sparkline *s, chart_values *values, int points,
                         int back)
{
    for (int i = 0; i < points; i++) {
        int point = back ? points - 1 - i : i;
        fprintf(out, "%c%.0f %.1f", i == 0 && !back ? 'M' : 'L', across(point, points),
                down(s, values(s->context, at(s, point, points))));
    }
}

void sparkline_write(FILE *out, const struct sparkline *s)
{
    int points = s->count < POINTS ? s->count : POINTS;
    fprintf(out,
            "<svg class=\"spark\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
            "role=\"img\"><title>",
            WIDTH, HEIGHT);
    html_text(out, s->title);
    fputs("</title><path class=\"band\" d=\"", out);
    write_points(out, s, s->high, points, 0);
    write_points(out, s, s->low, points, 1);
    fputs("Z\"/>", out);
    if (s->mark != NULL)
        fprintf(out, "<path class=\"mark\" d=\"M0 %.1fh%d\"/>", down(s, *s->mark), WIDTH);
    fputs("<path class=\"curve best\" d=\"", out);
    write_points(out, s, s->line, points, 0);
    fputs(points == 1 ? "h0\"/></svg>" : "\"/></svg>", out);
}
