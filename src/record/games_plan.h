/* What a run by games is up to, before it begins, on its way and when it is over: how many games it plays, what
 * they can find by theory, what stands in its way, and what it has gained. */
#ifndef GRAYLING_GAMES_PLAN_H
#define GRAYLING_GAMES_PLAN_H

#include "param.h"
#include "recipe.h"
#include "store.h"

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

enum { GAMES_WARNINGS = 2, GAMES_WARNING = 640 };

/* Writes what is wrong with the settings of a run by games, one sentence each; returns their number. */
int games_plan_warnings(const struct recipe *r, const struct param_table *space,
                        char texts[GAMES_WARNINGS][GAMES_WARNING]);

/* Writes which parameters of a run by games lie at the bounds of their ranges, or so near as the optimiser goes:
 * "QSFutility is at its bound 400: widen its range". False if there are none. */
bool games_plan_bounds(const struct recipe *r, const struct param_table *space,
                       const int32_t *values, char text[GAMES_WARNING]);

/* What a run has gained over its start, by games that no optimiser sees (fitness.start_games). */
struct run_gain {
    struct pair_counts start; /* pairs against the start in the later half of the generations: the
                                 estimate of a generation is an average over about as many */
    int64_t games, games_all; /* played so far, and when the run is complete */
};

enum { RUN_GAIN_TEXT = 128 };

/* Reads the gain after generation `last` of a run. All 0 if the recipe has no such games. */
bool run_gain_read(struct store *s, const struct recipe *recipe, int last, struct run_gain *gain,
                   struct error *err);

/* Returns the first generation whose games tell the gain after generation `last`. */
static inline int run_gain_first(int last)
{
    return last / 2 + 1;
}

/* True if there is a gain to tell. */
static inline bool run_gain_known(const struct run_gain *gain)
{
    return gain->games_all > 0;
}

/* The Elo difference to the start, and the half-width of its 95 % interval by pairs (elo.h). False if fewer
 * than ten pairs, or none that was not won alike, say nothing yet. */
bool run_gain_elo(const struct run_gain *gain, double *elo, double *margin);

/* "+41 +/- 12 Elo over the start after 3,120 of 8,000 games", or "Elo not known yet, after ...". */
const char *run_gain_text(const struct run_gain *gain, char text[RUN_GAIN_TEXT]);

#endif
