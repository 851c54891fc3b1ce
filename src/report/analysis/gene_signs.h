/* The signs of having mattered that the genes of a run show: by neutral bits for the genetic
 * algorithm (neutral_bits.h), by neutral genes for every other optimiser (neutral_genes.h). With
 * intermediate and line crossover, which average the numbers of genes, the genetic algorithm has
 * neutral genes too. */
#ifndef GRAYLING_GENE_SIGNS_H
#define GRAYLING_GENE_SIGNS_H

#include "optimiser.h"

struct gene_signs;

/* Creates the test for a run with these settings and random seed, whose generation 0 was given
 * `seed_count` organisms (optimiser_seed), 0 to the population. NULL if out of memory or if the
 * settings are invalid. */
struct gene_signs *gene_signs_create(const struct genome *genome,
                                     const struct optimiser_settings *settings, uint64_t seed,
                                     int seed_count, struct error *err);
void gene_signs_destroy(struct gene_signs *s); /* accepts NULL */

/* Adds the next generation, starting with 0. Its fitness must be set. */
void gene_signs_add(struct gene_signs *s, const struct organism *population);

/* True if genes are compared with neutral bits, false if with neutral genes. */
bool gene_signs_by_bits(const struct gene_signs *s);

/* The number of neutral bits or genes with which each gene is compared. 0 if the run has only
 * one generation, or no gene that evolves. */
int gene_signs_count(const struct gene_signs *s);

/* The p-value of a gene: the probability that chance alone shows as strong a sign. 1 for a
 * constant. */
double gene_signs_chance(const struct gene_signs *s, int gene);

#endif
