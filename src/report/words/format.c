#include "format.h"

#include "interval.h"
#include "nodes_to_solution.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *format_duration(double seconds, char text[FORMAT_MAX])
{
    int64_t whole = (int64_t)(seconds + 0.5);
    if (seconds < 0.0995)
        snprintf(text, FORMAT_MAX, "%.0f ms", 1e3 * seconds);
    else if (seconds < 9.95)
        snprintf(text, FORMAT_MAX, "%.1f s", seconds);
    else if (whole < 60)
        snprintf(text, FORMAT_MAX, "%" PRId64 " s", whole);
    else if (whole < 3600)
        snprintf(text, FORMAT_MAX, "%" PRId64 " min %02" PRId64 " s", whole / 60, whole % 60);
    else if (whole < 86400)
        snprintf(text, FORMAT_MAX, "%" PRId64 " h %02" PRId64 " min", whole / 3600,
                 whole % 3600 / 60);
    else
        snprintf(text, FORMAT_MAX, "%" PRId64 " d %" PRId64 " h", whole / 86400,
                 whole % 86400 / 3600);
    return text;
}

const char *format_share(double measure, int64_t size, char text[FORMAT_MAX])
{
    if (size > 0)
        snprintf(text, FORMAT_MAX, "%.2f %%", 100 * measure / (double)size);
    else
        snprintf(text, FORMAT_MAX, "%.1f", measure);
    return text;
}

const char *format_measure(int64_t measure, int64_t size, char text[FORMAT_MAX])
{
    char count[FORMAT_MAX], total[FORMAT_MAX];
    if (size <= 0 || measure < 0 || measure > size)
        return format_count(measure, text);
    struct interval i = interval_wilson(measure, size, 0.95);
    snprintf(text, FORMAT_MAX, "%.20s of %.20s   %.2f %%  (%.2f to %.2f)",
             format_count(measure, count), format_count(size, total), 100 * i.share, 100 * i.low,
             100 * i.high);
    return text;
}

/* "41.5 of 72   57.6 %  (46.1 to 68.4)": points of games with the interval of their share. */
static const char *format_points(int64_t half_points, int64_t size, char text[FORMAT_MAX])
{
    struct interval i = interval_points(half_points, size / 2, 0.95);
    snprintf(text, FORMAT_MAX, "%.1f of %.0f points   %.1f %%  (%.1f to %.1f)",
             (double)half_points / 2, (double)size / 2, 100 * i.share, 100 * i.low, 100 * i.high);
    return text;
}

/* Nodes a position: the mean, or the geometric mean. */
static double nodes_each(enum measure_unit unit, double measure, int64_t size)
{
    double each = size > 0 ? measure / (double)size : measure;
    return unit == UNIT_LOG_NODES ? exp2(each / LOG_NODES_UNIT) : each;
}

const char *format_brief(enum measure_unit unit, double measure, int64_t size,
                         char text[FORMAT_MAX])
{
    char count[FORMAT_MAX];
    if (unit == UNIT_SHARE || unit == UNIT_POINTS)
        return format_share(measure, size, text);
    if (unit == UNIT_NODES && measure >= 1e7)
        snprintf(text, FORMAT_MAX, "%.2f M nodes", 1e-6 * measure);
    else if (unit == UNIT_NODES)
        snprintf(text, FORMAT_MAX, "%.30s nodes", format_count((int64_t)(measure + 0.5), count));
    else
        snprintf(text, FORMAT_MAX, "geometric mean %.30s nodes",
                 format_count((int64_t)(nodes_each(unit, measure, size) + 0.5), count));
    return text;
}

const char *format_full(enum measure_unit unit, int64_t measure, int64_t size,
                        char text[FORMAT_MAX])
{
    char sum[FORMAT_MAX], each[FORMAT_MAX];
    if (unit == UNIT_SHARE)
        return format_measure(measure, size, text);
    if (unit == UNIT_POINTS)
        return format_points(measure, size, text);
    format_count(measure, sum);
    format_count((int64_t)(nodes_each(unit, (double)measure, size) + 0.5), each);
    snprintf(text, FORMAT_MAX,
             unit == UNIT_NODES ? "%.30s   %.30s a position"
                                : "%.30s   geometric mean %.30s nodes a position",
             sum, each);
    return text;
}

const char *format_note(enum measure_unit unit)
{
    return unit == UNIT_SHARE || unit == UNIT_POINTS ? ", 95 % interval in parentheses" : "";
}
