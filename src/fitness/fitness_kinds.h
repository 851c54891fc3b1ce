/* The kinds of fitness, and the recipe's choice among them. */
#ifndef GRAYLING_FITNESS_KINDS_H
#define GRAYLING_FITNESS_KINDS_H

#include "fitness.h"
#include "ranks.h"
#include "recipe.h"

/* Creates the recipe's fitness and loads its data. Its values are those of
 * objective_value_of(recipe). Returns NULL with the reason. Destroy it with
 * f->method->destroy(f). */
struct fitness *fitness_create(const struct recipe *recipe, int threads, struct error *err);

/* Builds the lists of a fitness on another rank (ranks.h). */
extern const struct ranks_builder fitness_builder;

/* Creates one kind, on this rank. Moves matched (phase 1), a mentor's scores, results of games: */
struct fitness *position_fitness_create(const struct recipe *recipe, int threads,
                                        struct error *err);
/* Phase 2: points in games among organisms. */
struct fitness *coevolution_create(const struct recipe *recipe, int threads, struct error *err);
/* Phase 3: nodes to solution, or their logarithms. */
struct fitness *nodes_to_solution_create(const struct recipe *recipe, int threads,
                                         struct error *err);

#endif
