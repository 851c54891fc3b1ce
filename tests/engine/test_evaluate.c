/* The evaluation: linear in its weights, symmetric in its colours, and counting what it says. */
#include "evaluate.h"
#include "mirrored.h"
#include "position_of.h"
#include "random_chess.h"

#include <criterion/criterion.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- evaluate ---- */

/* The product of a trace and weights, from the side to move. */
static int32_t replay(const struct position *p, const struct eval_weights *w)
{
    struct eval_trace trace;
    evaluate_trace(p, &trace);
    int32_t score = 0;
    for (int t = 0; t < EVAL_TERMS; t++)
        score += trace.count[t] * w->value[t];
    return p->side == WHITE ? score : -score;
}

Test(evaluate, replaying_a_trace_gives_the_evaluation)
{
    struct stream s;
    stream_init(&s, 1, STREAM_TEST, 0, 0);
    for (int i = 0; i < 2000; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 150));
        for (int k = 0; k < 10; k++) {
            struct eval_weights w = random_weights(&s);
            cr_assert_eq(replay(&p, &w), evaluate(&p, &w));
        }
    }
}

Test(evaluate, mirroring_the_board_changes_nothing)
{
    struct stream s;
    stream_init(&s, 2, STREAM_TEST, 0, 0);
    for (int i = 0; i < 5000; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 200));
        struct position m = position_mirrored(&p);
        struct eval_weights w = random_weights(&s);
        cr_assert_eq(evaluate(&p, &w), evaluate(&m, &w));
    }
}

Test(evaluate, stays_below_mate_on_the_heaviest_weights)
{
    struct position heavy = position_of("QQQQQQQQ/QRRBBNN1/8/8/8/8/8/K6k b - - 0 1");
    struct eval_weights w;
    for (int t = 0; t < EVAL_TERMS; t++)
        w.value[t] = eval_table.params[t].max;
    cr_assert(abs(evaluate(&heavy, &w)) < EVAL_LIMIT);
    struct stream s;
    stream_init(&s, 3, STREAM_TEST, 0, 0);
    for (int i = 0; i < 2000; i++) {
        struct position p = random_position(&s, (int)stream_below(&s, 300));
        cr_assert(abs(evaluate(&p, &w)) < EVAL_LIMIT);
    }
}

Test(evaluate, the_table_has_35_terms_and_224_bits)
{
    int bits = 0, tunable = 0;
    for (int t = 0; t < eval_table.count; t++) {
        const struct param *p = &eval_table.params[t];
        bits += p->bits;
        tunable += p->bits > 0;
        cr_assert(p->initial >= p->min && p->initial <= p->max, "%s", p->name);
        cr_assert(p->bits == 0 || p->max == (1 << p->bits) - 1, "%s", p->name);
        cr_assert(p->sign == 1 || p->sign == -1, "%s", p->name);
    }
    cr_assert_eq(eval_table.count, 35);
    cr_assert_eq(tunable, 34);
    cr_assert_eq(bits, 224);
    cr_assert_eq(eval_table.params[PAWN_VALUE].initial, 100);
}

/* Penalties as the paper names them; all else is a bonus. */
Test(evaluate, the_penalties_are_the_papers)
{
    const char *penalties[] = {
        "DOUBLED_PAWN_PENALTY",         "ISOLATED_PAWN_PENALTY", "BACKWARD_PAWN_PENALTY",
        "WEAK_SQUARE_PENALTY",          "KING_NO_FRIENDLY_PAWN", "KING_NO_FRIENDLY_PAWN_ADJ",
        "KING_FRIENDLY_PAWN_ADVANCED1", "KING_NO_ENEMY_PAWN",    "KING_NO_ENEMY_PAWN_ADJ"};
    int found = 0;
    for (int t = 0; t < eval_table.count; t++)
        found += eval_table.params[t].sign < 0;
    cr_assert_eq(found, 9);
    for (int i = 0; i < 9; i++)
        cr_assert_eq(eval_table.params[param_find(&eval_table, penalties[i])].sign, -1);
}

