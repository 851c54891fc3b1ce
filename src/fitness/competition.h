/* An objective that measures a generation as a whole. Its value ranks an organism within its generation and
 * does not compare across generations: organisms play each other, or are measured on a batch of positions,
 * another one in each generation.
 *
 * Games are numbered. The caller stores each game as it ends, and passes in the games it already has, so
 * that resuming does not play them again. A batch has no games. */
#ifndef GRAYLING_COMPETITION_H
#define GRAYLING_COMPETITION_H

#include "fitness.h"
#include "game_record.h"

/* A generation to measure. Organisms are given by their genes, as in measure_batch. */
struct competition {
    int generation;
    const int32_t *organisms; /* `count` of them */
    int count;
    const int32_t *champions; /* best organism of each earlier generation, from 0 on */
    const int32_t *seeds;     /* initial population */
    int seed_count;
    /* Games of this generation that are already played, by number. */
    const struct game_record *known;
    size_t known_count;
    const volatile sig_atomic_t *stop; /* nonzero stops the games; may be NULL */
    /* Called as each new game ends: in the order of numbers, serialised, from any thread. `total`
     * is the number of games scheduled so far, known ones included. Returns false to stop. */
    bool (*played)(void *context, const struct game_record *game, int total);
    void *context;
};

struct competition_method {
    bool plays; /* by games, which are stored; else on a batch of positions */
    /* Writes values[count] of the generation; false if stopped or failed (see measure_batch). */
    bool (*compete)(struct fitness *f, const struct competition *c, int64_t *values);
    /* Sets the file for the crash report of a broken game (engine_fault.h): a game with an illegal
     * or missing move, which ends the measurement. Without one there is no report. NULL if there
     * are no games. */
    void (*report_broken_to)(struct fitness *f, const char *path);
};

#endif
