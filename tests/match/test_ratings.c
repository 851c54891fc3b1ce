/* Ratings: known players are found again, with intervals that hold what they say. */
#include "rated_games.h"
#include "ratings.h"
#include "stream.h"
#include "temporary.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

enum { PLAYERS = 5, PAIRS = PLAYERS * (PLAYERS - 1) };

static const char *const names[PLAYERS] = {"A", "B", "C", "D", "E"};

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

static void play(struct stream *s, struct rated_pair *p, int games)
{
    for (int i = 0; i < games; i++) {
        double error = -log(1 / uniform(s) - 1);
        double x = strength[p->white] - strength[p->black] + advantage + error;
        p->wins += x > margin;
        p->losses += x < -margin;
        p->draws += x >= -margin && x <= margin;
    }
}

/* Everyone meets everyone with both colours. */
static void play_all(struct stream *s, struct rated_pair pairs[PAIRS], int games)
{
    int count = 0;
    for (int a = 0; a < PLAYERS; a++)
        for (int b = 0; b < PLAYERS; b++)
            if (a != b) {
                pairs[count] = (struct rated_pair){.white = a, .black = b};
                play(s, &pairs[count++], games);
            }
}

static struct ratings find(const struct rated_pair *pairs, size_t count, int players, double prior)
{
    struct ratings r;
    struct error err = {""};
    cr_assert(ratings_find(pairs, count, names, players, prior, &r, &err), "%s", err.text);
    return r;
}

Test(ratings, known_players_are_found_in_their_intervals)
{
    double mean = 0;
    int held = 0, tries = 200;
    for (int i = 0; i < PLAYERS; i++)
        mean += strength[i] / PLAYERS;
    for (int t = 0; t < tries; t++) {
        struct stream s;
        struct rated_pair pairs[PAIRS];
        stream_init(&s, (uint64_t)t, STREAM_TEST, 0, 0);
        play_all(&s, pairs, 60);
        struct ratings r = find(pairs, PAIRS, PLAYERS, 0.01);
        for (int i = 0; i < PLAYERS; i++)
            held += fabs(r.elo[i] - unit() * (strength[i] - mean)) < r.margin[i];
        held += fabs(r.white_advantage - unit() * advantage) < r.white_margin;
        ratings_free(&r);
    }
    double share = (double)held / (tries * (PLAYERS + 1));
    cr_expect(share > 0.93 && share < 0.97, "intervals hold %.3f of the truths", share);
}

/* Where draws are frequent the margin is found, too. */
Test(ratings, the_share_of_draws_is_that_of_equals)
{
    struct stream s;
    struct rated_pair pairs[PAIRS];
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    play_all(&s, pairs, 20000);
    struct ratings r = find(pairs, PAIRS, PLAYERS, 1);
    double expected = 2 / (1 + exp(-margin)) - 1;
    cr_expect(fabs(r.draws - expected) < 0.01, "%.4f, expected %.4f", r.draws, expected);
    ratings_free(&r);
}

/* 60 % between two players of equal colours are 70 Elo, as everywhere. */
Test(ratings, a_small_difference_is_logistic_elo)
{
    const struct rated_pair pairs[] = {{0, 1, 3500, 5000, 1500}, {1, 0, 1500, 5000, 3500}};
    struct ratings r = find(pairs, 2, 2, 0.01);
    cr_expect(fabs(r.elo[0] - r.elo[1] - 70.4) < 2, "%.2f", r.elo[0] - r.elo[1]);
    cr_expect(fabs(r.white_advantage) < 1e-6, "%g", r.white_advantage);
    cr_expect(fabs(r.elo[0] + r.elo[1]) < 1e-9);
    ratings_free(&r);
}

Test(ratings, an_anchor_moves_the_scale_and_the_errors)
{
    struct stream s;
    struct rated_pair pairs[PAIRS];
    stream_init(&s, 3, STREAM_TEST, 0, 0);
    play_all(&s, pairs, 50);
    struct ratings r = find(pairs, PAIRS, PLAYERS, 1);
    double before = r.elo[1] - r.elo[4], width = ratings_difference_margin(&r, 1, 4);
    ratings_anchor(&r, 4, 2000);
    cr_expect(fabs(r.elo[4] - 2000) < 1e-9);
    cr_expect_eq(r.margin[4], 0);
    cr_expect(fabs(r.elo[1] - 2000 - before) < 1e-9);
    cr_expect(fabs(r.margin[1] - width) < 1e-9);
    ratings_free(&r);
}

/* Four times the games: half the error. */
Test(ratings, errors_fall_with_the_root_of_the_games)
{
    struct stream s;
    struct rated_pair few[PAIRS], many[PAIRS];
    stream_init(&s, 4, STREAM_TEST, 0, 0);
    play_all(&s, few, 100);
    for (int i = 0; i < PAIRS; i++)
        many[i] = (struct rated_pair){few[i].white, few[i].black, 4 * few[i].wins, 4 * few[i].draws,
                                      4 * few[i].losses};
    struct ratings a = find(few, PAIRS, PLAYERS, 1), b = find(many, PAIRS, PLAYERS, 4);
    for (int i = 0; i < PLAYERS; i++) {
        cr_expect(fabs(a.elo[i] - b.elo[i]) < 1e-6);
        cr_expect(fabs(a.margin[i] / b.margin[i] - 2) < 1e-6);
    }
    ratings_free(&a);
    ratings_free(&b);
}

