/* Whether the statistics of a match are what they say: of many simulated matches between players of
 * known strength and draw rate, how often the 95 % interval holds the truth, and how often a
 * sequential test accepts the wrong hypothesis.
 *
 *   match_statistics [MATCHES]    matches of each sort (10000)
 *
 * Prints each rate with what is expected, and the band of three binomial standard errors about
 * that; a rate outside its band is exit code 1. The same numbers each time. */
#include "../tests/helpers/simulated_match.h"
#include "parse.h"

#include <math.h>
#include <stdio.h>

/* Which matches: each strength with each of the draw rates that it allows. */
static const double strengths[] = {0, 20, 100, 200};
static const struct {
    double draws, bias;
} manners[] = {{0.1, 0.14}, {0.3, 0.08}, {0.5, 0.1}, {0.7, 0.1}};
static const int lengths[] = {250, 1000}; /* pairs */
static const struct sprt tests[] = {{0, 20, 0.05, 0.05}, {-12, 8, 0.05, 0.05}};

enum {
    STRENGTHS = sizeof strengths / sizeof strengths[0],
    MANNERS = sizeof manners / sizeof manners[0],
    LENGTHS = sizeof lengths / sizeof lengths[0],
    TESTS = sizeof tests / sizeof tests[0]
};

/* Prints the rate of `hits` beside the one expected; false when it is outside the band. */
static bool judge(int64_t hits, int64_t matches, double expected)
{
    double rate = (double)hits / (double)matches;
    double band = 3 * sqrt(expected * (1 - expected) / (double)matches);
    bool good = fabs(rate - expected) <= band;
    printf("%6.2f %%, expected %5.2f, band %5.2f to %5.2f%s", 100 * rate, 100 * expected,
           100 * (expected - band), 100 * (expected + band), good ? "" : "  OUTSIDE");
    return good;
}

static bool possible(const struct simulated_players *p)
{
    return elo_to_score(-fabs(p->elo)) >= p->bias + p->draws / 2;
}

/* How often the interval holds the truth. */
static bool coverage(const struct simulated_players *p, int pairs, int series, int64_t matches)
{
    int64_t hits = 0;
    for (int64_t i = 0; i < matches; i++)
        hits += simulated_coverage(p, pairs, (uint64_t)series, (uint64_t)i);
    printf("interval   elo %4.0f  draws %.1f  bias %.2f  %4d pairs: ", p->elo, p->draws, p->bias,
           pairs);
    bool good = judge(hits, matches, 0.95);
    puts("");
    return good;
}

/* How often the test accepts the wrong hypothesis, the players' difference being one of the two. */
static bool errors(const struct simulated_players *p, const struct sprt *test, int series,
                   int64_t matches)
{
    int64_t wrong = 0, total = 0, pairs;
    bool first = p->elo == test->elo0;
    for (int64_t i = 0; i < matches; i++) {
        enum sprt_decision decision =
            simulated_sprt(p, test, (uint64_t)series, (uint64_t)i, &pairs);
        wrong += decision == (first ? SPRT_ACCEPTS_H1 : SPRT_ACCEPTS_H0);
        total += pairs;
    }
    printf("sprt [%.0f, %.0f]  elo %4.0f  draws %.1f  bias %.2f: ", test->elo0, test->elo1, p->elo,
           p->draws, p->bias);
    bool good = judge(wrong, matches, first ? test->alpha : test->beta);
    printf(", %.0f pairs\n", (double)total / (double)matches);
    return good;
}

static int all_coverage(int64_t matches)
{
    int outside = 0;
    for (int i = 0; i < STRENGTHS * MANNERS * LENGTHS; i++) {
        int manner = i / LENGTHS % MANNERS;
        struct simulated_players p = {strengths[i / LENGTHS / MANNERS], manners[manner].draws,
                                      manners[manner].bias};
        if (possible(&p))
            outside += !coverage(&p, lengths[i % LENGTHS], i, matches);
    }
    return outside;
}

static int all_errors(int64_t matches)
{
    int outside = 0;
    for (int i = 0; i < TESTS * MANNERS * 2; i++) {
        const struct sprt *test = &tests[i / 2 / MANNERS];
        int manner = i / 2 % MANNERS;
        struct simulated_players p = {i % 2 == 0 ? test->elo0 : test->elo1, manners[manner].draws,
                                      manners[manner].bias};
        outside += !errors(&p, test, 100 + i, matches);
    }
    return outside;
}

int main(int argc, char **argv)
{
    int64_t matches = 10000;
    if (argc > 2 || (argc == 2 && !parse_int64(argv[1], &matches)) || matches < 1) {
        fputs("usage: match_statistics [MATCHES]\n", stderr);
        return 2;
    }
    int outside = all_coverage(matches) + all_errors(matches);
    printf("%d rates outside their bands\n", outside);
    return outside > 0;
}
