/* Messages between ranks, as a table of functions in a module that is loaded when it is needed: MPI
 * (ranks_mpi.c). A program without other ranks loads no MPI, and depends on none.
 *
 * Only the thread that opened the post uses it. Messages of one rank to another arrive in the order
 * in which they were sent. No function waits for another rank, except where all ranks meet. Where a
 * message cannot be sent, MPI ends all ranks. */
#ifndef GRAYLING_RANKS_POST_H
#define GRAYLING_RANKS_POST_H

#include "error.h"

#include <stddef.h>

struct post;

struct post_method {
    /* Opens the post between all ranks; all meet. */
    struct post *(*open)(int *rank, int *count, struct error *err);
    /* Collects as many bytes of each rank, by rank; all meet. */
    void (*gather)(struct post *p, const void *mine, void *all, size_t size);
    /* Sends malloc'ed bytes, at most 1 GiB, which the post frees. */
    void (*send)(struct post *p, int to, void *bytes, size_t size);
    /* Takes the next message, malloc'ed with room for one byte more. False if there is none now. */
    bool (*receive)(struct post *p, int *from, void **bytes, size_t *size);
    /* Waits until all messages are on their way. */
    void (*flush)(struct post *p);
    void (*close)(struct post *p); /* all meet */
    /* Ends all ranks. Does not return. */
    void (*abort)(struct post *p, int code);
};

/* The module, and the name of its table in it. */
#define POST_MODULE "libgrayling-mpi.so"
#define POST_TABLE  "grayling_post_mpi"

#endif
