#include "evaluation.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

_Static_assert((int)EVALUATION_WEIGHTS >= (int)EVAL_TERMS, "room for the values of either table");

/* ---- values ---- */

const struct param_table *const evaluation_tables[] = {
    [EVALUATION_PAPER] = &eval_table,
    [EVALUATION_MODERN] = &modern_eval_table,
    [EVALUATION_KINDS] = NULL,
};

const struct param_table *evaluation_table_of_kind(const char *kind)
{
    for (int i = 0; i < EVALUATION_KINDS; i++)
        if (strcmp(evaluation_tables[i]->kind, kind) == 0)
            return evaluation_tables[i];
    return NULL;
}

struct evaluation evaluation_from(const struct param_table *table, const int32_t *values)
{
    struct evaluation e = {.kind = EVALUATION_PAPER};
    assert(evaluation_table_of_kind(table->kind) != NULL);
    if (strcmp(table->kind, modern_eval_table.kind) == 0) {
        e.kind = EVALUATION_MODERN;
        modern_pack(values, &e.modern);
    } else {
        memcpy(e.paper.value, values, sizeof e.paper.value);
    }
    return e;
}

struct evaluation evaluation_of_weights(const struct eval_weights *w)
{
    return evaluation_from(&eval_table, w->value);
}

struct evaluation evaluation_initial(void)
{
    const struct eval_weights w = eval_initial_weights();
    return evaluation_of_weights(&w);
}

const struct param_table *evaluation_table(const struct evaluation *e)
{
    return evaluation_tables[e->kind];
}

void evaluation_values(const struct evaluation *e, int32_t values[EVALUATION_WEIGHTS])
{
    if (e->kind == EVALUATION_PAPER)
        memcpy(values, e->paper.value, sizeof e->paper.value);
    else
        for (int i = 0; i < MODERN_WEIGHTS; i++)
            values[i] = e->modern.values[i];
}

/* ---- scores ---- */

void evaluation_cache_clear(struct evaluation_cache *cache)
{
    memset(cache, 0, sizeof *cache);
}

int32_t evaluation_score_modern(const struct modern_weights *w, const struct position *p,
                                struct evaluation_cache *cache)
{
    const uint64_t key = kept_scores_key(p);
    struct kept_scores *kept = &cache->scores[kept_scores_index(key)];
    if (kept->key != key) {
        int32_t scores[2];
        modern_evaluate(p, w, &cache->modern, scores);
        *kept = (struct kept_scores){
            key, {limited(scores[WHITE], EVAL_LIMIT - 1), limited(scores[BLACK], EVAL_LIMIT - 1)}};
    }
    return kept->of[p->side];
}

/* ---- exact scores ---- */

int32_t evaluation_scale(enum evaluation_kind kind)
{
    return kind == EVALUATION_MODERN ? MODERN_SCALE : 1;
}

int32_t evaluation_exact(const struct evaluation *e, const struct position *p)
{
    struct modern_pawns pawns;
    if (e->kind == EVALUATION_PAPER)
        return evaluate(p, &e->paper);
    modern_pawns_find(p, &e->modern, &pawns);
    return modern_evaluate_exact(p, &e->modern, &pawns);
}

static int paper_counts(const struct position *p, struct weight_count *items)
{
    struct eval_trace trace;
    int found = 0;
    evaluate_trace(p, &trace);
    for (int t = 0; t < EVAL_TERMS; t++) { /* no branch to predict */
        items[found] = (struct weight_count){(uint16_t)t, trace.count[t]};
        found += trace.count[t] != 0;
    }
    return found;
}

int evaluation_counts(enum evaluation_kind kind, const struct position *p,
                      struct weight_count items[EVALUATION_WEIGHTS])
{
    return kind == EVALUATION_MODERN ? modern_trace(p, items) : paper_counts(p, items);
}

/* Middlegames and endgames, each with the same pieces on both sides. */
static const char *const boards[] = {
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p3/2B1P3/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 1",
    "2r2rk1/1b2qppp/p3pn2/1p6/1P6/P3PN2/1B2QPPP/2R2RK1 w - - 0 1",
    "3r2k1/1b3ppp/p1n1p3/1p6/1P6/P1N1P3/1B3PPP/3R2K1 b - - 0 1",
    "6k1/1q3ppp/p3p3/1p6/1P6/P3P3/1Q3PPP/6K1 w - - 0 1",
};

/* What pieces of a kind are worth in all, and their number. */
struct worth {
    int64_t sum;
    int count;
};

/* The exact score from White's side. */
static int64_t white_score(const struct evaluation *e, const struct position *p)
{
    int64_t score = evaluation_exact(e, p);
    return p->side == WHITE ? score : -score;
}

/* Takes each piece off the board in turn. */
static void add_board(const struct evaluation *e, const char *fen, struct worth worth[KING])
{
    struct position p;
    position_from_fen(&p, fen, NULL, NULL);
    const int64_t all = white_score(e, &p);
    for (Bitboard set = position_occupied(&p) & ~p.by_kind[KING]; set != 0;) {
        struct position less = p;
        int square = bits_pop(&set);
        enum kind kind = (enum kind)p.board[square];
        enum color side = (p.by_color[WHITE] >> square & 1) != 0 ? WHITE : BLACK;
        less.by_kind[kind] &= ~bit(square);
        less.by_color[side] &= ~bit(square);
        less.board[square] = NO_KIND;
        int64_t loss = all - white_score(e, &less);
        worth[kind].sum += side == WHITE ? loss : -loss;
        worth[kind].count++;
    }
}

/* A value in centipawns, within what a search can add to a score. */
static int32_t mean(const struct worth *w, int32_t scale)
{
    int64_t value = w->sum / w->count / scale;
    return value < 0 ? 0 : value > EVAL_LIMIT ? EVAL_LIMIT : (int32_t)value;
}

struct piece_values piece_values_find(const struct evaluation *e)
{
    struct piece_values values = {{0}};
    struct worth worth[KING] = {{0, 0}};
    if (e->kind == EVALUATION_PAPER) {
        for (int kind = PAWN; kind < KING; kind++)
            values.of[kind] = e->paper.value[PAWN_VALUE + kind];
        return values;
    }
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++)
        add_board(e, boards[i], worth);
    for (int kind = PAWN; kind < KING; kind++)
        values.of[kind] = mean(&worth[kind], evaluation_scale(e->kind));
    return values;
}
