/* An objective whose organisms are measured against each other, a whole generation at a time. Such
 * a value ranks an organism in its generation and says nothing across generations.
 *
 * What is played is a list of numbered games. The caller keeps each game as it ends, and hands in
 * the games that it has, so that a generation that was interrupted is not played again. */
#ifndef GRAYLING_COMPETITION_H
#define GRAYLING_COMPETITION_H

#include "fitness.h"
#include "game_record.h"

/* A generation to be measured. Organisms are given by their genes, as measure_batch has them. */
struct competition {
    int generation;
    const int32_t *organisms; /* `count` of them */
    int count;
    const int32_t *champions; /* the best of each earlier generation, 0 first */
    const int32_t *seeds;     /* those that generation 0 began with */
    int seed_count;
    /* Games of this generation that have been played before, by number. */
    const struct game_record *known;
    size_t known_count;
    const volatile sig_atomic_t *stop; /* not 0: give up; may be NULL */
    /* Called as each other game ends: in the order of their numbers, serialised, from any thread;
     * `total` games are scheduled so far, the known ones included. False: give up. */
    bool (*played)(void *context, const struct game_record *game, int total);
    void *context;
};

struct competition_method {
    /* values[count] of the generation; false when it gave up (see measure_batch). */
    bool (*compete)(struct fitness *f, const struct competition *c, int64_t *values);
    /* Sets the file for the crash report of a broken game (match_broken.h): a game with an illegal
     * or missing move, which ends the measurement. */
    void (*report_broken_to)(struct fitness *f, const char *path);
};

#endif
