#include "broken_scale.h"

#include <math.h>
#include <stdbool.h>

/* The strip and the gap beside it, as parts of the length. */
#define STRIP 0.12
#define GAP   0.05

#define WORTH 1.5 /* the least gain from a break: the whole range over that of interest */

struct broken_scale broken_scale_for(double low, double high, double from, double to, int ticks)
{
    const struct broken_scale whole = {.main = scale_for(low, high, ticks)};
    struct broken_scale s = {.side = from - low > high - to ? BROKEN_BELOW : BROKEN_ABOVE};
    bool below = s.side == BROKEN_BELOW;
    double least = below ? from : low, most = below ? high : to;
    if (!(most > least) || !(high - low > WORTH * (most - least)))
        return whole;
    s.main = scale_for(least, most, ticks);
    bool within = below ? low >= s.main.low : high <= s.main.high;
    if (within)
        return whole;
    struct scale rest = below ? scale_for(low, s.main.low, 2) : scale_for(s.main.high, high, 2);
    s.end = below ? rest.low : rest.high;
    return s;
}

/* The position of a value between two others, clamped to [0, 1]; 0 for NaN. */
static double part(double value, double low, double high)
{
    return fmin(1, fmax(0, (value - low) / (high - low)));
}

double broken_scale_place(const struct broken_scale *s, double value)
{
    double main = part(value, s->main.low, s->main.high);
    switch (s->side) {
    case BROKEN_BELOW:
        return value < s->main.low ? STRIP * part(value, s->end, s->main.low)
                                   : STRIP + GAP + (1 - STRIP - GAP) * main;
    case BROKEN_ABOVE:
        return value > s->main.high ? 1 - STRIP + STRIP * part(value, s->main.high, s->end)
                                    : (1 - STRIP - GAP) * main;
    default:
        return main;
    }
}

void broken_scale_gap(const struct broken_scale *s, double edges[2])
{
    edges[0] = s->side == BROKEN_BELOW ? STRIP : 1 - STRIP - GAP;
    edges[1] = edges[0] + GAP;
}

int broken_scale_ticks(const struct broken_scale *s, double ticks[BROKEN_TICKS])
{
    int steps = (int)floor((s->main.high - s->main.low) / s->main.step + 1e-6), count = 0;
    for (int i = 0; i <= steps && count < BROKEN_TICKS - 1; i++)
        ticks[count++] = s->main.low + i * s->main.step;
    if (s->side != NOT_BROKEN)
        ticks[count++] = s->end;
    return count;
}
