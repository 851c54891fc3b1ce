/* Aspiration windows (Slate and Atkin 1977): an iteration starts with a window around the value of
 * the last one, and widens the side that fails. Part of the modern search. ASPIRATION_WINDOW is
 * half the first window; 0 means a full window. */
#ifndef GRAYLING_ASPIRATION_H
#define GRAYLING_ASPIRATION_H

#include "tree.h"

struct aspiration {
    int32_t alpha, beta, margin;
};

/* The first window of an iteration, around the value of the last iteration. */
struct aspiration aspiration_first(const struct tree *t, int iteration, int32_t last);

/* Widens the side of the window on which `value` failed. False if the value lies within the
 * window. */
bool aspiration_widen(struct aspiration *a, int32_t value);

#endif
