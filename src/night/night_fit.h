/* Fits a night to its time, before it begins: what is sure not to get as far as one generation is not begun.
 *
 *   1. A stage of several runs has only as many as its share holds, at least one.
 *   2. A run that searches or plays by nodes has only so many, and another one only so many training
 *      positions, as it can measure a generation with in its share, but not less than is of use.
 *   3. A stage that begins from an earlier one is left out, and the earlier one stands for it.
 *
 * What needs more than its share after that takes it from the stages after it. The fitted recipe is the
 * night's: it is stored, resumed and verified like any other. */
#ifndef GRAYLING_NIGHT_FIT_H
#define GRAYLING_NIGHT_FIT_H

#include "night_recipe.h"

enum {
    NIGHT_FEWEST_POSITIONS = 20,
    NIGHT_FEWEST_NODES = 500,
    NIGHT_FIT_NOTES = 3 * NIGHT_STAGES,
    NIGHT_FIT_NOTE = 200
};

/* What a run of a stage needs to the end of generation 0; a stage where that is not known, such as a match,
 * has 0. */
struct night_need {
    double data, seconds; /* to read its data, and then */
    int64_t positions;    /* training positions; 0: none */
};

struct night_fit {
    double least; /* seconds that all runs of the fitted night need */
    char notes[NIGHT_FIT_NOTES][NIGHT_FIT_NOTE];
    int count; /* of the notes, a sentence each: what was changed */
};

/* Fits a recipe to so many seconds. `needs` has one for each stage, and loses those of stages that are left
 * out. */
void night_fit(struct night_recipe *recipe, double seconds, struct night_need needs[NIGHT_STAGES],
               struct night_fit *fit);

#endif
