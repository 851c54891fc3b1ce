#include "objective_value.h"

#include "count.h"
#include "recipe.h"
#include "text_stream.h"
#include "wide.h"

#include <inttypes.h>
#include <math.h>
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

/* ---- the kinds ---- */

const struct objective_words objective_position_words = {
    .train = "in training",
    .held_out = "held out",
    .train_name = "Training",
    .held_out_name = "Held out",
    .held_out_curve = "best, held-out",
};

static const struct objective_words points_words = {
    .train = "among its generation",
    .held_out = "against the opponent",
    .train_name = "Among its generation",
    .held_out_name = "Against the opponent",
    .held_out_curve = "best, against the opponent",
};

/* What kinds share: a cost on positions; moves or results on all training positions and on batches. */
#define COST                                                                                       \
    .lower_is_better = true, .over_positions = true, .decimals = 2,                                \
    .words = &objective_position_words
#define MOVES                                                                                      \
    .name = "moves matched", .over_positions = true, .form = OBJECTIVE_SHARE, .decimals = 2,       \
    .does = "matches", .better = "of the moves more", .worse = "of the moves less",                \
    .words = &objective_position_words
#define RESULTS                                                                                    \
    .name = "squared error of the result", .lower_is_better = true, .over_positions = true,        \
    .form = OBJECTIVE_MEAN, .scale = 1e-6, .unit = "", .axis_unit = "mean of a position",          \
    .decimals = 5, .does = "has an error", .better = "smaller", .worse = "larger",                 \
    .words = &objective_position_words

/* clang-format off */
const struct objective_value objective_moves_matched = {.across_generations = true, MOVES};
const struct objective_value objective_moves_in_batch = {.across_generations = false, MOVES};
const struct objective_value objective_results = {.across_generations = true, RESULTS};
const struct objective_value objective_results_in_batch = {.across_generations = false, RESULTS};
const struct objective_value objective_points = {
    .name = "points", .form = OBJECTIVE_SHARE, .decimals = 1, .words = &points_words};
const struct objective_value objective_distance = {COST, .across_generations = true,
    .name = "distance from the mentor", .form = OBJECTIVE_MEAN, .scale = 1,
    .unit = " centipawns", .axis_unit = "centipawns a position",
    .does = "is", .better = "nearer to the mentor", .worse = "farther from the mentor"};
const struct objective_value objective_nodes = {COST, .across_generations = true,
    .name = "nodes to solution", .form = OBJECTIVE_TOTAL, .scale = 1, .axis_scale = 1e-6,
    .unit = " nodes", .axis_unit = "millions", .whole = true,
    .does = "needs", .better = "fewer nodes", .worse = "more nodes"};
/* Milliseconds, for engines whose node counts mean something else. Depends on the machine and its load. */
const struct objective_value objective_time = {COST, .across_generations = true,
    .name = "time to solution", .form = OBJECTIVE_TOTAL, .scale = 1e-3, .axis_scale = 1e-3,
    .unit = " s", .axis_unit = "seconds",
    .does = "needs", .better = "less time", .worse = "more time"};
const struct objective_value objective_log_nodes = {COST, .across_generations = true,
    .name = "1/1024 log2 nodes to solution", .title = "geometric mean of nodes to solution",
    .form = OBJECTIVE_GEOMETRIC, .unit = " nodes", .whole = true,
    .does = "needs", .better = "fewer nodes (geometric mean)", .worse = "more nodes (geometric mean)"};
/* clang-format on */

/* ---- direction ---- */

bool objective_better(const struct objective_value *v, double a, double b)
{
    return v->lower_is_better ? a < b : a > b;
}

int64_t objective_cost(const struct objective_value *v, int64_t value)
{
    return objective_better(v, 0, 1) ? value : -value;
}

/* ---- figures ---- */

static double each(double value, int64_t size)
{
    return size > 0 ? value / (double)size : value;
}

static double figure_of(const struct objective_value *v, double value, int64_t size)
{
    switch (v->form) {
    case OBJECTIVE_SHARE:
        return size > 0 ? 100 * (value / (double)size) : value;
    case OBJECTIVE_TOTAL:
        return v->scale * value;
    case OBJECTIVE_MEAN:
        return size > 0 ? v->scale * each(value, size) : value;
    default:
        return exp2(each(value, size) / LOG_NODES_UNIT);
    }
}

