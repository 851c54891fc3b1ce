/* Shared by the commands that find positions, most of them in games. */
#ifndef GRAYLING_POSITIONS_H
#define GRAYLING_POSITIONS_H

#include "epd.h"
#include "game_list.h"
#include "progress.h"

/* Every `step`th of `count` positions, starting with the first; `head` writes comments before them, or is NULL. */
struct positions {
    const struct epd *items;
    size_t count, step;
    void (*head)(FILE *out, const void *context);
    const void *context;
};

/* Writes a `struct positions` as EPD; a callback for output_write. */
void positions_print(FILE *out, void *context);

/* -- while games are read and searched */

/* What is shown of a search. Zeroed but for the first line. */
struct positions_view {
    const char *unit, *searched; /* what is found, "finding"; what is searched, "games" */
    size_t wanted;
    int broken; /* games reported so far */
    struct progress progress;
};

/* Shows how many are found, and the first few broken games on standard error. */
struct game_list_watcher positions_watcher(struct positions_view *view);

/* Reports on standard error how many games were read and left out. */
void positions_tell_read(const struct game_list_report *read);

/* -- at the end */

/* How a search for positions ended. */
struct search_end {
    const char *output,
        *split;       /* files; of two, which may be NULL, each has every second position */
    const char *what; /* "positions", "openings": what is told of the files */
    struct positions found;
    const struct error *failure; /* NULL: it did not fail */
    bool interrupted;
    const char *few;  /* why what was found is too little to write; NULL: it is enough */
    const char *done; /* "found", "labelled": what the search does */
};

/* Writes what was found, also before an interruption or a failure, and says so. Returns the exit code. */
int positions_finish(const struct search_end *end);

#endif
