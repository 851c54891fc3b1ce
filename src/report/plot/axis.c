#include "axis.h"

double axis_value(const struct run_summary *s, double measure, int64_t size)
{
    return objective_axis(s->value, measure, size, s->train_size);
}

const char *axis_label(const struct run_summary *s, char label[OBJECTIVE_LABEL])
{
    return objective_label(s->value, s->train_size, label);
}

const char *axis_held_out(const struct run_summary *s, char label[OBJECTIVE_LABEL])
{
    return objective_held_out_label(s->value, s->train_size, s->held_out_size, label);
}
