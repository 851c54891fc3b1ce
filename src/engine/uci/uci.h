/* A UCI session: takes command lines, and writes answers through a callback.
 *
 * The caller owns the session; a process may have many. A thread of the session executes commands
 * in order. While it searches, `stop`, `ponderhit`, `isready`, `uci` and `quit` are handled at
 * once; other commands wait until the search ends. No input makes a session fail: it ignores what
 * it cannot use, and says so in an info string. */
#ifndef GRAYLING_UCI_H
#define GRAYLING_UCI_H

#include "uci_options.h"
#include "uci_search.h"

#include <stdio.h>

enum { UCI_LINE_MAX = 1 << 22 }; /* bytes; longer lines are ignored */

struct uci_setup {
    const char *name, *author;    /* for `id`; borrowed */
    struct uci_defaults defaults; /* copied */
    uci_write *write;             /* receives whole lines, from either thread, one call at a time */
    uci_clock *clock;             /* NULL: the system's monotonic clock */
    void *context;                /* for write and clock */
    bool no_thread;    /* no thread: each command returns when done, even an infinite search */
    uint64_t node_cap; /* node limit of every search; 0: none */
};

struct uci;

/* ---- life cycle ---- */

/* Returns NULL and sets `err` if memory or a thread cannot be had. */
struct uci *uci_create(const struct uci_setup *setup, struct error *err);

/* Stops the current search, writes its answer, and ends the session. Accepts NULL. */
void uci_destroy(struct uci *u);

/* ---- commands ---- */

/* Handles one line, with or without its newline. False if it was `quit`. */
bool uci_line(struct uci *u, const char *line, size_t length);

/* Handles the lines of a file until `quit` or end of file. Both stop the running search, but no
 * count; queued commands are still executed. */
void uci_serve(struct uci *u, FILE *in);

#endif
