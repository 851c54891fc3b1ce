/* Ratings: known players are found again, with intervals that hold what they say. */
#include "elo.h"
#include "scratch.h"
#include "stream.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

enum { PLAYERS = 5, PAIRS = PLAYERS * (PLAYERS - 1) };

/* The true players of simulated games, in natural units. */
static const double strength[PLAYERS] = {0.9, 0.4, 0, -0.3, -1};
static const double advantage = 0.2, margin = 0.6;

/* How many Elo a natural unit is, where draws are as frequent as the margin makes them. */
static double unit(void)
{
    double even = 1 / (1 + exp(-margin));
    return 400 / log(10) * 4 * even * (1 - even);
}

/* Between 0 and 1, and neither. */
static double uniform(struct stream *s)
{
    return ((double)stream_below(s, UINT64_C(1) << 40) + 0.5) / (double)(UINT64_C(1) << 40);
}

/* The ratings of players "A", "B" and so on by these pairs, which are copied. */
static struct ratings rate(const struct rated_pair *pairs, size_t count, int players, double prior,
                           struct error *err)
{
    struct ratings r = {.player_count = players, .pair_count = count};
    r.pairs = malloc(count * sizeof *pairs);
    memcpy(r.pairs, pairs, count * sizeof *pairs);
    for (int i = 0; i < players; i++)
        r.players[i].name = strndup(&"ABCDE"[i], 1);
    cr_assert_eq(ratings_find(&r, prior, err), err == NULL);
    return r;
}

/* Everyone meets everyone with both colours, in games of a number of their own. */
static void play_all(uint64_t seed, struct rated_pair pairs[PAIRS], int games)
{
    struct stream s;
    stream_init(&s, seed, STREAM_TEST, 0, 0);
    for (int i = 0; i < PAIRS; i++) {
        struct rated_pair *p = &pairs[i];
        *p = (struct rated_pair){.white = i / (PLAYERS - 1), .black = i % (PLAYERS - 1)};
        p->black += p->black >= p->white;
        for (int k = 0; k < games; k++) {
            double x =
                strength[p->white] - strength[p->black] + advantage - log(1 / uniform(&s) - 1);
            p->wins += x > margin;
            p->losses += x < -margin;
            p->draws += x >= -margin && x <= margin;
        }
    }
}

Test(ratings, known_players_are_found_in_their_intervals)
{
    double mean = 0;
    int held = 0, tries = 200;
    for (int i = 0; i < PLAYERS; i++)
        mean += strength[i] / PLAYERS;
    for (int t = 0; t < tries; t++) {
        struct rated_pair pairs[PAIRS];
        play_all((uint64_t)t, pairs, 60);
        struct ratings r = rate(pairs, PAIRS, PLAYERS, 0.01, NULL);
        for (int i = 0; i < PLAYERS; i++)
            held += fabs(r.players[i].elo - unit() * (strength[i] - mean)) < r.players[i].margin;
        held += fabs(r.white_advantage - unit() * advantage) < r.white_margin;
        ratings_free(&r);
    }
    double share = (double)held / (tries * (PLAYERS + 1));
    cr_expect(share > 0.93 && share < 0.97, "intervals hold %.3f of the truths", share);
}

/* Where draws are frequent the margin is found, too. */
Test(ratings, the_share_of_draws_is_that_of_equals)
{
    struct rated_pair pairs[PAIRS];
    play_all(1, pairs, 20000);
    struct ratings r = rate(pairs, PAIRS, PLAYERS, 1, NULL);
    double expected = 2 / (1 + exp(-margin)) - 1;
    cr_expect(fabs(r.draws - expected) < 0.01, "%.4f, expected %.4f", r.draws, expected);
    ratings_free(&r);
}

/* 60 % between two players of equal colours are 70 Elo, as everywhere. */
Test(ratings, a_small_difference_is_logistic_elo)
{
    const struct rated_pair pairs[] = {{0, 1, 3500, 5000, 1500}, {1, 0, 1500, 5000, 3500}};
    struct ratings r = rate(pairs, 2, 2, 0.01, NULL);
    const double a = r.players[0].elo, b = r.players[1].elo;
    cr_expect(fabs(a - b - 70.4) < 2, "%.2f", a - b);
    cr_expect(fabs(r.white_advantage) < 1e-6, "%g", r.white_advantage);
    cr_expect(fabs(a + b) < 1e-9);
    ratings_free(&r);
}

Test(ratings, an_anchor_moves_the_scale_and_the_errors)
{
    struct rated_pair pairs[PAIRS];
    play_all(3, pairs, 50);
    struct ratings r = rate(pairs, PAIRS, PLAYERS, 1, NULL);
    const struct rated_player *p = r.players;
    const double before = p[1].elo - p[4].elo, *c = r.covariance;
    const double width = 1.959964 * sqrt(c[1 * PLAYERS + 1] + c[4 * PLAYERS + 4] -
                                         c[1 * PLAYERS + 4] - c[4 * PLAYERS + 1]);
    ratings_anchor(&r, 4, 2000);
    cr_expect(fabs(p[4].elo - 2000) < 1e-9 && p[4].margin < 1e-4);
    cr_expect(fabs(p[1].elo - 2000 - before) < 1e-9);
    cr_expect(fabs(p[1].margin - width) < 1e-4);
    ratings_free(&r);
}

