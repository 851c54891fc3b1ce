#include "measure_words.h"

#include "axis.h"

#include <stdio.h>

#define NBSP "\xc2\xa0" /* a space that no line is broken at */

const char *measure_figure(const struct run_summary *s, double measure, int64_t size,
                           char text[FORMAT_MAX])
{
    double value = axis_value(s, measure, size);
    if (s->unit == UNIT_NODES)
        return format_count((int64_t)(measure + 0.5), text);
    if (s->unit == UNIT_LOG_NODES)
        return format_count((int64_t)(value + 0.5), text);
    int decimals = size <= 0 || s->unit == UNIT_POINTS ? 1 : 2;
    snprintf(text, FORMAT_MAX, "%.*f%s", decimals, value, size > 0 ? NBSP "%" : "");
    return text;
}

const char *measure_parts(const struct run_summary *s, int64_t measure, int64_t size,
                          char text[FORMAT_MAX])
{
    char a[FORMAT_MAX], b[FORMAT_MAX];
    if (size <= 0)
        snprintf(text, FORMAT_MAX, "%.60s", s->measure);
    else if (s->unit == UNIT_LOG_NODES)
        snprintf(text, FORMAT_MAX, "nodes, geometric mean of %.30s", format_count(size, a));
    else if (s->unit == UNIT_NODES)
        snprintf(text, FORMAT_MAX, "nodes, %.30s a position",
                 format_count(measure / size + (measure % size >= (size + 1) / 2), a));
    else if (s->unit == UNIT_POINTS)
        snprintf(text, FORMAT_MAX, "%.1f of %.30s points", (double)measure / 2,
                 format_count(size / 2, a));
    else
        snprintf(text, FORMAT_MAX, "%.30s of %.30s", format_count(measure, a),
                 format_count(size, b));
    return text;
}

bool measure_interval(const struct run_summary *s, int64_t measure, int64_t size,
                      struct interval *interval)
{
    if (size <= 0 || measure < 0 || measure > size)
        return false;
    if (s->unit == UNIT_POINTS)
        *interval = interval_points(measure, size / 2, 0.95);
    else if (s->unit == UNIT_SHARE)
        *interval = interval_wilson(measure, size, 0.95);
    return s->unit == UNIT_POINTS || s->unit == UNIT_SHARE;
}

struct measure_places measure_places(const struct run_summary *s)
{
    if (s->unit == UNIT_POINTS)
        return (struct measure_places){"among its generation", "against the opponent",
                                       "Among its generation", "Against the opponent"};
    return (struct measure_places){"in training", "held out", "Training", "Held out"};
}
