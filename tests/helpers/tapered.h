/* A made-up tapered evaluation of N signed weights: piece-square tables by phase, and pairs of
 * pieces on a file or rank. Features beyond N share weights. Counts are times the phase, 0 to 24, so that
 * the scale is 24. */
#ifndef GRAYLING_TESTS_TAPERED_H
#define GRAYLING_TESTS_TAPERED_H

#include "evaluator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the evaluation is made of; the context of its source. `spread`: the middlegame weights come
 * first, then those of the endgame, instead of side by side. */
struct tapered {
    struct param_table table;
    bool spread;
    int tempo; /* bias for the side to move */
    char (*names)[16];
};

struct tapered_evaluator {
    struct evaluator base;
    const struct tapered *of;
    int16_t counts[EVALUATOR_WEIGHTS_MAX];
    struct weight_count items[EVALUATOR_WEIGHTS_MAX];
};

enum { TAPERED_SCALE = 24, TAPERED_SQUARES = 6 * 64 };

/* `count` weights from `min` to `max`. */
static inline struct tapered tapered_make(int count, int32_t min, int32_t max)
{
    struct param *params = calloc((size_t)count, sizeof *params);
    struct tapered t = {.table = {"trace", params, count},
                        .tempo = 10,
                        .names = calloc((size_t)count, sizeof *t.names)};
    for (int i = 0; i < count; i++) {
        snprintf(t.names[i], sizeof t.names[i], "W%d", i);
        params[i] = (struct param){
            .name = t.names[i], .bits = 1, .min = min, .max = max, .sign = 1, .meaning = ""};
        while (params[i].bits < 32 && ((int64_t)max - min) >> params[i].bits != 0)
            params[i].bits++;
    }
    return t;
}

static inline void tapered_free(struct tapered *t)
{
    free((void *)(uintptr_t)t->table.params);
    free(t->names);
}

static inline int tapered_phase(const struct position *p)
{
    static const int weight[6] = {0, 1, 1, 2, 4, 0};
    int phase = 0;
    for (int square = 0; square < 64; square++)
        phase += p->board[square] < 6 ? weight[p->board[square]] : 0;
    return phase < TAPERED_SCALE ? phase : TAPERED_SCALE;
}

/* Counts a feature in both its weights. */
static inline void tapered_count(struct tapered_evaluator *e, int feature, int sign, int phase)
{
    const int n = e->of->table.count;
    const int mg = e->of->spread ? feature : 2 * feature;
    const int eg = e->of->spread ? feature + (n + 1) / 2 : 2 * feature + 1;
    e->counts[mg % n] += (int16_t)(sign * phase);
    e->counts[eg % n] += (int16_t)(sign * (TAPERED_SCALE - phase));
}

/* Counts the pair that a piece makes with the next one in a direction. */
static inline void tapered_pair(struct tapered_evaluator *e, const struct position *p, int square,
                                int step, int sign, int phase)
{
    const int first = TAPERED_SQUARES + (step == 1 ? 36 : 0);
    int at = square + step;
    while (at >= 0 && at < 64 && (step != 1 || at % 8 != 0) && p->board[at] >= 6)
        at += step;
    if (at >= 0 && at < 64 && (step != 1 || at % 8 != 0))
        tapered_count(e, first + p->board[square] * 6 + p->board[at], sign, phase);
}

/* Counts a piece, and its pairs with the next pieces ahead of it and on its right. */
static inline void tapered_piece(struct tapered_evaluator *e, const struct position *p, int square,
                                 int phase)
{
    const bool white = (p->by_color[WHITE] >> square & 1) != 0;
    const int kind = p->board[square], step = white ? 8 : -8, sign = white ? 1 : -1;
    tapered_count(e, kind * 64 + (white ? square : square ^ 56), sign, phase);
    tapered_pair(e, p, square, step, sign, phase);
    tapered_pair(e, p, square, 1, sign, phase);
}

static inline int tapered_list(struct tapered_evaluator *e, const struct position *p)
{
    const int phase = tapered_phase(p);
    int count = 0;
    memset(e->counts, 0, sizeof e->counts);
    for (int square = 0; square < 64; square++)
        if (p->board[square] < 6)
            tapered_piece(e, p, square, phase);
    for (int i = 0; i < e->of->table.count; i++)
        if (e->counts[i] != 0)
            e->items[count++] = (struct weight_count){(uint16_t)i, e->counts[i]};
    return count;
}

static inline bool
tapered_trace(struct evaluator *base, const struct position *positions, size_t count,
              bool (*take)(void *context, size_t index, const struct leaf_counts *counts),
              void *context, struct error *err)
{
    struct tapered_evaluator *e = (struct tapered_evaluator *)base;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        const int tempo = e->of->tempo;
        struct leaf_counts counts = {.bias = positions[i].side == WHITE ? tempo : -tempo,
                                     .count = tapered_list(e, &positions[i]),
                                     .items = e->items};
        if (!take(context, i, &counts))
            return false;
    }
    return true;
}

static inline void tapered_destroy(struct evaluator *e)
{
    free(e);
}

static inline struct evaluator *tapered_create(const void *context, struct error *err)
{
    struct tapered_evaluator *e = calloc(1, sizeof *e);
    if (e == NULL)
        error_set(err, "no memory for an evaluation");
    else {
        e->of = context;
        e->base = (struct evaluator){tapered_trace, tapered_destroy, &e->of->table, TAPERED_SCALE};
    }
    return e != NULL ? &e->base : NULL;
}

static inline struct evaluator_source tapered_source(const struct tapered *t)
{
    return (struct evaluator_source){.create = tapered_create, .context = t};
}

#endif