/* Golden counts: the file was made by an independent program (tests/golden/count_terms.py) from the
 * meanings in eval_params.def. Each line is a FEN, a tab, and the counts in the table's order. */
Test(evaluate, counts_each_term_as_the_golden_file_says)
{
    char path[1024], line[1024];
    snprintf(path, sizeof path, "%s/tests/golden/eval-counts.tsv", getenv("GRAYLING_SOURCE"));
    FILE *in = fopen(path, "r");
    cr_assert_not_null(in, "%s", path);
    int positions = 0, counted[EVAL_TERMS] = {0};
    while (fgets(line, sizeof line, in) != NULL) {
        char *field = strtok(line, "\t\n");
        struct position p = position_of(field);
        struct eval_trace trace;
        evaluate_trace(&p, &trace);
        for (int t = 0; t < EVAL_TERMS; t++) {
            char *text = strtok(NULL, "\t\n");
            cr_assert_not_null(text, "%s", field);
            cr_assert_eq(trace.count[t], atoi(text), "%s: %s is %d, not %s", field,
                         eval_table.params[t].name, trace.count[t], text);
            counted[t] += trace.count[t] != 0;
        }
        positions++;
    }
    fclose(in);
    cr_assert_eq(positions, 200);
    for (int t = 0; t < EVAL_TERMS; t++)
        cr_assert(counted[t] >= 3, "%s counts in only %d positions", eval_table.params[t].name,
                  counted[t]);
}

/* ---- pawn cache ---- */

enum { CACHE_ENTRIES = 1 << PAWN_CACHE_BITS };

static struct pawn_cache *new_cache(void)
{
    struct pawn_cache *cache = calloc(1, sizeof *cache);
    cr_assert_not_null(cache);
    return cache;
}

/* The score of the position through the trace, which keeps nothing. */
static int32_t pawn_cache_replay(const struct position *p, const struct eval_weights *w)
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
            int32_t score = pawn_cache_replay(&p, &w);
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
    struct pawn_cache *cache = new_cache();
    stream_init(&s, 22, STREAM_TEST, 0, 0);
    struct eval_weights w = random_weights(&s);
    for (int i = 0; i < 4; i++) {
        struct position p = position_of(same[i]);
        kept[i] = *pawn_cache_probe(cache, &p, &w);
        memset(cache, 0, sizeof *cache);
        cr_assert_eq(memcmp(&kept[i], &kept[0], sizeof kept[0]), 0, "%s", same[i]);
        cr_assert_eq(evaluate_with_pawns(&p, &w, &kept[0]), pawn_cache_replay(&p, &w), "%s",
                     same[i]);
    }
    free(cache);
}

Test(pawn_cache, keeps_what_it_found)
{
    struct pawn_cache *cache = new_cache();
    struct eval_weights w = eval_initial_weights(), other = w;
    struct position p = position_of("4k3/pp3ppp/4p3/2pp4/3P4/8/PP2PPPP/4K3 w - - 0 1");
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
    struct pawn_structure zero;
    stream_init(&s, 23, STREAM_TEST, 0, 0);
    struct eval_weights w = random_weights(&s);
    struct position p = position_of("r1b1k3/8/8/2n5/8/8/3Q4/4K2R w - - 0 1");
    memset(&zero, 0, sizeof zero);
    cr_assert_eq(evaluate_with_pawns(&p, &w, &zero), pawn_cache_replay(&p, &w));
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
        const size_t index = (size_t)(pawn_cache_probe(cache, &p, &w) - cache->entries);
        cr_assert_lt(index, CACHE_ENTRIES);
        if (!used[index]) {
            used[index] = true;
            first[index] = p;
        } else if (position_pieces(&first[index], WHITE, PAWN) != white ||
                   position_pieces(&first[index], BLACK, PAWN) != black) {
            collisions++;
            for (int turn = 0; turn < 2; turn++) {
                cr_assert_eq(cached(cache, &first[index], &w),
                             pawn_cache_replay(&first[index], &w));
                cr_assert_eq(cached(cache, &p, &w), pawn_cache_replay(&p, &w));
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
