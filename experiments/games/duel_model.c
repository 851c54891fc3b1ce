/* Which method gains most Elo for each game, on models of a search's space: the Elo of each point is known,
 * and games are drawn by it.
 *
 *     duel_model [GAMES...]      (500 1000 2000 4000 8000)
 *
 * A model has 7, 14 or 30 numbers of 4 to 1,024 values. A fifth of them does nothing; the others differ in
 * weight by a log-normal factor. How Elo falls with the distance from the best values is one of six shapes. Two
 * of five best values are close to a bound. A start loses 120 Elo; its values lie 0.2, 0.35 or 0.5 of the range
 * from the best (a standard deviation). A second start, which is good, loses 0, 2, 5 or 10 Elo on the same
 * model: what a method loses there is its damage.
 *
 * Prints for each method and number of games the Elo that it gains over the start, on average over MODELS models,
 * with the standard error: first from the bad start, then from the good one. */
#include "default_settings.h"
#include "methods.h"
#include "optimiser.h"
#include "parse.h"
#include "stream.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 54, MOST = 30, COLUMNS = 8, ORGANISMS = 9 };

enum shape {
    QUADRATIC,
    HEAVY,      /* quadratic near the best value, linear far from it */
    PLATEAU,    /* nothing for small distances */
    TIED,       /* each distance includes some of the others' */
    LOPSIDED,   /* steeper on one side */
    LOGARITHMS, /* quadratic in the logarithm */
    SHAPES
};

struct model {
    enum shape shape;
    struct param genes[MOST];
    struct genome genome;
    struct box box;
    double best[MOST], weight[MOST], start[MOST]; /* scaled; Elo for a distance of 1; a point */
    double tie[MOST][MOST];
    double draws; /* the share of drawn games between equals */
};

/* ---- the model ---- */

/* A coordinate as the model sees it, and back. In logarithms the range spans a factor of 16. */
static double scaled(const struct model *m, double x)
{
    return m->shape == LOGARITHMS ? log1p(15 * x) / log(16) : x;
}

static double unscaled(const struct model *m, double x)
{
    return m->shape == LOGARITHMS ? expm1(x * log(16)) / 15 : x;
}

/* What a coordinate costs for each Elo of weight. */
static double cost_of(const struct model *m, int i, const double *distance)
{
    double x = distance[i];
    switch (m->shape) {
    case HEAVY:
        return 0.02 * (sqrt(1 + 100 * x * x) - 1);
    case PLATEAU:
        return pow(fmax(0, fabs(x) - 0.06), 2);
    case TIED:
        for (int k = 0; k < m->box.count; k++)
            x += k != i ? m->tie[i][k] * distance[k] : 0;
        return x * x;
    case LOPSIDED:
        return x * x * (1 + copysign(0.8, m->tie[i][0]) * tanh(x / 0.15));
    default:
        return x * x;
    }
}

/* Returns the Elo of the values at a point, 0 at best. Nobody loses more than 600. */
static double elo_of(const struct model *m, const double *point)
{
    double distance[MOST], sum = 0;
    for (int i = 0; i < m->box.count; i++) {
        const double cells = m->box.sides[i].cells;
        const double cell = clamp(floor(point[i] * cells), 0, cells - 1);
        distance[i] = scaled(m, (cell + 0.5) / cells) - m->best[i];
    }
    for (int i = 0; i < m->box.count; i++)
        if (m->weight[i] > 0)
            sum += m->weight[i] * cost_of(m, i, distance);
    return -600 * (1 - exp(-sum / 600));
}

/* Places the start a share of the way along `away`. */
static void place_start(struct model *m, const double *away, double share)
{
    for (int i = 0; i < m->box.count; i++)
        m->start[i] = unscaled(m, clamp(m->best[i] + share * away[i], 0, 1));
}

