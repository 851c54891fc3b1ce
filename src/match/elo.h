/* What results say: Elo difference of two players, confidence interval, sequential test; ratings of many players.
 *
 * Games come in pairs with the same opening and colours reversed. The two results of a pair depend on each other, so
 * the unit is the pair: it gives player A 0, 1/2, 1, 3/2 or 2 points (the pentanomial model). Elo is logistic: a
 * score s is 400 log10(s / (1 - s)).
 *
 * Intervals, LOS and the sequential test all use the profile likelihood: the likelihood of the pairs under the best
 * distribution over the five outcomes that has a given mean score. An outcome that has not occurred may have positive
 * probability. The likelihood is therefore finite and informative for all counts: after nothing but 1-1 the interval
 * is narrow, not a point. For large counts everything agrees with the normal approximation of match runners.
 *
 * All numbers are floating-point: printed figures, and the point where a test stops, repeat for the same binary. */
#ifndef GRAYLING_ELO_H
#define GRAYLING_ELO_H

#include "checksum.h"
#include "error.h"

#include <stdint.h>
#include <stdio.h>

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

/* The estimated difference A - B. Without a pair, score and LOS are 1/2, the intervals infinite, and the rest 0. */
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
 * The ratio moves in steps and overshoots its bound by part of a step, so Wald's bounds would make errors rarer than
 * asked for and the test longer. The test therefore stops 0.583 standard deviations of a step before them (Siegmund
 * 1979, Corrected diffusion approximations), but never before half way; the deviation is that of the pairs so far.
 * The error rates are then alpha and beta for tests of a hundred pairs or more, as experiments/match_statistics.c
 * measures. Shorter tests end with less knowledge of the draw rate. */
enum sprt_decision sprt_decide(const struct sprt *s, const struct match_counts *c);

/* Prints the lines that match runners print ("Score of A vs B: ...", "Elo: ...", "LOS: ...",
 * "Ptnml(0-2): ...", and "LLR: ..." if `s` is not NULL). */
void elo_report(FILE *out, const char *a, const char *b, const struct match_counts *c,
                const struct sprt *s);

/* ---- ratings of any number of players on one scale, from their games ---- */

/* The model is ordinal: a game's outcome for White is win, draw or loss by where the difference of the ratings, plus
 * White's advantage, plus a logistic error falls between two thresholds, -margin and margin (Rao and Kupper 1967; the
 * model of Bayeselo). Ratings, advantage and margin have the largest likelihood together (Newton's method; the
 * logarithm of the likelihood is concave). Intervals are normal, from the inverse of the observed information.
 *
 * Ratings are in Elo: near equality, a difference predicts the score that the logistic curve predicts. The difference
 * in natural units is stretched so that the slopes agree there. Players who had White in all their games are not told
 * apart from White's advantage. */

enum { RATINGS_PLAYERS = 1000 }; /* at most */

/* A player is a name. */
struct rated_player {
    char *name;
    char sets[CHECKSUM_MAX]; /* of the parameters, or command and options, of its first game */
    bool mixed;              /* a later game has others */
    int64_t games, draws;
    double points;
    double elo, margin; /* its rating, and the half-width of its 95 % interval */
};

/* The games of two players with these colours. */
struct rated_pair {
    int white, black;            /* from 0, different */
    int64_t wins, draws, losses; /* of White */
};

/* All-zero: no games yet. */
struct ratings {
    struct rated_player players[RATINGS_PLAYERS]; /* by the order in which they appear */
    int player_count;
    struct rated_pair *pairs; /* one for each two players and their colours */
    size_t pair_count;
    int64_t games;      /* that count */
    int64_t unfinished; /* without a result: they do not */
    int64_t broken;     /* that could not be read */
    struct error first_broken;
    /* What ratings_find sets, and each player's rating: */
    double *covariance;                   /* of the ratings, player_count * player_count */
    double white_advantage, white_margin; /* Elo, and its half-width */
    double draws; /* the share of draws expected between equals without advantage */
};

/* Adds the games of a PGN file, which may be compressed. Fails with the reason if the file cannot be
 * read, or a game lacks a player's name; what was added stays. */
bool ratings_read(struct ratings *r, const char *path, struct error *err);

/* Rates the players; their mean is 0. To each pair, `prior` games (> 0) are added: half of them drawn, a
 * quarter won by either, and as many with each colour. So ratings are finite even for players who won or
 * lost everything. Fails with the reason if there is no memory, or if games do not connect all players. */
bool ratings_find(struct ratings *r, double prior, struct error *err);

/* Moves all ratings so that a player has this one; margins become those of differences from it. */
void ratings_anchor(struct ratings *r, int player, double elo);

/* The probability that one player is better than another, from the games alone. */
double ratings_superiority(const struct ratings *r, int a, int b);

void ratings_free(struct ratings *r);

#endif
