#include "elo.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <inttypes.h>
#include <math.h>

enum { OUTCOMES = 5, STEPS_MAX = 200, SOLVER_STATE = 32 };

/* Frequencies of the five outcomes of a pair. */
struct shares {
    double p[OUTCOMES];
    double pairs; /* number of pairs */
    double mean;  /* A's score */
};

/* A's score per game in a pair with this outcome. */
static double value(int outcome)
{
    return 0.25 * outcome;
}

static struct shares shares_of(const struct match_counts *c)
{
    int64_t pairs = 0, half_points = 0;
    for (int i = 0; i < OUTCOMES; i++) {
        pairs += c->pairs[i];
        half_points += i * c->pairs[i];
    }
    struct shares s = {.pairs = (double)pairs, .mean = 0.5};
    for (int i = 0; i < OUTCOMES && pairs > 0; i++)
        s.p[i] = (double)c->pairs[i] / s.pairs;
    if (pairs > 0)
        s.mean = (double)half_points / (double)(4 * pairs);
    return s;
}

static double moment(const struct shares *s, int order)
{
    double sum = 0;
    for (int i = 0; i < OUTCOMES; i++)
        sum += s->p[i] * pow(value(i) - s->mean, order);
    return sum;
}

/* Finds a root of a continuous function between two points of opposite sign (Brent's method). The
 * solver's state is here: without memory for it, GSL would end the program. */
static double find_root(double (*function)(double x, void *context), void *context, double low,
                        double high)
{
    double state[SOLVER_STATE];
    gsl_function f = {.function = function, .params = context};
    gsl_root_fsolver solver = {.type = gsl_root_fsolver_brent, .state = state};
    assert(solver.type->size <= sizeof state);
    gsl_root_fsolver_set(&solver, &f, low, high);
    for (int i = 0; i < STEPS_MAX; i++) {
        gsl_root_fsolver_iterate(&solver);
        if (gsl_root_test_interval(solver.x_lower, solver.x_upper, 1e-15, 1e-14) == GSL_SUCCESS)
            break;
    }
    return solver.root;
}

/* ---- the most likely distribution with a given mean ---- */

struct constraint {
    const struct shares *shares;
    double mean;
};

/* The mean of p / (1 + tilt * (value - mean)), minus the given mean. */
static double miss(double tilt, void *context)
{
    const struct constraint *c = context;
    double sum = 0;
    for (int i = 0; i < OUTCOMES; i++) {
        double a = value(i) - c->mean;
        if (c->shares->p[i] > 0)
            sum += c->shares->p[i] * a / (1 + tilt * a);
    }
    return sum;
}

/* The tilt of the most likely distribution with a given mean in (0, 1): outcome i has probability p[i] / (1 + tilt *
 * (value(i) - mean)) (Owen 1988). If no tilt reaches the mean, returns the largest tilt that leaves no probability
 * negative; the missing probability then belongs to the outcome at that end, which has not occurred yet. */
static double find_tilt(const struct shares *s, double mean)
{
    struct constraint c = {s, mean};
    double low = -(1 - s->p[OUTCOMES - 1]) / (1 - mean), high = (1 - s->p[0]) / mean;
    if (miss(high, &c) >= 0)
        return high;
    if (miss(low, &c) <= 0)
        return low;
    return find_root(miss, &c, low, high);
}

/* Logarithm of an outcome's tilted probability over its observed frequency. */
static double log_tilted(int outcome, double mean, double tilt)
{
    return -log1p(tilt * (value(outcome) - mean));
}

/* The log likelihood per pair for a given mean, minus its maximum: 0 or less. */
static double log_likelihood(const struct shares *s, double mean)
{
    assert(0 < mean && mean < 1);
    double tilt = find_tilt(s, mean), sum = 0;
    for (int i = 0; i < OUTCOMES; i++)
        if (s->p[i] > 0)
            sum += s->p[i] * log_tilted(i, mean, tilt);
    return sum;
}

/* ---- estimates ---- */