Test(ratings, who_wins_everything_has_a_finite_rating)
{
    const struct rated_pair pairs[] = {{0, 1, 100000, 0, 0}, {1, 0, 0, 0, 100000}};
    struct ratings r = find(pairs, 2, 2, 1);
    cr_expect(isfinite(r.elo[0]) && r.elo[0] > 200, "%g", r.elo[0]);
    cr_expect(isfinite(r.margin[0]) && r.margin[0] > 0, "%g", r.margin[0]);
    ratings_free(&r);
}

Test(ratings, players_who_cannot_be_compared_are_named)
{
    const struct rated_pair pairs[] = {{0, 1, 5, 5, 5}, {2, 3, 5, 5, 5}};
    struct ratings r;
    struct error err = {""};
    cr_expect_not(ratings_find(pairs, 2, names, 4, 1, &r, &err));
    cr_expect_str_eq(err.text, "no games connect C with A; rate them apart");
    ratings_free(&r);
}

/* ---- games ---- */

static struct rated_games read_games(const char *text, bool good, struct error *err)
{
    struct temporary t = temporary_make();
    struct rated_games g = {0};
    const char *path = temporary_file(&t, "games.pgn");
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    cr_assert_eq(rated_games_read(&g, path, err), good, "%s", err->text);
    temporary_remove(&t);
    return g;
}

Test(ratings, games_are_counted_by_colours)
{
    struct error err = {""};
    struct rated_games g =
        read_games("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
                   "[White \"B\"]\n[Black \"A\"]\n[Result \"1/2-1/2\"]\n\n1. d4 1/2-1/2\n\n"
                   "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. c4 0-1\n\n"
                   "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. c4 *\n\n"
                   "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. e5 0-1\n",
                   true, &err);
    cr_expect_eq(g.players, 2);
    cr_expect_eq(g.games, 3);
    cr_expect_eq(g.unfinished, 1);
    cr_expect_eq(g.broken, 1);
    cr_assert_eq(g.pair_count, 2);
    cr_expect_eq(g.pairs[0].wins, 1);
    cr_expect_eq(g.pairs[0].losses, 1);
    cr_expect_eq(g.pairs[1].draws, 1);
    cr_expect_eq(g.pairs[1].white, 1);
    rated_games_free(&g);
}

Test(ratings, two_players_of_one_name_are_noticed)
{
    struct error err = {""};
    struct rated_games g = read_games(
        "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[WhiteEvaluationSHA256 \"11\"]\n"
        "[BlackSearchSHA256 \"22\"]\n\n1. e4 1-0\n\n"
        "[White \"B\"]\n[Black \"A\"]\n[Result \"1-0\"]\n[BlackEvaluationSHA256 \"11\"]\n"
        "[WhiteSearchSHA256 \"33\"]\n\n1. e4 1-0\n",
        true, &err);
    cr_assert_eq(g.players, 2);
    cr_expect_not(g.sets[0].mixed, "A: the same in both games");
    cr_expect(g.sets[1].mixed, "B: another search in the second game");
    rated_games_free(&g);
}

/* Other engines have no checksums: a command, a name and options. */
Test(ratings, two_engines_of_one_name_are_noticed)
{
    struct error err = {""};
    struct rated_games g = read_games(
        "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[WhiteCommand \"a\"]\n"
        "[WhiteEngine \"A 1\"]\n[WhiteOptions \"Hash=1\"]\n[BlackOptions \"Hash=1\"]\n\n1. e4 1-0\n\n"
        "[White \"B\"]\n[Black \"A\"]\n[Result \"1-0\"]\n[BlackCommand \"a\"]\n"
        "[BlackEngine \"A 1\"]\n[BlackOptions \"Hash=1\"]\n[WhiteOptions \"Hash=2\"]\n\n1. e4 1-0\n\n"
        "[White \"C\"]\n[Black \"D\"]\n[Result \"1-0\"]\n[WhiteCommand \"c\"]\n"
        "[BlackEngine \"D 1\"]\n\n1. e4 1-0\n\n"
        "[White \"C\"]\n[Black \"D\"]\n[Result \"1-0\"]\n[WhiteCommand \"d\"]\n"
        "[BlackEngine \"D 2\"]\n\n1. e4 1-0\n",
        true, &err);
    cr_assert_eq(g.players, 4);
    cr_expect_not(g.sets[0].mixed, "A: the same in both games");
    for (int i = 1; i < 4; i++)
        cr_expect(g.sets[i].mixed, "%s", g.names[i]);
    rated_games_free(&g);
}

Test(ratings, games_must_name_their_players)
{
    struct error err = {""};
    struct rated_games g =
        read_games("[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n", false, &err);
    cr_expect(strstr(err.text, "games.pgn:1: game 1 does not name both players") != NULL, "%s",
              err.text);
    rated_games_free(&g);
    g = read_games("[White \"A\"]\n[Black \"A\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n", false, &err);
    cr_expect(strstr(err.text, "game 1: A plays itself") != NULL, "%s", err.text);
    rated_games_free(&g);
}
