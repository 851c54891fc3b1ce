#include "evaluation.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

_Static_assert((int)EVALUATION_WEIGHTS >= (int)EVAL_TERMS, "room for the values of either table");

/* Mates of the modern evaluation: its exact scores reach some hundred millions. */
enum { MODERN_MATE = 2000000000 };

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

/* Cuts a score to less than EVAL_LIMIT. */
static int32_t limited(int32_t score)
{
    return score >= EVAL_LIMIT ? EVAL_LIMIT - 1 : score <= -EVAL_LIMIT ? 1 - EVAL_LIMIT : score;
}

int32_t evaluation_score_modern(const struct modern_weights *w, const struct position *p,
                                struct evaluation_cache *cache)
{
    int32_t score, scores[2];
    if (kept_scores_find(&cache->scores, p->key, &score))
        return score;
    modern_evaluate(p, w, &cache->modern, scores);
    score = limited(scores[p->side]);
    kept_scores_add(&cache->scores, p->key, score);
    kept_scores_add(&cache->scores, position_key_null(p), limited(scores[p->side ^ 1]));
    return score;
}

/* ---- exact scores ---- */

int32_t evaluation_scale(enum evaluation_kind kind)
{
    return kind == EVALUATION_MODERN ? MODERN_SCALE : 1;
}

int32_t evaluation_mate(enum evaluation_kind kind)
{
    return kind == EVALUATION_MODERN ? (int32_t)MODERN_MATE : (int32_t)MATE;
}

int32_t evaluation_exact(const struct evaluation *e, const struct position *p)
{
    struct modern_pawns pawns;
    if (e->kind == EVALUATION_PAPER)
        return evaluate(p, &e->paper);
    modern_pawns_find(p, &e->modern, &pawns);
    return modern_evaluate_exact(p, &e->modern, &pawns);
}

/* Lists the counts of the paper's evaluation. */
static int paper_counts(const struct position *p, struct weight_count *items)
{
    struct eval_trace trace;
    int found = 0;
    evaluate_trace(p, &trace);
    for (int t = 0; t < EVAL_TERMS; t++)
        if (trace.count[t] != 0)
            items[found++] = (struct weight_count){(uint16_t)t, trace.count[t]};
    return found;
}

int evaluation_counts(enum evaluation_kind kind, const struct position *p,
                      struct weight_count items[EVALUATION_WEIGHTS])
{
    return kind == EVALUATION_MODERN ? modern_trace(p, items) : paper_counts(p, items);
}
