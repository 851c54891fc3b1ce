/* The mean loss of a compiled set and its gradient, over all positions or over a batch of them, on
 * several threads. A batch is a number of blocks of consecutive positions; each epoch takes all
 * blocks once, in a new random order. */
#ifndef GRAYLING_GRADIENT_H
#define GRAYLING_GRADIENT_H

#include "jobs.h"
#include "regression.h"
#include "stream.h"

/* What all workers know. */
struct gradient_problem {
    const struct compiled_set *set;
    const struct regression_method *method;
};

struct gradient {
    struct gradient_problem problem;
    int coordinates;
    struct job_kind kind;
    struct jobs *jobs;
    double *by;       /* the latest gradient; owned */
    double *input;    /* of a batch's jobs: the point, then the numbers of the blocks; owned */
    uint32_t *order;  /* of all blocks, in this epoch; owned */
    size_t blocks;    /* in the set */
    size_t per_batch; /* blocks in a batch; the last of an epoch may have fewer */
    size_t next;      /* the first block of the next batch, in `order` */
    uint64_t epoch;
    uint64_t seed;
};

/* Begins with batches of about `batch` positions (0: of all), in an order by `seed`. The set is
 * borrowed. False, with the reason, if memory is short. */
bool gradient_begin(struct gradient *g, const struct compiled_set *set,
                    const struct regression_method *method, int batch, uint64_t seed, int threads,
                    struct error *err);
void gradient_finish(struct gradient *g);

/* Computes the mean loss at x[coordinates], and its gradient, which is kept in g->by. */
bool gradient_of_all(struct gradient *g, const double *x, double *loss, struct error *err);
/* Same, over the next batch. */
bool gradient_of_batch(struct gradient *g, const double *x, double *loss, struct error *err);

#endif
