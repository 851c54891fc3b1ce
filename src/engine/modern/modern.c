#include "modern.h"

#include "modern_sink.h"

#include <string.h>

_Static_assert((int)MODERN_WEIGHTS <= (int)EVALUATOR_WEIGHTS_MAX,
               "a trace has room for all weights");

/* Counts the groups of the list of functions that the table has too, before its sums. */
#define GROUP(name) +(GROUP_##name < GROUP_sums)
_Static_assert(0 FOR_EACH_GROUP == (int)GROUP_sums, "each group but the sums has its functions");
#undef GROUP

const uint16_t modern_group_begin[] = {
#define GROUP(name, meaning) T_OF_##name,
#define TERM(name, a, b, c, d, meaning)
#define SUM(name, of, a, b, c, d, meaning)
#include "modern_terms.def"
#undef SUM
#undef TERM
#undef GROUP
    MODERN_TERMS};

/* The first index of each term and sum, and MODERN_TERMS. */
static const uint16_t term_begin[] = {
#define GROUP(name, meaning)
#define TERM(name, a, b, c, d, meaning)    T_##name,
#define SUM(name, of, a, b, c, d, meaning) T_##name,
#include "modern_terms.def"
#undef SUM
#undef TERM
#undef GROUP
    MODERN_TERMS};

void modern_term_weights(int weight, int *first, int *end)
{
    int next = 1;
    while (term_begin[next] <= weight / 2)
        next++;
    *first = 2 * term_begin[next - 1];
    *end = 2 * term_begin[next];
}

static int64_t packed(const int32_t *values, int term)
{
    return values[2 * term + 1] * (INT64_C(1) << 32) + values[2 * term];
}

/* The groups that have a pair other than 0. */
static unsigned groups_used(const int64_t *pair)
{
    unsigned used = 0;
    for (int group = 0; group < GROUP_sums; group++)
        for (int t = modern_group_begin[group]; t < modern_group_begin[group + 1]; t++)
            used |= (unsigned)(pair[t] != 0) << group;
    return used;
}

void modern_pack(const int32_t *values, struct modern_weights *w)
{
    for (int i = 0; i < MODERN_WEIGHTS; i++)
        w->values[i] = (int16_t)values[i];
    for (int t = 0; t < MODERN_COUNTED; t++) {
        w->pair[t] = packed(values, t);
        for (const uint16_t *sum = modern_sums[t]; *sum != MODERN_TERMS; sum++)
            w->pair[t] += packed(values, *sum);
    }
    w->groups = groups_used(w->pair);
}

/* A packed sum, weighed by the phase. */
static int32_t phased(int64_t sum, int32_t phase)
{
    int32_t middlegame = (int32_t)sum, endgame = (int32_t)((sum - middlegame) >> 32);
    return middlegame * phase + endgame * (MODERN_PHASES - phase);
}

void modern_weigh(const struct modern_facts *f, const struct modern_weights *w,
                  const struct modern_material *material, int32_t scores[2])
{
    const struct modern_pawns *pawns = f->pawns;
    int64_t kept = material->score + pawns->score + pawns->kings[WHITE] + pawns->kings[BLACK];
    int64_t sums[2] = {kept, kept};
#define GROUP(name)                                                                                \
    if ((w->groups >> GROUP_##name & 1) != 0)                                                      \
        modern_##name(f, w, sums);
    FOR_EACH_POSITION_GROUP
#undef GROUP
    scores[WHITE] = phased(sums[WHITE], material->phase);
    scores[BLACK] = -phased(sums[BLACK], material->phase);
}

int32_t modern_evaluate_exact(const struct position *p, const struct modern_weights *w,
                              const struct modern_pawns *pawns)
{
    struct modern_facts f;
    struct modern_material material;
    int32_t scores[2];
    modern_facts_find(&f, p, pawns);
    modern_material_find(&f, w, &material);
    modern_weigh(&f, w, &material, scores);
    return scores[p->side];
}

/* Appends a count that is not 0. */
static int append(struct weight_count *items, int found, int weight, int count)
{
    items[found] = (struct weight_count){(uint16_t)weight, (int16_t)count};
    return found + (count != 0);
}

/* Counts of all terms, with room to read STRIDE of them at once. Most are 0. */
enum { STRIDE = 4, ROOM = (MODERN_TERMS / STRIDE + 1) * STRIDE };

static bool all_zero(const int16_t counts[STRIDE])
{
    uint64_t word;
    memcpy(&word, counts, sizeof word);
    return word == 0;
}

/* Adds a term's count to the sums that it belongs to, which are later terms. */
static void add_to_sums(int16_t counts[ROOM], int term)
{
    if (term < MODERN_COUNTED)
        for (const uint16_t *sum = modern_sums[term]; *sum != MODERN_TERMS; sum++)
            counts[*sum] = (int16_t)(counts[*sum] + counts[term]);
}

/* Lists both weights of all terms that count something. */
static int list_counts(int16_t counts[ROOM], int phase, struct weight_count *items)
{
    int found = 0;
    for (int first = 0; first < ROOM; first += STRIDE) {
        if (all_zero(counts + first))
            continue;
        for (int t = first; t < first + STRIDE; t++) {
            if (counts[t] == 0)
                continue;
            add_to_sums(counts, t);
            found = append(items, found, 2 * t, counts[t] * phase);
            found = append(items, found, 2 * t + 1, counts[t] * (MODERN_PHASES - phase));
        }
    }
    return found;
}

int modern_trace(const struct position *p, struct weight_count items[MODERN_WEIGHTS])
{
    struct modern_facts f;
    struct modern_pawns pawns;
    struct modern_material material;
    int16_t counts[ROOM];
    memset(counts, 0, sizeof counts);
    modern_pawns_find(p, NULL, &pawns);
    modern_facts_find(&f, p, &pawns);
#define GROUP(name) modern_##name##_counts(&f, counts);
    FOR_EACH_GROUP
#undef GROUP
    modern_material_find(&f, NULL, &material);
    return list_counts(counts, material.phase, items);
}
