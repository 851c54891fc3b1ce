/* The axis for Elo differences with error bars, in plots and on pages.
 *
 * A match against a random player is won by a thousand Elo and more, and an interval may be
 * infinite. Such a bar would press all others into a few pixels. So the axis ends at 400 Elo, where
 * ten points of eleven are won, and what lies beyond is drawn as an arrow at its end. */
#ifndef GRAYLING_ELO_AXIS_H
#define GRAYLING_ELO_AXIS_H

#include "elo.h"

#define ELO_AXIS_MOST 400.0

/* The ends of the axis: 0 and all bars, but within ELO_AXIS_MOST on either side. */
struct elo_axis {
    double low, high;
};

/* An axis for `count` estimates. Estimates without a pair (an infinite interval on both sides) do
 * not widen it. */
struct elo_axis elo_axis_for(const struct elo_estimate *estimates, int count);

/* Where a value lies: -1 below the axis, 1 above it, 0 on it. */
int elo_axis_beyond(const struct elo_axis *axis, double elo);

#endif
