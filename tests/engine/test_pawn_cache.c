/* Pawn structures and the cache that keeps them: the score of evaluate(), whatever was kept. */
#include "pawn_cache.h"

#include "random_chess.h"

#include <criterion/criterion.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_ENTRIES = 1 << PAWN_CACHE_BITS };

static struct pawn_cache *new_cache(void)
{
    struct pawn_cache *cache = calloc(1, sizeof *cache);
    cr_assert_not_null(cache);
    return cache;
}

static struct position position(const char *fen)
{
    struct position p;
    cr_assert(position_from_fen(&p, fen, NULL, NULL), "%s", fen);
    return p;
}

/* The score of the position through the trace, which keeps nothing. */
static int32_t replay(const struct position *p, const struct eval_weights *w)
{
    struct eval_trace trace;
    int32_t score = 0;
    evaluate_trace(p, &trace);
    for (int t = 0; t < EVAL_TERMS; t++)
        score += trace.count[t] * w->value[t];
    return p->side == WHITE ? score : -score;
}

/* Evaluates through the cache. */
static int32_t cached(struct pawn_cache *cache, const struct position *p,
                      const struct eval_weights *w)
{
    return evaluate_with_pawns(p, w, pawn_cache_probe(cache, p, w));
}

Test(pawn_cache, gives_the_evaluation_of_random_positions)
{
    struct stream s;
    struct pawn_cache *cache = new_cache();
    stream_init(&s, 21, STREAM_TEST, 0, 0);
    for (int set = 0; set < 10; set++) {
        struct eval_weights w = random_weights(&s);
        memset(cache, 0, sizeof *cache);
        for (int i = 0; i < 2000; i++) {
            struct position p = random_position(&s, i % 250);
            int32_t score = replay(&p, &w);
            cr_assert_eq(cached(cache, &p, &w), score);
            cr_assert_eq(cached(cache, &p, &w), score);
            cr_assert_eq(evaluate(&p, &w), score);
        }
    }
    free(cache);
}

/* The same pawns among all sorts of other pieces, found for one and used for another. */
Test(pawn_cache, a_structure_serves_all_positions_with_its_pawns)
{
    static const char *const same[] = {
        "rnbqkbnr/pp3ppp/4p3/2pp4/3P4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 1",
        "4k3/pp3ppp/4p3/2pp4/3P4/8/PP2PPPP/4K3 b - - 0 1",
        "6k1/pp3ppp/1R2p3/2ppN3/3P4/8/PP2PPPP/6K1 w - - 0 1",
        "2r3k1/pp1R1ppp/4p1q1/2pp4/3P4/8/PP2PPPP/1Q4K1 b - - 0 1",
    };
    struct stream s;
    struct pawn_structure kept[4];
    stream_init(&s, 22, STREAM_TEST, 0, 0);
    struct eval_weights w = random_weights(&s);
    memset(kept, 0xff, sizeof kept);
    for (int i = 0; i < 4; i++) {
        struct position p = position(same[i]);
        pawn_structure_find(&p, &w, &kept[i]);
        cr_assert_eq(memcmp(&kept[i], &kept[0], sizeof kept[0]), 0, "%s", same[i]);
        cr_assert_eq(evaluate_with_pawns(&p, &w, &kept[0]), replay(&p, &w), "%s", same[i]);
    }
}

Test(pawn_cache, keeps_what_it_found)
{
    struct pawn_cache *cache = new_cache();
    struct eval_weights w = eval_initial_weights(), other = w;
    struct position p = position("4k3/pp3ppp/4p3/2pp4/3P4/8/PP2PPPP/4K3 w - - 0 1");
    const struct pawn_structure *s = pawn_cache_probe(cache, &p, &w);
    struct pawn_structure first = *s;
    other.value[PAWN_VALUE]++;
    cr_assert_eq(pawn_cache_probe(cache, &p, &other), s);
    cr_assert_eq(memcmp(s, &first, sizeof first), 0);
    memset(cache, 0, sizeof *cache);
    cr_assert_eq(pawn_cache_probe(cache, &p, &other), s);
    cr_assert_neq(s->score, first.score);
    free(cache);
}

/* A place that was never used holds the structure without pawns. */
Test(pawn_cache, zeroed_memory_is_right_without_pawns)
{
    struct stream s;
    struct pawn_structure found, zero;
    const size_t used = offsetof(struct pawn_structure, third) + sizeof zero.third;
    stream_init(&s, 23, STREAM_TEST, 0, 0);
    struct eval_weights w = random_weights(&s);
    struct position p = position("r1b1k3/8/8/2n5/8/8/3Q4/4K2R w - - 0 1");
    memset(&zero, 0, sizeof zero);
    memset(&found, 0xff, sizeof found);
    pawn_structure_find(&p, &w, &found);
    cr_assert_eq(memcmp(&found, &zero, used), 0);
    cr_assert_eq(evaluate_with_pawns(&p, &w, &zero), replay(&p, &w));
}

/* Positions whose pawns share a place push each other out, and are still told apart. */
Test(pawn_cache, pawns_that_collide_are_told_apart)
{
    static struct position first[CACHE_ENTRIES];
    static bool used[CACHE_ENTRIES];
    struct stream s;
    struct pawn_cache *cache = new_cache();
    int collisions = 0;
    stream_init(&s, 24, STREAM_TEST, 0, 0);
    struct eval_weights w = random_weights(&s);
    for (int i = 0; i < 20000 && collisions < 300; i++) {
        struct position p = random_position(&s, 20 + i % 100);
        Bitboard white = position_pieces(&p, WHITE, PAWN), black = position_pieces(&p, BLACK, PAWN);
        unsigned index = pawn_cache_index(white, black);
        cr_assert_lt(index, CACHE_ENTRIES);
        if (!used[index]) {
            used[index] = true;
            first[index] = p;
        } else if (position_pieces(&first[index], WHITE, PAWN) != white ||
                   position_pieces(&first[index], BLACK, PAWN) != black) {
            collisions++;
            for (int turn = 0; turn < 2; turn++) {
                cr_assert_eq(cached(cache, &first[index], &w), replay(&first[index], &w));
                cr_assert_eq(cached(cache, &p, &w), replay(&p, &w));
            }
        }
    }
    cr_assert_eq(collisions, 300);
    free(cache);
}

Test(pawn_cache, an_entry_is_a_cache_line)
{
    cr_assert_eq(sizeof(struct pawn_structure), 64);
}