/* Two of five best values are close to a bound. */
static double draw_best(struct stream *s)
{
    const double close = 0.01 + 0.12 * stream_unit(s);
    const uint64_t kind = stream_below(s, 10);
    return kind < 2 ? close : kind < 4 ? 1 - close : 0.1 + 0.8 * stream_unit(s);
}

static void draw_values(struct model *m, double spread, struct stream *s, double *away)
{
    for (int i = 0; i < m->box.count; i++) {
        m->best[i] = draw_best(s);
        m->weight[i] = stream_unit(s) < 0.2 ? 0 : gsl_ran_lognormal(&s->rng, 0, 1);
        do
            away[i] = gsl_ran_gaussian(&s->rng, spread);
        while (m->best[i] + away[i] < 0 || m->best[i] + away[i] > 1);
        for (int k = 0; k < m->box.count; k++)
            m->tie[i][k] = gsl_ran_gaussian(&s->rng, 0.7 / sqrt(m->box.count));
    }
}

/* Makes model number `number`, whose start loses `loss` Elo, 120 at most. */
static void make_model(struct model *m, int number, double loss)
{
    static const int sizes[] = {7, 14, 30};
    static const double spreads[] = {0.2, 0.35, 0.5};
    struct stream s;
    struct error err;
    double away[MOST], low = 0, high = 1;
    const struct param_table table = {
        .kind = "model", .params = m->genes, .count = sizes[number % 3]};
    stream_init(&s, (uint64_t)number, STREAM_TEST, 0, 0);
    *m = (struct model){.shape = number / 3 % SHAPES, .draws = number % 2 == 0 ? 0.3 : 0.4};
    for (int i = 0; i < table.count; i++) {
        const int bits = 2 + (int)stream_below(&s, 9);
        m->genes[i] = (struct param){
            .name = "N", .sign = 1, .meaning = "", .bits = bits, .max = (1 << bits) - 1};
    }
    if (!genome_init(&m->genome, &table, &err) || !box_create(&m->box, &m->genome, &err))
        abort();
    draw_values(m, spreads[number / 3 / SHAPES % 3], &s, away);
    place_start(m, away, 1);
    const double cost = -600 * log1p(elo_of(m, m->start) / 600);
    for (int i = 0; i < m->box.count; i++)
        m->weight[i] *= -600 * log1p(-120.0 / 600) / cost;
    for (int k = 0; k < 30 && loss < 120; k++) {
        const double share = (low + high) / 2;
        place_start(m, away, share);
        *(elo_of(m, m->start) < -loss ? &high : &low) = share;
    }
    if (loss < 120)
        place_start(m, away, low);
}

/* ---- games ---- */

/* Returns what a player who is `ahead` by so much Elo wins of a game: 1, 0 or -1. */
static int play(const struct model *m, double ahead, struct stream *s)
{
    const double expected = 1 / (1 + pow(10, -ahead / 400));
    const double drawn = m->draws * 4 * expected * (1 - expected), at = stream_unit(s);
    const double won = expected - drawn / 2;
    return at < won ? 1 : at < won + drawn ? 0 : -1;
}

/* Returns wins minus losses in `pairs` pairs of games with the same opening, colours reversed. */
static int play_pairs(const struct model *m, double ahead, int pairs, struct stream *s)
{
    int sum = 0;
    for (int k = 0; k < pairs; k++) {
        const double opening = gsl_ran_gaussian(&s->rng, 90);
        sum += play(m, ahead + opening, s) + play(m, ahead - opening, s);
    }
    return sum;
}

/* ---- methods ---- */

struct method {
    const char *name;
    /* Spends the games. Writes the point where it ends; `point` begins as the start. */
    void (*run)(const struct method *w, const struct model *m, int games, struct stream *s,
                double *point);
    double perturbation, rate;
    enum optimiser_kind kind;
};

