/* Fat values (beal-1990, section 10): a reliable range, which comes from null moves and mates, and
 * an unreliable value within it, which comes from nodes where the depth ran out. */
#ifndef GRAYLING_FAT_VALUE_H
#define GRAYLING_FAT_VALUE_H

#include "evaluate.h"

#include <stdbool.h>

/* lower <= value <= upper, in centipawns for the side to move. An unknown end is -INFINITE_SCORE or
 * INFINITE_SCORE. */
struct fat_value {
    int32_t lower, value, upper;
};

/* An unreliable value with the widest range. */
static inline struct fat_value fat_unknown(int32_t value)
{
    return (struct fat_value){-INFINITE_SCORE, value, INFINITE_SCORE};
}

/* A value known exactly. */
static inline struct fat_value fat_exact(int32_t value)
{
    return (struct fat_value){value, value, value};
}

/* The same value for the other side. */
static inline struct fat_value fat_negate(struct fat_value f)
{
    return (struct fat_value){-f.upper, -f.value, -f.lower};
}

/* The maximum of two options, component by component. */
static inline struct fat_value fat_join(struct fat_value f, struct fat_value g)
{
    return (struct fat_value){f.lower > g.lower ? f.lower : g.lower,
                              f.value > g.value ? f.value : g.value,
                              f.upper > g.upper ? f.upper : g.upper};
}

/* True if `f` is worth at least `g`, whatever both turn out to be within their ranges (Figure 6). Not so
 * for [0, 0] and [-2, 3], a safe move and one that may gain or lose (Figure 7). */
static inline bool fat_is_no_worse(struct fat_value f, struct fat_value g)
{
    return f.lower >= g.upper;
}

/* `value` clamped to the range from `lower` to `upper`. */
static inline int32_t fat_clamp(int32_t value, int32_t lower, int32_t upper)
{
    return value < lower ? lower : value > upper ? upper : value;
}

/* Combines two searches of the same position: the intersection of the ranges, and the value of `f`
 * clamped to it. */
static inline struct fat_value fat_meet(struct fat_value f, struct fat_value g)
{
    int32_t lower = f.lower > g.lower ? f.lower : g.lower;
    int32_t upper = f.upper < g.upper ? f.upper : g.upper;
    return (struct fat_value){lower, fat_clamp(f.value, lower, upper), upper};
}

#endif
