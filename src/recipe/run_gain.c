#include "run_gain.h"

#include "count.h"
#include "elo.h"
#include "games_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FEW = 10 };

bool run_gain_read(struct store *s, const struct recipe *recipe, int last, struct run_gain *gain,
                   struct error *err)
{
    int64_t draws;
    *gain = (struct run_gain){0};
    if (!recipe->mates || recipe->start_games == 0)
        return true;
    gain->games_all = games_plan_of(recipe, 0).all;
    return store_count_games(s, &gain->games, &draws, err) &&
           store_count_start_pairs(s, last / 2 + 1, last, &gain->start, err);
}

bool run_gain_known(const struct run_gain *gain)
{
    return gain->games_all > 0;
}

bool run_gain_elo(const struct run_gain *gain, double *elo, double *margin)
{
    struct match_counts counts = {0};
    int64_t pairs = 0;
    for (int i = 0; i < 5; i++)
        pairs += counts.pairs[i] = gain->start.pairs[i];
    const struct elo_estimate e = elo_estimate(&counts);
    *elo = e.elo;
    *margin = e.elo_margin;
    return pairs >= FEW && isfinite(e.elo) && isfinite(e.elo_margin);
}

const char *run_gain_text(const struct run_gain *gain, char text[RUN_GAIN_TEXT])
{
    double elo, margin;
    char known[48] = "Elo not known yet,", games[COUNT_MAX], all[COUNT_MAX];
    if (run_gain_elo(gain, &elo, &margin))
        snprintf(known, sizeof known, "%+.0f +/- %.0f Elo over the start", elo, margin);
    snprintf(text, RUN_GAIN_TEXT, "%s after %s of %s games", known,
             format_count(gain->games, games), format_count(gain->games_all, all));
    return text;
}
