#include "canvas.h"

#include <math.h>

/* The strip and the gap beside it, as parts of the length. */
#define STRIP 0.12
#define GAP   0.05

#define WORTH 1.5 /* the least gain from a break: the whole range over that of interest */

#define MINUS "\xe2\x88\x92" /* U+2212 */

/* The step that divides a range into about `ticks` parts. */
static double nice_step(double range, int ticks)
{
    double rough = range / ticks, power = pow(10, floor(log10(rough)));
    double times = rough / power;
    return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

struct scale scale_for(double low, double high, int ticks)
{
    if (!isfinite(high - low) || low > high)
        low = high = 0;
    double least = fmax(fabs(low), fabs(high)) * 1e-6;
    if (high - low <= least) {
        low -= least > 0 ? fabs(low) * 0.05 : 0;
        high += least > 0 ? fabs(high) * 0.05 : 1;
    }
    double step = nice_step(high - low, ticks);
    return (struct scale){.low = step * floor(low / step + 1e-9),
                          .high = step * ceil(high / step - 1e-9),
                          .step = step,
                          .decimals = (int)fmax(0, -floor(log10(step) + 1e-9))};
}

struct scale scale_broken(double low, double high, double from, double to, int ticks)
{
    const struct scale whole = scale_for(low, high, ticks);
    const bool below = from - low > high - to;
    double least = below ? from : low, most = below ? high : to;
    if (!(most > least) || !(high - low > WORTH * (most - least)))
        return whole;
    struct scale s = scale_for(least, most, ticks);
    if (below ? low >= s.low : high <= s.high)
        return whole;
    struct scale rest = below ? scale_for(low, s.low, 2) : scale_for(s.high, high, 2);
    s.side = below ? BROKEN_BELOW : BROKEN_ABOVE;
    s.end = below ? rest.low : rest.high;
    return s;
}

struct scale scale_cells(int last, int ticks)
{
    double step = last > 0 ? fmax(1, nice_step(last, ticks)) : 1;
    return (struct scale){.low = -0.5, .high = last + 0.5, .step = step};
}

struct scale scale_to(double last, int ticks)
{
    if (last <= 0)
        return scale_cells(0, ticks);
    return (struct scale){.high = last, .step = fmax(1, nice_step(last, ticks))};
}

/* The position of a value between two others, clamped; 0 for NaN. */
static double part(double value, double low, double high)
{
    return fmin(1, fmax(0, (value - low) / (high - low)));
}

double scale_place(const struct scale *s, double value)
{
    double main = part(value, s->low, s->high);
    switch (s->side) {
    case BROKEN_BELOW:
        return value < s->low ? STRIP * part(value, s->end, s->low)
                              : STRIP + GAP + (1 - STRIP - GAP) * main;
    case BROKEN_ABOVE:
        return value > s->high ? 1 - STRIP + STRIP * part(value, s->high, s->end)
                               : (1 - STRIP - GAP) * main;
    default:
        return main;
    }
}

void scale_gap(const struct scale *s, double edges[2])
{
    edges[0] = s->side == BROKEN_BELOW ? STRIP : 1 - STRIP - GAP;
    edges[1] = edges[0] + GAP;
}

int scale_ticks(const struct scale *s, double ticks[SCALE_TICKS])
{
    double first = s->step * ceil(s->low / s->step - 1e-9);
    int steps = (int)floor((s->high - first) / s->step + 1e-6), count = 0;
    for (int i = 0; i <= steps && count < SCALE_TICKS - 1; i++)
        ticks[count++] = first + i * s->step;
    if (s->side != NOT_BROKEN)
        ticks[count++] = s->end;
    return count;
}

const char *scale_text(const struct scale *s, double tick, char text[SCALE_TEXT])
{
    snprintf(text, SCALE_TEXT, "%s%.*f", tick < -s->step / 2 ? MINUS : "", s->decimals, fabs(tick));
    return text;
}
