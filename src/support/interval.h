/* How sure a counted share is. */
#ifndef GRAYLING_INTERVAL_H
#define GRAYLING_INTERVAL_H

#include <stdint.h>

/* A share in [0, 1] and the interval that holds the true one with the given confidence. */
struct interval {
    double share, low, high;
};

/* Wilson's score interval (1927) of `hits` out of `total`: unlike the normal approximation it stays
 * inside [0, 1] and is right near the ends. 0 <= hits <= total; of nothing the interval is [0, 1].
 * `confidence` is in (0, 1), usually 0.95. For reports: never steers a run. */
struct interval interval_wilson(int64_t hits, int64_t total, double confidence);

/* The same for the half points made in games, 0 to 2 * games: the widest that draws allow. */
struct interval interval_points(int64_t half_points, int64_t games, double confidence);

#endif
