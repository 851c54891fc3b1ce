/* The faults of another engine, as a run keeps them: their number in the property `faults`, as
 * "2 crashes, 1 hang", and their reports in the folder STORE.faults (engine_fault.h). */
#ifndef GRAYLING_RUN_FAULTS_H
#define GRAYLING_RUN_FAULTS_H

#include "fitness.h"
#include "store.h"

/* Tells a fitness where reports go, and how many faults the run has had before. */
void run_faults_begin(struct fitness *f, struct store *s);

/* Puts the number, within a transaction. Nothing if there are none. */
bool run_faults_put(struct store *s, const struct fitness *f, struct error *err);

#endif
