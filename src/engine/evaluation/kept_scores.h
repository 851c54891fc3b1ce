/* Scores of positions that a search meets again: an eighth of all that it evaluates, and as many after a
 * null move, whose score is found with that before it.
 *
 * A table of fixed size, indexed by the position's key; a new score replaces the old one. A hit compares
 * all bits of the key but six, so that it is false as rarely as one of the transposition table. */
#ifndef GRAYLING_KEPT_SCORES_H
#define GRAYLING_KEPT_SCORES_H

#include "evaluate.h"

enum { KEPT_SCORES_BITS = 15, KEPT_SCORE_BITS = 21 };

_Static_assert(2 * EVAL_LIMIT < 1 << KEPT_SCORE_BITS, "room for every score");

/* Owned by the caller. All-zero memory is an empty table. A word is the key, with the score in its low
 * bits, raised so that it is never 0. */
struct kept_scores {
    uint64_t words[1 << KEPT_SCORES_BITS];
};

static inline uint64_t *kept_scores_word(struct kept_scores *kept, uint64_t key)
{
    return &kept->words[key & ((1 << KEPT_SCORES_BITS) - 1)];
}

/* The same for a table that does not change. */
static inline const uint64_t *kept_scores_word_const(const struct kept_scores *kept, uint64_t key)
{
    return &kept->words[key & ((1 << KEPT_SCORES_BITS) - 1)];
}

static inline uint64_t kept_scores_tag(uint64_t key)
{
    return key >> KEPT_SCORE_BITS << KEPT_SCORE_BITS;
}

/* Whether the score of a position is kept; writes it if so. */
static inline bool kept_scores_find(struct kept_scores *kept, uint64_t key, int32_t *score)
{
    const uint64_t raised = *kept_scores_word(kept, key) ^ kept_scores_tag(key);
    if (raised == 0 || raised >> KEPT_SCORE_BITS != 0)
        return false;
    *score = (int32_t)raised - EVAL_LIMIT;
    return true;
}

/* Keeps a score, less than EVAL_LIMIT. */
static inline void kept_scores_add(struct kept_scores *kept, uint64_t key, int32_t score)
{
    *kept_scores_word(kept, key) = kept_scores_tag(key) | (uint64_t)(score + EVAL_LIMIT);
}

#endif
