/* A vertical axis that gives most of its length to the range of interest. What lies far beyond one
 * end of that range, like the steep start of a run, is compressed into a strip:
 *
 *     1    ─┬─ main.high
 *           │            the range of interest, on a scale of its own
 *           ├─ main.low
 *           ≈            the break
 *           ├─           the strip, here below
 *     0    ─┴─ end
 */
#ifndef GRAYLING_BROKEN_SCALE_H
#define GRAYLING_BROKEN_SCALE_H

#include "chart.h"

enum broken_side { NOT_BROKEN, BROKEN_BELOW, BROKEN_ABOVE };

struct broken_scale {
    struct scale main; /* the range at full size, and its ticks */
    enum broken_side side;
    double end; /* the value at the far end of the strip */
};

/* The axis for all values from `low` to `high`, of which those from `from` to `to` are of interest.
 * It is broken only if the values of interest are less than two thirds of the whole. */
struct broken_scale broken_scale_for(double low, double high, double from, double to, int ticks);

/* The position of a value: 0 at the bottom, 1 at the top, clamped to that; 0 for NaN. */
double broken_scale_place(const struct broken_scale *s, double value);

/* The positions of the two edges of the break, the lower first. Undefined if there is none. */
void broken_scale_gap(const struct broken_scale *s, double edges[2]);

/* The tick marks: at each step of the main range and at the end of the strip. Returns their number,
 * at most BROKEN_TICKS. */
enum { BROKEN_TICKS = 32 };

int broken_scale_ticks(const struct broken_scale *s, double ticks[BROKEN_TICKS]);

#endif
