/* The methods: Texel's finds the weights behind results, softmax learns a player's moves, and each loss is the one
 * of the book. */
#include "planted.h"
#include "thorough.h"

enum { SCALE = 400, MOVE_SCALE = 300 };

static struct regression_settings settings_of(const struct regression_method *method, int steps)
{
    return (struct regression_settings){.method = method, .steps = steps, .threads = 2};
}

/* The loss of one position with one result, White to move and a pawn up. */
static double loss_of(const struct regression_method *method, const char *fen,
                      enum pgn_result result, double scale)
{
    struct epd epd = {.result = result};
    struct eval_weights w = {{0}};
    struct error err;
    cr_assert(position_from_fen(&epd.position, fen, NULL, &err), "%s", err.text);
    w.value[PAWN_VALUE] = 100;
    struct compiled_set *set = planted_compile(method, &epd, 1);
    double loss = planted_loss(set, method, &w, scale);
    compiled_destroy(set);
    return loss;
}

Test(texel, losses_are_those_of_the_definition)
{
    static const char white[] = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    static const char black[] = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    const double p = 1 / (1 + exp(-0.5));
    for (int i = 0; i < 2; i++) {
        const char *fen = i == 0 ? white : black;
        cr_expect_float_eq(loss_of(&texel_method, fen, PGN_WHITE_WINS, 200), (1 - p) * (1 - p),
                           1e-12);
        cr_expect_float_eq(loss_of(&texel_method, fen, PGN_BLACK_WINS, 200), p * p, 1e-12);
        cr_expect_float_eq(loss_of(&texel_method, fen, PGN_DRAW, 200), (p - 0.5) * (p - 0.5),
                           1e-12);
        cr_expect_float_eq(loss_of(&texel_entropy_method, fen, PGN_WHITE_WINS, 200), -log(p),
                           1e-12);
        cr_expect_float_eq(loss_of(&texel_entropy_method, fen, PGN_BLACK_WINS, 200), -log(1 - p),
                           1e-12);
        cr_expect_float_eq(loss_of(&texel_entropy_method, fen, PGN_DRAW, 200),
                           -0.5 * log(p) - 0.5 * log(1 - p), 1e-12);
    }
}

