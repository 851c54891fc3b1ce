/* How to spend games: the evolution strategy on models of a search's space, where the Elo of each
 * organism is known and games are drawn by it.
 *
 *     games_model [GAMES...]      (3000 8000 20000)
 *
 * A model has 6 switches with 4 genes each, which have no effect where it is off, and 10 genes more. A
 * gene costs Elo by the square of its distance from the best value, in logarithms. The seed, as a search
 * that evolved on something else, is near the best values, and has one switch on: one that is worth much.
 * Prints, for each way to spend so many games, the Elo that the strategy's mean gains, on average over
 * MODELS models, with the standard error, and in how many of them the best other switch is on. */
#include "default_settings.h"
#include "optimiser.h"
#include "parse.h"
#include "stream.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SWITCHES = 6, INNER = 4, FREE = 10, GENES = SWITCHES * (1 + INNER) + FREE, MODELS = 40 };

/* What a switch brings where its genes have their best values. The seed has the second on. */
static const double worth[SWITCHES] = {70, 120, -40, 20, 25, -30};
enum { WANTED = 0, IN_SEED = 1 };

/* A method that costs more than this is as bad as any. */
enum { WORST = -150 };

enum { MOST = 128, COLUMNS = 8 }; /* organisms; columns of the table */

struct model {
    struct param genes[GENES];
    double best[GENES], weight[GENES]; /* logarithms; Elo for a distance of 1 */
    struct genome genome;
};

/* A way to spend games. */
struct way {
    int organisms, neighbours; /* 0: all others */
    double margin;
};

/* ---- the model ---- */

static const char *const conditions[SWITCHES] = {"S0 >= 1", "S1 >= 1", "S2 >= 1",
                                                 "S3 >= 1", "S4 >= 1", "S5 >= 1"};
static const char *const names[SWITCHES] = {"S0", "S1", "S2", "S3", "S4", "S5"};

static void add_switch(struct model *m, int gene, int number)
{
    m->genes[gene] =
        (struct param){.name = names[number], .bits = 1, .max = 1, .sign = 1, .meaning = ""};
}

static void add_number(struct model *m, int gene, const char *condition, struct stream *s)
{
    static const int bits[] = {2, 3, 4, 7, 9};
    struct param *p = &m->genes[gene];
    *p = (struct param){.name = "N", .sign = 1, .meaning = "", .active_if = condition};
    p->bits = bits[stream_below(s, sizeof bits / sizeof *bits)];
    p->max = (1 << p->bits) - 1;
    m->best[gene] = log(1.0 + (double)stream_below(s, (uint64_t)p->max + 1));
    m->weight[gene] = gsl_ran_exponential(&s->rng, 12);
}

/* The switches come first, each followed by its genes. */
static void make_model(struct model *m, uint64_t seed)
{
    struct stream s;
    struct error err;
    const struct param_table table = {.kind = "model", .params = m->genes, .count = GENES};
    stream_init(&s, seed, STREAM_TEST, 0, 0);
    for (int gene = 0; gene < GENES; gene++) {
        const int number = gene / (1 + INNER);
        if (number < SWITCHES && gene % (1 + INNER) == 0)
            add_switch(m, gene, number);
        else
            add_number(m, gene, number < SWITCHES ? conditions[number] : NULL, &s);
    }
    if (!genome_init(&m->genome, &table, &err))
        abort();
}

/* What the genes from `first` on cost. */
static double cost(const struct model *m, const int32_t *values, int first, int count)
{
    double sum = 0;
    for (int i = first; i < first + count; i++)
        sum += m->weight[i] * pow(log(values[i] + 1.0) - m->best[i], 2);
    return sum;
}

static double elo_of(const struct model *m, const uint64_t *chromosome)
{
    int32_t values[GENES];
    genome_decode(&m->genome, chromosome, values);
    double elo = -cost(m, values, GENES - FREE, FREE);
    for (int n = 0; n < SWITCHES; n++) {
        const int gene = n * (1 + INNER);
        if (values[gene] != 0)
            elo += fmax(WORST, worth[n] - cost(m, values, gene + 1, INNER));
    }
    return elo;
}

/* Each gene near its best value; random where it has no effect. */
static void make_seed(const struct model *m, struct stream *s, uint64_t *chromosome)
{
    int32_t values[GENES];
    for (int i = 0; i < GENES; i++) {
        const struct param *p = &m->genes[i];
        const int number = i / (1 + INNER);
        const double near = exp(m->best[i] + gsl_ran_gaussian(&s->rng, 0.6)) - 1;
        values[i] = (int32_t)fmin(p->max, fmax(0, round(near)));
        if (number < SWITCHES && number != IN_SEED)
            values[i] = (int32_t)stream_below(s, (uint64_t)p->max + 1);
        if (p->bits == 1)
            values[i] = number == IN_SEED;
    }
    genome_encode(&m->genome, values, chromosome);
}

