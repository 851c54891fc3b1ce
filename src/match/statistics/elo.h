/* Match statistics for two players: Elo difference, confidence interval, sequential test.
 *
 * Games come in pairs with the same opening and colours reversed. The two results of a pair depend
 * on each other, so the unit is the pair: it gives player A 0, 1/2, 1, 3/2 or 2 points (the
 * pentanomial model). Elo is logistic: a score s is 400 log10(s / (1 - s)).
 *
 * Intervals, LOS and the sequential test all use the profile likelihood: the likelihood of the
 * pairs under the best distribution over the five outcomes that has a given mean score. An outcome
 * that has not occurred may have positive probability. The likelihood is therefore finite and
 * informative for all counts: after nothing but 1-1 the interval is narrow, not a point. For large
 * counts everything agrees with the normal approximation of match runners.
 *
 * All numbers are floating-point: printed figures, and the point where a test stops, repeat for the
 * same binary. */
#ifndef GRAYLING_ELO_H
#define GRAYLING_ELO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pairs by A's half points (0 to 4), and single games, which are only displayed. */
struct match_counts {
    int64_t pairs[5];
    int64_t wins, losses, draws; /* of A */
};

static inline int64_t match_counts_games(const struct match_counts *c)
{
    return c->wins + c->draws + c->losses;
}

/* Adds the counts of other games to `sum`. */
void match_counts_add(struct match_counts *sum, const struct match_counts *counts);

/* The estimated difference A - B. Without a pair, score and LOS are 1/2, the intervals infinite,
 * and the rest 0. */
struct elo_estimate {
    double score;             /* A's share of the points of all pairs */
    double elo, elo_margin;   /* infinite if A has won all or nothing; the larger half-width */
    double elo_low, elo_high; /* 95 % interval from the likelihood ratio (Wilks 1938; Owen 1988 for
                                 a mean); may be infinite */
    double nelo, nelo_margin; /* normalised Elo: the difference in standard deviations of one game,
                                 in units that agree with Elo if no game is drawn (Van den Bergh);
                                 half-width by the delta method, with skewness and kurtosis */
    double los;               /* likelihood of superiority: probability that A is better, from the
                                 signed root of the likelihood ratio */
    double draw_ratio;        /* fraction of pairs that end 1-1 */
};

struct elo_estimate elo_estimate(const struct match_counts *c);

/* Expected score of an Elo difference, and its inverse (infinite at 0 and 1). */
double elo_to_score(double elo);
double score_to_elo(double score);

/* A sequential probability ratio test on pairs (Wald 1945; the generalised likelihood ratio for
 * pentanomial counts, after Van den Bergh). H0: A is elo0 ahead; H1: A is elo1 ahead. */
struct sprt {
    double elo0, elo1;  /* logistic, elo0 < elo1 */
    double alpha, beta; /* probability of accepting H1 under H0, and H0 under H1; both > 0, their
                           sum < 1 */
};

enum sprt_decision { SPRT_GOES_ON, SPRT_ACCEPTS_H0, SPRT_ACCEPTS_H1 };

/* Log likelihood ratio of H1 to H0, each with its best distribution over the five outcomes. 0
 * without pairs. Finite for all counts, even with zero variance. */
double sprt_llr(const struct sprt *s, const struct match_counts *c);

/* Wald's bounds, log(beta / (1 - alpha)) and log((1 - beta) / alpha), for display. */
double sprt_lower(const struct sprt *s);
double sprt_upper(const struct sprt *s);

/* Decides the test; called after each pair.
 *
 * The ratio moves in steps and overshoots its bound by part of a step, so Wald's bounds would make
 * errors rarer than asked for and the test longer. The test therefore stops 0.583 standard
 * deviations of a step before them (Siegmund 1979, Corrected diffusion approximations), but never
 * before half way; the deviation is that of the pairs so far. The error rates are then alpha and
 * beta for tests of a hundred pairs or more, as experiments/match_statistics.c measures. Shorter tests
 * end with less knowledge of the draw rate. */
enum sprt_decision sprt_decide(const struct sprt *s, const struct match_counts *c);

/* Formats the lines that match runners print ("Score of A vs B: ...", "Elo: ...", "LOS: ...",
 * "Ptnml(0-2): ...", and "LLR: ..." if `s` is not NULL), each with a newline. Truncates to `size`
 * and returns the length. */
int elo_report(const char *a, const char *b, const struct match_counts *c, const struct sprt *s,
               char *text, size_t size);

#endif