/* Scores of 100 that won three games of four promise three quarters of a point at 100 / ln 3 centipawns. */
Test(texel, scores_are_mixed_with_results)
{
    struct epd four[4];
    struct error err;
    for (int i = 0; i < 4; i++) {
        four[i] = (struct epd){
            .result = i < 3 ? PGN_WHITE_WINS : PGN_BLACK_WINS, .has_score = true, .score = 100};
        cr_assert(
            position_from_fen(&four[i].position, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", NULL, &err));
    }
    struct regression_method mixed = texel_method;
    struct eval_weights w = {{0}};
    w.value[PAWN_VALUE] = 100;
    regression_mix(&mixed, four, 4, 0.4);
    cr_expect_float_eq(mixed.score_scale, 100 / log(3), 2);
    struct compiled_set *set = planted_compile(&mixed, four, 1);
    const double off = 1 / (1 + exp(-0.5)) - (0.6 + 0.4 * 0.75);
    cr_expect_float_eq(planted_loss(set, &mixed, &w, 200), off * off, 1e-3);
    compiled_destroy(set);
}

/* A mate is as good as won, and no more than that: the loss stays finite. */
Test(texel, a_mate_that_lost_costs_no_more_than_is_finite)
{
    static const char mate[] = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
    cr_expect_leq(loss_of(&texel_method, mate, PGN_BLACK_WINS, 5), 1);
    cr_expect(isfinite(loss_of(&texel_entropy_method, mate, PGN_BLACK_WINS, 5)));
}

/* From the initial weights by one loss, from random ones by the other: the pieces, and results that
 * were not seen, which no player explains better than the one behind them. */
Test(texel, recovers_the_weights_behind_the_results)
{
    const struct eval_weights player = planted_weights(), initial = eval_initial_weights();
    static const struct regression_method *const methods[] = {&texel_method, &texel_entropy_method};
    const size_t positions = (size_t)thorough(2000, 6000);
    struct compiled_set *set = planted_set(&texel_method, SCALE, 11, positions); /* for either */
    struct compiled_set *unseen = planted_set(&texel_method, SCALE, 15, positions);
    for (int i = 0; i < 2; i++) {
        const struct regression_settings settings =
            settings_of(methods[i], i == 0 ? 150 : thorough(250, 400));
        const struct eval_weights start = i == 0 ? initial : planted_random_start(5);
        struct planted_fit fit = planted_fit(set, settings, &start);
        double pawn = fit.scale / SCALE; /* what a planted centipawn is here */
        for (int t = KNIGHT_VALUE; t <= ROOK_VALUE; t++)
            cr_expect_float_eq(fit.weights.value[t] / pawn, player.value[t], 0.2 * player.value[t],
                               "%s: %d at K %.0f", eval_table.params[t].name, fit.weights.value[t],
                               fit.scale);
        double best = planted_loss(unseen, methods[i], &player, SCALE);
        double first = planted_loss(unseen, methods[i], &initial, SCALE);
        double last = planted_loss(unseen, methods[i], &fit.weights, fit.scale);
        cr_expect(last - best < 0.2 * (first - best), "%f, between %f and %f", last, best, first);
        cr_expect_eq(fit.weights.value[PAWN_VALUE], 100);
    }
    compiled_destroy(set);
    compiled_destroy(unseen);
}

Test(texel, the_scale_is_found_for_weights_that_are_kept)
{
    const struct regression_settings settings = settings_of(&texel_method, 0);
    struct compiled_set *set = planted_set(&texel_method, SCALE, 12, (size_t)thorough(2000, 6000));
    const struct eval_weights start = planted_weights();
    struct planted_fit fit = planted_fit(set, settings, &start);
    cr_assert_float_eq(fit.scale, SCALE, 0.1 * SCALE, "K %.0f", fit.scale);
    cr_assert_arr_eq(fit.weights.value, start.value, sizeof fit.weights.value);
    compiled_destroy(set);
}

/* A scale that is given is the scale of the fit; half of it is not as good. */
Test(texel, a_scale_that_is_given_is_kept)
{
    struct regression_settings settings = settings_of(&texel_method, 50);
    struct compiled_set *set = planted_set(&texel_method, SCALE, 13, 1000);
    const struct eval_weights start = eval_initial_weights();
    settings.scale = SCALE;
    struct planted_fit fit = planted_fit(set, settings, &start);
    cr_assert_float_eq(fit.scale, SCALE, 1e-9);
    settings.scale = SCALE / 8.;
    struct planted_fit poor = planted_fit(set, settings, &start);
    cr_assert_float_eq(poor.scale, SCALE / 8., 1e-9);
    cr_assert_gt(planted_loss(set, &texel_method, &poor.weights, poor.scale),
                 planted_loss(set, &texel_method, &fit.weights, fit.scale));
    compiled_destroy(set);
}

/* Draws alone teach nothing; wins alone are learnt from, and all stays finite. */
Test(texel, results_of_one_kind)
{
    const struct eval_weights player = planted_weights();
    const struct eval_weights start = eval_initial_weights();
    struct regression_settings settings = settings_of(&texel_entropy_method, 30);
    settings.start = start.value;
    struct epd *positions = planted_positions(&player, SCALE, 14, 500);
    static const enum pgn_result kinds[] = {PGN_DRAW, PGN_WHITE_WINS, PGN_BLACK_WINS};
    for (int kind = 0; kind < 3; kind++) {
        struct regression_fit fit;
        struct eval_weights found;
        struct error err = {""};
        for (int i = 0; i < 500; i++)
            positions[i].result = kinds[kind];
        struct compiled_set *set = planted_compile(&texel_entropy_method, positions, 500);
        bool good = regression_run(set, &settings, NULL, found.value, &fit, &err);
        cr_assert_eq(good, kind > 0);
        if (!good)
            cr_assert_str_eq(err.text,
                             "all 500 results are draws; wins and losses are required too");
        else
            cr_assert(isfinite(fit.scale) && fit.scale > 0 &&
                      isfinite(planted_loss(set, &texel_entropy_method, &found, fit.scale)));
        compiled_destroy(set);
    }
    free(positions);
}

/* ---- moves ---- */

static int64_t matches(const struct compiled_set *set, const struct eval_weights *w)
{
    int64_t matched = 0;
    cr_assert(compiled_match(set, w->value, 1, 1, NULL, &matched, NULL));
    return matched;
}

Test(softmax, learns_moves_that_it_has_not_seen)
{
    const int positions = thorough(300, 600);
    const struct eval_weights player = planted_weights(), start = eval_initial_weights();
    const struct regression_settings settings = settings_of(&softmax_method, 60);
    struct compiled_set *train = planted_set(&softmax_method, MOVE_SCALE, 1, (size_t)positions);
    struct compiled_set *test = planted_set(&softmax_method, MOVE_SCALE, 2, (size_t)positions);
    struct planted_fit fit = planted_fit(train, settings, &start);
    cr_assert_eq(matches(test, &player), positions);
    int before = matches(test, &start), after = matches(test, &fit.weights);
    cr_assert_gt(after, before + (positions - before) / 4, "%d before, %d after", before, after);
    cr_assert_eq(fit.weights.value[PAWN_VALUE], 100);
    cr_assert_gt(fit.weights.value[KNIGHT_VALUE], start.value[KNIGHT_VALUE]);
    cr_assert_lt(fit.weights.value[QUEEN_VALUE], start.value[QUEEN_VALUE]);
    compiled_destroy(train);
    compiled_destroy(test);
}

/* Moves with equal values share the probability, and any of the right ones will do. */
Test(softmax, losses_are_those_of_the_definition)
{
    struct epd epd = {.best_count = 2};
    struct error err;
    struct eval_weights w = {{0}};
    w.value[PAWN_VALUE] = 100;
    /* a king with three moves and a pawn with two, seen by weights of which none counts a place */
    cr_assert(position_from_fen(&epd.position, "7k/6pp/8/8/8/8/7P/K7 w - - 0 1", NULL, &err));
    cr_assert(move_from_text(&epd.position, "Kb1", 3, &epd.best[0], &err), "%s", err.text);
    cr_assert(move_from_text(&epd.position, "h4", 2, &epd.best[1], &err), "%s", err.text);
    cr_assert_eq(movegen_count(&epd.position), 5);
    for (int right = 1; right <= 2; right++) {
        epd.best_count = right;
        struct compiled_set *set = planted_compile(&softmax_method, &epd, 1);
        cr_expect_float_eq(planted_loss(set, &softmax_method, &w, 50), log(5.0 / right), 1e-12);
        cr_expect_float_eq(planted_loss(set, &softmax_misses_method, &w, 50), 1 - right / 5.0,
                           1e-12);
        compiled_destroy(set);
    }
}

/* The mate is the best move for all weights: it must not drive the scale because another was played. */
Test(softmax, a_mate_that_was_not_played_has_no_gradient)
{
    struct epd epd = {.best_count = 1};
    struct error err;
    const struct eval_weights w = eval_initial_weights();
    double x[EVAL_TERMS + 1], by[EVAL_TERMS + 1], loss;
    cr_assert(position_from_fen(&epd.position, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", NULL, &err));
    cr_assert(move_from_text(&epd.position, "Kf1", 3, &epd.best[0], &err), "%s", err.text);
    struct compiled_set *set = planted_compile(&softmax_method, &epd, 1);
    for (int t = 0; t < EVAL_TERMS; t++)
        x[t] = w.value[t];
    x[EVAL_TERMS] = -log(50);
    loss = planted_gradient(set, &softmax_method, x, by);
    cr_expect_float_eq(loss, 50, 1e-9); /* the lowest logit */
    for (int c = 0; c <= EVAL_TERMS; c++)
        cr_expect(by[c] == 0, "coordinate %d: %g", c, by[c]);
    compiled_destroy(set);
}

/* A fit of the likelihood leaves moves to gain, and the other loss finds some. */
Test(softmax, misses_fall_after_a_fit_of_the_likelihood)
{
    const int positions = thorough(60, 600);
    struct compiled_set *set = planted_set(&softmax_method, MOVE_SCALE, 4, (size_t)positions);
    const struct eval_weights start = eval_initial_weights();
    struct regression_settings settings = settings_of(&softmax_method, 80);
    settings.scale = MOVE_SCALE;
    struct planted_fit likely = planted_fit(set, settings, &start);
    settings.method = &softmax_misses_method;
    struct planted_fit hits = planted_fit(set, settings, &likely.weights);
    cr_assert_lt(planted_loss(set, &softmax_misses_method, &hits.weights, MOVE_SCALE),
                 planted_loss(set, &softmax_misses_method, &likely.weights, MOVE_SCALE));
    compiled_destroy(set);
}

Test(softmax, loss_falls_and_weights_stay_in_range)
{
    const int positions = thorough(60, 600);
    const struct regression_settings one = settings_of(&softmax_method, 1),
                                     more = settings_of(&softmax_method, 80);
    struct compiled_set *set = planted_set(&softmax_method, MOVE_SCALE, 4, (size_t)positions);
    const struct eval_weights start = eval_initial_weights();
    struct planted_fit early = planted_fit(set, one, &start), late = planted_fit(set, more, &start);
    cr_assert_lt(planted_loss(set, &softmax_method, &late.weights, late.scale),
                 planted_loss(set, &softmax_method, &early.weights, early.scale));
    for (int t = 0; t < EVAL_TERMS; t++)
        cr_assert(late.weights.value[t] >= eval_table.params[t].min &&
                      late.weights.value[t] <= eval_table.params[t].max,
                  "%s", eval_table.params[t].name);
    compiled_destroy(set);
}
