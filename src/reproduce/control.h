/* Verdicts that compare what evolved with a control, such as random search, so that they can fail. */
#ifndef GRAYLING_CONTROL_H
#define GRAYLING_CONTROL_H

#include "spread.h"

#include <math.h>
#include <stdbool.h>

/* "Holds" if each of `ours` is below each of the controls, "Holds only in part" if only their mean
 * is, else "Does not hold". At least one of each. */
static inline const char *control_verdict_below(const double *ours, const double *controls,
                                                int count)
{
    double highest = ours[0], lowest = controls[0], difference = 0;
    for (int i = 0; i < count; i++) {
        highest = ours[i] > highest ? ours[i] : highest;
        lowest = controls[i] < lowest ? controls[i] : lowest;
        difference += ours[i] - controls[i];
    }
    return highest < lowest ? "Holds" : difference < 0 ? "Holds only in part" : "Does not hold";
}

/* "Holds" if a mean is from `low` to `high` and the control is more than two standard errors away;
 * "Not shown" if the control is nearer; "Does not hold" if the mean is elsewhere. */
static inline const char *control_verdict_within(double mean, double standard_error, double low,
                                                 double high, double control)
{
    if (mean < low || mean > high)
        return "Does not hold";
    return fabs(mean - control) > 2 * standard_error ? "Holds" : "Not shown";
}

/* True if the mean of `count` runs is above that of as many controls by more than two standard errors of
 * the difference. At least two of each: one has no standard error. */
static inline bool control_is_above(struct spread ours, struct spread controls, int count)
{
    double variance = ours.deviation * ours.deviation + controls.deviation * controls.deviation;
    return ours.mean - controls.mean > 2 * sqrt(variance / count);
}

#endif
