/* Objective values that are losses, summed over the positions: centipawns from a mentor's scores, and
 * millionths of the squared error with which results of games are predicted. Lower is better; shown
 * as the mean of a position. */
#include "objective_value.h"

#include <inttypes.h>
#include <stdio.h>

static double each(double loss, int64_t size)
{
    return size > 0 ? loss / (double)size : loss;
}

static void loss_parts(int64_t loss, int64_t size, char text[OBJECTIVE_TEXT])
{
    (void)loss;
    snprintf(text, OBJECTIVE_TEXT, "mean of %" PRId64 " positions", size);
}

/* ---- distance from a mentor ---- */

static double distance_axis(double distance, int64_t size, int64_t train_size)
{
    (void)train_size;
    return each(distance, size);
}

static void distance_label(const char *name, int64_t train_size, char label[OBJECTIVE_LABEL])
{
    (void)train_size;
    snprintf(label, OBJECTIVE_LABEL, "%.60s (centipawns a position)", name);
}

static void distance_cell(double on_axis, char text[OBJECTIVE_TEXT])
{
    snprintf(text, OBJECTIVE_TEXT, "%.2f", on_axis);
}

static void distance_brief(double distance, int64_t size, char text[OBJECTIVE_TEXT])
{
    snprintf(text, OBJECTIVE_TEXT, "%.2f centipawns", each(distance, size));
}

static void distance_full(int64_t distance, int64_t size, char text[OBJECTIVE_TEXT])
{
    snprintf(text, OBJECTIVE_TEXT, "%.2f centipawns a position", each((double)distance, size));
}

static const struct objective_format distance_format = {
    .axis = distance_axis,
    .label = distance_label,
    .cell = distance_cell,
    .brief = distance_brief,
    .full = distance_full,
    .figure = distance_brief,
    .parts = loss_parts,
    .deviation = distance_brief,
};

const struct objective_value objective_distance = {
    .name = "distance from the mentor",
    .lower_is_better = true,
    .across_generations = true,
    .over_positions = true,
    .decimals = 2,
    .does = "is",
    .better = "nearer to the mentor",
    .worse = "farther from the mentor",
    .words = &objective_position_words,
    .format = &distance_format,
};

/* ---- error of predicted results ---- */

static double error_axis(double errors, int64_t size, int64_t train_size)
{
    (void)train_size;
    return size > 0 ? 1e-6 * each(errors, size) : errors;
}

static void error_label(const char *name, int64_t train_size, char label[OBJECTIVE_LABEL])
{
    (void)train_size;
    snprintf(label, OBJECTIVE_LABEL, "%.60s (mean of a position)", name);
}

static void error_cell(double on_axis, char text[OBJECTIVE_TEXT])
{
    snprintf(text, OBJECTIVE_TEXT, "%.5f", on_axis);
}

static void error_brief(double errors, int64_t size, char text[OBJECTIVE_TEXT])
{
    error_cell(error_axis(errors, size, 0), text);
}

static void error_full(int64_t errors, int64_t size, char text[OBJECTIVE_TEXT])
{
    snprintf(text, OBJECTIVE_TEXT, "%.5f a position", error_axis((double)errors, size, 0));
}

static const struct objective_format error_format = {
    .axis = error_axis,
    .label = error_label,
    .cell = error_cell,
    .brief = error_brief,
    .full = error_full,
    .figure = error_brief,
    .parts = loss_parts,
    .deviation = error_brief,
};

const struct objective_value objective_results = {
    .name = "squared error of the result",
    .lower_is_better = true,
    .across_generations = true,
    .over_positions = true,
    .decimals = 5,
    .does = "has an error",
    .better = "smaller",
    .worse = "larger",
    .words = &objective_position_words,
    .format = &error_format,
};

const struct objective_value objective_results_in_batch = {
    .name = "squared error of the result",
    .lower_is_better = true,
    .across_generations = false,
    .over_positions = true,
    .decimals = 5,
    .does = "has an error",
    .better = "smaller",
    .worse = "larger",
    .words = &objective_position_words,
    .format = &error_format,
};
