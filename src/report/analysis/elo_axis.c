#include "elo_axis.h"

#include <math.h>

/* Widens the axis to a value, as far as it may go. */
static void take_in(struct elo_axis *axis, double elo)
{
    double end = fmin(ELO_AXIS_MOST, fmax(-ELO_AXIS_MOST, elo));
    axis->low = fmin(axis->low, end);
    axis->high = fmax(axis->high, end);
}

struct elo_axis elo_axis_for(const struct elo_estimate *estimates, int count)
{
    struct elo_axis axis = {0, 0};
    for (int i = 0; i < count; i++) {
        const struct elo_estimate *e = &estimates[i];
        if (isinf(e->elo_low) && isinf(e->elo_high) && !isinf(e->elo))
            continue;
        take_in(&axis, e->elo_low);
        take_in(&axis, e->elo);
        take_in(&axis, e->elo_high);
    }
    return axis;
}

int elo_axis_beyond(const struct elo_axis *axis, double elo)
{
    return elo < axis->low ? -1 : elo > axis->high;
}
