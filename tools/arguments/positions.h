/* What the commands that turn games into positions share. */
#ifndef GRAYLING_POSITIONS_H
#define GRAYLING_POSITIONS_H

#include "epd.h"

#include <stdio.h>

/* Every `step`th of `count` positions from the first on. */
struct positions {
    const struct epd *items;
    size_t count, step;
};

/* Writes `struct positions` as EPD; for output_write. */
void positions_print(FILE *out, void *context);

/* Names the first few broken games on standard error; `context` is an int that counts them, from
 * 0. */
void positions_name_broken(void *context, const char *reason);

#endif
