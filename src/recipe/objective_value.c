#include "objective_value.h"

#include "recipe.h"

#include <inttypes.h>
#include <stdio.h>

const struct objective_value *objective_value_of(const struct recipe *recipe)
{
    switch (recipe->measure) {
    case MEASURE_NODES_TO_SOLUTION:
        if (recipe->cost == COST_TIME)
            return &objective_time;
        return recipe->scale == SCALE_LOG ? &objective_log_nodes : &objective_nodes;
    case MEASURE_MENTOR:
        return &objective_distance;
    case MEASURE_RESULTS:
        return recipe->batch > 0 ? &objective_results_in_batch : &objective_results;
    case MEASURE_GAMES:
        return &objective_points;
    default:
        return recipe->batch > 0 ? &objective_moves_in_batch : &objective_moves_matched;
    }
}

const struct objective_words objective_position_words = {
    .train = "in training",
    .held_out = "held out",
    .train_name = "Training",
    .held_out_name = "Held out",
    .held_out_curve = "best, held-out",
};

/* ---- direction ---- */

bool objective_better(const struct objective_value *v, double a, double b)
{
    return v->lower_is_better ? a < b : a > b;
}

int64_t objective_cost(const struct objective_value *v, int64_t value)
{
    return objective_better(v, 0, 1) ? value : -value;
}

/* ---- axes ---- */

double objective_axis(const struct objective_value *v, double value, int64_t size,
                      int64_t train_size)
{
    return size <= 0 ? value : v->format->axis(value, size, train_size);
}

const char *objective_label(const struct objective_value *v, int64_t train_size,
                            char label[OBJECTIVE_LABEL])
{
    v->format->label(v->name, train_size, label);
    return label;
}

const char *objective_held_out_label(const struct objective_value *v, int64_t train_size,
                                     int64_t held_out_size, char label[OBJECTIVE_LABEL])
{
    if (v->is_total && held_out_size != train_size)
        snprintf(label, OBJECTIVE_LABEL, "%.60s (scaled to %" PRId64 " positions)",
                 v->words->held_out_curve, train_size);
    else
        snprintf(label, OBJECTIVE_LABEL, "%.60s", v->words->held_out_curve);
    return label;
}

const char *objective_cell(const struct objective_value *v, double on_axis,
                           char text[OBJECTIVE_TEXT])
{
    v->format->cell(on_axis, text);
    return text;
}

/* ---- text ---- */

const char *objective_brief(const struct objective_value *v, double value, int64_t size,
                            char text[OBJECTIVE_TEXT])
{
    v->format->brief(value, size, text);
    return text;
}

const char *objective_full(const struct objective_value *v, int64_t value, int64_t size,
                           char text[OBJECTIVE_TEXT])
{
    v->format->full(value, size, text);
    return text;
}

const char *objective_note(const struct objective_value *v)
{
    return v->format->interval != NULL ? ", 95 % interval in parentheses" : "";
}

const char *objective_figure(const struct objective_value *v, double value, int64_t size,
                             char text[OBJECTIVE_TEXT])
{
    v->format->figure(value, size, text);
    return text;
}

const char *objective_title(const struct objective_value *v)
{
    return v->title != NULL ? v->title : v->name;
}

const char *objective_parts(const struct objective_value *v, int64_t value, int64_t size,
                            char text[OBJECTIVE_TEXT])
{
    if (size <= 0)
        snprintf(text, OBJECTIVE_TEXT, "%.60s", objective_title(v));
    else
        v->format->parts(value, size, text);
    return text;
}

const char *objective_deviation(const struct objective_value *v, double deviation, int64_t size,
                                char text[OBJECTIVE_TEXT])
{
    v->format->deviation(deviation, size, text);
    return text;
}

bool objective_interval(const struct objective_value *v, int64_t value, int64_t size,
                        struct interval *interval)
{
    if (v->format->interval == NULL || size <= 0 || value < 0 || value > size)
        return false;
    *interval = v->format->interval(value, size);
    return true;
}
