/* The softmax regression: it learns a player's moves, whatever the threads. */
#include "random_chess.h"
#include "softmax.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { POSITIONS = 600, STEPS = 60 };

/* A player unlike the paper's: cheap queens, dear knights, and rooks that love open files. */
static struct eval_weights planted(void)
{
    struct eval_weights w = eval_initial_weights();
    w.value[KNIGHT_VALUE] = 900;
    w.value[QUEEN_VALUE] = 700;
    w.value[ROOK_OPEN_FILE] = 63;
    w.value[BISHOP_MOBILITY] = 40;
    return w;
}

/* Positions of random games with the moves that the planted player chooses. */
static struct compiled_set *played_by(const struct eval_weights *w, uint64_t seed)
{
    struct epd *positions = calloc(POSITIONS, sizeof *positions);
    struct stream s;
    struct error err;
    stream_init(&s, seed, STREAM_TEST, 0, 0);
    for (int i = 0; i < POSITIONS; i++) {
        uint64_t nodes = 0;
        struct position p = random_position(&s, 10 + (int)stream_below(&s, 60));
        positions[i].position = p;
        positions[i].best[0] = one_ply_search(&p, w, LEAF_QUIESCENCE, &nodes);
        positions[i].best_count = 1;
    }
    struct compiled_set *set = compiled_create(positions, POSITIONS, LEAF_QUIESCENCE, 2, &err);
    cr_assert_not_null(set, "%s", err.text);
    free(positions);
    return set;
}

static int matches(const struct compiled_set *set, const struct eval_weights *w)
{
    int32_t matched;
    compiled_match(set, w, 1, 1, NULL, &matched);
    return matched;
}

Test(softmax, learns_moves_that_it_has_not_seen)
{
    const struct eval_weights player = planted(), start = eval_initial_weights();
    struct compiled_set *train = played_by(&player, 1), *test = played_by(&player, 2);
    struct softmax_fit fit = softmax_regression(train, STEPS, 2);
    cr_assert_eq(matches(test, &player), POSITIONS);
    int before = matches(test, &start), after = matches(test, &fit.weights);
    cr_assert_gt(after, before + (POSITIONS - before) / 4, "%d before, %d after", before, after);
    cr_assert_eq(fit.weights.value[PAWN_VALUE], 100);
    cr_assert_gt(fit.weights.value[KNIGHT_VALUE], start.value[KNIGHT_VALUE]);
    cr_assert_lt(fit.weights.value[QUEEN_VALUE], start.value[QUEEN_VALUE]);
    compiled_destroy(train);
    compiled_destroy(test);
}

Test(softmax, does_not_depend_on_threads)
{
    const struct eval_weights player = planted();
    struct compiled_set *set = played_by(&player, 3);
    struct softmax_fit one = softmax_regression(set, 10, 1), three = softmax_regression(set, 10, 3);
    cr_assert_arr_eq(one.weights.value, three.weights.value, sizeof one.weights.value);
    cr_assert(one.loss <= three.loss && one.loss >= three.loss);
    compiled_destroy(set);
}

Test(softmax, loss_falls_and_weights_stay_in_range)
{
    const struct eval_weights player = planted();
    struct compiled_set *set = played_by(&player, 4);
    struct softmax_fit early = softmax_regression(set, 1, 2), late = softmax_regression(set, 80, 2);
    cr_assert_lt(late.loss, early.loss);
    for (int t = 0; t < EVAL_TERMS; t++)
        cr_assert(late.weights.value[t] >= eval_table.params[t].min &&
                      late.weights.value[t] <= eval_table.params[t].max,
                  "%s", eval_table.params[t].name);
    compiled_destroy(set);
}
