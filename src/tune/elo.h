/* What a match says of two players: Elo difference, its interval, and the sequential test.
 *
 * Games come in pairs with the same opening and colours reversed; the two results of a pair depend
 * on each other, so that pairs are what is counted: a pair gives player A 0, 1/2, 1, 3/2 or 2
 * points (the pentanomial model). Elo is logistic: a score s is 400 log10(s / (1 - s)). */
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

/* What is known of the difference A - B. Where nothing can be said (no pair at all) numbers are 0
 * and half-widths infinite. */
struct elo_estimate {
    double score;             /* A's share of the points */
    double elo, elo_margin;   /* the 95 % interval is elo -+ margin, by the larger side */
    double elo_low, elo_high; /* its ends: of the normal interval of the score; may be infinite */
    double nelo, nelo_margin; /* normalised: the difference in standard deviations of one game, in
                                 units that agree with Elo where no game is drawn (Van den Bergh) */
    double los;               /* likelihood of superiority: the chance that A is better */
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
    double alpha, beta; /* chances of accepting H1 where H0 holds, and the other way round */
};

enum sprt_decision { SPRT_GOES_ON, SPRT_ACCEPTS_H0, SPRT_ACCEPTS_H1 };

/* The log likelihood ratio of H1 to H0; 0 while it says nothing (no pairs). Finite whatever the
 * counts are, zero variance included. */
double sprt_llr(const struct sprt *s, const struct match_counts *c);
/* The bounds at which it ends. */
double sprt_lower(const struct sprt *s);
double sprt_upper(const struct sprt *s);
enum sprt_decision sprt_decide(const struct sprt *s, const struct match_counts *c);

/* The lines that match runners print ("Score of A vs B: ...", "Elo: ...", "LOS: ...", "Ptnml(0-2):
 * ...", and "LLR: ..." where `s` is not NULL), each ended by a newline. Returns the length, cut to
 * fit `size`. */
int elo_report(const char *a, const char *b, const struct match_counts *c, const struct sprt *s,
               char *text, size_t size);

#endif
