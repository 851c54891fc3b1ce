#include "axis.h"

#include "nodes_to_solution.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

double axis_value(const struct run_summary *s, double measure, int64_t size)
{
    if (size <= 0)
        return measure;
    double each = measure / (double)size;
    switch (s->unit) {
    case UNIT_NODES:
        return 1e-6 * each * (double)s->train_size;
    case UNIT_LOG_NODES:
        return exp2(each / LOG_NODES_UNIT);
    default:
        return 100 * each;
    }
}

void axis_label(const struct run_summary *s, char *label, size_t size)
{
    if (s->unit == UNIT_NODES)
        snprintf(label, size, "%.60s (millions, %" PRId64 " positions)", s->measure, s->train_size);
    else if (s->unit == UNIT_LOG_NODES)
        snprintf(label, size, "nodes to solution (geometric mean of %" PRId64 " positions)",
                 s->train_size);
    else
        snprintf(label, size, s->train_size > 0 ? "%.60s (%%)" : "%.60s", s->measure);
}

void axis_held_out(const struct run_summary *s, char *label, size_t size)
{
    if (s->unit == UNIT_NODES && s->held_out_size != s->train_size)
        snprintf(label, size, "best, held-out (scaled to %" PRId64 " positions)", s->train_size);
    else if (s->unit == UNIT_POINTS)
        snprintf(label, size, "best, against the opponent");
    else
        snprintf(label, size, "best, held-out");
}
