/* A description of lists in bytes (ranks.h): values are written one after another, and read in the same
 * order. All ranks have the same version and layout, so a struct without pointers is its bytes. */
#ifndef GRAYLING_PLAN_H
#define GRAYLING_PLAN_H

#include "jobs.h"
#include "ranks.h"

#include <stdio.h>

/* ---- writing, on rank 0 ---- */

struct plan_writer {
    FILE *out; /* NULL on a process alone: nothing is written then */
    char *bytes;
    size_t size;
};

void plan_begin(struct plan_writer *w);
void plan_put(struct plan_writer *w, const void *bytes, size_t size);
void plan_put_text(struct plan_writer *w, const char *text); /* may be NULL */

/* Shares the description and creates the list that it describes. Frees the writer. NULL with the
 * reason. */
struct jobs *plan_create_jobs(struct plan_writer *w, const char *builder,
                              const struct job_kind *kind, const void *context, int threads,
                              struct error *err);

/* ---- reading, on the others ---- */

struct plan_reader {
    const char *at;
    size_t left;
    bool good; /* false: something was missing, or there was no memory */
};

struct plan_reader plan_reader(const void *bytes, size_t size);
void plan_get(struct plan_reader *r, void *bytes, size_t size);

/* Read an array or a text, malloc'ed; NULL if it is absent or cannot be read. */
void *plan_get_array(struct plan_reader *r, size_t count, size_t size);
char *plan_get_text(struct plan_reader *r);

/* True if all was read; else the reason. */
bool plan_end(const struct plan_reader *r, struct error *err);

#endif
