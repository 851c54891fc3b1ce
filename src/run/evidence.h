/* Evidence of a run: a text from which anyone can repeat it and see that it comes out the same.
 *
 * An evidence file is YAML. It holds the recipe with every value spelled out, and of the run, or of
 * each run of a night or a comparison, its best organism and the SHA-256 of all organisms. A match
 * has the results of its pairings instead. Nothing in it depends on time, on the number of threads
 * or on the schema of the store:
 *
 *     recipe: |
 *       name: "paper"
 *       ...
 *     runs:
 *       run:                    # the name of the stage, in a night or a comparison
 *         outcome: {generation: 188, organism: 4, measure: 1576, held_out: 3032}
 *         values: {PAWN_VALUE: 100, ...}
 *         organisms: 0f6b...    # SHA-256, 64 hexadecimal digits
 *         generations: [5d3e9a01, ...]
 *       match:
 *         games: {"evolved - paper": {wins: 5, draws: 3, losses: 2}}
 *
 * `organisms` is the SHA-256 of one line for each organism of each generation, in order,
 * "GENERATION INDEX CHROMOSOME FITNESS\n": numbers in decimal, the chromosome as the lower-case
 * hexadecimal digits of its 64-bit words, least significant byte first. `generations` has the first
 * eight digits of the SHA-256 of each generation's lines, and tells where a run goes another way.
 * `held_out` is -1 where nothing was held out. Paths in the recipe are as seen from the directory
 * of the evidence file. */
#ifndef GRAYLING_EVIDENCE_H
#define GRAYLING_EVIDENCE_H

#include "run.h"

#include <stdio.h>

/* Writes the evidence of a finished run, night or comparison, for a file in `directory`, an
 * absolute path. False when the run is not finished, when a stage was cut by its time (which does
 * not repeat), or when it cannot be read. */
bool evidence_write(FILE *out, const char *store_path, const char *directory, struct error *err);

/* Compares a finished run with an evidence file. RUN_COMPLETE: they are the same. RUN_FAILED: they
 * differ, and the reason names the first generation, or else the key, that does. RUN_REFUSED: one
 * of them cannot be read. */
enum run_end evidence_compare(const char *evidence_path, const char *store_path, struct error *err);

/* Runs the recipe of an evidence file into a new store at `store_path`, for evidence_compare. The
 * time given to a night has no effect. RUN_REFUSED: the file or its recipe is wrong. */
enum run_end evidence_repeat(const char *evidence_path, const char *store_path, int threads,
                             const struct run_observer *observer, struct error *err);

#endif
