#include "games_plan.h"

#include "count.h"
#include "elo.h"
#include "text_stream.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- games ---- */

static int64_t generation_games(const struct recipe *r)
{
    const int64_t population = r->optimiser.population;
    const int64_t rematch = population - 1 + (r->seed_games > 0 ? r->seed_count : 0);
    return population * recipe_opponents(r) / 2 * r->games + (r->mates ? r->start_games : 0) +
           population * ((int64_t)r->seed_count * r->seed_games + (int64_t)r->hall * r->hall_games +
                         rematch * r->rematch);
}

/* ---- theory ---- */

/* Elo for each game won more than lost, where both are nearly equal: 800 / ln 10. */
#define ELO_A_GAME 347.4

/* The share of drawn games that the figures assume. */
#define DRAWN 0.4

/* Near its best value let a parameter cost D Elo if it is one perturbation away, and D u^2 if it is u away. Two
 * mates at u + s and u - s, s = +1 or -1, differ by 4 D u s Elo: for each game the second wins 4 D u s / C more
 * than it loses, with a variance of 1 - d; C is ELO_A_GAME, d DRAWN. The estimate moves by R (`rate`)
 * perturbations for each game won. So
 *
 *     a game moves u by -4 R D u / C on average, with a variance of R^2 (1 - d): the time constant is
 *     T = C / (4 R D) games, and u^2 comes to rest at R^2 (1 - d) T / 2 = R (1 - d) C / (8 D);
 *
 *     noise costs n parameters D u^2 each: n C (1 - d) R / 8 Elo, whatever D is. The result, an average of
 *     the path, is nearer to the best values, so that is the most that it costs;
 *
 *     in G games those parameters are followed of which one time constant has passed: 4 D / C times the sum
 *     of R over the games is 1 or more.
 *
 * R falls with the games (mates_rate); what noise costs is told with the R of the end.
 *
 * A score of S games has a standard deviation of half the root of (1 - d) / S, and 2 C Elo a point. */
static void add_theory(struct games_plan *p, const struct recipe *r, int parameters)
{
    const double each = (double)(p->each - r->start_games);
    double rates = 0;
    for (int g = 0; g < r->generations; g++)
        rates += each * mates_rate(&r->optimiser, g * each);
    p->noise = parameters * ELO_A_GAME * (1 - DRAWN) *
               mates_rate(&r->optimiser, r->generations * each) / 8;
    if (rates > 0)
        p->least = ELO_A_GAME / (4 * rates);
    /* run_gain.h counts the later half of the generations */
    p->start = (int64_t)(r->generations - r->generations / 2) * r->start_games;
    if (p->start > 0)
        p->shown = 1.96 * ELO_A_GAME * sqrt((1 - DRAWN) / (double)p->start);
}

struct games_plan games_plan_of(const struct recipe *r, int parameters)
{
    const int64_t generations = (int64_t)r->generations + (r->mates ? 0 : 1);
    struct games_plan p = {.each = generation_games(r)};
    p.all = generations * p.each;
    if (r->mates)
        add_theory(&p, r, parameters);
    return p;
}

/* ---- warnings ---- */

enum { NAMED = 3 };

/* A list of parameters as a text: the first few, and how many more. */
struct names {
    char text[384], others[32];
    int count;
};

static void add_name(struct names *l, const char *name)
{
    if (l->count++ < NAMED)
        text_add(l->text, sizeof l->text, "%s%.100s", l->text[0] != '\0' ? ", " : "", name);
    else
        snprintf(l->others, sizeof l->others, " and %d more", l->count - NAMED);
}

/* True if a parameter evolves in more than two values that have an order. */
static bool has_range(const struct param *p)
{
    return p->bits > 0 && !param_is_choice(p) && param_steps(p) >= 2;
}

