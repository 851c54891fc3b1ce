/* Aspiration windows (Slate and Atkin 1977): an iteration begins with a window around the last
 * one's value, and widens the side that fails. Part of the modern search: ASPIRATION_WINDOW is half
 * the first window, 0 the whole range. */
#ifndef GRAYLING_ASPIRATION_H
#define GRAYLING_ASPIRATION_H

#include "tree.h"

struct aspiration {
    int32_t alpha, beta, margin;
};

/* The first window of an iteration around the value of the last. */
struct aspiration aspiration_first(const struct tree *t, int iteration, int32_t last);

/* Widens the window on the side on which `value` failed. False where the value lies within. */
bool aspiration_widen(struct aspiration *a, int32_t value);

#endif