/* Four times the games: half the error. */
Test(ratings, errors_fall_with_the_root_of_the_games)
{
    struct rated_pair few[PAIRS], many[PAIRS];
    play_all(4, few, 100);
    for (int i = 0; i < PAIRS; i++)
        many[i] = (struct rated_pair){few[i].white, few[i].black, 4 * few[i].wins, 4 * few[i].draws,
                                      4 * few[i].losses};
    struct ratings a = rate(few, PAIRS, PLAYERS, 1, NULL), b = rate(many, PAIRS, PLAYERS, 4, NULL);
    for (int i = 0; i < PLAYERS; i++) {
        cr_expect(fabs(a.players[i].elo - b.players[i].elo) < 1e-6);
        cr_expect(fabs(a.players[i].margin / b.players[i].margin - 2) < 1e-6);
    }
    ratings_free(&a);
    ratings_free(&b);
}

Test(ratings, who_wins_everything_has_a_finite_rating)
{
    const struct rated_pair pairs[] = {{0, 1, 100000, 0, 0}, {1, 0, 0, 0, 100000}};
    struct ratings r = rate(pairs, 2, 2, 1, NULL);
    const struct rated_player *p = r.players;
    cr_expect(isfinite(p->elo) && p->elo > 200, "%g", p->elo);
    cr_expect(isfinite(p->margin) && p->margin > 0, "%g", p->margin);
    ratings_free(&r);
}

Test(ratings, players_who_cannot_be_compared_are_named)
{
    const struct rated_pair pairs[] = {{0, 1, 5, 5, 5}, {2, 3, 5, 5, 5}};
    struct error err = {""};
    struct ratings r = rate(pairs, 2, 4, 1, &err);
    cr_expect_str_eq(err.text, "no games connect C with A; rate them apart");
    ratings_free(&r);
}

/* ---- games ---- */

static struct ratings read_games(const char *text, bool good, struct error *err)
{
    scratch_begin();
    struct ratings r = {0};
    cr_assert_eq(ratings_read(&r, scratch_write("games.pgn", text), err), good, "%s", err->text);
    scratch_end();
    return r;
}

Test(ratings, games_are_counted_by_colours)
{
    struct error err = {""};
    struct ratings r =
        read_games("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
                   "[White \"B\"]\n[Black \"A\"]\n[Result \"1/2-1/2\"]\n\n1. d4 1/2-1/2\n\n"
                   "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. c4 0-1\n\n"
                   "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. c4 *\n\n"
                   "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. e5 0-1\n",
                   true, &err);
    cr_expect(r.player_count == 2 && r.games == 3 && r.unfinished == 1 && r.broken == 1);
    cr_assert_eq(r.pair_count, 2);
    cr_expect(r.pairs[0].wins == 1 && r.pairs[0].losses == 1 && r.pairs[0].white == 0);
    cr_expect(r.pairs[1].draws == 1 && r.pairs[1].white == 1);
    ratings_free(&r);
}

Test(ratings, two_players_of_one_name_are_noticed)
{
    struct error err = {""};
    struct ratings r = read_games(
        "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[WhiteEvaluationSHA256 \"11\"]\n"
        "[BlackSearchSHA256 \"22\"]\n\n1. e4 1-0\n\n"
        "[White \"B\"]\n[Black \"A\"]\n[Result \"1-0\"]\n[BlackEvaluationSHA256 \"11\"]\n"
        "[WhiteSearchSHA256 \"33\"]\n\n1. e4 1-0\n",
        true, &err);
    cr_assert_eq(r.player_count, 2);
    cr_expect_not(r.players[0].mixed, "A: the same in both games");
    cr_expect(r.players[1].mixed, "B: another search in the second game");
    ratings_free(&r);
}

/* Other engines have no checksums: a command, a name and options. */
Test(ratings, two_engines_of_one_name_are_noticed)
{
    struct error err = {""};
    struct ratings r = read_games(
        "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[WhiteCommand \"a\"]\n"
        "[WhiteEngine \"A 1\"]\n[WhiteOptions \"Hash=1\"]\n[BlackOptions \"Hash=1\"]\n\n1. e4 1-0\n\n"
        "[White \"B\"]\n[Black \"A\"]\n[Result \"1-0\"]\n[BlackCommand \"a\"]\n"
        "[BlackEngine \"A 1\"]\n[BlackOptions \"Hash=1\"]\n[WhiteOptions \"Hash=2\"]\n\n1. e4 1-0\n\n"
        "[White \"C\"]\n[Black \"D\"]\n[Result \"1-0\"]\n[WhiteCommand \"c\"]\n"
        "[BlackEngine \"D 1\"]\n\n1. e4 1-0\n\n"
        "[White \"C\"]\n[Black \"D\"]\n[Result \"1-0\"]\n[WhiteCommand \"d\"]\n"
        "[BlackEngine \"D 2\"]\n\n1. e4 1-0\n",
        true, &err);
    cr_assert_eq(r.player_count, 4);
    cr_expect_not(r.players[0].mixed, "A: the same in both games");
    for (int i = 1; i < 4; i++)
        cr_expect(r.players[i].mixed, "%s", r.players[i].name);
    ratings_free(&r);
}

Test(ratings, games_must_name_their_players)
{
    struct error err = {""};
    struct ratings r = read_games("[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n", false, &err);
    SAID("games.pgn:1: game 1 does not name both players");
    ratings_free(&r);
    r = read_games("[White \"A\"]\n[Black \"A\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n", false, &err);
    SAID("game 1: A plays itself");
    ratings_free(&r);
}
