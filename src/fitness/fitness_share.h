/* The fitness of a recipe on other ranks (ranks.h): its description is the recipe as text, in which the
 * names of data stand for the files. Parameters of a stored run are sent as a parameter file. */
#ifndef GRAYLING_FITNESS_SHARE_H
#define GRAYLING_FITNESS_SHARE_H

#include "ranks.h"
#include "recipe.h"

/* Opens the description. Does nothing on a process alone. */
bool fitness_share(const struct recipe *recipe, int threads, struct error *err);

/* Builds such a fitness. */
extern const struct ranks_builder fitness_builder;

#endif
