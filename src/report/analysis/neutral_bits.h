/* Whether a gene shows a sign of having mattered, or chance alone could have made it what it is.
 *
 * Bits that do nothing are dropped down the run's own pedigree (gene dropping: MacCluer et al.
 * 1986): a second evolution with the run's seed, settings and fitness has the very same parents in
 * every generation, and its organisms carry neutral bits beside the genes. Those bits go through the
 * run's elitism, crossover and mutation and ride along with whatever its parents were chosen for;
 * what becomes of them is what chance and hitchhiking do in this run. Two signs are looked for:
 *
 *   the push       the change of a bit's share of ones over the run, less what mutation alone would
 *                  have changed: a bit that selection holds at one value is pushed on against
 *                  mutation all the time
 *   the advantage  by how many standard deviations organisms with a 1 were fitter than the others
 *                  of their generation, summed over the run (the covariance of Price 1970)
 *
 * each over the standard deviation that it has where bits are dealt out at random. Where selection
 * is strong, bits that count are soon alike and the push tells more; where it is weak, the
 * advantage does.
 *
 * With uniform crossover the neutral bits are inherited independently of every gene; with one or two
 * cuts they are linked to genes, as a gene that does nothing would be to its neighbours. */
#ifndef GRAYLING_NEUTRAL_BITS_H
#define GRAYLING_NEUTRAL_BITS_H

#include "optimiser.h"

struct neutral_bits;

/* For a run of these settings, whose kind is genetic, and seed. NULL without memory, or when the
 * settings are wrong. */
struct neutral_bits *neutral_bits_create(const struct genome *genome,
                                         const struct optimiser_settings *settings, uint64_t seed,
                                         struct error *err);
void neutral_bits_destroy(struct neutral_bits *b); /* accepts NULL */

/* Adds the next generation, from 0 on, its fitness written. */
void neutral_bits_add(struct neutral_bits *b, const struct organism *population);

/* How many neutral bits there are: those that the genome leaves of CHROMOSOME_WORDS. */
int neutral_bits_count(const struct neutral_bits *b);

/* The chance that an idle gene of this length shows as strong a sign as this gene, by the strongest
 * of its bits and the stronger of the two signs, for the choice of which it is doubled: in (0, 1],
 * small where the gene has mattered. 1 for a constant, before the second generation, and where the
 * genome leaves fewer than 200 neutral bits. */
double neutral_bits_chance(const struct neutral_bits *b, int gene);

#endif
