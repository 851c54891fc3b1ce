/* Objectives that compare the value of a position with its label: a mentor's score (mentor.c), or the
 * result of its game (game_results.c). The objective value of an organism is the sum of its losses
 * over the positions; fitness is what is left of the worst sum.
 *
 * Values come from the compiled set, so any linear evaluation can learn, ours or one in another
 * process. A kind of such an objective says what a loss is. */
#ifndef GRAYLING_VALUE_FITNESS_H
#define GRAYLING_VALUE_FITNESS_H

#include "epd.h"
#include "fitness.h"
#include "recipe.h"

struct value_kind {
    const char *name; /* of the fitness method */
    const struct objective_value *value;
    const struct objective_value *batch_value; /* in batches of positions; NULL: there are none */
    enum epd_need need;                        /* the label */
    /* Prepares what the others read, which is freed with free(). NULL with the reason. */
    void *(*prepare)(const struct recipe *recipe, struct error *err);
    /* The loss of a value, which is for the side to move and in the unit of the weights: from 0 to
     * the worst. */
    int64_t (*loss)(const void *prepared, const struct epd *epd, double value);
    int64_t (*worst)(const void *prepared);
    /* Writes what the loss depends on: "clipped at 1000 centipawns". */
    void (*describe)(const void *prepared, char *text, size_t size);
};

/* Creates such a fitness and loads its positions. NULL with the reason. */
struct fitness *value_fitness_create(const struct value_kind *kind, const struct recipe *recipe,
                                     int threads, struct error *err);

#endif