static void create(struct optimiser *o, const struct method *w, const struct model *m,
                   int population, struct stream *s)
{
    struct error err;
    uint64_t start[MOST];
    struct optimiser_settings settings = optimiser_default_settings(w->kind);
    settings.population = population;
    settings.spsa.perturbation = settings.evolution_strategy.sigma = w->perturbation;
    settings.evolution_strategy.common = 0;
    if (w->rate > 0)
        settings.rate = w->rate;
    if (!optimiser_create(o, &m->genome, &settings, stream_bits(s), &err))
        abort();
    box_encode(&m->box, m->start, start);
    optimiser_seed(o, start, 1);
}

/* A method whose organisms all play each other, two games a pairing. */
static void all_play_all(const struct method *w, const struct model *m, int games, struct stream *s,
                         double *point)
{
    enum { PLAYERS = 8, EACH = PLAYERS * (PLAYERS - 1) };
    struct optimiser o;
    create(&o, w, m, PLAYERS, s);
    o.relative = true;
    o.organisms[0].fitness = 1; /* generation 0 plays no games: all but one are random */
    for (int left = games; left >= EACH; left -= EACH) {
        double elo[PLAYERS];
        optimiser_step(&o);
        for (int i = 0; i < PLAYERS; i++) {
            box_decode(&m->box, o.organisms[i].chromosome, point);
            elo[i] = elo_of(m, point);
        }
        for (int i = 0; i < PLAYERS; i++)
            for (int k = i + 1; k < PLAYERS; k++) {
                const int won = play_pairs(m, elo[i] - elo[k], 1, s);
                o.organisms[i].fitness += 2 + won;
                o.organisms[k].fitness += 2 - won;
            }
    }
    optimiser_step(&o);
    box_decode(&m->box, o.organisms[optimiser_statistics(&o).best].chromosome, point);
    optimiser_destroy(&o);
}

/* A method where the two of a pair play each other, and nobody else. */
static void mates(const struct method *w, const struct model *m, int games, struct stream *s,
                  double *point)
{
    enum { PAIRS = ORGANISMS / 2 };
    struct optimiser o;
    create(&o, w, m, ORGANISMS, s);
    o.mates = o.relative = true;
    for (int left = games; left >= 2 * PAIRS; left -= 2 * PAIRS) {
        optimiser_step(&o);
        for (int p = 0; p < PAIRS; p++) {
            double other[MOST];
            struct organism *pair = o.organisms + 2 * (size_t)p;
            box_decode(&m->box, pair[0].chromosome, point);
            box_decode(&m->box, pair[1].chromosome, other);
            const int won = play_pairs(m, elo_of(m, point) - elo_of(m, other), 1, s);
            pair[0].fitness = 2 + won;
            pair[1].fitness = 2 - won;
        }
    }
    optimiser_step(&o);
    box_decode(&m->box, o.organisms[ORGANISMS - 1].chromosome, point);
    optimiser_destroy(&o);
}

/* Plays `pairs` pairs of games between point + c D and point - c D, D random signs. Moves the point by
 * (wins - losses) `by` D. */
static void duel(const struct model *m, double c, double by, int pairs, struct stream *s,
                 double *point)
{
    double signs[MOST], plus[MOST], minus[MOST];
    for (int i = 0; i < m->box.count; i++) {
        const double least = fmax(c, 0.51 * box_cell(&m->box, i));
        signs[i] = stream_below(s, 2) == 0 ? -1 : 1;
        plus[i] = clamp(point[i] + signs[i] * least, 0, 1);
        minus[i] = clamp(point[i] - signs[i] * least, 0, 1);
    }
    const int won = play_pairs(m, elo_of(m, plus) - elo_of(m, minus), pairs, s);
    for (int i = 0; i < m->box.count; i++)
        point[i] = clamp(point[i] + won * by * signs[i], 0, 1);
}

/* The rule of weather-factory with a = c = 1, and steps of a fifteenth of the range; t counts games. */
static void weather_factory(const struct method *w, const struct model *m, int games,
                            struct stream *s, double *point)
{
    const double stability = games / 16 / 10.0;
    for (int t = 1; t + 15 <= games; t += 16) {
        const double a = 1 / pow(t + stability, 0.601), c = 1 / pow(t, 0.102);
        duel(m, w->perturbation * c, w->perturbation * a / c, 8, s, point);
    }
}

