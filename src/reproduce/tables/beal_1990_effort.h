/* The effort of beal-1990, Table 1: how long the paper's program took for each position, and how many
 * it and ours solve within a limit. */
#ifndef GRAYLING_BEAL_1990_EFFORT_H
#define GRAYLING_BEAL_1990_EFFORT_H

#include "experiment.h"

enum { BEAL_SETS = 15, BEAL_IN_A_SET = 20, BEAL_POSITIONS = BEAL_SETS * BEAL_IN_A_SET };

/* The paper's seconds to the solution of a position, 1 to BEAL_POSITIONS; 0: not solved. */
int beal_published_seconds(int position);

/* Shows how many positions are solved within so many nodes, where each was searched with at most
 * `limit`. */
void beal_show_effort(struct experiment *x, const struct solved cells[BEAL_POSITIONS],
                      uint64_t limit);

#endif
