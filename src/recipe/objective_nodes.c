/* Objective values that are nodes to solution: their total over the positions, or the sum of their
 * logarithms, which is shown as a geometric mean. Lower is better. */
#include "count.h"
#include "log_nodes.h"
#include "objective_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Formats a number of nodes, rounded to nearest, with thousands separators. */
static const char *whole_nodes(double nodes, char text[COUNT_MAX])
{
    return format_count((int64_t)(nodes + 0.5), text);
}

static void nodes_cell(double on_axis, char text[OBJECTIVE_TEXT])
{
    snprintf(text, OBJECTIVE_TEXT, "%.4g", on_axis);
}

/* ---- totals ---- */

static double nodes_axis(double nodes, int64_t size, int64_t train_size)
{
    double each = nodes / (double)size;
    return 1e-6 * each * (double)train_size;
}

static void nodes_label(const char *name, int64_t train_size, char label[OBJECTIVE_LABEL])
{
    snprintf(label, OBJECTIVE_LABEL, "%.60s (millions, %" PRId64 " positions)", name, train_size);
}

static void nodes_brief(double nodes, int64_t size, char text[OBJECTIVE_TEXT])
{
    char count[COUNT_MAX];
    (void)size;
    if (nodes >= 1e7)
        snprintf(text, OBJECTIVE_TEXT, "%.2f M nodes", 1e-6 * nodes);
    else
        snprintf(text, OBJECTIVE_TEXT, "%.30s nodes", whole_nodes(nodes, count));
}

static void nodes_full(int64_t nodes, int64_t size, char text[OBJECTIVE_TEXT])
{
    char sum[COUNT_MAX], each[COUNT_MAX];
    double mean = size > 0 ? (double)nodes / (double)size : (double)nodes;
    snprintf(text, OBJECTIVE_TEXT, "%.30s   %.30s a position", format_count(nodes, sum),
             whole_nodes(mean, each));
}

static void nodes_figure(double nodes, int64_t size, char text[OBJECTIVE_TEXT])
{
    (void)size;
    whole_nodes(nodes, text);
}

static void nodes_parts(int64_t nodes, int64_t size, char text[OBJECTIVE_TEXT])
{
    char each[COUNT_MAX];
    int64_t rounded = nodes / size + (nodes % size >= (size + 1) / 2);
    snprintf(text, OBJECTIVE_TEXT, "nodes, %.30s a position", format_count(rounded, each));
}

static const struct objective_format nodes_format = {
    .axis = nodes_axis,
    .label = nodes_label,
    .cell = nodes_cell,
    .brief = nodes_brief,
    .full = nodes_full,
    .figure = nodes_figure,
    .parts = nodes_parts,
    .deviation = nodes_figure,
};

const struct objective_value objective_nodes = {
    .name = "nodes to solution",
    .lower_is_better = true,
    .across_generations = true,
    .over_positions = true,
    .is_total = true,
    .decimals = 2,
    .does = "needs",
    .better = "fewer nodes",
    .worse = "more nodes",
    .words = &objective_position_words,
    .format = &nodes_format,
};

/* ---- logarithms ---- */

/* Returns the geometric mean of nodes whose logarithms sum to `log`. */
static double geometric_mean(double log, int64_t size)
{
    double each = size > 0 ? log / (double)size : log;
    return exp2(each / LOG_NODES_UNIT);
}

static double log_axis(double log, int64_t size, int64_t train_size)
{
    (void)train_size;
    return geometric_mean(log, size);
}

static void log_label(const char *name, int64_t train_size, char label[OBJECTIVE_LABEL])
{
    (void)name;
    snprintf(label, OBJECTIVE_LABEL, "nodes to solution (geometric mean of %" PRId64 " positions)",
             train_size);
}

static void log_brief(double log, int64_t size, char text[OBJECTIVE_TEXT])
{
    char mean[COUNT_MAX];
    snprintf(text, OBJECTIVE_TEXT, "geometric mean %.30s nodes",
             whole_nodes(geometric_mean(log, size), mean));
}

static void log_full(int64_t log, int64_t size, char text[OBJECTIVE_TEXT])
{
    char sum[COUNT_MAX], mean[COUNT_MAX];
    snprintf(text, OBJECTIVE_TEXT, "%.30s   geometric mean %.30s nodes a position",
             format_count(log, sum), whole_nodes(geometric_mean((double)log, size), mean));
}

static void log_figure(double log, int64_t size, char text[OBJECTIVE_TEXT])
{
    whole_nodes(geometric_mean(log, size), text);
}

static void log_parts(int64_t log, int64_t size, char text[OBJECTIVE_TEXT])
{
    char positions[COUNT_MAX];
    (void)log;
    snprintf(text, OBJECTIVE_TEXT, "nodes, geometric mean of %.30s", format_count(size, positions));
}

/* A standard deviation of logarithms is a factor. */
static void log_deviation(double log, int64_t size, char text[OBJECTIVE_TEXT])
{
    snprintf(text, OBJECTIVE_TEXT, "× %.3f", geometric_mean(log, size));
}

static const struct objective_format log_format = {
    .axis = log_axis,
    .label = log_label,
    .cell = nodes_cell,
    .brief = log_brief,
    .full = log_full,
    .figure = log_figure,
    .parts = log_parts,
    .deviation = log_deviation,
};

const struct objective_value objective_log_nodes = {
    .name = "1/1024 log2 nodes to solution",
    .title = "geometric mean of nodes to solution",
    .lower_is_better = true,
    .across_generations = true,
    .over_positions = true,
    .decimals = 2,
    .does = "needs",
    .better = "fewer nodes (geometric mean)",
    .worse = "more nodes (geometric mean)",
    .words = &objective_position_words,
    .format = &log_format,
};
