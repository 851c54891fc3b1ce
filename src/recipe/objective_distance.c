/* Objective values that are distances from a mentor's scores: centipawns, summed over the positions.
 * Lower is better; shown as the mean of a position. */
#include "objective_value.h"

#include <inttypes.h>
#include <stdio.h>

static double each(double distance, int64_t size)
{
    return size > 0 ? distance / (double)size : distance;
}

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

static void distance_parts(int64_t distance, int64_t size, char text[OBJECTIVE_TEXT])
{
    (void)distance;
    snprintf(text, OBJECTIVE_TEXT, "mean of %" PRId64 " positions", size);
}

static const struct objective_format distance_format = {
    .axis = distance_axis,
    .label = distance_label,
    .cell = distance_cell,
    .brief = distance_brief,
    .full = distance_full,
    .figure = distance_brief,
    .parts = distance_parts,
    .deviation = distance_brief,
};

const struct objective_value objective_distance = {
    .name = "distance from the mentor",
    .lower_is_better = true,
    .across_generations = true,
    .over_positions = true,
    .decimals = 2,
    .words = &objective_position_words,
    .format = &distance_format,
};
