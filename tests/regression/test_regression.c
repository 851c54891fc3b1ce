/* What all regressions share: gradients, descent, losses and their errors. */
#include "evaluator.h"
#include "planted.h"
#include "tapered.h"
#include "thorough.h"

#include <string.h>

enum { POSITIONS = 300, SCALE = 300 };

/* Checks the gradient at x for every `every`th coordinate. */
static void assert_gradient(const struct compiled_set *set, const struct regression_method *method,
                            double *x, int every)
{
    const int count = regression_coordinates(set);
    double *here = calloc((size_t)count, sizeof *here),
           *other = calloc((size_t)count, sizeof *other);
    int nonzero = 0;
    planted_gradient(set, method, x, here);
    for (int c = count - 1; c >= 0; c -= every) {
        const double step = 1e-6, kept = x[c];
        x[c] = kept + step;
        double above = planted_gradient(set, method, x, other);
        x[c] = kept - step;
        double below = planted_gradient(set, method, x, other), by = (above - below) / (2 * step);
        x[c] = kept;
        nonzero += here[c] != 0;
        cr_expect_float_eq(here[c], by, 1e-4 * fabs(by) + 1e-8, "%s, coordinate %d: %g, not %g",
                           method->name, c, here[c], by);
    }
    cr_expect_gt(nonzero, count / every / 4);
    free(here);
    free(other);
}

/* Calls another legal move right as well. */
static void add_right_move(struct epd *epd)
{
    struct move_list list;
    movegen_legal(&epd->position, &list);
    if (list.count > 1)
        epd->best[epd->best_count++] =
            list.moves[0] != epd->best[0] ? list.moves[0] : list.moves[1];
}

/* Where no two leaves are equal, the gradient is what a small step makes of the loss; where several moves are
 * right, too. */
Test(regression, gradients_are_those_of_finite_differences)
{
    const struct eval_weights player = planted_weights(), w = planted_random_start(3);
    const size_t count = (size_t)thorough(75, 300);
    struct epd *positions = planted_positions(&player, SCALE, 1, count);
    double x[EVAL_TERMS + 1];
    for (int t = 0; t < EVAL_TERMS; t++)
        x[t] = w.value[t] + 0.25 + 0.013 * t;
    x[EVAL_TERMS] = -log(SCALE);
    for (int several = 0; several < 2; several++) {
        for (size_t i = 0; several == 1 && i < count; i++)
            add_right_move(&positions[i]);
        for (int k = 0; regression_methods[k] != NULL; k++) {
            if (several == 1 && regression_methods[k]->need != EPD_NEED_BEST)
                continue;
            struct compiled_set *set = planted_compile(regression_methods[k], positions, count);
            assert_gradient(set, regression_methods[k], x, 1);
            compiled_destroy(set);
        }
    }
    free(positions);
}

/* The same for 200 sparse weights, signed, with a scale. */
Test(regression, gradients_of_sparse_weights_are_those_of_finite_differences)
{
    enum { WEIGHTS = 200 };
    struct tapered tapered = tapered_make(WEIGHTS, -400, 400);
    const struct evaluator_source source = tapered_source(&tapered);
    const struct eval_weights player = planted_weights();
    const size_t count = (size_t)thorough(40, 200);
    struct epd *positions = planted_positions(&player, SCALE, 6, count);
    struct stream s = seeded(7);
    for (int k = 0; regression_methods[k] != NULL; k++) {
        const struct compiled_settings settings = {
            .values = regression_methods[k]->values, .source = &source, .threads = 2};
        struct error err;
        struct compiled_set *set = compiled_create(positions, count, &settings, &err);
        double x[WEIGHTS + 1];
        cr_assert_not_null(set, "%s", err.text);
        cr_assert_eq(regression_coordinates(set), WEIGHTS + 1);
        for (int i = 0; i < WEIGHTS; i++)
            x[i] = (double)stream_below(&s, 400000) / 1000 - 200;
        x[WEIGHTS] = -log(SCALE);
        assert_gradient(set, regression_methods[k], x, 3);
        compiled_destroy(set);
    }
    free(positions);
    tapered_free(&tapered);
}

Test(regression, threads_do_not_matter)
{
    const size_t positions = (size_t)thorough(150, 600);
    for (int k = 0; regression_methods[k] != NULL; k++) {
        const struct regression_method *method = regression_methods[k];
        struct compiled_set *set = planted_set(method, SCALE, 2, positions);
        const struct eval_weights start = planted_random_start(1);
        struct regression_settings settings = {.method = method, .steps = 10, .threads = 1};
        struct planted_fit one = planted_fit(set, settings, &start);
        settings.threads = 3;
        struct planted_fit three = planted_fit(set, settings, &start);
        cr_assert_arr_eq(one.weights.value, three.weights.value, sizeof one.weights.value);
        cr_assert(memcmp(&one.scale, &three.scale, sizeof one.scale) == 0);
        compiled_destroy(set);
    }
}

