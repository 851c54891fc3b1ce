/* Runs one search for a GUI: starts it, reports progress, manages time, and answers `bestmove`. */
#ifndef GRAYLING_UCI_SEARCH_H
#define GRAYLING_UCI_SEARCH_H

#include "uci_channel.h"
#include "uci_go.h"
#include "uci_position.h"

typedef int64_t uci_clock(void *context); /* microseconds from any start; never goes back */

/* The input of a search. Everything is borrowed. */
struct uci_task {
    struct engine *engine;
    const struct uci_position *start;
    const struct uci_go *go;
    struct channel *channel;
    uint64_t number;    /* number in the channel; 0: cannot be stopped, never waits */
    int64_t start_time; /* start time, by the clock */
    uci_clock *clock;
    void *context;             /* for the clock */
    int lines;                 /* MultiPV */
    enum evaluation_kind kind; /* what the engine plays with, for the unit of its scores */
    bool show_wdl;
    bool chess960;     /* castling is written as king takes rook */
    int64_t overhead;  /* milliseconds */
    uint64_t node_cap; /* 0: none */
};

/* Searches and writes the answer. Does not interrupt a first iteration of normal length, so that
 * the move is based on a search. An infinite or pondering search withholds its answer until it is
 * stopped or receives ponderhit. */
void uci_search_run(const struct uci_task *task);

#endif
