/* What a run by games has gained over its start so far: the games of its estimates against the start
 * (fitness.start_games), which no optimiser sees. */
#ifndef GRAYLING_RUN_GAIN_H
#define GRAYLING_RUN_GAIN_H

#include "recipe.h"
#include "store.h"

struct run_gain {
    struct pair_counts start; /* pairs against the start in the later half of the generations: the
                                 estimate of a generation is an average over about as many */
    int64_t games, games_all; /* played so far, and when the run is complete */
};

enum { RUN_GAIN_TEXT = 128 };

/* Reads the gain after generation `last` of a run. All 0 if the recipe has no such games. */
bool run_gain_read(struct store *s, const struct recipe *recipe, int last, struct run_gain *gain,
                   struct error *err);

/* True if there is a gain to tell. */
bool run_gain_known(const struct run_gain *gain);

/* The Elo difference to the start, and the half-width of its 95 % interval by pairs (elo.h). False if fewer
 * than ten pairs, or none that was not won alike, say nothing yet. */
bool run_gain_elo(const struct run_gain *gain, double *elo, double *margin);

/* "+41 +/- 12 Elo over the start after 3,120 of 8,000 games", or "Elo not known yet, after 16 of
 * 8,000 games". */
const char *run_gain_text(const struct run_gain *gain, char text[RUN_GAIN_TEXT]);

#endif