/* All but constants are drawn; others have the values that they have without one. */
Test(regression, random_starts_are_in_range_and_follow_the_seed)
{
    const struct eval_weights one = planted_random_start(1), other = planted_random_start(2);
    struct param rows[EVAL_TERMS];
    int32_t again[EVAL_TERMS];
    int different = 0;
    memcpy(rows, eval_table.params, sizeof rows);
    rows[KNIGHT_VALUE].bits = 0;
    const struct param_table table = {.kind = "evaluation", .params = rows, .count = EVAL_TERMS};
    regression_random_start(&table, 1, again);
    cr_assert_eq(one.value[PAWN_VALUE], 100);
    for (int t = 0; t < EVAL_TERMS; t++) {
        cr_assert(one.value[t] >= eval_table.params[t].min &&
                  one.value[t] <= eval_table.params[t].max);
        different += one.value[t] != other.value[t];
        cr_expect_eq(again[t], t == KNIGHT_VALUE ? rows[t].initial : one.value[t]);
    }
    cr_assert_gt(different, EVAL_TERMS / 2);
}

/* Our table, with steps of 7 and a constant that has a range. */
static struct param_table uneven_table(struct param rows[EVAL_TERMS])
{
    struct param_table table = eval_table;
    memcpy(rows, eval_table.params, EVAL_TERMS * sizeof *rows);
    for (int t = KNIGHT_VALUE; t < EVAL_TERMS; t++)
        rows[t].step = 7;
    rows[ROOK_OPEN_FILE].bits = 0;
    table.params = rows;
    return table;
}

Test(regression, weights_that_no_step_changes_are_not_rounded)
{
    struct param rows[EVAL_TERMS];
    const struct param_table table = uneven_table(rows);
    const struct eval_weights start = eval_initial_weights();
    struct compiled_set *set = planted_set(&texel_method, SCALE, 3, POSITIONS);
    struct regression_settings settings = {.method = &texel_method, .table = &table, .threads = 2};
    struct planted_fit fit = planted_fit(set, settings, &start);
    cr_assert_arr_eq(fit.weights.value, start.value, sizeof start.value);
    settings.steps = 2;
    fit = planted_fit(set, settings, &start);
    cr_assert_eq(fit.weights.value[KNIGHT_VALUE] % 7, 0);
    cr_assert_eq(fit.weights.value[ROOK_OPEN_FILE], start.value[ROOK_OPEN_FILE]);
    compiled_destroy(set);
}

/* ---- batches ---- */

enum { BLOCKS = 4, BATCHED = 256 * (BLOCKS - 1) + 40, EPOCHS = 7 };

/* Notes the loss of each step. */
static void note_loss(void *context, int done, int total, double loss)
{
    (void)total;
    ((double *)context)[done - 1] = loss;
}

/* The losses of the batches of some epochs at the initial weights, which are all constants here. */
static void find_losses(const struct compiled_set *set, int batch, int threads, int steps,
                        double *losses)
{
    const struct eval_weights start = eval_initial_weights();
    struct param rows[EVAL_TERMS];
    struct param_table table = eval_table;
    int32_t weights[EVAL_TERMS];
    struct regression_fit fit;
    struct error err;
    memcpy(rows, eval_table.params, sizeof rows);
    for (int t = 0; t < EVAL_TERMS; t++)
        rows[t].bits = 0;
    table.params = rows;
    const struct regression_settings settings = {.method = &texel_method,
                                                 .start = start.value,
                                                 .table = &table,
                                                 .scale = SCALE,
                                                 .steps = steps,
                                                 .batch = batch,
                                                 .seed = 5,
                                                 .threads = threads};
    const struct regression_watcher watcher = {.context = losses, .step = note_loss};
    cr_assert(regression_run(set, &settings, &watcher, weights, &fit, &err), "%s", err.text);
}