static const char *number_of(const struct objective_value *v, double figure,
                             char text[OBJECTIVE_TEXT])
{
    if (v->whole)
        return format_count((int64_t)(figure + 0.5), text);
    snprintf(text, OBJECTIVE_TEXT, "%.*f", v->decimals, figure);
    return text;
}

/* ---- axes ---- */

double objective_axis(const struct objective_value *v, double value, int64_t size,
                      int64_t train_size)
{
    if (size <= 0)
        return value;
    return v->form == OBJECTIVE_TOTAL ? v->axis_scale * each(value, size) * (double)train_size
                                      : figure_of(v, value, size);
}

const char *objective_label(const struct objective_value *v, int64_t train_size,
                            char label[OBJECTIVE_LABEL])
{
    switch (v->form) {
    case OBJECTIVE_SHARE:
        snprintf(label, OBJECTIVE_LABEL, train_size > 0 ? "%s (%%)" : "%s", v->name);
        break;
    case OBJECTIVE_TOTAL:
        snprintf(label, OBJECTIVE_LABEL, "%s (%s, %" PRId64 " positions)", v->name, v->axis_unit,
                 train_size);
        break;
    case OBJECTIVE_MEAN:
        snprintf(label, OBJECTIVE_LABEL, "%s (%s)", v->name, v->axis_unit);
        break;
    case OBJECTIVE_GEOMETRIC:
        snprintf(label, OBJECTIVE_LABEL,
                 "nodes to solution (geometric mean of %" PRId64 " positions)", train_size);
        break;
    }
    return label;
}

const char *objective_held_out_label(const struct objective_value *v, int64_t train_size,
                                     int64_t held_out_size, char label[OBJECTIVE_LABEL])
{
    if (v->form == OBJECTIVE_TOTAL && held_out_size != train_size)
        snprintf(label, OBJECTIVE_LABEL, "%.60s (scaled to %" PRId64 " positions)",
                 v->words->held_out_curve, train_size);
    else
        snprintf(label, OBJECTIVE_LABEL, "%.60s", v->words->held_out_curve);
    return label;
}

const char *objective_cell(const struct objective_value *v, double on_axis,
                           char text[OBJECTIVE_TEXT])
{
    if (v->whole)
        snprintf(text, OBJECTIVE_TEXT, "%.4g", on_axis);
    else
        snprintf(text, OBJECTIVE_TEXT, "%.*f", v->form == OBJECTIVE_SHARE ? 2 : v->decimals,
                 on_axis);
    return text;
}

/* ---- text ---- */

bool objective_interval(const struct objective_value *v, int64_t value, int64_t size,
                        struct interval *interval)
{
    if (v->form != OBJECTIVE_SHARE || size <= 0 || value < 0 || value > size)
        return false;
    /* A game has two half points; an odd size, of a damaged file, is rounded up. */
    *interval = v->over_positions ? interval_wilson(value, size, 0.95)
                                  : interval_points(value, size / 2 + size % 2, 0.95);
    return true;
}

const char *objective_note(const struct objective_value *v)
{
    return v->form == OBJECTIVE_SHARE ? ", 95 % interval in parentheses" : "";
}

const char *objective_brief(const struct objective_value *v, double value, int64_t size,
                            char text[OBJECTIVE_TEXT])
{
    const double figure = figure_of(v, value, size);
    char number[OBJECTIVE_TEXT];
    if (v->form == OBJECTIVE_SHARE)
        snprintf(text, OBJECTIVE_TEXT, size > 0 ? "%.2f %%" : "%.1f", figure);
    else if (v->whole && v->form == OBJECTIVE_TOTAL && figure >= 1e7)
        snprintf(text, OBJECTIVE_TEXT, "%.2f M%s", 1e-6 * figure, v->unit);
    else
        snprintf(text, OBJECTIVE_TEXT, "%s%.40s%s",
                 v->form == OBJECTIVE_GEOMETRIC ? "geometric mean " : "",
                 number_of(v, figure, number), v->unit);
    return text;
}

