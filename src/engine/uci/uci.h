/* A session of the Universal Chess Interface: commands in by lines, answers out by a callback.
 *
 * A session is a value of its owner's; a process may have many. Commands are carried out in their
 * order by a thread of the session's own, so that `stop`, `ponderhit`, `isready`, `uci` and `quit`
 * are answered while it searches. Other commands that come then wait until the search is over.
 * Whatever comes in, nothing fails: what cannot be used is left out, and said in an info string. */
#ifndef GRAYLING_UCI_H
#define GRAYLING_UCI_H

#include "uci_channel.h"
#include "uci_options.h"
#include "uci_search.h"

#include <stdio.h>

enum { UCI_LINE_MAX = 1 << 22 }; /* bytes; longer ones are left out */

struct uci_setup {
    const char *name, *author;    /* for `id`; borrowed */
    struct uci_defaults defaults; /* copied */
    uci_write *write;             /* gets whole lines, from either thread, one call at a time */
    uci_clock *clock;             /* NULL: the system's monotonic clock */
    void *context;                /* of write and clock */
    bool alone;        /* no thread: a command returns when it is done, infinite ones too */
    uint64_t node_cap; /* no search goes further; 0: no cap */
};

struct uci;

/* ---- life cycle ---- */

/* NULL, with the reason, when there is no memory or no thread for it. */
struct uci *uci_create(const struct uci_setup *setup, struct error *err);

/* Stops what is being searched, answers for it, and ends. Accepts NULL. */
void uci_destroy(struct uci *u);

/* ---- commands ---- */

/* Takes a line, with or without its end. False when it was `quit`. */
bool uci_line(struct uci *u, const char *line, size_t length);

/* Takes lines from a file until `quit` or its end. At the end a search that has a limit is
 * finished first, and what still waits is carried out; one without is stopped. */
void uci_serve(struct uci *u, FILE *in);

#endif
