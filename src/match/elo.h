/* What a match says of two players: Elo difference, its interval, and the sequential test.
 *
 * Games come in pairs with the same opening and colours reversed; the two results of a pair depend
 * on each other, so that pairs are what is counted: a pair gives player A 0, 1/2, 1, 3/2 or 2
 * points (the pentanomial model). Elo is logistic: a score s is 400 log10(s / (1 - s)).
 *
 * Intervals, LOS and the sequential test all come from one function, the profile likelihood: how
 * likely the pairs are under the best of all distributions over the five outcomes whose mean is a
 * given score. An outcome that has not occurred may have a share in it, so that it is finite and
 * says something whatever the counts are: after nothing but 1-1 the interval is narrow, not a
 * point. Where counts are large it all agrees with the normal approximation of match runners.
 *
 * Real numbers: what is printed, and where a test stops, repeats for the same binary. */
#ifndef GRAYLING_ELO_H
#define GRAYLING_ELO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pairs by A's half points, 0 to 4, and the games one by one, which is only for people. */
struct match_counts {
    int64_t pairs[5];
    int64_t wins, losses, draws; /* of A */
};

/* What is known of the difference A - B. Without a pair score and LOS are 1/2, the intervals
 * infinite, and the rest 0. */
struct elo_estimate {
    double score;             /* A's share of the points of all pairs */
    double elo, elo_margin;   /* infinite where A has won all or nothing; the larger half-width */
    double elo_low, elo_high; /* the 95 % interval, by the likelihood ratio (Wilks 1938; Owen 1988
                                 for a mean); may be infinite */
    double nelo, nelo_margin; /* normalised: the difference in standard deviations of one game, in
                                 units that agree with Elo where no game is drawn (Van den Bergh);
                                 its half-width by the delta method, with skewness and kurtosis */
    double los;               /* likelihood of superiority: the chance that A is better, by the
                                 signed root of the likelihood ratio */
    double draw_ratio;        /* share of pairs that end 1-1 */
};

struct elo_estimate elo_estimate(const struct match_counts *c);

/* The expected score of a difference in Elo, and back (infinite at 0 and 1). */
double elo_to_score(double elo);
double score_to_elo(double score);

/* A sequential probability ratio test on pairs (Wald 1945; the generalised likelihood ratio for
 * pentanomial counts, after Van den Bergh): H0 that A is ahead by elo0, H1 by elo1. */
struct sprt {
    double elo0, elo1;  /* logistic, elo0 < elo1 */
    double alpha, beta; /* chances of accepting H1 where H0 holds, and the other way round; above
                           0, their sum below 1 */
};

enum sprt_decision { SPRT_GOES_ON, SPRT_ACCEPTS_H0, SPRT_ACCEPTS_H1 };

/* The log likelihood ratio of H1 to H0, each by its best distribution over the five outcomes; 0
 * while it says nothing (no pairs). Finite whatever the counts are, zero variance included. */
double sprt_llr(const struct sprt *s, const struct match_counts *c);

/* Wald's bounds, log(beta / (1 - alpha)) and log((1 - beta) / alpha): what is printed. */
double sprt_lower(const struct sprt *s);
double sprt_upper(const struct sprt *s);

/* Looked at after each pair. A ratio that moves in steps passes its bound by a part of a step, and
 * with Wald's bounds the errors would be rarer than asked for and the test longer. So it ends
 * 0.583 standard deviations of a step before them (Siegmund 1979, Corrected diffusion
 * approximations), the deviation being that of the pairs so far; never more than half way. The
 * error rates are then alpha and beta, as experiments/match_statistics.c measures, where a test takes a
 * hundred pairs or more; the fewer it takes, the less is known of the draw rate when it ends. */
enum sprt_decision sprt_decide(const struct sprt *s, const struct match_counts *c);

/* The lines that match runners print ("Score of A vs B: ...", "Elo: ...", "LOS: ...", "Ptnml(0-2):
 * ...", and "LLR: ..." where `s` is not NULL), each ended by a newline. Returns the length, cut to
 * fit `size`. */
int elo_report(const char *a, const char *b, const struct match_counts *c, const struct sprt *s,
               char *text, size_t size);

#endif
