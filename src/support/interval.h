/* Confidence intervals of a share, for reports. They never influence a run. */
#ifndef GRAYLING_INTERVAL_H
#define GRAYLING_INTERVAL_H

#include <stdint.h>

/* A share in [0, 1] with its confidence interval. */
struct interval {
    double share, low, high;
};

/* Returns Wilson's score interval (1927) of `hits` out of `total`. Unlike the normal approximation
 * it stays inside [0, 1] and is accurate near both ends. 0 <= hits <= total. If `total` is 0 the
 * interval is [0, 1]. `confidence` is in (0, 1), usually 0.95. */
struct interval interval_wilson(int64_t hits, int64_t total, double confidence);

/* Returns the interval of `half_points` scored in `games` games. 0 <= half_points <= 2 * games. It
 * assumes no draws, which gives the widest interval. */
struct interval interval_points(int64_t half_points, int64_t games, double confidence);

#endif
