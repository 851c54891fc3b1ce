/* Calibration: how far each gene must move until a share of the best moves changes. No game is played.
 *
 *   1  The moves in all positions at a limit of nodes, with the values as they are; again, which shows how
 *      far the engine repeats itself; and with 1 % more nodes, which shows how many moves hang by a thread.
 *   2  The moves with each gene at either bound of its range, the others as they are. A choice takes each
 *      of its other values.
 *   3  Bisection by ratio of the distance at which the share of moves changed, the mean of both sides, is
 *      the one wanted. A side that is nearer to its bound than that stays there.
 *
 * That distance is c, the perturbation of param.h: interpolated between the last two distances, not more
 * than a quarter of the range, and not less than half a step, to two digits. */
#ifndef GRAYLING_CALIBRATION_H
#define GRAYLING_CALIBRATION_H

#include "jobs.h"
#include "lineup.h"

enum { CALIBRATION_ROUNDS = 4 };

struct calibration_settings {
    const struct lineup *lineup;
    const int32_t *values;             /* of all genes: where distances begin */
    const struct position *positions;  /* each with a legal move */
    size_t count;                      /* >= 1 */
    uint64_t nodes;                    /* of a search */
    int depth;                         /* of a search, in plies, in place of nodes; 0: nodes */
    double share;                      /* of the moves, 0 to 1 */
    int rounds;                        /* of step 3: CALIBRATION_ROUNDS, or fewer to save time */
    int threads;                       /* each has an engine of its own */
    const volatile sig_atomic_t *stop; /* nonzero ends the work; may be NULL */
    /* Called, serialised, as `done` of about `count` pieces of work are finished. */
    void (*progress)(void *context, size_t done, size_t count);
    void *context;
};

/* What a gene does. */
struct calibrated {
    /* Shares of the moves that change at min and at max, or the largest of a choice; 0: no room. */
    double down, up;
    double c;  /* 0: a choice or a constant, or no move changes */
    bool weak; /* no distance changes the share: c is a quarter of the range */
};

struct calibration {
    struct calibrated *genes; /* owned: one for each of the space */
    double again, more;       /* shares of step 1 */
    int64_t searches;
    /* Searches in which the engine failed: changed moves, or in step 1 positions left out. */
    int64_t faults;
};

/* Calibrates all genes. JOBS_FAILED, with the reason, if an engine cannot be started or fails at once with the values
 * as they are. The caller frees the calibration if, and only if, it is done. */
enum jobs_end calibrate(const struct calibration_settings *settings, struct calibration *result,
                        struct error *err);
void calibration_free(struct calibration *c);

/* True if a gene changes no more moves than the engine does by itself. */
bool calibration_is_idle(const struct calibration *c, int gene);

#endif
