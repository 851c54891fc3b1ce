#include "modern.h"

#include "modern_facts.h"
#include "modern_sink.h"

#include <string.h>

_Static_assert((int)MODERN_WEIGHTS <= (int)EVALUATOR_WEIGHTS_MAX,
               "a trace has room for all weights");

void modern_pack(const int32_t *values, struct modern_weights *w)
{
    for (int t = 0; t < MODERN_TERMS; t++)
        w->pair[t] = values[2 * t + 1] * (INT64_C(1) << 32) + values[2 * t];
}

/* The phase of a position, 0 to MODERN_PHASES: minor pieces count 1, rooks 2, queens 4. */
static int phase_of(const struct modern_facts *f)
{
    int sum = 0;
    for (int side = WHITE; side <= BLACK; side++)
        sum += f->count[side][KNIGHT] + f->count[side][BISHOP] + 2 * f->count[side][ROOK] +
               4 * f->count[side][QUEEN];
    return sum < MODERN_PHASES ? sum : MODERN_PHASES;
}

int32_t modern_evaluate_exact(const struct position *p, const struct modern_weights *w,
                              const struct modern_pawns *pawns)
{
    struct modern_facts f;
    modern_facts_find(&f, p, pawns);
    int64_t sum = pawns->score + modern_material(&f, w) + modern_squares(&f, w) +
                  modern_passed(&f, w) + modern_mobility(&f, w) + modern_threats(&f, w) +
                  modern_pins(&f, w) + modern_king(&f, w) + modern_shelter(&f, w) +
                  modern_pieces(&f, w) + modern_whole(&f, w);
    int32_t middlegame = (int32_t)sum, endgame = (int32_t)((sum - middlegame) >> 32);
    int phase = phase_of(&f);
    int32_t score = middlegame * phase + endgame * (MODERN_PHASES - phase);
    return p->side == WHITE ? score : -score;
}

/* Appends a count that is not 0. */
static int append(struct weight_count *items, int found, int weight, int count)
{
    items[found] = (struct weight_count){(uint16_t)weight, (int16_t)count};
    return found + (count != 0);
}

int modern_trace(const struct position *p, struct weight_count items[MODERN_WEIGHTS])
{
    struct modern_facts f;
    struct modern_pawns pawns;
    int16_t counts[MODERN_TERMS];
    int found = 0;
    memset(counts, 0, sizeof counts);
    modern_pawns_find(p, NULL, &pawns);
    modern_facts_find(&f, p, &pawns);
#define GROUP(name) modern_##name##_counts(&f, counts);
    MODERN_GROUPS
#undef GROUP
    int phase = phase_of(&f);
    for (int t = 0; t < MODERN_TERMS; t++) {
        if (counts[t] == 0)
            continue;
        found = append(items, found, 2 * t, counts[t] * phase);
        found = append(items, found, 2 * t + 1, counts[t] * (MODERN_PHASES - phase));
    }
    return found;
}
