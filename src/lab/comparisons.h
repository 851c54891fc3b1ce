/* Means, ratios and verdicts that compare what evolved with a control, so that they can fail. */
#ifndef GRAYLING_COMPARISONS_H
#define GRAYLING_COMPARISONS_H

#include "statistics.h"

#include <stdbool.h>
#include <stddef.h>

/* A mean with its 95 % interval. */
struct ratio {
    double mean, low, high;
};

/* How many times larger one method's tree is than another's, position by position: the geometric mean of
 * exp(logs[i]), with the percentile interval of a bootstrap (Efron 1979). A few positions that explode decide a ratio
 * of totals, but not this one. The draws are the same each time. Without logarithms, all is 0. */
struct ratio ratio_of_logs(const double *logs, size_t count);

/* "Holds" if all are held, "Holds only in part" if some are, else "Does not hold". */
const char *verdict_held(int held, int of);

/* "Holds" if each of `ours` is below each of the controls, "Holds only in part" if only their mean
 * is, else "Does not hold". At least one of each. */
const char *verdict_below(const double *ours, const double *controls, int count);

/* "Holds" if a mean is from `low` to `high` and the control is more than two standard errors away;
 * "Not shown" if the control is nearer; "Does not hold" if the mean is elsewhere. */
const char *verdict_within(double mean, double standard_error, double low, double high,
                           double control);

/* True if the mean of `count` runs is above that of as many controls by more than two standard errors of
 * the difference. At least two of each: one has no standard error. */
bool spread_is_above(struct spread ours, struct spread controls, int count);

#endif
