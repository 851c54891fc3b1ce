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

/* How a search for positions ended. */
struct search_end {
    const struct error *failure; /* NULL: it did not fail */
    bool interrupted;
    const char *few;  /* why what was found is too little to write; NULL: it is enough */
    const char *done; /* "found", "labelled": what the search does */
};

/* Lets `write` write what was found, also before an interruption or a failure, and says so. Returns the exit code. */
int positions_finish(const struct search_end *end, int (*write)(const void *context),
                     const void *context);

/* Writes a `struct positions` as EPD; a callback for output_write. */
void positions_print(FILE *out, void *context);

/* Reports the first few broken games on standard error. `context` is an int that counts them and
 * starts at 0. */
void positions_name_broken(void *context, const char *reason);

/* Reports on standard error how many games were read and left out. */
void positions_tell_read(const struct game_list_report *read);

#endif