/* ---- games ---- */

/* The half points of a player who is `ahead` by so much Elo. */
static int play(struct stream *s, double ahead)
{
    const double draws = 0.3, expected = 1 / (1 + pow(10, -ahead / 400));
    const double won = fmin(1 - draws, fmax(0, expected - draws / 2)),
                 drawn = gsl_rng_uniform(&s->rng);
    return drawn < won ? 2 : drawn < won + draws;
}

/* Two games of each pair: all, or each organism and those that follow it in the circle. */
static void play_generation(struct optimiser *o, const struct model *m, int neighbours,
                            struct stream *s)
{
    double elo[MOST];
    const int count = o->population;
    for (int i = 0; i < count; i++) {
        elo[i] = elo_of(m, o->organisms[i].chromosome);
        o->organisms[i].fitness = 0;
    }
    for (int i = 0; i < count; i++)
        for (int k = 1; k <= (neighbours > 0 ? neighbours / 2 : count - 1 - i); k++)
            for (int game = 0; game < 2; game++) {
                const int other = (i + k) % count, points = play(s, elo[i] - elo[other]);
                o->organisms[i].fitness += points;
                o->organisms[other].fitness += 2 - points;
            }
}

/* ---- runs ---- */

static int games_of(const struct way *w)
{
    return w->organisms * (w->neighbours > 0 ? w->neighbours : w->organisms - 1);
}

/* Spends the games on a model. Returns what the mean gains over the seed. */
static double run(const struct model *m, const struct way *w, int games, uint64_t seed, bool *found)
{
    struct stream s;
    struct error err;
    struct optimiser o;
    uint64_t chromosome[GENES] = {0};
    int32_t values[GENES];
    struct optimiser_settings settings = optimiser_default_settings(OPTIMISER_EVOLUTION_STRATEGY);
    settings.population = w->organisms;
    settings.evolution_strategy =
        (struct evolution_strategy_settings){.sigma = 0.35, .common = 0, .margin = w->margin};
    stream_init(&s, seed, STREAM_TEST, 1, 0);
    if (!optimiser_create(&o, &m->genome, &settings, seed, &err))
        abort();
    make_seed(m, &s, chromosome);
    optimiser_seed(&o, chromosome, 1);
    for (int played = 0; played + games_of(w) <= games; played += games_of(w)) {
        play_generation(&o, m, w->neighbours, &s);
        optimiser_step(&o);
    }
    const double gain = elo_of(m, o.organisms[0].chromosome) - elo_of(m, chromosome);
    genome_decode(&m->genome, o.organisms[0].chromosome, values);
    *found = values[WANTED] != 0;
    optimiser_destroy(&o);
    return gain;
}

/* Prints a cell: "78 +- 5 (37)". */
static void show(const struct way *w, int games)
{
    double sum = 0, squares = 0;
    int found = 0;
    for (int n = 0; n < MODELS; n++) {
        struct model m;
        bool on;
        make_model(&m, (uint64_t)n + 1);
        const double gain = run(&m, w, games, (uint64_t)n + 1, &on);
        sum += gain;
        squares += gain * gain;
        found += on;
    }
    const double mean = sum / MODELS;
    printf("  %4.0f +- %1.0f (%2d)", mean, sqrt((squares / MODELS - mean * mean) / MODELS), found);
}

static void show_way(const struct way *w, const int *games, int count)
{
    char neighbours[24] = "all";
    if (w->neighbours > 0)
        snprintf(neighbours, sizeof neighbours, "%d", w->neighbours);
    printf("%9d %10s %6.2f", w->organisms, neighbours, w->margin);
    for (int i = 0; i < count; i++)
        show(w, games[i]);
    putchar('\n');
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const struct way ways[] = {
        {24, 0, 0},    {24, 0, 0.1},  {24, 0, 0.25}, {24, 0, 0.4},  {12, 0, 0.25}, {16, 0, 0.25},
        {24, 4, 0},    {24, 4, 0.1},  {24, 4, 0.25}, {24, 4, 0.4},  {16, 4, 0.25}, {24, 8, 0.25},
        {48, 2, 0.25}, {48, 4, 0.25}, {96, 2, 0.25}, {96, 4, 0.25},
    };
    int games[COLUMNS] = {3000, 8000, 20000}, count = argc > 1 ? argc - 1 : 3;
    for (int i = 1; i < argc; i++) {
        int64_t number;
        if (i > COLUMNS || !parse_int64(argv[i], &number) || number < 1 || number > 10000000) {
            fprintf(stderr, "usage: games_model [GAMES...], %d numbers up to 10,000,000\n",
                    COLUMNS);
            return 2;
        }
        games[i - 1] = (int)number;
    }
    printf("organisms neighbours margin");
    for (int i = 0; i < count; i++)
        printf("%10d games", games[i]);
    putchar('\n');
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        show_way(&ways[i], games, count);
    return 0;
}
