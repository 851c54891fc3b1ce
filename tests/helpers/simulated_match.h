/* Matches whose truth is known: pairs of games drawn from a model of two players and their
 * openings. Openings favour one colour more or less, which sets the two results of a pair against
 * each other. */
#ifndef GRAYLING_SIMULATED_MATCH_H
#define GRAYLING_SIMULATED_MATCH_H

#include "elo.h"
#include "stream.h"

#include <math.h>

/* The score that an Elo difference predicts. */
static inline double elo_to_score(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

/* Of four openings one favours White and one Black, by `bias` of score; the share of draws is the
 * same in all. Scores must stay possible: bias + draws / 2 at most the smaller player's score. */
struct simulated_players {
    double elo; /* A - B, the truth */
    double draws, bias;
};

/* A's half points in a game in which its expected score is this. */
static inline int simulated_game(struct stream *s, const struct simulated_players *p, double score)
{
    double x = gsl_rng_uniform(&s->rng);
    double wins = score - p->draws / 2;
    return x < wins ? 2 : x < wins + p->draws ? 1 : 0;
}

/* A pair: A is White in the first game. */
static inline void simulated_pair(struct stream *s, const struct simulated_players *p,
                                  struct match_counts *c)
{
    static const int favours[] = {1, -1, 0, 0};
    double score = elo_to_score(p->elo), bias = p->bias * favours[stream_below(s, 4)];
    int games[] = {simulated_game(s, p, score + bias), simulated_game(s, p, score - bias)};
    for (int i = 0; i < 2; i++) {
        c->wins += games[i] == 2;
        c->draws += games[i] == 1;
        c->losses += games[i] == 0;
    }
    c->pairs[games[0] + games[1]]++;
}

static inline struct match_counts simulated_match(struct stream *s,
                                                  const struct simulated_players *p, int pairs)
{
    struct match_counts c = {0};
    for (int i = 0; i < pairs; i++)
        simulated_pair(s, p, &c);
    return c;
}

/* Whether the 95 % interval of match number `match` of a series holds the truth. Series of
 * different numbers have nothing in common. */
static inline bool simulated_coverage(const struct simulated_players *p, int pairs, uint64_t series,
                                      uint64_t match)
{
    struct stream s;
    stream_init(&s, 1, STREAM_TEST, series, match);
    struct match_counts c = simulated_match(&s, p, pairs);
    struct elo_estimate e = elo_estimate(&c);
    return e.elo_low <= p->elo && p->elo <= e.elo_high;
}

/* Plays test number `match` of a series to its decision; the pairs it took go to `*pairs`. */
static inline enum sprt_decision simulated_sprt(const struct simulated_players *p,
                                                const struct sprt *test, uint64_t series,
                                                uint64_t match, int64_t *pairs)
{
    struct stream s;
    struct match_counts c = {0};
    enum sprt_decision decision = SPRT_GOES_ON;
    stream_init(&s, 1, STREAM_TEST, series, match);
    for (*pairs = 0; decision == SPRT_GOES_ON; ++*pairs) {
        simulated_pair(&s, p, &c);
        decision = sprt_decide(test, &c);
    }
    return decision;
}

#endif
