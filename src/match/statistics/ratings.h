/* Ratings of any number of players on one scale, from the games that they played.
 *
 * The model is ordinal: a game's outcome for White is win, draw or loss by where the difference of the
 * ratings, plus White's advantage, plus a logistic error falls between two thresholds, -margin and margin
 * (Rao and Kupper 1967; the model of Bayeselo). Ratings, advantage and margin have the largest
 * likelihood together (Newton's method; the logarithm of the likelihood is concave). Intervals are
 * normal, from the inverse of the observed information.
 *
 * Ratings are in Elo: near equality, a difference predicts the score that the logistic curve of
 * elo_to_score predicts. The difference in natural units is stretched so that the slopes agree there.
 * Players who had White in all their games are not told apart from White's advantage. */
#ifndef GRAYLING_RATINGS_H
#define GRAYLING_RATINGS_H

#include "error.h"

#include <stddef.h>
#include <stdint.h>

/* The games of two players with these colours. */
struct rated_pair {
    int white, black;            /* from 0, different */
    int64_t wins, draws, losses; /* of White */
};

enum { RATINGS_PLAYERS = 1000 }; /* at most */

struct ratings {
    int players;
    double *elo;                          /* of each; the mean is 0 */
    double *margin;                       /* half-widths of the 95 % intervals of elo */
    double *covariance;                   /* of elo, players * players */
    double white_advantage, white_margin; /* Elo, and its half-width */
    double draws; /* the share of draws expected between equals without advantage */
};

/* Rates the players with these names by `count` pairs. To each pair, `prior` games (> 0) are added: half of
 * them drawn, a quarter won by either, and as many with each colour. So ratings are finite even for players
 * who won or lost everything. Fails with the reason if there is no memory, or if games do not connect all
 * players. The caller frees `r`, also after a failure. */
bool ratings_find(const struct rated_pair *pairs, size_t count, const char *const *names,
                  int players, double prior, struct ratings *r, struct error *err);

/* Moves all ratings so that a player has this one; margins become those of differences from it. */
void ratings_anchor(struct ratings *r, int player, double elo);

/* The half-width of the 95 % interval of the difference of two players. */
double ratings_difference_margin(const struct ratings *r, int a, int b);

/* The probability that one player is better than another, from the games alone. */
double ratings_superiority(const struct ratings *r, int a, int b);

void ratings_free(struct ratings *r); /* accepts zeroed */

#endif