/* How much spsa perturbs a parameter at the end, in its steps (spsa.c); 0 with other optimisers. */
static double last_perturbation(const struct recipe *r, const struct param *p)
{
    const double gamma = 0.101, shrunk = r->mates ? 1 : pow(fmax(r->generations, 1), gamma);
    const double first = p->c > 0 ? p->c / param_step(p)
                                  : r->optimiser.spsa.perturbation * ((double)param_steps(p) + 1);
    return r->optimiser.kind == OPTIMISER_SPSA ? first / shrunk : 0;
}

/* A perturbation of less than half a step is one of half a step: the two of a pair differ. */
static bool warn_of_steps(const struct recipe *r, const struct param_table *space,
                          char text[GAMES_WARNING])
{
    struct names small = {.text = ""};
    for (int i = 0; r->optimiser.kind == OPTIMISER_SPSA && i < space->count; i++)
        if (has_range(&space->params[i]) && last_perturbation(r, &space->params[i]) < 0.5)
            add_name(&small, space->params[i].name);
    if (small.count > 0)
        snprintf(
            text, GAMES_WARNING,
            "the perturbation of %s%s is less than half a step, and half a step is taken; take a "
            "larger optimiser.perturbation or c, or finer steps",
            small.text, small.others);
    return small.count > 0;
}

/* CMA-ES has at least 4 + 3 ln n by default (Hansen); the estimate of spsa plays from three on. */
static bool warn_of_population(const struct recipe *r, const struct param_table *space,
                               char text[GAMES_WARNING])
{
    const enum optimiser_kind kind = r->optimiser.kind;
    int parameters = 0, least = 0;
    for (int i = 0; i < space->count; i++)
        parameters += space->params[i].bits > 0;
    if (kind == OPTIMISER_CMA_ES || kind == OPTIMISER_SEP_CMA_ES)
        least = 4 + (int)(3 * log(parameters > 0 ? parameters : 1));
    else if (kind == OPTIMISER_SPSA)
        least = 3;
    if (r->optimiser.population < least)
        snprintf(text, GAMES_WARNING,
                 "a population of %d is small for %s with %d parameters: take %d or more",
                 r->optimiser.population, optimiser_method_of(kind)->name, parameters, least);
    return r->optimiser.population < least;
}

int games_plan_warnings(const struct recipe *r, const struct param_table *space,
                        char texts[GAMES_WARNINGS][GAMES_WARNING])
{
    int count = 0;
    count += warn_of_population(r, space, texts[count]);
    count += warn_of_steps(r, space, texts[count]);
    return count;
}

bool games_plan_bounds(const struct recipe *r, const struct param_table *space,
                       const int32_t *values, char text[GAMES_WARNING])
{
    struct names ended = {.text = ""};
    for (int i = 0; r->measure == MEASURE_GAMES && i < space->count; i++) {
        const struct param *p = &space->params[i];
        const double steps = (double)param_steps(p),
                     at = ((double)values[i] - p->min) / param_step(p);
        /* spsa without mates stays a perturbation away from the bounds; with them it has an average */
        const double near = r->mates ? steps / 50 : 1.1 * last_perturbation(r, p) - 0.5;
        const bool low = at <= near || at < 0.5, high = steps - at <= near || at > steps - 0.5;
        char value[PARAM_TEXT], bound[PARAM_TEXT], name[128];
        if (!has_range(p) || low == high)
            continue;
        param_value_text(p, values[i], value);
        param_value_text(p, low ? p->min : param_largest(p), bound);
        if (strcmp(value, bound) == 0)
            snprintf(name, sizeof name, "%.60s is at its bound %.20s", p->name, bound);
        else
            snprintf(name, sizeof name, "%.60s is at %.20s, next to its bound %.20s", p->name,
                     value, bound);
        add_name(&ended, name);
    }
    if (ended.count > 0)
        snprintf(text, GAMES_WARNING, "%s%s: widen %s", ended.text, ended.others,
                 ended.count > 1 ? "their ranges" : "its range");
    return ended.count > 0;
}

/* ---- the gain ---- */

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
           store_count_start_pairs(s, run_gain_first(last), last, &gain->start, err);
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
