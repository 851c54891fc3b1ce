/* The positions that organisms are measured on: all training positions, or in each generation a batch
 * of them, so that more generations fit in the same time. */
#ifndef GRAYLING_TRAINING_H
#define GRAYLING_TRAINING_H

#include "compiled.h"
#include "recipe.h"

/* Loads the recipe's training positions: in a random order by its seed if there are batches. Fails if
 * there are none, or fewer than a batch. */
bool training_load(const struct recipe *r, enum epd_need need, struct dataset *data,
                   struct error *err);

/* Loads the recipe's held-out positions, if it has any. */
bool held_out_load(const struct recipe *r, enum epd_need need, struct dataset *data,
                   struct error *err);

/* The batch of a generation: `batch` positions after those of the generation before, and again from
 * the first of all `total` after the last. The second part may be empty. */
struct training_batch {
    struct compiled_part parts[2];
};
struct training_batch training_batch_of(int generation, size_t batch, size_t total);

#endif