static double elo_to_score(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

/* Infinite at 0 and 1. */
static double score_to_elo(double score)
{
    return 400 * log10(score / (1 - score));
}

/* Positive if a mean is inside the 95 % interval. */
static double inside(double mean, void *context)
{
    const struct shares *s = context;
    return gsl_cdf_chisq_Qinv(0.05, 1) + 2 * s->pairs * log_likelihood(s, mean);
}

static void find_interval(struct shares *s, struct elo_estimate *e)
{
    const double least = 1e-15, most = 1 - 1e-15;
    double low = s->mean > 0 ? find_root(inside, s, least, fmin(s->mean, most)) : 0;
    double high = s->mean < 1 ? find_root(inside, s, fmax(s->mean, least), most) : 1;
    e->elo = score_to_elo(s->mean);
    e->elo_low = score_to_elo(low);
    e->elo_high = score_to_elo(high);
    bool bounded = isfinite(e->elo);
    e->elo_margin = bounded ? fmax(e->elo - e->elo_low, e->elo_high - e->elo) : INFINITY;
}

/* Computes normalised Elo. Without variance it is 0, or infinite if A or B is ahead. */
static void find_normalised(const struct shares *s, struct elo_estimate *e)
{
    const double unit = 800 / log(10) / sqrt(2), ahead = s->mean - 0.5;
    double deviation = sqrt(moment(s, 2)), spread = 1;
    if (deviation == 0 && ahead != 0) {
        e->nelo = copysign(INFINITY, ahead);
        e->nelo_margin = INFINITY;
        return;
    }
    if (deviation > 0) {
        double t = ahead / deviation;
        double skewness = moment(s, 3) / pow(deviation, 3);
        double kurtosis = moment(s, 4) / pow(deviation, 4);
        spread = 1 - skewness * t + (kurtosis - 1) / 4 * t * t;
        e->nelo = unit * t;
    }
    e->nelo_margin = gsl_cdf_ugaussian_Qinv(0.025) * unit * sqrt(fmax(spread, 0) / s->pairs);
}

void match_counts_add(struct match_counts *sum, const struct match_counts *counts)
{
    for (int i = 0; i < 5; i++)
        sum->pairs[i] += counts->pairs[i];
    sum->wins += counts->wins;
    sum->losses += counts->losses;
    sum->draws += counts->draws;
}

struct elo_estimate elo_estimate(const struct match_counts *c)
{
    struct shares s = shares_of(c);
    struct elo_estimate e = {.score = s.mean,
                             .elo_low = -INFINITY,
                             .elo_high = INFINITY,
                             .elo_margin = INFINITY,
                             .nelo_margin = INFINITY,
                             .los = 0.5,
                             .draw_ratio = s.p[2]};
    if (s.pairs == 0)
        return e;
    find_interval(&s, &e);
    find_normalised(&s, &e);
    const double root = sqrt(-2 * s.pairs * fmin(log_likelihood(&s, 0.5), 0));
    e.los = gsl_cdf_ugaussian_P(copysign(root, s.mean - 0.5));
    return e;
}

/* ---- the sequential test ---- */

/* The log likelihood ratio per pair: mean and standard deviation. */
struct step {
    double mean, deviation;
};

static struct step step_of(const struct sprt *t, const struct shares *s)
{
    double mean0 = elo_to_score(t->elo0), mean1 = elo_to_score(t->elo1);
    double tilt0 = find_tilt(s, mean0), tilt1 = find_tilt(s, mean1);
    double sum = 0, squares = 0;
    for (int i = 0; i < OUTCOMES; i++)
        if (s->p[i] > 0) {
            double ratio = log_tilted(i, mean1, tilt1) - log_tilted(i, mean0, tilt0);
            sum += s->p[i] * ratio;
            squares += s->p[i] * ratio * ratio;
        }
    return (struct step){sum, sqrt(fmax(squares - sum * sum, 0))};
}

double sprt_llr(const struct sprt *s, const struct match_counts *c)
{
    struct shares shares = shares_of(c);
    return shares.pairs * step_of(s, &shares).mean;
}

double sprt_lower(const struct sprt *s)
{
    return log(s->beta / (1 - s->alpha));
}

double sprt_upper(const struct sprt *s)
{
    return log((1 - s->beta) / s->alpha);
}

enum sprt_decision sprt_decide(const struct sprt *s, const struct match_counts *c)
{
    const double overshoot = 0.5826; /* in steps, of a normal walk: -zeta(1/2) / sqrt(2 pi) */
    struct shares shares = shares_of(c);
    assert(s->elo0 < s->elo1 && s->alpha > 0 && s->beta > 0 && s->alpha + s->beta < 1);
    if (shares.pairs == 0)
        return SPRT_GOES_ON;
    struct step step = step_of(s, &shares);
    double llr = shares.pairs * step.mean, early = overshoot * step.deviation;
    double upper = sprt_upper(s), lower = sprt_lower(s);
    if (llr >= upper - fmin(early, upper / 2))
        return SPRT_ACCEPTS_H1;
    return llr <= lower + fmin(early, -lower / 2) ? SPRT_ACCEPTS_H0 : SPRT_GOES_ON;
}

/* ---- output ---- */

/* Avoids "-0.00" in numbers printed with two decimals. */
static double shown(double number)
{
    return fabs(number) < 0.005 ? 0 : number;
}

void elo_report(FILE *out, const char *a, const char *b, const struct match_counts *c,
                const struct sprt *s)
{
    const struct elo_estimate e = elo_estimate(c);
    const int64_t games = match_counts_games(c);
    const double points = (double)c->wins + 0.5 * (double)c->draws;
    fprintf(out, "Score of %s vs %s: %" PRId64 " - %" PRId64 " - %" PRId64 "  [%.3f] %" PRId64 "\n",
            a, b, c->wins, c->losses, c->draws, games == 0 ? 0.5 : points / (double)games, games);
    fprintf(out, "Elo: %.2f +/- %.2f, nElo: %.2f +/- %.2f\n", shown(e.elo), e.elo_margin,
            shown(e.nelo), e.nelo_margin);
    fprintf(out, "LOS: %.2f %%, DrawRatio: %.2f %%\n", 100 * e.los, 100 * e.draw_ratio);
    fprintf(out, "Ptnml(0-2): [%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 "]\n",
            c->pairs[0], c->pairs[1], c->pairs[2], c->pairs[3], c->pairs[4]);
    if (s == NULL)
        return;
    const double llr = sprt_llr(s, c), lower = sprt_lower(s), upper = sprt_upper(s);
    const double part = llr < 0 ? -llr / lower : llr / upper;
    fprintf(out, "LLR: %.2f (%.1f%%) (%.2f, %.2f) [%.2f, %.2f]\n", shown(llr),
            100 * (fabs(part) < 0.0005 ? 0 : part), lower, upper, shown(s->elo0), shown(s->elo1));
}
