/* How messages are carried: the functions of post.h as a table, in a module that is loaded when it is
 * needed. A program without other ranks loads no MPI, and depends on none. */
#ifndef GRAYLING_POST_METHOD_H
#define GRAYLING_POST_METHOD_H

#include "post.h"

struct post_method {
    struct post *(*open)(struct error *err);
    int (*rank)(const struct post *p);
    int (*ranks)(const struct post *p);
    const char *(*host)(const struct post *p);
    bool (*send)(struct post *p, int to, void *bytes, size_t size);
    bool (*receive)(struct post *p, int *from, void **bytes, size_t *size);
    bool (*flush)(struct post *p, double seconds);
    void (*close)(struct post *p);
    void (*abort)(struct post *p, int code);
};

/* The module, and the name of its table in it. */
#define POST_MODULE "libgrayling-mpi.so"
#define POST_TABLE  "grayling_post_mpi"

#endif