/* The full form of a share, or only the count if it is no valid one. */
static void write_share(const struct objective_value *v, int64_t value, int64_t size,
                        char text[OBJECTIVE_TEXT])
{
    struct interval i;
    const int d = v->decimals;
    if (objective_interval(v, value, size, &i)) {
        objective_parts(v, value, size, text);
        text_add(text, OBJECTIVE_TEXT, "   %.*f %%  (%.*f to %.*f)", d, 100 * i.share, d,
                 100 * i.low, d, 100 * i.high);
    } else if (v->over_positions)
        format_count(value, text);
    else
        snprintf(text, OBJECTIVE_TEXT, "%.1f", (double)value / 2);
}

const char *objective_full(const struct objective_value *v, int64_t value, int64_t size,
                           char text[OBJECTIVE_TEXT])
{
    char sum[OBJECTIVE_TEXT], mean[OBJECTIVE_TEXT];
    const double figure = figure_of(v, (double)value, size), one = each((double)value, size);
    if (v->form == OBJECTIVE_SHARE)
        write_share(v, value, size, text);
    else if (v->form == OBJECTIVE_MEAN)
        snprintf(text, OBJECTIVE_TEXT, "%.40s%s a position", number_of(v, figure, mean), v->unit);
    else if (v->form == OBJECTIVE_GEOMETRIC)
        snprintf(text, OBJECTIVE_TEXT, "%.30s   geometric mean %.30s nodes a position",
                 format_count(value, sum), number_of(v, figure, mean));
    else if (v->whole)
        snprintf(text, OBJECTIVE_TEXT, "%.30s   %.30s a position", format_count(value, sum),
                 number_of(v, one, mean));
    else
        snprintf(text, OBJECTIVE_TEXT, "%.2f s   %.1f ms a position", figure, one);
    return text;
}

const char *objective_figure(const struct objective_value *v, double value, int64_t size,
                             char text[OBJECTIVE_TEXT])
{
    const double figure = figure_of(v, value, size);
    char number[OBJECTIVE_TEXT];
    if (v->form == OBJECTIVE_SHARE && size <= 0)
        snprintf(text, OBJECTIVE_TEXT, "%.1f", figure);
    else
        snprintf(text, OBJECTIVE_TEXT, "%.40s%s", number_of(v, figure, number),
                 v->form == OBJECTIVE_SHARE ? "\xc2\xa0%" /* a no-break space */
                 : v->whole                 ? ""
                                            : v->unit);
    return text;
}

const char *objective_parts(const struct objective_value *v, int64_t value, int64_t size,
                            char text[OBJECTIVE_TEXT])
{
    char count[COUNT_MAX], total[COUNT_MAX];
    if (size <= 0)
        snprintf(text, OBJECTIVE_TEXT, "%.60s", objective_title(v));
    else if (v->form == OBJECTIVE_SHARE && v->over_positions)
        snprintf(text, OBJECTIVE_TEXT, "%.30s of %.30s", format_count(value, count),
                 format_count(size, total));
    else if (v->form == OBJECTIVE_SHARE)
        snprintf(text, OBJECTIVE_TEXT, "%.1f of %.30s points", (double)value / 2,
                 format_count(size / 2, total));
    else if (v->form == OBJECTIVE_GEOMETRIC)
        snprintf(text, OBJECTIVE_TEXT, "nodes, geometric mean of %.30s", format_count(size, total));
    else if (v->form == OBJECTIVE_MEAN)
        snprintf(text, OBJECTIVE_TEXT, "mean of %" PRId64 " positions", size);
    else if (v->whole)
        snprintf(text, OBJECTIVE_TEXT, "nodes, %.30s a position",
                 format_count(value / size + (value % size >= (size + 1) / 2), count));
    else
        snprintf(text, OBJECTIVE_TEXT, "%.1f ms a position", each((double)value, size));
    return text;
}

const char *objective_deviation(const struct objective_value *v, double deviation, int64_t size,
                                char text[OBJECTIVE_TEXT])
{
    if (v->form != OBJECTIVE_GEOMETRIC)
        return objective_figure(v, deviation, size, text);
    snprintf(text, OBJECTIVE_TEXT, "× %.3f", figure_of(v, deviation, size));
    return text;
}
