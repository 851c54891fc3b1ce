/* Internal to the modern evaluation: the only access to its sum. A group's code is compiled twice, once
 * to sum a score and once to record counts. */
#ifndef GRAYLING_MODERN_SINK_H
#define GRAYLING_MODERN_SINK_H

#include "modern_cache.h"
#include "modern_facts.h"

/* The destination of counts: a packed score, or counts of terms. `view` is +1 while White's terms are
 * counted and -1 while Black's are. */
struct sink {
    const int64_t *pair;
    int64_t score;
    int16_t *counts; /* NULL: the score */
    int view;
};

#define INLINE static inline __attribute__((always_inline))

/* The only function that changes the sum. */
INLINE void add(struct sink *e, int term, int64_t count)
{
    if (e->counts != NULL)
        e->counts[term] = (int16_t)(e->counts[term] + e->view * count);
    else if (e->view > 0)
        e->score += e->pair[term] * count;
    else
        e->score -= e->pair[term] * count;
}

/* Counts the pieces of a set by kind, with the turn as last dimension. */
INLINE void add_by_kind(struct sink *e, const struct modern_facts *f, enum color us, int term,
                        Bitboard set)
{
    while (set != 0)
        add(e, term + 2 * f->position->board[bits_pop(&set)] + f->turn[us], 1);
}

/* Defines a group's two functions from its code for one side,
 * `side(struct sink *, const struct modern_facts *, enum color)`. */
#define MODERN_GROUP(group, side)                                                                  \
    int64_t modern_##group(const struct modern_facts *f, const struct modern_weights *w)           \
    {                                                                                              \
        struct sink e = {.pair = w->pair, .view = 1};                                              \
        side(&e, f, WHITE);                                                                        \
        e.view = -1;                                                                               \
        side(&e, f, BLACK);                                                                        \
        return e.score;                                                                            \
    }                                                                                              \
    void modern_##group##_counts(const struct modern_facts *f, int16_t *counts)                    \
    {                                                                                              \
        struct sink e = {.counts = counts, .view = 1};                                             \
        side(&e, f, WHITE);                                                                        \
        e.view = -1;                                                                               \
        side(&e, f, BLACK);                                                                        \
    }

/* The groups. Each is a file of its name, and says what it is worth and what it costs. Worth: the sum of
 * the saliencies of its weights, in thousandths of a nat, that is how much the loss on 25,000 positions
 * would rise, to second order, if one weight after another were 0 alone (`grayling regress --saliency`).
 * Cost: its part of the time of an evaluation whose pawns, kings and material are kept
 * (bench/bench_evaluation.c). */
#define MODERN_GROUPS                                                                              \
    GROUP(material)                                                                                \
    GROUP(squares)                                                                                 \
    GROUP(pawns)                                                                                   \
    GROUP(passed)                                                                                  \
    GROUP(mobility)                                                                                \
    GROUP(control)                                                                                 \
    GROUP(threats)                                                                                 \
    GROUP(guards)                                                                                  \
    GROUP(next)                                                                                    \
    GROUP(pins)                                                                                    \
    GROUP(king)                                                                                    \
    GROUP(shelter)                                                                                 \
    GROUP(pieces)                                                                                  \
    GROUP(whole)

#define GROUP(name)                                                                                \
    int64_t modern_##name(const struct modern_facts *f, const struct modern_weights *w);           \
    void modern_##name##_counts(const struct modern_facts *f, int16_t *counts);
MODERN_GROUPS
#undef GROUP

/* Fills in what depends on material alone. */
void modern_material_find(const struct modern_facts *f, const struct modern_weights *w,
                          struct modern_material *material);

/* The score times MODERN_SCALE, for the side to move: the parts that are kept, and all others. */
int32_t modern_weigh(const struct modern_facts *f, const struct modern_weights *w,
                     const struct modern_material *material);

#endif
