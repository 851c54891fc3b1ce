/* Objective values that are the time to solution, in milliseconds summed over the positions. For
 * engines whose node counts mean something else. Lower is better. Depends on the machine and its
 * load. */
#include "objective_value.h"

#include <inttypes.h>
#include <stdio.h>

static double each(double time, int64_t size)
{
    return size > 0 ? time / (double)size : time;
}

static double time_axis(double time, int64_t size, int64_t train_size)
{
    return 1e-3 * each(time, size) * (double)train_size;
}

static void time_label(const char *name, int64_t train_size, char label[OBJECTIVE_LABEL])
{
    snprintf(label, OBJECTIVE_LABEL, "%.60s (seconds, %" PRId64 " positions)", name, train_size);
}

static void time_cell(double on_axis, char text[OBJECTIVE_TEXT])
{
    snprintf(text, OBJECTIVE_TEXT, "%.2f", on_axis);
}

static void time_brief(double time, int64_t size, char text[OBJECTIVE_TEXT])
{
    (void)size;
    snprintf(text, OBJECTIVE_TEXT, "%.2f s", 1e-3 * time);
}

static void time_full(int64_t time, int64_t size, char text[OBJECTIVE_TEXT])
{
    snprintf(text, OBJECTIVE_TEXT, "%.2f s   %.1f ms a position", 1e-3 * (double)time,
             each((double)time, size));
}

static void time_parts(int64_t time, int64_t size, char text[OBJECTIVE_TEXT])
{
    snprintf(text, OBJECTIVE_TEXT, "%.1f ms a position", each((double)time, size));
}

static const struct objective_format time_format = {
    .axis = time_axis,
    .label = time_label,
    .cell = time_cell,
    .brief = time_brief,
    .full = time_full,
    .figure = time_brief,
    .parts = time_parts,
    .deviation = time_brief,
};

const struct objective_value objective_time = {
    .name = "time to solution",
    .lower_is_better = true,
    .across_generations = true,
    .over_positions = true,
    .is_total = true,
    .decimals = 2,
    .does = "needs",
    .better = "less time",
    .worse = "more time",
    .words = &objective_position_words,
    .format = &time_format,
};
