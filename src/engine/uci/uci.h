/* A UCI session: takes command lines, and writes answers through a callback.
 *
 * The caller owns the session; a process may have many. A thread of the session executes commands in order. While it
 * searches, `stop`, `ponderhit`, `isready`, `uci` and `quit` are handled at once; other commands wait until the
 * search ends. No input makes a session fail: it ignores what it cannot use, and says so in an info string.
 *
 * The options are those of the protocol, and, for tuners, the parameters of the paper's evaluation and of the search,
 * each under its own name. EvalFile may hold a modern evaluation, which then plays instead of the paper's. */
#ifndef GRAYLING_UCI_H
#define GRAYLING_UCI_H

#include "engine.h"

#include <stdio.h>

enum { UCI_LINE_MAX = 1 << 22 }; /* bytes; longer lines are ignored */

/* Reads a parameter file of one of `tables` (NULL-terminated). Returns its table, else NULL. */
typedef const struct param_table *uci_read_params(const char *path,
                                                  const struct param_table *const *tables,
                                                  int32_t *values, struct error *err);

/* Initial settings of an engine. */
struct uci_defaults {
    struct evaluation evaluation; /* the paper's, if `tune` */
    struct search_params params;
    bool tune;          /* each parameter is an option */
    int hash, hash_max; /* MiB */
    int threads_max;    /* 0: one thread */
    uci_read_params *read_params;
};

struct uci_setup {
    const char *name, *author;    /* for `id`; borrowed */
    struct uci_defaults defaults; /* copied */
    void *context;                /* for write and clock */
    /* Receives whole lines, from either thread, one call at a time. */
    void (*write)(void *context, const char *text, size_t length);
    /* Microseconds from any start; never goes back. NULL: the system's monotonic clock. */
    int64_t (*clock)(void *context);
    bool no_thread;    /* no thread: each command returns when done, even an infinite search */
    uint64_t node_cap; /* node limit of every search; 0: none */
};

struct uci;

/* Returns NULL and sets `err` if memory or a thread cannot be had. */
struct uci *uci_create(const struct uci_setup *setup, struct error *err);

/* Stops the current search, writes its answer, and ends the session. Accepts NULL. */
void uci_destroy(struct uci *u);

/* Handles one line, with or without its newline. False if it was `quit`. */
bool uci_line(struct uci *u, const char *line, size_t length);

/* Handles the lines of a file until `quit` or end of file. Both stop the running search, but no
 * count; queued commands are still executed. */
void uci_serve(struct uci *u, FILE *in);

#endif
