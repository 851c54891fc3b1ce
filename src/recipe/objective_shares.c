/* Objective values that are shares: moves matched out of positions, and half points out of games.
 * Higher is better. Both are plotted in per cent and have a confidence interval. */
#include "count.h"
#include "objective_value.h"

#include <stdio.h>

#define NBSP "\xc2\xa0" /* a no-break space */

static double share_axis(double value, int64_t size, int64_t train_size)
{
    (void)train_size;
    return 100 * (value / (double)size);
}

static void share_label(const char *name, int64_t train_size, char label[OBJECTIVE_LABEL])
{
    snprintf(label, OBJECTIVE_LABEL, train_size > 0 ? "%.60s (%%)" : "%.60s", name);
}

static void share_cell(double on_axis, char text[OBJECTIVE_TEXT])
{
    snprintf(text, OBJECTIVE_TEXT, "%.2f", on_axis);
}

/* "32.44 %", or the plain number if size is 0. */
static void share_brief(double value, int64_t size, char text[OBJECTIVE_TEXT])
{
    if (size > 0)
        snprintf(text, OBJECTIVE_TEXT, "%.2f %%", 100 * value / (double)size);
    else
        snprintf(text, OBJECTIVE_TEXT, "%.1f", value);
}

/* ---- moves matched ---- */

static struct interval matched_interval(int64_t matched, int64_t positions)
{
    return interval_wilson(matched, positions, 0.95);
}

/* "1,622 of 5,000   32.44 %  (31.15 to 33.75)", or only the count if it is not a valid share. */
static void matched_full(int64_t matched, int64_t positions, char text[OBJECTIVE_TEXT])
{
    char count[COUNT_MAX], total[COUNT_MAX];
    if (positions <= 0 || matched < 0 || matched > positions) {
        format_count(matched, text);
        return;
    }
    struct interval i = matched_interval(matched, positions);
    snprintf(text, OBJECTIVE_TEXT, "%.20s of %.20s   %.2f %%  (%.2f to %.2f)",
             format_count(matched, count), format_count(positions, total), 100 * i.share,
             100 * i.low, 100 * i.high);
}

static void matched_figure(double matched, int64_t positions, char text[OBJECTIVE_TEXT])
{
    if (positions > 0)
        snprintf(text, OBJECTIVE_TEXT, "%.2f" NBSP "%%", share_axis(matched, positions, 0));
    else
        snprintf(text, OBJECTIVE_TEXT, "%.1f", matched);
}

static void matched_parts(int64_t matched, int64_t positions, char text[OBJECTIVE_TEXT])
{
    char count[COUNT_MAX], total[COUNT_MAX];
    snprintf(text, OBJECTIVE_TEXT, "%.30s of %.30s", format_count(matched, count),
             format_count(positions, total));
}

static const struct objective_format matched_format = {
    .axis = share_axis,
    .label = share_label,
    .cell = share_cell,
    .brief = share_brief,
    .full = matched_full,
    .figure = matched_figure,
    .parts = matched_parts,
    .deviation = matched_figure,
    .interval = matched_interval,
};

const struct objective_value objective_moves_matched = {
    .name = "moves matched",
    .across_generations = true,
    .over_positions = true,
    .decimals = 2,
    .does = "matches",
    .better = "of the moves more",
    .worse = "of the moves less",
    .words = &objective_position_words,
    .format = &matched_format,
};

const struct objective_value objective_moves_in_batch = {
    .name = "moves matched",
    .across_generations = false,
    .over_positions = true,
    .decimals = 2,
    .does = "matches",
    .better = "of the moves more",
    .worse = "of the moves less",
    .words = &objective_position_words,
    .format = &matched_format,
};

/* ---- points ---- */

/* A game has two half points; an odd size, of a damaged file, is rounded up. */
static struct interval points_interval(int64_t half_points, int64_t size)
{
    return interval_points(half_points, size / 2 + size % 2, 0.95);
}

/* "41.5 of 72 points   57.6 %  (46.1 to 68.4)", or only the points if they are not a valid share. */
static void points_full(int64_t half_points, int64_t size, char text[OBJECTIVE_TEXT])
{
    if (size <= 0 || half_points < 0 || half_points > size) {
        snprintf(text, OBJECTIVE_TEXT, "%.1f", (double)half_points / 2);
        return;
    }
    struct interval i = points_interval(half_points, size);
    snprintf(text, OBJECTIVE_TEXT, "%.1f of %.0f points   %.1f %%  (%.1f to %.1f)",
             (double)half_points / 2, (double)size / 2, 100 * i.share, 100 * i.low, 100 * i.high);
}

static void points_figure(double half_points, int64_t size, char text[OBJECTIVE_TEXT])
{
    if (size > 0)
        snprintf(text, OBJECTIVE_TEXT, "%.1f" NBSP "%%", share_axis(half_points, size, 0));
    else
        snprintf(text, OBJECTIVE_TEXT, "%.1f", half_points);
}

static void points_parts(int64_t half_points, int64_t size, char text[OBJECTIVE_TEXT])
{
    char games[COUNT_MAX];
    snprintf(text, OBJECTIVE_TEXT, "%.1f of %.30s points", (double)half_points / 2,
             format_count(size / 2, games));
}

static const struct objective_format points_format = {
    .axis = share_axis,
    .label = share_label,
    .cell = share_cell,
    .brief = share_brief,
    .full = points_full,
    .figure = points_figure,
    .parts = points_parts,
    .deviation = points_figure,
    .interval = points_interval,
};

static const struct objective_words points_words = {
    .train = "among its generation",
    .held_out = "against the opponent",
    .train_name = "Among its generation",
    .held_out_name = "Against the opponent",
    .held_out_curve = "best, against the opponent",
};

const struct objective_value objective_points = {
    .name = "points",
    .decimals = 1,
    .words = &points_words,
    .format = &points_format,
};