/* The rule of OpenBench, a pair of games at a time. */
static void open_bench(const struct method *w, const struct model *m, int games, struct stream *s,
                       double *point)
{
    const double count = games / 2, stability = count / 10;
    for (int k = 1; k <= count; k++) {
        const double c = w->perturbation * pow(count / k, 0.101);
        const double a =
            w->rate * pow(w->perturbation, 2) * pow((stability + count) / (stability + k), 0.602);
        duel(m, c, a / c, 1, s, point);
    }
}

/* ---- the table ---- */

/* Prints a cell: "78 +- 5". */
static void show(const struct method *w, int games, bool good)
{
    double sum = 0, squares = 0;
    for (int n = 0; n < MODELS; n++) {
        static const double losses[] = {0, 2, 5, 10};
        struct model m;
        struct stream s;
        double point[MOST];
        make_model(&m, n, good ? losses[n / 3 % 4] : 120);
        memcpy(point, m.start, sizeof point);
        stream_init(&s, (uint64_t)n, STREAM_TEST, 1, (uint64_t)games);
        w->run(w, &m, games, &s, point);
        const double gain = elo_of(&m, point) - elo_of(&m, m.start);
        sum += gain;
        squares += gain * gain;
        box_destroy(&m.box);
    }
    const double mean = sum / MODELS;
    printf("  %4.0f +- %2.0f", mean, sqrt((squares / MODELS - mean * mean) / MODELS));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const struct method methods[] = {
        {"spsa, all play all", all_play_all, 0.1, 0, OPTIMISER_SPSA},
        {"strategy, all, 0.3", all_play_all, 0.3, 0, OPTIMISER_EVOLUTION_STRATEGY},
        {"strategy, mates, 0.2", mates, 0.2, 0.1, OPTIMISER_EVOLUTION_STRATEGY},
        {"strategy, mates, 0.3", mates, 0.3, 0.1, OPTIMISER_EVOLUTION_STRATEGY},
        {"strategy, mates, 0.4", mates, 0.4, 0.1, OPTIMISER_EVOLUTION_STRATEGY},
        {"weather-factory", weather_factory, 1 / 15.0, 0, 0},
        {"OpenBench", open_bench, 1 / 20.0, 0.002, 0},
        {"mates, 0.1, rate 0.05", mates, 0.1, 0.05, OPTIMISER_SPSA},
        {"mates, 0.1, rate 0.1", mates, 0.1, 0.1, OPTIMISER_SPSA},
        {"mates, 0.15, rate 0.05", mates, 0.15, 0.05, OPTIMISER_SPSA},
        {"mates, 0.15, rate 0.1", mates, 0.15, 0.1, OPTIMISER_SPSA},
        {"mates, 0.2, rate 0.1", mates, 0.2, 0.1, OPTIMISER_SPSA},
    };
    int games[COLUMNS] = {500, 1000, 2000, 4000, 8000}, count = argc > 1 ? argc - 1 : 5;
    for (int i = 1; i < argc; i++) {
        int64_t number;
        if (i > COLUMNS || !parse_int64(argv[i], &number) || number < 1 || number > 10000000) {
            fprintf(stderr, "usage: duel_model [GAMES...], %d numbers up to 10,000,000\n", COLUMNS);
            return 2;
        }
        games[i - 1] = (int)number;
    }
    for (int good = 0; good < 2; good++) {
        printf("%-24s", good ? "from a good start" : "from -120 Elo");
        for (int i = 0; i < count; i++)
            printf("  %4d games", games[i]);
        putchar('\n');
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            printf("%-24s", methods[k].name);
            for (int i = 0; i < count; i++)
                show(&methods[k], games[i], good);
            putchar('\n');
        }
    }
    return 0;
}
