/* The evaluation that an engine plays with: which one, and its weights. A value that can be copied, of some 19 KB.
 *
 *     kind of its table    terms                          header
 *     evaluation           35, the paper's                evaluate.h
 *     evaluation-modern    MODERN_WEIGHTS, tapered        modern.h
 *
 * Both are linear in their weights. From White's side,
 *
 *     evaluation_scale * score == sum over weights of count * weight
 *
 * exactly, before the score is rounded. */
#ifndef GRAYLING_EVALUATION_H
#define GRAYLING_EVALUATION_H

#include "evaluate.h"
#include "modern.h"

enum evaluation_kind { EVALUATION_PAPER, EVALUATION_MODERN, EVALUATION_KINDS };

/* Room for the values of either table. */
enum { EVALUATION_WEIGHTS = MODERN_WEIGHTS };

struct evaluation {
    enum evaluation_kind kind;
    union {
        struct eval_weights paper;
        struct modern_weights modern;
    };
};

/* ---- values ---- */

/* The tables of all evaluations in the order of enum evaluation_kind, terminated by NULL. */
extern const struct param_table *const evaluation_tables[];

/* The table of this kind; NULL if it is of no evaluation of ours. */
const struct param_table *evaluation_table_of_kind(const char *kind);

/* From the values of a table of one of these kinds, in its order and within its ranges. */
struct evaluation evaluation_from(const struct param_table *table, const int32_t *values);

/* The paper's evaluation with these weights, and with the initial ones. */
struct evaluation evaluation_of_weights(const struct eval_weights *w);
struct evaluation evaluation_initial(void);

const struct param_table *evaluation_table(const struct evaluation *e);

/* Writes the weights in the order of the table: the inverse of evaluation_from. */
void evaluation_values(const struct evaluation *e, int32_t values[EVALUATION_WEIGHTS]);

/* ---- scores that are kept ---- */

/* Scores of positions that a search meets again, an eighth of all that it evaluates, and as many after a null move:
 * an entry has the scores of either side to move. Its key is the position's with White to move, all bits of which are
 * compared, so that a hit is false as rarely as one of the transposition table. All-zero memory is an empty table. */
struct kept_scores {
    uint64_t key;
    int32_t of[2];
};

enum { KEPT_SCORES_BITS = 13 };

static inline uint64_t kept_scores_key(const struct position *p)
{
    return p->side == WHITE ? p->key : position_key_null(p);
}

static inline uint64_t kept_scores_index(uint64_t key)
{
    return key & ((1 << KEPT_SCORES_BITS) - 1);
}

/* ---- scores ---- */

/* What depends on pawns alone, or on material, kept for the next position with the same, and scores of the
 * modern evaluation, which is worth it. All-zero memory is an empty cache. */
struct evaluation_cache {
    union {
        struct pawn_cache paper;
        struct modern_cache modern;
    };
    struct kept_scores scores[1 << KEPT_SCORES_BITS];
};

/* Empties the cache. Required only before it is used with another evaluation. */
void evaluation_cache_clear(struct evaluation_cache *cache);

/* The modern evaluation in centipawns, cut to less than EVAL_LIMIT. */
int32_t evaluation_score_modern(const struct modern_weights *w, const struct position *p,
                                struct evaluation_cache *cache);

/* The score in centipawns for the side to move, the same whatever is cached. |score| < EVAL_LIMIT. */
static inline int32_t evaluation_score(const struct evaluation *e, const struct position *p,
                                       struct evaluation_cache *cache)
{
    if (e->kind == EVALUATION_MODERN)
        return evaluation_score_modern(&e->modern, p, cache);
    return evaluate_with_pawns(p, &e->paper, pawn_cache_probe(&cache->paper, p, &e->paper));
}

/* Prefetches the entry that the next lookup of a modern score reads. */
static inline void evaluation_prefetch(const struct evaluation *e, const struct position *p,
                                       const struct evaluation_cache *cache)
{
    if (e->kind == EVALUATION_MODERN)
        __builtin_prefetch(&cache->scores[kept_scores_index(kept_scores_key(p))]);
}

/* Whether the score merely changes its sign when the other side is to move. */
static inline bool evaluation_is_symmetric(const struct evaluation *e)
{
    return e->kind == EVALUATION_PAPER;
}

/* ---- exact scores ---- */

/* EXACT_MATE - n is mate in n plies, beyond every exact score: those of the modern evaluation reach some hundred
 * millions. */
enum { EXACT_MATE = 2000000000, EXACT_INFINITE = INT32_MAX };

/* What the weights are multiplied out to: an exact score is a score in centipawns times this. */
int32_t evaluation_scale(enum evaluation_kind kind);

/* The exact score for the side to move. */
int32_t evaluation_exact(const struct evaluation *e, const struct position *p);

/* Writes the counts that are not 0, by rising weight, from White's side; returns their number. */
int evaluation_counts(enum evaluation_kind kind, const struct position *p,
                      struct weight_count items[EVALUATION_WEIGHTS]);

/* ---- pieces ---- */

/* The worth of a piece, to estimate gains: by kind, in centipawns, 0 or more; the king's is 0. */
struct piece_values {
    int32_t of[NO_KIND + 1];
};

/* The paper's evaluation has a weight for each kind of piece. The modern one spreads the worth of a piece
 * over many: its squares, its mobility, products of numbers. There it is the mean of what its side loses
 * when a piece of the kind is taken off a board, in some ordinary positions. */
struct piece_values piece_values_find(const struct evaluation *e);

#endif
