/* Work in numbered, independent pieces, whose results are taken in by number until there is enough.
 *
 * Any thread may do any piece at any time. What is taken in depends on neither the number of
 * threads nor their speed, and work that is given up has come to the beginning of what it would
 * have come to. */
#ifndef GRAYLING_PIECES_H
#define GRAYLING_PIECES_H

#include "error.h"

#include <stddef.h>

struct pieces {
    size_t count;
    int threads;        /* >= 1 */
    size_t result_size; /* bytes */
    void *context;
    /* Does a piece and writes its result, which is zeroed. `thread` counts from 0. Threads call
     * side by side. False gives the work up: no piece is begun after it, and nothing is taken in
     * beyond this one. */
    bool (*work)(void *context, int thread, size_t number, void *result);
    /* Takes in what the next piece came to, one call at a time; false when that is enough. */
    bool (*take)(void *context, size_t number, const void *result);
};

/* Returns when no piece is left, there is enough, or the work was given up. False when there is no
 * memory. */
bool pieces_do(const struct pieces *p, struct error *err);

#endif
