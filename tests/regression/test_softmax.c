/* The softmax regression: it learns a player's moves. */
#include "planted.h"
#include "thorough.h"

enum { SCALE = 300 };

static struct regression_settings settings_of(int steps)
{
    return (struct regression_settings){.method = &softmax_method, .steps = steps, .threads = 2};
}

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
    const struct regression_settings settings = settings_of(60);
    struct compiled_set *train = planted_set(&softmax_method, SCALE, 1, (size_t)positions);
    struct compiled_set *test = planted_set(&softmax_method, SCALE, 2, (size_t)positions);
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
    const int positions = thorough(150, 600);
    struct compiled_set *set = planted_set(&softmax_method, SCALE, 4, (size_t)positions);
    const struct eval_weights start = eval_initial_weights();
    struct regression_settings settings = settings_of(120);
    settings.scale = SCALE;
    struct planted_fit likely = planted_fit(set, settings, &start);
    settings.method = &softmax_misses_method;
    struct planted_fit hits = planted_fit(set, settings, &likely.weights);
    cr_assert_lt(planted_loss(set, &softmax_misses_method, &hits.weights, SCALE),
                 planted_loss(set, &softmax_misses_method, &likely.weights, SCALE));
    compiled_destroy(set);
}

Test(softmax, loss_falls_and_weights_stay_in_range)
{
    const int positions = thorough(150, 600);
    const struct regression_settings one = settings_of(1), more = settings_of(80);
    struct compiled_set *set = planted_set(&softmax_method, SCALE, 4, (size_t)positions);
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
