/* What a run by games is up to, before it begins and when it is over: how many games it plays, what they
 * can find by theory, and what stands in its way. */
#ifndef GRAYLING_GAMES_PLAN_H
#define GRAYLING_GAMES_PLAN_H

#include "param.h"
#include "recipe.h"

/* Games are those that organisms play; those against data.opponent come on top. With rematches, which are
 * not known before, the numbers are the largest possible ones. The Elo figures are of runs with
 * fitness.mates, whose optimiser has a theory; else 0. */
struct games_plan {
    int64_t each, all; /* games of a generation, and of the run */
    double noise;      /* Elo that the noise of games costs at most */
    double least;  /* Elo that a perturbation of one parameter must change for it to be followed */
    double shown;  /* half-width of the 95 % interval of the gain at the end; 0: no start_games */
    int64_t start; /* games of the estimates against the start which show it */
};

/* Returns the plan of a recipe by games with so many parameters. */
struct games_plan games_plan_of(const struct recipe *r, int parameters);

enum { GAMES_WARNINGS = 2, GAMES_WARNING = 512 };

/* Writes what is wrong with the settings of a run by games, one sentence each; returns their number. */
int games_plan_warnings(const struct recipe *r, const struct param_table *space,
                        char texts[GAMES_WARNINGS][GAMES_WARNING]);

/* Writes which parameters of a run's result lie at the bounds of their ranges, or so near as the optimiser
 * goes: "QSFutility is at its bound 400: widen its range". Choices and switches have no bounds. False
 * if there are none, or the run is not one by games. `values` are those of the space. */
bool games_plan_bounds(const struct recipe *r, const struct param_table *space,
                       const int32_t *values, char text[GAMES_WARNING]);

#endif
