/* Positions of random games that a planted player has played: moves and results that a regression
 * can find its weights from. */
#ifndef GRAYLING_TESTS_PLANTED_H
#define GRAYLING_TESTS_PLANTED_H

#include "leaf_model.h"
#include "quiesce.h"
#include "random_chess.h"
#include "regression.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A player unlike the paper's: cheap queens, dear knights, and rooks that love open files. */
static inline struct eval_weights planted_weights(void)
{
    struct eval_weights w = eval_initial_weights();
    w.value[KNIGHT_VALUE] = 900;
    w.value[QUEEN_VALUE] = 700;
    w.value[ROOK_OPEN_FILE] = 63;
    w.value[BISHOP_MOBILITY] = 40;
    return w;
}

/* A result for the position, drawn with the probability that Texel's model gives. */
static inline enum pgn_result planted_result(const struct position *p, const struct eval_weights *w,
                                             double scale, struct stream *s)
{
    const struct evaluation e = evaluation_of_weights(w);
    const int32_t value = leaf_model(p, &e);
    double won = 1 / (1 + exp(-value / scale)),
           drawn = (double)stream_below(s, 1u << 30) / (1 << 30);
    return (drawn < won) == (p->side == WHITE) ? PGN_WHITE_WINS : PGN_BLACK_WINS;
}

/* `count` positions with the move that the player chooses, its results at `scale`, and a game for
 * every two of them; the caller frees them. */
static inline struct epd *planted_positions(const struct eval_weights *w, double scale,
                                            uint64_t seed, size_t count)
{
    const struct evaluation e = evaluation_of_weights(w);
    struct epd *positions = calloc(count, sizeof *positions);
    struct stream s = seeded(seed);
    cr_assert_not_null(positions);
    for (size_t i = 0; i < count; i++) {
        uint64_t nodes = 0;
        struct position p = random_position(&s, 10 + (int)stream_below(&s, 60));
        positions[i] = (struct epd){.position = p, .best_count = 1, .game = 1 + i / 2};
        positions[i].best[0] = one_ply_search(&p, &e, LEAF_QUIESCENCE, &nodes);
        positions[i].result = planted_result(&p, w, scale, &s);
    }
    return positions;
}

/* Compiled as the method wants it. */
static inline struct compiled_set *planted_compile(const struct regression_method *method,
                                                   const struct epd *positions, size_t count)
{
    const struct compiled_settings settings = {.values = method->values, .threads = 2};
    struct error err;
    struct compiled_set *set = compiled_create(positions, count, &settings, &err);
    cr_assert_not_null(set, "%s", err.text);
    return set;
}

/* The same, of positions that nobody needs besides. */
static inline struct compiled_set *planted_set(const struct regression_method *method, double scale,
                                               uint64_t seed, size_t count)
{
    const struct eval_weights w = planted_weights();
    struct epd *positions = planted_positions(&w, scale, seed, count);
    struct compiled_set *set = planted_compile(method, positions, count);
    free(positions);
    return set;
}

/* The mean loss at the point x, and its gradient. */
static inline double planted_gradient(const struct compiled_set *set,
                                      const struct regression_method *method, const double *x,
                                      double *by)
{
    const size_t positions = set->count;
    double loss = 0;
    memset(by, 0, (size_t)regression_coordinates(set) * sizeof *by);
    for (size_t i = 0; i < positions; i++)
        method->add(method, set, i, x, &loss, by);
    for (int c = 0; c < regression_coordinates(set); c++)
        by[c] /= (double)positions;
    return loss / (double)positions;
}

/* What a fit finds. */
struct planted_fit {
    struct eval_weights weights;
    double scale;
};

/* Fits from some weights, which must succeed. */
static inline struct planted_fit planted_fit(const struct compiled_set *set,
                                             struct regression_settings settings,
                                             const struct eval_weights *start)
{
    struct planted_fit found;
    struct regression_fit fit;
    struct error err;
    settings.start = start->value;
    cr_assert(regression_run(set, &settings, NULL, found.weights.value, &fit, &err), "%s",
              err.text);
    found.scale = fit.scale;
    return found;
}

/* Random start weights. */
static inline struct eval_weights planted_random_start(uint64_t seed)
{
    struct eval_weights w;
    regression_random_start(&eval_table, seed, w.value);
    return w;
}

/* The mean loss of weights at a scale. */
static inline double planted_loss(const struct compiled_set *set,
                                  const struct regression_method *method,
                                  const struct eval_weights *w, double scale)
{
    struct regression_loss loss;
    struct error err;
    cr_assert(regression_measure(set, method, w->value, scale, 2, &loss, &err), "%s", err.text);
    return loss.mean;
}

#endif
