/* How many games a recipe plays, what they can find by theory, and what stands in its way. */
#include "games_plan.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

static struct recipe recipe;

#define GAMES "name: n\nphase: coevolution\ndata: {openings: a, opponent: b}\n"
#define MATES                                                                                      \
    GAMES "fitness: {mates: yes, games: 4, start_games: 2}\noptimiser: {kind: spsa}\n"             \
          "ga: {population: 9, generations: 500}\n"

static void read_recipe(const char *text)
{
    struct error err = {""};
    cr_assert(recipe_from_text("r.yaml", text, &recipe, &err), "%s", err.text);
}

Test(games_plan, counts_games)
{
    static const struct {
        const char *text;
        int64_t each, all;
    } cases[] = {
        {GAMES "fitness: {games: 4}\nga: {population: 10, generations: 50}\n", 180, 180 * 51},
        {GAMES "fitness: {games: 2, neighbours: 4}\nga: {population: 24, generations: 0}\n", 96,
         96},
        {GAMES "fitness: {games: 2, hall: 3, hall_games: 2}\nga: {population: 4, generations: 1}\n",
         12 + 24, 72},
        {GAMES "fitness: {games: 2, rematch: 2}\nga: {population: 4, generations: 1}\n", 12 + 24,
         72},
        {MATES, 18, 9000}, /* nothing in generation 0 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        read_recipe(cases[i].text);
        const struct games_plan p = games_plan_of(&recipe, 5);
        cr_expect(p.each == cases[i].each && p.all == cases[i].all, "%s%lld %lld", cases[i].text,
                  (long long)p.each, (long long)p.all);
    }
}

/* The model of the theory, simulated: n parameters, losses D u^2, mates at u + 1 and u - 1 or the other way
 * around, games won by their difference. Returns the mean loss of the later half of the games. */
static double simulate(int n, double d, double loss, double rate, int games)
{
    double u[32] = {0}, sum = 0;
    uint64_t random = 88172645463325252u;
    for (int g = 0; g < games; g++) {
        double difference = 0, signs[32];
        for (int i = 0; i <= n; i++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            if (i < n) {
                signs[i] = (random >> 33 & 1) != 0 ? 1 : -1;
                difference -= 4 * loss * u[i] * signs[i];
            }
        }
        const double win = (1 - d) / 2 + difference / 347.4 / 2,
                     at = (double)(random >> 11) / 0x1p53;
        const int won = at < win ? 1 : at < win + d ? 0 : -1;
        for (int i = 0; i < n; i++) {
            u[i] += rate * won * signs[i];
            sum += g >= games / 2 ? loss * u[i] * u[i] : 0;
        }
    }
    return sum / (games - games / 2);
}

Test(games_plan, theory_is_what_its_model_does)
{
    read_recipe(MATES);
    const struct games_plan p = games_plan_of(&recipe, 14);
    const double end = 0.1 / sqrt(1 + 8000 / 125.0),
                 rates = 0.2 * 125 * (sqrt(1 + 8000 / 125.0) - 1);
    cr_expect_float_eq(p.noise, 14 * 347.4 * 0.6 * end / 8, 1e-9);
    cr_expect(fabs(p.least - 347.4 / (4 * rates)) < 0.01 * p.least);
    cr_expect(p.start == 500 && fabs(p.shown - 1.96 * 347.4 * sqrt(0.6 / 500)) < 1e-9);
    const double noise = simulate(14, 0.4, 4, end, 400000);
    cr_expect(fabs(noise - p.noise) < 0.15 * p.noise, "%f in the model, %f by theory", noise,
              p.noise);
    recipe.optimiser.rate = end;
    cr_expect_float_eq(games_plan_of(&recipe, 14).noise,
                       14 * 347.4 * 0.6 * 0.1 / sqrt(1 + 16000 / 125.0) / 8, 1e-9,
                       "a run with the rate of another's end goes on as that would");
    read_recipe(GAMES);
    cr_expect(games_plan_of(&recipe, 14).noise <= 0, "other methods have no such theory");
}

#define SPIN(n, low, high, begins)                                                                 \
    {                                                                                              \
        .name = n, .bits = 10, .min = low, .max = high, .initial = begins, .meaning = ""           \
    }

static const struct param params[] = {
    SPIN("QSFutility", 0, 400, 100),
    SPIN("Depth", 1, 6, 3),
    SPIN("Margin", -50, 50, 0),
    {.name = "Switch", .bits = 1, .max = 1, .meaning = "", .type = PARAM_CHECK},
    {.name = "Fixed", .min = 7, .max = 7, .initial = 7, .meaning = ""},
};
static const struct param_table space = {"uci", params, sizeof params / sizeof params[0]};

Test(games_plan, names_parameters_at_their_bounds)
{
    char text[GAMES_WARNING];
    const int32_t inside[] = {200, 3, 0, 1, 7}, one[] = {400, 3, 0, 1, 7},
                  all[] = {400, 1, -50, 1, 7}, near[] = {378, 3, 0, 1, 7};
    read_recipe(GAMES);
    cr_expect_not(games_plan_bounds(&recipe, &space, inside, text));
    cr_expect_not(games_plan_bounds(&recipe, &space, near, text));
    cr_assert(games_plan_bounds(&recipe, &space, one, text));
    cr_expect_str_eq(text, "QSFutility is at its bound 400: widen its range");
    cr_assert(games_plan_bounds(&recipe, &space, all, text));
    cr_expect_str_eq(text, "QSFutility is at its bound 400, Depth is at its bound 1, Margin is at "
                           "its bound -50: widen their ranges");
    read_recipe(MATES); /* the result is an average of a path that may end at the bound */
    const int32_t next[] = {395, 3, 0, 1, 7};
    cr_expect_not(games_plan_bounds(&recipe, &space, near, text));
    cr_assert(games_plan_bounds(&recipe, &space, next, text));
    cr_expect_str_eq(text, "QSFutility is at 395, next to its bound 400: widen its range");
    cr_expect_not(games_plan_bounds(&recipe, &space, inside, text));
}

static int warn(const char *text, char texts[GAMES_WARNINGS][GAMES_WARNING])
{
    read_recipe(text);
    return games_plan_warnings(&recipe, &space, texts);
}

Test(games_plan, warns_of_settings)
{
    char texts[GAMES_WARNINGS][GAMES_WARNING];
    cr_expect_eq(warn(GAMES, texts), 0);
    cr_expect_eq(warn(MATES, texts), 0);
    cr_expect_eq(warn(GAMES "optimiser: {kind: spsa, perturbation: 0.1}\n", texts), 1,
                 "Depth has six values, and the perturbation shrinks");
    cr_expect_str_eq(texts[0],
                     "the perturbation of Depth is less than half a step, and half a step is "
                     "taken; take a larger optimiser.perturbation or c, or finer steps");
    cr_expect_eq(warn(GAMES "optimiser: {kind: spsa, perturbation: 0.2}\n", texts), 0);
    cr_expect_eq(warn(GAMES "optimiser: {kind: spsa, perturbation: 0.001}\n"
                            "ga: {population: 2}\n",
                      texts),
                 2);
    cr_expect_str_eq(texts[0],
                     "a population of 2 is small for spsa with 4 parameters: take 3 or more");
    cr_expect_not_null(strstr(texts[1], "perturbation of QSFutility, Depth, Margin is less"), "%s",
                       texts[1]);
    cr_expect_eq(warn(GAMES "optimiser: {kind: cma-es}\nga: {population: 7}\n", texts), 1);
    cr_expect_eq(warn(GAMES "optimiser: {kind: cma-es}\nga: {population: 8}\n", texts), 0);
}
