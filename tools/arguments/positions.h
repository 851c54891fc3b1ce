/* Shared by the commands that turn games into positions. */
#ifndef GRAYLING_POSITIONS_H
#define GRAYLING_POSITIONS_H

#include "epd.h"
#include "game_list.h"

#include <stdio.h>

/* Every `step`th of `count` positions, starting with the first. */
struct positions {
    const struct epd *items;
    size_t count, step;
};

/* Writes a `struct positions` as EPD; a callback for output_write. */
void positions_print(FILE *out, void *context);

/* Reports the first few broken games on standard error. `context` is an int that counts them and
 * starts at 0. */
void positions_name_broken(void *context, const char *reason);

/* Reports on standard error how many games were read and left out. */
void positions_tell_read(const struct game_list_report *read);

#endif
