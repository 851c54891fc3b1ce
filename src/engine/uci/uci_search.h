/* One search as a GUI sees it: begins, tells how it stands, ends in time, answers `bestmove`. */
#ifndef GRAYLING_UCI_SEARCH_H
#define GRAYLING_UCI_SEARCH_H

#include "uci_channel.h"
#include "uci_go.h"
#include "uci_position.h"

typedef int64_t uci_clock(void *context); /* microseconds since any moment; never goes back */

/* What a search needs. Everything is borrowed. */
struct uci_task {
    struct engine *engine;
    const struct uci_position *start;
    const struct uci_go *go;
    struct channel *channel;
    uint64_t number; /* in the channel; 0: nobody can stop it, and it is not held back */
    int64_t came;    /* when it was its turn, by the clock */
    uci_clock *clock;
    void *context;     /* of the clock */
    int lines;         /* MultiPV */
    int64_t overhead;  /* milliseconds */
    uint64_t node_cap; /* 0: none */
};

/* Searches and answers. A first iteration of the usual length is not interrupted, so that the move
 * has a reason. An infinite search, or one that ponders, holds its answer back until it is
 * stopped or the move was played. */
void uci_search_run(const struct uci_task *task);

#endif