static int compare_numbers(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* An epoch has each position once, in batches rounded up to blocks; the next has another order; threads change
 * nothing. The means of two batches, each times its positions, are that of all. */
Test(regression, an_epoch_has_each_position_once)
{
    struct compiled_set *set = planted_set(&texel_method, SCALE, 1, BATCHED);
    double one[EPOCHS][BLOCKS], other[EPOCHS][BLOCKS], pair[2], whole;
    int orders = 0;
    find_losses(set, 256, 1, EPOCHS * BLOCKS, one[0]);
    find_losses(set, 200, 3, EPOCHS * BLOCKS, other[0]);
    cr_expect_arr_eq(one, other, sizeof one);
    for (int e = 1; e < EPOCHS; e++)
        orders += memcmp(one[0], one[e], sizeof one[0]) != 0;
    cr_expect_gt(orders, 2);
    for (int e = 0; e < EPOCHS; e++)
        qsort(one[e], BLOCKS, sizeof one[e][0], compare_numbers);
    for (int e = 1; e < EPOCHS; e++)
        cr_expect_arr_eq(one[0], one[e], sizeof one[0], "the same blocks");
    find_losses(set, 0, 2, 1, &whole);
    find_losses(set, 512, 2, 2, pair);
    const double few = 256 + 40; /* in the batch with the short block */
    const double mean[2] = {(few * pair[0] + 512 * pair[1]) / BATCHED,
                            (512 * pair[0] + few * pair[1]) / BATCHED};
    cr_expect(fabs(mean[0] - whole) < 1e-9 || fabs(mean[1] - whole) < 1e-9);
    compiled_destroy(set);
}

/* A watcher that sees the steps and ends the fit at the third. */
struct witness {
    volatile sig_atomic_t stop;
    int seen, total;
    double first, last;
};

static void see(void *context, int done, int total, double loss)
{
    struct witness *w = context;
    w->first = w->seen++ == 0 ? loss : w->first;
    w->last = loss;
    w->total = total;
    w->stop = done == 3;
}

Test(regression, a_fit_is_followed_and_stopped)
{
    struct compiled_set *set = planted_set(&texel_method, SCALE, 3, POSITIONS);
    struct eval_weights start = eval_initial_weights(), found;
    struct regression_settings settings = {
        .method = &texel_method, .start = start.value, .steps = 40, .threads = 2};
    struct witness w = {.stop = 0};
    struct regression_watcher watcher = {.context = &w, .step = see};
    struct regression_fit fit;
    struct error err;
    cr_assert(regression_run(set, &settings, &watcher, found.value, &fit, &err), "%s", err.text);
    cr_assert(!fit.stopped && w.seen == 40 && w.total == 40);
    cr_assert_lt(w.last, w.first);
    w = (struct witness){.stop = 0};
    watcher.stop = &w.stop;
    cr_assert(regression_run(set, &settings, &watcher, found.value, &fit, &err), "%s", err.text);
    cr_assert(fit.stopped && w.seen == 3);
    compiled_destroy(set);
}

/* The error of the mean, by hand: positions of a game are summed before they are squared, and one
 * whose game is not known is a game of its own. */
Test(regression, errors_are_those_of_games)
{
    struct epd epds[4] = {{.game = 7}, {.game = 9}, {.game = 7}, {.game = 0}};
    const enum pgn_result results[4] = {PGN_WHITE_WINS, PGN_BLACK_WINS, PGN_WHITE_WINS, PGN_DRAW};
    struct eval_weights w = {{0}};
    struct regression_loss loss;
    struct error err;
    for (int i = 0; i < 4; i++) {
        position_from_fen(&epds[i].position, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", NULL, &err);
        epds[i].result = results[i];
    }
    w.value[PAWN_VALUE] = 100;
    struct compiled_set *set = planted_compile(&texel_method, epds, 4);
    cr_assert(regression_measure(set, &texel_method, w.value, 100, 1, &loss, &err), "%s", err.text);
    const double p = 1 / (1 + exp(-1)), won = (1 - p) * (1 - p), lost = p * p;
    const double drawn = (p - 0.5) * (p - 0.5), mean = (2 * won + lost + drawn) / 4;
    const double game = 2 * (won - mean);
    cr_expect_float_eq(loss.mean, mean, 1e-12);
    cr_expect_float_eq(
        loss.error,
        sqrt(game * game + (lost - mean) * (lost - mean) + (drawn - mean) * (drawn - mean)) / 4,
        1e-12);
    compiled_destroy(set);
}

Test(regression, nothing_is_not_learnt_from)
{
    struct compiled_set *set = planted_compile(&texel_method, NULL, 0);
    struct regression_settings settings = {.method = &texel_method, .steps = 1, .threads = 1};
    struct regression_fit fit;
    struct error err;
    cr_assert_not(regression_run(set, &settings, NULL, NULL, &fit, &err));
    cr_assert_str_eq(err.text, "no positions to learn from");
    compiled_destroy(set);
}
