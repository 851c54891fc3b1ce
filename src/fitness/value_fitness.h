/* Objectives that compare the value of a position with its label: a mentor's score (mentor.c), or the
 * result of its game (game_results.c). The objective value of an organism is the sum of its losses
 * over the positions; fitness is what is left of the worst sum.
 *
 * Values come from the compiled set, so any linear evaluation can learn, ours or one in another
 * process. A kind of such an objective says what a loss is. */
#ifndef GRAYLING_VALUE_FITNESS_H
#define GRAYLING_VALUE_FITNESS_H

#include "compiled.h"
#include "fitness.h"
#include "recipe.h"

/* The loss of a position, and what it depends on besides value and label. */
struct value_kind {
    const struct fitness_method *method; /* on all positions */
    const struct fitness_method *batch;  /* each generation on a batch of them; NULL: never */
    enum epd_need need;                  /* the label */
    /* Prepares what `loss` reads, which is freed with free(). NULL with the reason. */
    void *(*prepare)(const struct recipe *recipe, struct error *err);
    /* The loss of a value, which is for the side to move and in the unit of the weights: from 0 to
     * the worst. */
    int64_t (*loss)(const void *prepared, const struct epd *epd, double value);
    int64_t (*worst)(const void *prepared);
};

/* Creates such a fitness and loads its positions. NULL with the reason. */
struct fitness *value_fitness_create(const struct value_kind *kind, const struct recipe *recipe,
                                     int threads, struct error *err);

/* ---- functions of the methods */

bool value_fitness_batch(struct fitness *f, const int32_t *genes, int count,
                         const struct fitness_watcher *watcher, int64_t *values);
int64_t value_fitness_held_out(struct fitness *f, const int32_t *genes,
                               const struct fitness_watcher *watcher);
int64_t value_fitness_score(const struct fitness *f, int64_t value);
void value_fitness_describe(const struct fitness *f, char *text, size_t size);
void value_fitness_destroy(struct fitness *f);

/* Measures a generation on its batch (competition.h). */
extern const struct competition_method value_fitness_batches;

#endif
