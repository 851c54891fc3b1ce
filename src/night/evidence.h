/* Evidence of a run: a text from which anyone can repeat the run and check that the result is the same.
 *
 * An evidence file is YAML. It holds the recipe with every value spelled out; for each run, the best organism and the
 * SHA-256 of all organisms; for a match, the results of its pairings. Nothing in it depends on time, on the number of
 * threads or on the schema of the store:
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
 * `organisms` is the SHA-256 of one line for each organism of each generation, in order:
 * "GENERATION INDEX CHROMOSOME FITNESS\n". Numbers are decimal; the chromosome is the lower-case hexadecimal digits
 * of its 64-bit words, least significant byte first. `generations` has the first eight digits of the SHA-256 of each
 * generation's lines, which locates the first difference between two runs. `held_out` is -1 if nothing was held out.
 * Paths in the recipe are relative to the directory of the evidence file. */
#ifndef GRAYLING_EVIDENCE_H
#define GRAYLING_EVIDENCE_H

#include "run.h"

#include <stdio.h>

/* Writes the evidence of a run, night or comparison, for a file in `directory`, an absolute path. False if it is not
 * finished, cannot be read, or has a stage that ran out of time, which does not repeat. */
bool evidence_write(FILE *out, const char *store_path, const char *directory, struct error *err);

/* Compares a finished run with an evidence file. RUN_COMPLETE: they agree. RUN_FAILED: they differ, and the reason
 * names the first different generation, or else the key. RUN_REFUSED: one cannot be read. */
enum run_end evidence_compare(const char *evidence_path, const char *store_path, struct error *err);

/* Decides whether a recipe may be run, as it may start an engine. Else gives the reason. */
typedef bool evidence_agree(const struct recipe *recipe, struct error *err);

/* Runs the recipe of an evidence file, or those of its night without a time limit, into a new store for
 * evidence_compare, if `agree` agrees to each. RUN_REFUSED: one is wrong. */
enum run_end evidence_repeat(const char *evidence_path, const char *store_path, int threads,
                             evidence_agree *agree, const struct run_observer *observer,
                             struct error *err);

#endif
